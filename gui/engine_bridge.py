"""The engine's answers as Qt signals, sent in the UI thread.

The engine process writes to a pipe, which wakes this object: it lives in the UI thread, so no slot ever runs anywhere
else. Nothing here waits for the engine: its end is seen to by a thread, and the stack of a hang is read when it has come.
"""

from typing import assert_never

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.engine.client import LOOK_S, REPORT_LOOK_S, EngineClient
from core.engine.hang import allowance_s, hang_failure
from core.engine.messages import (
    Diagnosed,
    Diagnosing,
    Event,
    Paused,
    RunEnded,
    RunFailed,
    RunSkipped,
    RunSpec,
    RunStarted,
    StepRecorded,
    Working,
)
from gui.hang_watch import HangWatch
from gui.pipe_watch import PipeWatch


class EngineBridge(QObject):
    """One engine process, started at the first run and started again after it was ended."""

    started = Signal(object)  # RunStarted
    step_recorded = Signal(int)
    diagnosing = Signal(int, int)  # repairs tried, repairs planned
    diagnosed = Signal(object)  # Diagnosed
    paused = Signal()
    ended = Signal(object)  # RunEnded
    skipped = Signal(object)  # RunSkipped
    failed = Signal(object)  # RunFailed
    busy = Signal(int)  # seconds since the last sign of life, where that is long; then 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client: EngineClient | None = None
        self._pipe = PipeWatch(self.drain, self)
        self._spec = RunSpec()
        self._n_done = 0
        self._is_started = False
        self._owes_steps = self._owes_findings = False
        self._silence = HangWatch(self)
        self._silence.busy.connect(self.busy)
        self._silence.ticked.connect(self.drain)
        self._silence.overdue.connect(self._ask_where_it_hangs)
        self._stack = ""
        self._stack_looks = 0
        self._stack_timer = QTimer(self, interval=round(REPORT_LOOK_S * 1000))
        self._stack_timer.timeout.connect(self._look_for_stack)

    @property
    def is_alive(self) -> bool:
        return self._client is not None and self._client.is_alive

    def start_run(self, spec: RunSpec, path: str) -> None:
        """Record a run into `path`; a run before it is given up."""
        if self._client is None:
            self._client = EngineClient()
        self._stack_timer.stop()
        self._spec, self._n_done, self._is_started = spec, 0, False
        self._owes_steps = self._owes_findings = False
        self._client.start_run(spec, path)
        self._silence.expect(allowance_s(spec, False))
        self._pipe.watch(self._client.fileno())

    def make_steps(self, count: int | None) -> None:
        if self._client is not None:
            self._owes_steps = True
            self._client.make_steps(count)
            if self._is_started:
                self._silence.expect(allowance_s(self._spec, True))

    def diagnose(self, step_index: int) -> None:
        """Ask for the cause of a recorded step."""
        if self._client is not None:
            self._owes_findings = True
            self._client.diagnose(step_index)
            self._silence.expect(allowance_s(self._spec, True))

    def stop_search(self) -> None:
        if self._client is not None:
            self._client.stop_search()

    def stop_run(self) -> None:
        if self._client is not None:
            self._client.stop_run()

    def close(self, timeout_s: float = 2.0) -> None:
        """End the process, by force when it does not answer in time; nobody waits for it here."""
        self._pipe.stop()
        self._silence.rest()
        self._stack_timer.stop()
        client, self._client = self._client, None
        if client is not None:
            client.release(timeout_s)

    @Slot()
    def drain(self) -> None:
        """Send on everything that has arrived."""
        if self._client is None:
            return
        events = self._client.poll()
        if not self._client.is_open:
            self.close(0.0)  # the pipe is at its end and would wake us for ever
        for event in events:
            self._send(event)

    def _ask_where_it_hangs(self) -> None:
        if self._client is not None:
            self._stack, self._stack_looks = "", 0
            self._client.ask_where_it_hangs()
            self._stack_timer.start()

    def _look_for_stack(self) -> None:
        """The stack is complete when nothing more comes; a target that blocks signals gives none."""
        if self._client is None:
            self._stack_timer.stop()
            return
        stack = self._client.hang_report()
        self._stack_looks += 1
        is_complete = bool(stack) and stack == self._stack
        self._stack = stack
        if is_complete or self._stack_looks * REPORT_LOOK_S >= LOOK_S:
            self.close(0.0)
            self.failed.emit(hang_failure(self._spec, self._is_started, self._n_done, stack))

    def _note(self, event: Event) -> None:
        """Every event is a sign of life; whether another one is due depends on what was asked for."""
        self._stack_timer.stop()  # it came in the last moment
        match event:
            case RunStarted():
                self._is_started = True
            case StepRecorded(step_index=step_index) if self._is_started:  # else it is of the run before
                self._n_done = step_index + 1
            case RunFailed() | RunSkipped():
                self._silence.rest()
                return
            case Paused() | RunEnded() if self._is_started:
                self._owes_steps = False
            case Diagnosed():
                self._owes_findings = False
            case _:
                pass
        if self._owes_steps or self._owes_findings or not self._is_started:
            self._silence.expect(allowance_s(self._spec, self._is_started))
        else:
            self._silence.rest()

    def _send(self, event: Event) -> None:
        self._note(event)
        match event:
            case RunStarted():
                self.started.emit(event)
            case StepRecorded(step_index=step_index):
                self.step_recorded.emit(step_index)
            case Working():
                pass
            case Diagnosing(n_tried, n_planned):
                self.diagnosing.emit(n_tried, n_planned)
            case Diagnosed():
                self.diagnosed.emit(event)
            case Paused():
                self.paused.emit()
            case RunEnded():
                self.ended.emit(event)
            case RunSkipped():
                self.skipped.emit(event)
            case RunFailed():
                self.failed.emit(event)
            case _:
                assert_never(event)
