"""Every scenario of a target, one after another, in an engine of its own: the run that is shown goes on undisturbed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from msgspec.structs import replace as with_changes
from PySide6.QtCore import QObject, QTimer, Signal

from core.catalog import SCENARIOS
from core.engine.messages import RunEnded, RunFailed, RunSkipped, RunSpec, RunStarted
from core.errors import EXIT_USAGE, KVScopeError
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.views.scenarios import ScenarioRow, scenario_row
from gui.engine_bridge import EngineBridge
from gui.run_files import RunFolder

State = Literal["waiting", "running", "done", "skipped", "failed", "cancelled"]
CANCEL_PATIENCE_MS = 2000
PART = ".part"


@dataclass(frozen=True)
class Outcome:
    """One scenario as far as it has come. `reason` says why it was skipped or failed.

    `n_tried` of `n_repairs` are done while the cause of its first bad step is looked for.
    """

    scenario: str
    state: State = "waiting"
    n_done: int = 0
    n_planned: int = 0
    n_tried: int = 0
    n_repairs: int = 0
    reason: Text | None = None
    traceback: str = ""
    busy_s: int = 0  # how long the target has not come back, where that is long
    trace: Trace | None = None


class ScenarioRunner(QObject):
    """Holds the outcomes and their traces until the next series."""

    changed = Signal()

    def __init__(
        self,
        is_allowed: Callable[[RunSpec], bool],
        permit: Callable[[RunSpec], RunSpec],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._permit = permit
        self.outcomes: tuple[Outcome, ...] = ()
        self.spec = RunSpec()
        self._is_allowed = is_allowed
        self._files = RunFolder()
        self._path = Path()
        self._current: int | None = None
        self._bridge = EngineBridge(self)
        self._patience = QTimer(self, singleShot=True, interval=CANCEL_PATIENCE_MS)
        self._patience.timeout.connect(self._end_engine)
        self._bridge.started.connect(self._on_started)
        self._bridge.step_recorded.connect(self._on_step_recorded)
        self._bridge.diagnosing.connect(self._on_diagnosing)
        self._bridge.ended.connect(self._on_ended)
        self._bridge.skipped.connect(self._on_skipped)
        self._bridge.failed.connect(self._on_failed)
        self._bridge.busy.connect(self._on_busy)

    @property
    def is_running(self) -> bool:
        return self._current is not None

    def start(self, spec: RunSpec) -> None:
        """Run all scenarios of the target with these settings; a series before it is given up."""
        self._let_go()
        self.spec = spec
        self.outcomes = tuple(Outcome(name) for name in SCENARIOS)
        self._run(0)

    def cancel(self) -> None:
        """What is recorded stays; an engine that does not come to the end of its step is ended as a process."""
        if self._current is None:
            return
        for index, outcome in enumerate(self.outcomes):
            if outcome.state == "waiting":
                self._set(index, state="cancelled")
        self._bridge.stop_run()
        self._patience.start()

    def spec_of(self, index: int) -> RunSpec:
        """The settings of one scenario."""
        return with_changes(self.spec, scenario=self.outcomes[index].scenario)

    def row(self, index: int, tolerance: float) -> ScenarioRow | None:
        """What the trace of a scenario says at this tolerance, None while there is none."""
        trace = self.outcomes[index].trace
        return scenario_row(trace, tolerance) if trace is not None and len(trace) else None

    def close(self) -> None:
        self._let_go()
        self._files.close()

    # ---- one after another

    def _run(self, index: int) -> None:
        waiting = [i for i in range(index, len(self.outcomes)) if self.outcomes[i].state == "waiting"]
        if not waiting:
            self._current = None
            self._patience.stop()
            self._bridge.close(0.0)  # it may hold a large model
            self.changed.emit()
            return
        self._current = waiting[0]
        spec = self.spec_of(self._current)
        if not self._is_allowed(spec):
            self._stop_since_changed()
            return
        self._set(self._current, state="running")
        self._path = self._files.new_path()
        self._bridge.start_run(with_changes(self._permit(spec), diagnoses=True), str(self._path))
        self._bridge.make_steps(None)

    def _stop_since_changed(self) -> None:
        text = Text(QT_TRANSLATE_NOOP("core", "the file has changed meanwhile; run the scenarios again"))
        for index, outcome in enumerate(self.outcomes):
            if outcome.state == "waiting":
                self._set(index, state="cancelled", reason=text)
        self._run(len(self.outcomes))

    def _finish(self, **changes: object) -> None:
        if self._current is not None:
            index = self._current
            self._set(index, **changes)
            self._run(index + 1)

    def _set(self, index: int, **changes: object) -> None:
        outcomes = list(self.outcomes)
        outcomes[index] = replace(outcomes[index], **changes)  # type: ignore[arg-type]
        self.outcomes = tuple(outcomes)
        self.changed.emit()

    def _let_go(self) -> None:
        self._current = None
        self._patience.stop()
        self._bridge.close(0.0)
        for outcome in self.outcomes:
            if outcome.trace is not None:
                outcome.trace.close()
                self._files.discard(outcome.trace.path)
        self.outcomes = ()

    # ---- what the engine answers

    def _on_started(self, event: RunStarted) -> None:
        if self._current is not None:
            self._set(self._current, n_planned=event.n_planned)

    def _on_step_recorded(self, step_index: int) -> None:
        if self._current is not None:
            self._set(self._current, n_done=step_index + 1)

    def _on_diagnosing(self, n_tried: int, n_planned: int) -> None:
        if self._current is not None and n_planned:  # else the run is still being played again
            self._set(self._current, n_tried=n_tried, n_repairs=n_planned)

    def _on_ended(self, event: RunEnded) -> None:
        self._finish(
            state="done" if event.status == "complete" else "cancelled", trace=_opened(Path(event.path))
        )

    def _on_skipped(self, event: RunSkipped) -> None:
        self._finish(state="skipped", reason=event.text)

    def _on_failed(self, event: RunFailed) -> None:
        if self._current is not None and not self.outcomes[self._current].n_planned:
            self._give_up_waiting(event)
        self._finish(
            state="failed", reason=event.text, traceback=event.traceback or "", trace=self._what_is_there()
        )

    def _give_up_waiting(self, event: RunFailed) -> None:
        """What does not load fails in every scenario: it is said once. A prompt may be too long for one of them alone."""
        if event.exit_code == EXIT_USAGE:
            return
        for index, outcome in enumerate(self.outcomes):
            if outcome.state == "waiting":
                self._set(index, state="cancelled")

    def _on_busy(self, seconds: int) -> None:
        if self._current is not None:
            self._set(self._current, busy_s=seconds)

    def _end_engine(self) -> None:
        """The user's patience is over."""
        self._bridge.close(0.0)
        self._finish(state="cancelled", trace=self._what_is_there())

    def _what_is_there(self) -> Trace | None:
        """The steps before a failure: in a closed trace, or in what a process that died has left."""
        part = self._path.with_name(self._path.name + PART)
        return _opened(self._path) or _opened(part)


def _opened(path: Path) -> Trace | None:
    try:
        return Trace.open(path)
    except (KVScopeError, OSError):
        return None
