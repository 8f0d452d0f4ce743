"""The child process of a profile: torch is loaded here, and a target that hangs or dies takes only this with it."""

import os
import signal
import threading
from typing import TYPE_CHECKING

import msgspec

from core.engine.failure import failed
from core.engine.messages import RunFailed, RunSpec
from core.report.profile import ProfileResult, ProfileSpec
from core.text import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

NO_ANSWER = QT_TRANSLATE_NOOP("core", "the target did not come back in {seconds} s while it was measured")


class Measuring(msgspec.Struct, frozen=True, tag=True):
    """What is measured now, one of `n_pieces`; sent before each piece, so that silence means a hang."""

    batch: int
    length: int
    number: int
    n_pieces: int

    @property
    def what(self) -> str:
        return f"batch {self.batch}, length {self.length}"


class Measured(msgspec.Struct, frozen=True, tag=True):
    """The profile is complete."""

    result: ProfileResult


Report = Measuring | Measured | RunFailed


def profile_main(channel: "Connection", spec: bytes, wanted: bytes, threads: int | None) -> None:
    """Measure, and send the result or what went wrong."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TQDM_DISABLE", "1")
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # the profiler tells each start and stop on stderr
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    os.dup2(2, 1)  # what a target prints goes to stderr; stdout may carry our JSON
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the command's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        import torch

        from core.profile.measure import measure

        if threads is not None:
            torch.set_num_threads(threads)
        run_spec = msgspec.msgpack.decode(spec, type=RunSpec)
        result = measure(
            run_spec,
            msgspec.msgpack.decode(wanted, type=ProfileSpec),
            lambda *piece: _send(channel, Measuring(*piece)),
        )
    except BaseException as error:  # a target may raise anything, SystemExit too
        _send(channel, failed(error))
    else:
        _send(channel, Measured(result))


def _send(channel: "Connection", report: Report) -> None:
    channel.send_bytes(msgspec.msgpack.encode(report))


def _end_with_parent() -> None:
    from multiprocessing import (  # the window, which reads the reports, goes without
        connection,
        parent_process,
    )

    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
