"""The search for the cause of the first bad step: asked for by itself as soon as the engine has nothing else to do."""

from PySide6.QtCore import QObject, Signal

from core.engine.messages import Diagnosed
from core.verdict.steps import first_bad_step, is_bad
from gui.app_state import AppState
from gui.engine_bridge import EngineBridge


class CauseSearch(QObject):
    """Asks once a step and run; a step that the user wants comes first, and the search begins again after it."""

    changed = Signal()

    def __init__(self, state: AppState, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_searching = False
        self.n_tried = self.n_planned = 0
        self._state = state
        self._bridge = bridge
        self._is_listening = False
        self._is_declined = False
        self._asked: set[int] = set()
        bridge.diagnosing.connect(self._on_diagnosing)
        bridge.diagnosed.connect(self._on_diagnosed)

    def listen(self) -> None:
        """A run has started: what is said from now on is about it."""
        self._is_listening, self._is_declined = True, False
        self._asked.clear()

    def rest(self) -> None:
        """No run, no search."""
        self._is_listening = False
        self._set(False)

    def ask_if_due(self) -> None:
        """The engine waits: if the first bad step has no cause yet, this is the time to look for it."""
        trace = self._state.trace
        if trace is None or not self._is_listening or self._is_declined or self.is_searching:
            return
        step = first_bad_step(trace, self._state.tolerance)
        # what the recording calls equal, under a tolerance that was lowered since, the engine does not look into
        if step is None or step in self._asked or not is_bad(trace, step, trace.info.tolerance):
            return
        self._asked.add(step)
        self._set(True)
        self._bridge.diagnose(step)

    def stop(self) -> None:
        """The user does not want to wait: nothing is looked for in this run any more."""
        self._is_declined = True
        self._bridge.stop_search()

    def _on_diagnosing(self, n_tried: int, n_planned: int) -> None:
        if self._is_listening:
            self._set(True, n_tried, n_planned)

    def _on_diagnosed(self, event: Diagnosed) -> None:
        if not self._is_listening:
            return
        if event.was_stopped:
            self._asked.discard(event.step_index)
        else:
            self._asked.add(event.step_index)
            self._state.add_findings(event.step_index, event.findings)
        self._set(False)

    def _set(self, is_searching: bool, n_tried: int = 0, n_planned: int = 0) -> None:
        now = (is_searching, n_tried, n_planned)
        if now != (self.is_searching, self.n_tried, self.n_planned):
            self.is_searching, self.n_tried, self.n_planned = now
            self.changed.emit()
