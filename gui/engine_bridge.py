"""The engine's answers as Qt signals, sent in the UI thread.

The engine process writes to a pipe; a socket notifier wakes this object, which lives in the UI thread, so no slot ever
runs anywhere else. Windows has no notifier for pipes: a short timer asks instead.
"""

import sys
from typing import assert_never

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal, Slot

from core.engine.client import EngineClient
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

POLL_INTERVAL_MS = 10


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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client: EngineClient | None = None
        self._notifier: QSocketNotifier | None = None
        self._timer: QTimer | None = None

    @property
    def is_alive(self) -> bool:
        return self._client is not None and self._client.is_alive

    def start_run(self, spec: RunSpec, path: str) -> None:
        """Record a run into `path`; a run before it is given up."""
        if self._client is None:
            self._client = EngineClient()
        self._client.start_run(spec, path)
        self._watch(self._client)

    def make_steps(self, count: int | None) -> None:
        if self._client is not None:
            self._client.make_steps(count)

    def diagnose(self, step_index: int) -> None:
        """Ask for the cause of a recorded step."""
        if self._client is not None:
            self._client.diagnose(step_index)

    def stop_search(self) -> None:
        if self._client is not None:
            self._client.stop_search()

    def stop_run(self) -> None:
        if self._client is not None:
            self._client.stop_run()

    def close(self, timeout_s: float = 2.0) -> None:
        """End the process, by force when it does not answer in time."""
        self._unwatch()
        client, self._client = self._client, None
        if client is not None:
            client.close(timeout_s)

    @Slot()
    def drain(self) -> None:
        """Send on everything that has arrived."""
        if self._client is None:
            return
        events = self._client.poll()
        if not self._client.is_alive:
            self.close(0.0)  # the pipe is at its end and would wake us for ever
        for event in events:
            self._send(event)

    def _watch(self, client: EngineClient) -> None:
        if self._notifier is not None or self._timer is not None:
            return
        if sys.platform == "win32":
            self._timer = QTimer(self, interval=POLL_INTERVAL_MS)
            self._timer.timeout.connect(self.drain)
            self._timer.start()
        else:
            self._notifier = QSocketNotifier(client.fileno(), QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self.drain)

    def _unwatch(self) -> None:
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        if self._timer is not None:
            self._timer.stop()
            self._timer.deleteLater()
            self._timer = None

    def _send(self, event: Event) -> None:
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
