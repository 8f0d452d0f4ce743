"""The engine: a process of its own in which the target runs. It answers requests on a private channel, never on stdout.

It imports the running wing (torch) only here, in the child. When whoever started it is gone, it ends and leaves the
.part as it is.
"""

import faulthandler
import os
import shutil
import signal
import threading
from multiprocessing import connection, current_process, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from core.engine.failure import failed
from core.engine.messages import (
    Diagnose,
    Diagnosed,
    Diagnosing,
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
    StopSearch,
    Working,
)  # fmt: skip
from core.errors import KVScopeError

if TYPE_CHECKING:
    from core.engine.run import Run

_DECODER = msgspec.msgpack.Decoder(Request)


class SearchStopped(BaseException):
    """Something else than the cause is asked for; no target can catch this by accident."""


class OwnerGone(BaseException):
    """Whoever started the engine has closed the channel."""


def engine_main(channel: Connection, reports: Connection, scratch: str | None) -> None:
    """Serve requests until the channel closes; on SIGUSR1 write to `reports` where the target is."""
    # spinning threads make one-token steps slow in spells
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TQDM_DISABLE", "1")  # libraries that load models draw bars
    os.dup2(2, 1)  # what a target prints goes to stderr; stdout may carry our JSON
    _become_leader(reports)
    threading.Thread(target=_end_with_parent, args=(scratch,), daemon=True).start()
    engine = Engine(channel)
    try:
        while True:
            engine.answer(engine.next_request())
    except OwnerGone:
        return  # the .part stays as it is


def _become_leader(reports: Connection) -> None:
    """Lead a process group, so that Ctrl-C is the command's to handle and whatever the target starts ends with us."""
    current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # a target may have workers of its own
    if hasattr(os, "setsid"):
        os.setsid()
        faulthandler.register(signal.SIGUSR1, reports.fileno(), all_threads=False)


def _end_with_parent(scratch: str | None) -> None:
    """End even if the target hangs in the middle of a step; a folder that only a living parent would read goes too."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)
        os._exit(1)


class Engine:
    """Holds the current run; one run at a time."""

    def __init__(self, channel: Connection) -> None:
        self._channel = channel
        self._pid = os.getpid()
        self._run: Run | None = None
        self._waiting: list[Request] = []

    def next_request(self) -> Request:
        return self._waiting.pop(0) if self._waiting else self._receive()

    def _receive(self) -> Request:
        try:
            return _DECODER.decode(self._channel.recv_bytes())
        except (EOFError, OSError) as error:
            raise OwnerGone from error

    def answer(self, request: Request) -> None:
        try:
            match request:
                case StartRun():
                    self._start(request)
                case MakeSteps(count):
                    self._make_steps(count)
                case Diagnose(step_index):
                    self._diagnose(step_index)
                case StopSearch():
                    if self._run is not None:
                        self._run.wants_cause = False
                case StopRun():
                    self._end("cancelled")
        except OwnerGone:
            raise
        except BaseException as error:  # a target may raise anything, SystemExit too
            self._fail(failed(error))

    def _start(self, request: StartRun) -> None:
        from core.engine.run import Run, Skipped

        self._abandon()
        path = Path(request.path)
        try:
            self._run = Run(request.spec, path, lambda: self._send(Working()))
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
            bad = self._run.first_bad_step
            if bad is not None and self._run.wants_cause and bad not in self._run.diagnosed_steps:
                self._diagnose(bad)
            self._end("complete")
        else:
            self._send(Paused())

    def _diagnose(self, step_index: int) -> None:
        if self._run is None:
            return
        try:
            self._send(Diagnosed(step_index, self._run.diagnose(step_index, self._tell)))
        except SearchStopped:
            self._send(Diagnosed(step_index, [], was_stopped=True))

    def _tell(self, n_tried: int, n_planned: int) -> None:
        """Between two repairs: whoever asks for something meanwhile comes first."""
        self._send(Diagnosing(n_tried, n_planned))
        while self._channel.poll():
            self._waiting.append(self._receive())
        if self._waiting:
            raise SearchStopped

    def _stop_requested(self) -> bool:
        """Look between two steps whether someone wants the run to stop; a new run stops the old one too."""
        while self._channel.poll():
            self._waiting.append(self._receive())
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
        if os.getpid() != self._pid:  # a copy of the engine that the target forked
            os._exit(0)
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
        try:
            self._channel.send_bytes(msgspec.msgpack.encode(event))
        except OSError as error:
            raise OwnerGone from error
