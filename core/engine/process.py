"""The engine: a process of its own in which the target runs. It answers requests on a private channel, never on stdout.

It imports the running wing (torch) only here, in the child. When whoever started it is gone, it ends and leaves the
.part as it is.
"""

import os
import threading
import traceback
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from core.engine.messages import (
    Event,
    MakeSteps,
    Paused,
    Request,
    RunEnded,
    RunFailed,
    RunSkipped,
    RunStarted,
    StartRun,
    StepRecorded,
    StopRun,
)  # fmt: skip
from core.errors import EXIT_ENVIRONMENT, EXIT_TARGET_FAILED, KVScopeError
from core.text import QT_TRANSLATE_NOOP, Text

if TYPE_CHECKING:
    from core.engine.run import Run

_DECODER = msgspec.msgpack.Decoder(Request)


def engine_main(channel: Connection) -> None:
    """Serve requests until the channel closes."""
    os.environ.setdefault(
        "OMP_WAIT_POLICY", "PASSIVE"
    )  # spinning threads make one-token steps slow in spells
    os.dup2(2, 1)  # what a target prints goes to stderr; stdout may carry our JSON
    threading.Thread(target=_end_with_parent, daemon=True).start()
    engine = Engine(channel)
    try:
        while True:
            engine.answer(engine.next_request())
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _end_with_parent() -> None:
    """End even if the target hangs in the middle of a step."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


class Engine:
    """Holds the current run; one run at a time."""

    def __init__(self, channel: Connection) -> None:
        self._channel = channel
        self._run: Run | None = None
        self._waiting: list[Request] = []

    def next_request(self) -> Request:
        return self._waiting.pop(0) if self._waiting else _DECODER.decode(self._channel.recv_bytes())

    def answer(self, request: Request) -> None:
        try:
            match request:
                case StartRun():
                    self._start(request)
                case MakeSteps(count):
                    self._make_steps(count)
                case StopRun():
                    self._end("cancelled")
        except KVScopeError as error:
            self._fail(RunFailed(error.text.template, error.text.values, error.exit_code))
        except Exception as error:
            self._fail(_failure(error))

    def _start(self, request: StartRun) -> None:
        from core.engine.run import Run, Skipped

        self._abandon()
        path = Path(request.path)
        try:
            self._run = Run(request.spec, path)
        except Skipped as skipped:
            self._send(RunSkipped(skipped.text.template, skipped.text.values))
            return
        self._send(RunStarted(str(self._run.writer.part_path), self._run.plan.n_steps))

    def _make_steps(self, count: int | None) -> None:
        if self._run is None:
            return
        for made, step_index in enumerate(self._run.steps(), start=1):
            self._send(StepRecorded(step_index))
            if self._stop_requested():
                self._end("cancelled")
                return
            if made == count:
                break
        if self._run.writer.n_steps == self._run.plan.n_steps:
            self._end("complete")
        else:
            self._send(Paused())

    def _stop_requested(self) -> bool:
        """Look between two steps whether someone wants the run to stop; a new run stops the old one too."""
        while self._channel.poll():
            self._waiting.append(_DECODER.decode(self._channel.recv_bytes()))
        if any(isinstance(request, StartRun) for request in self._waiting):
            return True
        stops = [request for request in self._waiting if isinstance(request, StopRun)]
        self._waiting = [request for request in self._waiting if not isinstance(request, StopRun)]
        return bool(stops)

    def _end(self, status: str) -> None:
        if self._run is None:
            return
        run, self._run = self._run, None
        path = run.close("complete" if status == "complete" else "cancelled")
        self._send(RunEnded(str(path), status))

    def _fail(self, event: RunFailed) -> None:
        """The steps so far stay: the trace is closed with the reason in it, if the disk still lets us."""
        run, self._run = self._run, None
        if run is not None:
            try:
                run.close("failed", str(event.text))
            except KVScopeError:
                run.writer.abandon()
        self._send(event)

    def _abandon(self) -> None:
        if self._run is not None:
            self._run.writer.abandon()
            self._run = None

    def _send(self, event: Event) -> None:
        self._channel.send_bytes(msgspec.msgpack.encode(event))


def _failure(error: Exception) -> RunFailed:
    if isinstance(error, MemoryError):
        text = Text(QT_TRANSLATE_NOOP("core", "out of memory; use fewer steps or a shorter prompt"))
        return RunFailed(text.template, exit_code=EXIT_ENVIRONMENT)
    text = Text(
        QT_TRANSLATE_NOOP("core", "the target failed: {kind}: {reason}"),
        {"kind": type(error).__name__, "reason": str(error)},
    )
    return RunFailed(
        text.template, text.values, EXIT_TARGET_FAILED, "".join(traceback.format_exception(error))
    )
