"""The window's and the command line's end of the process that measures. It never loads torch."""

import threading
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import msgspec

from core.engine.messages import RunSpec
from core.errors import EnvironmentFault
from core.profile.process import Report, profile_main
from core.report.profile import ProfileSpec
from core.text import QT_TRANSLATE_NOOP

END_S = 5.0  # for a process that has done its work
_DECODER = msgspec.msgpack.Decoder(Report)


class ProfileClient:
    """One process for one profile; `close` ends it at any time."""

    def __init__(self, spec: RunSpec, wanted: ProfileSpec, threads: int | None = None) -> None:
        """Start to measure; `threads` is None for torch's own choice."""
        context = get_context("spawn")
        self._channel, theirs = context.Pipe()
        encode = msgspec.msgpack.encode
        self._process: BaseProcess = context.Process(
            target=profile_main,
            args=(theirs, encode(spec), encode(wanted), threads),
            name="kvscope-profile",
            daemon=True,
        )
        self._process.start()
        theirs.close()  # so that the end of the process is the end of the channel

    @property
    def channel(self) -> Connection:
        """What becomes readable when there is a report."""
        return self._channel

    def is_ready(self, timeout_s: float = 0.0) -> bool:
        """Whether a report, or the end of the process, is there within the time."""
        return self._channel.poll(timeout_s)

    def receive(self) -> Report:
        """Return the next report, and wait for it.

        Raises:
            EnvironmentFault: the process has died.
        """
        try:
            return _DECODER.decode(self._channel.recv_bytes())
        except (EOFError, OSError) as error:
            raise EnvironmentFault(QT_TRANSLATE_NOOP("core", "the process that measures has died")) from error

    def close(self, patience_s: float = 0.0) -> None:
        """End the process, whatever it is doing; one that has given its result gets the time to end by itself.

        Killed, it would leave semaphores behind, and Python would tell the user of them.
        """
        if patience_s:
            self._process.join(patience_s)
        self._process.kill()
        self._process.join()
        self._channel.close()

    def release(self, patience_s: float) -> None:
        """As `close`, without waiting: a thread sees to it."""
        threading.Thread(target=self.close, args=(patience_s,), name="kvscope-profile-end").start()
