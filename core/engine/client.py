"""The window's and the command line's end of the engine process. It never blocks unless asked to wait, and never loads torch."""

import contextlib
import math
import os
import signal
import threading
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from core.engine.messages import (
    Diagnose,
    Event,
    MakeSteps,
    Request,
    RunFailed,
    RunSpec,
    StartRun,
    StopRun,
    StopSearch,
)
from core.engine.process import engine_main
from core.errors import EXIT_TARGET_FAILED
from core.text import QT_TRANSLATE_NOOP

_DECODER = msgspec.msgpack.Decoder(Event)
LOOK_S = 0.5  # how often to look whether the engine is alive while nothing comes
REPORT_LOOK_S = 0.05  # how often to look for the stack of a hang
DEATH_S = 1.0  # between the end of the channel and the end of the process


class EngineClient:
    """Starts the engine process at first use, sends it requests, and hands out its events."""

    def __init__(self, scratch: Path | None = None) -> None:
        """`scratch` is a folder that the engine removes if we are killed: nobody else would."""
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None
        self._reports: Connection | None = None  # where the engine writes its stack
        self._hang_report = b""
        self._silent_since: float | None = None
        self._scratch = scratch

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def is_open(self) -> bool:
        """Whether there is an engine, or the word is still owed how it ended."""
        return self._process is not None

    def start(self) -> None:
        """Start the process, so that it can load torch while nobody waits for it."""
        if self.is_alive:
            return
        self.close(0)
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        reports, their_reports = context.Pipe(duplex=False)
        arguments = (theirs, their_reports, str(self._scratch) if self._scratch is not None else None)
        process = context.Process(target=engine_main, args=arguments, name="kvscope-engine", daemon=True)
        process.start()
        theirs.close()  # so that the end of the process is the end of the channel
        their_reports.close()
        self._process, self._channel, self._reports = process, ours, reports
        self._silent_since = None

    def start_run(self, spec: RunSpec, path: str) -> None:
        """Begin a run that is recorded into `path` + ".part"; RunStarted, RunSkipped or RunFailed answers."""
        self.start()
        self._send(StartRun(spec, path))

    def make_steps(self, count: int | None) -> None:
        """Ask for up to `count` more steps, None = all; StepRecorded for each, then Paused or RunEnded answers."""
        self._send(MakeSteps(count))

    def diagnose(self, step_index: int) -> None:
        """Ask for the cause of a recorded step; Diagnosing for each repair, then Diagnosed answers."""
        self._send(Diagnose(step_index))

    def stop_search(self) -> None:
        """Ask to look for no cause in this run any more; Diagnosed with `was_stopped` answers a search that goes on."""
        self._send(StopSearch())

    def stop_run(self) -> None:
        """Ask to stop at the next step boundary; RunEnded with status "cancelled" answers."""
        self._send(StopRun())

    def fileno(self) -> int:
        """Return what becomes readable when there are events; -1 while there is no process."""
        return self._channel.fileno() if self._channel is not None and not self._channel.closed else -1

    def poll(self) -> list[Event]:
        """Return the events that are there, without waiting."""
        return self.wait(0)

    def wait(self, timeout_s: float | None) -> list[Event]:
        """Wait for the first event, None = for ever, and return all that are there."""
        events: list[Event] = []
        if self._channel is None or self._channel.closed:
            return events
        try:
            ready = self._is_ready(timeout_s)
            while ready:
                events.append(_DECODER.decode(self._channel.recv_bytes()))
                ready = self._channel.poll(0)
        except (EOFError, OSError):
            events += self._died(0 if timeout_s == 0 else DEATH_S)
        return events

    def _is_ready(self, timeout_s: float | None) -> bool:
        """Wait in slices: a process that the target started may hold the channel open after the engine's end."""
        assert self._channel is not None
        deadline = math.inf if timeout_s is None else time.monotonic() + timeout_s
        while True:
            left_s = deadline - time.monotonic()
            if self._channel.poll(max(0.0, min(left_s, LOOK_S))):
                return True
            if not self.is_alive:
                raise EOFError
            if left_s <= LOOK_S:
                return False

    def ask_where_it_hangs(self) -> None:
        """Have the engine tell the stack of its main thread; `hang_report` has it a moment later, where that is possible."""
        self._hang_report = b""
        if hasattr(signal, "SIGUSR1") and self._process is not None and self._process.pid is not None:
            with contextlib.suppress(OSError):
                os.kill(self._process.pid, signal.SIGUSR1)

    def hang_report(self) -> str:
        """Return what has come of the stack so far, innermost call first; it is written in pieces."""
        with contextlib.suppress(OSError, EOFError):
            while self._reports is not None and self._reports.poll(0):
                piece = os.read(self._reports.fileno(), 1 << 16)
                if not piece:
                    break
                self._hang_report += piece
        return _users_part(self._hang_report.decode(errors="replace"))

    def where_it_hangs(self) -> str:
        """Ask for the stack and wait for it, up to LOOK_S."""
        self.ask_where_it_hangs()
        deadline = time.monotonic() + LOOK_S
        seen = ""
        while time.monotonic() < deadline:
            time.sleep(REPORT_LOOK_S)
            stack = self.hang_report()
            if stack and stack == seen:
                break
            seen = stack
        return seen

    def close(self, timeout_s: float = 2.0) -> None:
        """End the process and wait for it: closing the channel asks it to, then it is terminated, then killed."""
        process = self._let_go()
        if process is not None:
            _end(process, timeout_s)

    def release(self, timeout_s: float = 2.0) -> None:
        """As `close`, without waiting: a thread sees to it, and the interpreter does not end before that thread."""
        process = self._let_go()
        if process is not None:
            threading.Thread(target=_end, args=(process, timeout_s), name="kvscope-engine-end").start()

    def _let_go(self) -> BaseProcess | None:
        for connection in (self._channel, self._reports):
            if connection is not None:
                connection.close()
        process, self._process = self._process, None
        self._channel = self._reports = None
        return process

    def _send(self, request: Request) -> None:
        if self._channel is None or self._channel.closed:
            return
        with contextlib.suppress(OSError):  # it died; wait() tells how
            self._channel.send_bytes(msgspec.msgpack.encode(request))

    def _died(self, patience_s: float) -> list[Event]:
        """The channel ended without a word: say how the process ended, once it has."""
        assert self._process is not None
        now = time.monotonic()
        self._silent_since = self._silent_since or now
        self._process.join(patience_s)
        code = self._process.exitcode
        if code is None and now - self._silent_since + patience_s < DEATH_S:
            return []
        self.release(0)
        how = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        template = QT_TRANSLATE_NOOP(
            "core", "the engine process ended without a result ({how}); the steps so far are kept"
        )
        return [RunFailed(template, {"how": how}, EXIT_TARGET_FAILED)]


def _users_part(stack: str) -> str:
    """Return the innermost frames of a stack, down to where our own begin."""
    ours = str(Path(__file__).resolve().parent.parent)
    lines = stack.splitlines()
    first_of_ours = next((index for index, line in enumerate(lines) if ours in line), len(lines))
    return "\n".join(lines[:first_of_ours])


def _end(process: BaseProcess, timeout_s: float) -> None:
    """Wait for a process that has been asked to end, then terminate it, then kill it and whatever it started."""
    process.join(timeout_s / 2)
    if process.is_alive():
        process.terminate()
        process.join(timeout_s / 2)
    _kill_group(process)
    process.join()


def _kill_group(process: BaseProcess) -> None:
    """End the engine and whatever its target started."""
    if process.is_alive():
        process.kill()
    if hasattr(os, "killpg") and process.pid is not None:
        with contextlib.suppress(OSError):  # nobody is left
            os.killpg(process.pid, signal.SIGKILL)
