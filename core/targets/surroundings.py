"""What a target may change around itself, swapped in for its own calls and out again afterwards."""

import os
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

import torch


@dataclass(frozen=True)
class _State:
    folder: str
    dtype: torch.dtype
    n_threads: int
    device: torch.device

    @classmethod
    def now(cls) -> "_State":
        return cls(
            os.getcwd(), torch.get_default_dtype(), torch.get_num_threads(), torch.get_default_device()
        )

    def restore(self) -> None:
        if torch.get_default_dtype() != self.dtype:
            torch.set_default_dtype(self.dtype)
        if torch.get_num_threads() != self.n_threads:
            torch.set_num_threads(self.n_threads)
        if torch.get_default_device() != self.device:
            torch.set_default_device(self.device)
        with suppress(OSError):  # the folder may be gone
            os.chdir(self.folder)


class Surroundings:
    """A context for the calls of one target: its working folder, default dtype and threads are kept for it alone."""

    def __init__(self) -> None:
        self._theirs: _State | None = None
        self._ours: list[_State] = []

    def __enter__(self) -> None:
        self._ours.append(_State.now())
        if self._theirs is not None:
            self._theirs.restore()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._theirs = _State.now()
        self._ours.pop().restore()
