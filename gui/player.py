"""Playing a recorded run: the cursor goes from step to step by itself."""

from PySide6.QtCore import QObject, QTimer, Signal

from gui.app_state import AppState
from gui.session import Session

STEP_MS = 160


class Player(QObject):
    """Plays to the end, or to where the session's stop condition holds."""

    changed = Signal()

    def __init__(self, state: AppState, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self._session = session
        self._timer = QTimer(self, interval=STEP_MS)
        self._timer.timeout.connect(self._on_tick)
        state.trace_changed.connect(self.stop)

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    def start(self) -> None:
        """From the cursor, or from the beginning where it stands at the end."""
        if self._state.n_steps < 2:
            return
        if self._state.selection.step >= self._state.n_steps - 1:
            self._state.select(step=0)
        self._timer.start()
        self.changed.emit()

    def stop(self) -> None:
        if self.is_playing:
            self._timer.stop()
            self.changed.emit()

    def _on_tick(self) -> None:
        trace, step = self._state.trace, self._state.selection.step + 1
        if trace is None or step >= self._state.n_steps:
            self.stop()
            return
        self._state.select(step=step)
        at_stop = self._session.stop.holds(trace, step, self._state.tolerance)
        if at_stop or step == self._state.n_steps - 1:
            self.stop()
