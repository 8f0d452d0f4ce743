"""The window's and the command line's end of the engine process. It never blocks unless asked to wait, and never loads torch."""

import contextlib
import math
import os
import signal
import tempfile
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


class EngineClient:
    """Starts the engine process at first use, sends it requests, and hands out its events."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None
        self._hang_report = ""

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.is_alive()

    def start(self) -> None:
        """Start the process, so that it can load torch while nobody waits for it."""
        if self.is_alive:
            return
        self.close(0)
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        handle, self._hang_report = tempfile.mkstemp(prefix="kvscope-hang-")
        os.close(handle)
        arguments = (theirs, self._hang_report)
        process = context.Process(target=engine_main, args=arguments, name="kvscope-engine", daemon=True)
        process.start()
        theirs.close()  # so that the end of the process is the end of the channel
        self._process, self._channel = process, ours

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
            events.append(self._died())
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

    def where_it_hangs(self) -> str:
        """Ask the engine for the stack of its main thread, innermost call first; empty where that is not possible."""
        if not hasattr(signal, "SIGUSR1") or self._process is None or self._process.pid is None:
            return ""
        report = Path(self._hang_report)
        with contextlib.suppress(OSError):
            os.kill(self._process.pid, signal.SIGUSR1)
        deadline = time.monotonic() + LOOK_S
        while time.monotonic() < deadline and report.stat().st_size == 0:
            time.sleep(0.02)
        time.sleep(0.05)  # the report is short, and is written in pieces
        return _users_part(report.read_text(errors="replace"))

    def close(self, timeout_s: float = 2.0) -> None:
        """End the process: closing the channel asks it to, then it is terminated, then killed."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        process, self._process = self._process, None
        if process is None:
            return
        process.join(timeout_s / 2)
        if process.is_alive():
            process.terminate()
            process.join(timeout_s / 2)
        _kill_group(process)
        process.join()
        Path(self._hang_report).unlink(missing_ok=True)

    def _send(self, request: Request) -> None:
        if self._channel is None or self._channel.closed:
            return
        with contextlib.suppress(OSError):  # it died; wait() tells how
            self._channel.send_bytes(msgspec.msgpack.encode(request))

    def _died(self) -> RunFailed:
        """The channel ended without a word: say how the process ended."""
        assert self._process is not None
        self._process.join(1.0)
        code = self._process.exitcode
        self.close(0)
        how = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        template = QT_TRANSLATE_NOOP(
            "core", "the engine process ended without a result ({how}); the steps so far are kept"
        )
        return RunFailed(template, {"how": how}, EXIT_TARGET_FAILED)


def _users_part(stack: str) -> str:
    """Return the innermost frames of a stack, down to where our own begin."""
    ours = str(Path(__file__).resolve().parent.parent)
    lines = stack.splitlines()
    first_of_ours = next((index for index, line in enumerate(lines) if ours in line), len(lines))
    return "\n".join(lines[:first_of_ours])


def _kill_group(process: BaseProcess) -> None:
    """End the engine and whatever its target started."""
    if process.is_alive():
        process.kill()
    if hasattr(os, "killpg") and process.pid is not None:
        with contextlib.suppress(OSError):  # nobody is left
            os.killpg(process.pid, signal.SIGKILL)
