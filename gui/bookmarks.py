"""Steps that the user has marked; they travel in the trace."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from core.trace.reader import Trace
from gui.app_state import AppState

SETTLE_MS = 800  # marks in quick succession are written once


class Bookmarks(QObject):
    """The marks of the trace that is shown. `write` puts them into its file, if it has one."""

    changed = Signal()

    def __init__(
        self, state: AppState, write: Callable[[Trace, Iterable[int]], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.steps: frozenset[int] = frozenset()
        self._state = state
        self._write = write
        self._trace: Trace | None = None
        self._is_dirty = False
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self.flush)
        state.trace_changed.connect(self._on_trace_changed)

    def toggle(self, step: int) -> bool:
        """Set or remove the mark of a step; return whether it is marked now."""
        self.steps ^= {step}
        self._is_dirty = True
        self._timer.start()
        self.changed.emit()
        return step in self.steps

    def next_after(self, step: int) -> int | None:
        """The next marked step, from the beginning again after the last one."""
        later = [marked for marked in self.steps if marked > step]
        return min(later or self.steps, default=None)

    def flush(self) -> None:
        """Write what has not been written yet."""
        if self._is_dirty and self._trace is not None:
            self._write(self._trace, self.steps)
        self.on_saved()

    def on_saved(self) -> None:
        """They are in the file already."""
        self._is_dirty = False
        self._timer.stop()

    def _on_trace_changed(self) -> None:
        """The trace before is still open: it is closed after everybody has been told."""
        self.flush()
        self._trace = trace = self._state.trace
        recorded = trace.end.bookmarks if trace is not None and trace.end is not None else []
        known = range(self._state.n_steps)
        self.steps = frozenset(step for step in recorded if step in known)
        self.changed.emit()
