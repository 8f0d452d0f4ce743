"""The window's and the command line's end of the engine process. It never blocks unless asked to wait, and never loads torch."""

import contextlib
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import msgspec

from core.engine.messages import Event, MakeSteps, Request, RunFailed, RunSpec, StartRun, StopRun
from core.engine.process import engine_main
from core.errors import EXIT_TARGET_FAILED
from core.text import QT_TRANSLATE_NOOP

_DECODER = msgspec.msgpack.Decoder(Event)


class EngineClient:
    """Starts the engine process at first use, sends it requests, and hands out its events."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None

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
        process = context.Process(target=engine_main, args=(theirs,), name="kvscope-engine", daemon=True)
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
            ready = self._channel.poll(timeout_s)
            while ready:
                events.append(_DECODER.decode(self._channel.recv_bytes()))
                ready = self._channel.poll(0)
        except (EOFError, OSError):
            events.append(self._died())
        return events

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
        if process.is_alive():
            process.kill()
            process.join()

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
