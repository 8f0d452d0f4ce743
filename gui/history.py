"""Where the user has looked: back and forward through the selections of a trace, as in a browser."""

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from core.views.selection import Selection
from gui.app_state import AppState

MOST = 200
GLIDE_MS = 400  # changes that follow each other faster are one movement


class SelectionHistory(QObject):
    """Listens to the selection; a run that moves the cursor, or a key that is held, leaves one entry."""

    changed = Signal()

    def __init__(self, state: AppState, parent: QObject, glide_ms: int = GLIDE_MS) -> None:
        super().__init__(parent)
        self._state = state
        self._glide_ms = glide_ms
        self._entries = [state.selection]
        self._index = 0
        self._is_moving = False
        self._clock = QElapsedTimer()
        state.selection_changed.connect(self._on_selection_changed)
        state.trace_changed.connect(self._on_trace_changed)

    @property
    def can_go_back(self) -> bool:
        return self._index > 0

    @property
    def can_go_forward(self) -> bool:
        return self._index < len(self._entries) - 1

    def back(self) -> None:
        """To the selection before."""
        self._go(-1)

    def forward(self) -> None:
        """To the selection that `back` came from."""
        self._go(1)

    def _go(self, by: int) -> None:
        if not 0 <= self._index + by < len(self._entries):
            return
        self._index += by
        self._is_moving = True
        self._state.select(**vars(self._entries[self._index]))
        self._is_moving = False
        self._clock.invalidate()
        self.changed.emit()

    def _on_selection_changed(self) -> None:
        if self._is_moving:
            return
        glides = self._clock.isValid() and self._clock.elapsed() < self._glide_ms and self._index > 0
        kept = self._entries[: self._index + (0 if glides else 1)]
        self._entries = [*kept, self._state.selection][-MOST:]
        self._index = len(self._entries) - 1
        self._clock.restart()
        self.changed.emit()

    def _on_trace_changed(self) -> None:
        selection: Selection = self._state.selection
        self._entries, self._index = [selection], 0
        self._clock.invalidate()
        self.changed.emit()
