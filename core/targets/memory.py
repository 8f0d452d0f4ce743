"""Where a model shall go, and whether it fits there."""

import os
from pathlib import Path

import torch

from core import catalog
from core.errors import EnvironmentFault, UsageError
from core.text import QT_TRANSLATE_NOOP

_HEADROOM = 1.1  # buffers, and one tensor that is being converted
_CGROUP = Path("/sys/fs/cgroup")


def check_device(name: str) -> str:
    """Return the device; another one is never taken in its place.

    Raises:
        UsageError: there is no device of that name.
        EnvironmentFault: this machine has none.
    """
    if name not in catalog.DEVICES:
        raise UsageError(
            QT_TRANSLATE_NOOP("core", "unknown {what} {given!r}; choose one of: {known}"),
            what="device",
            given=name,
            known=", ".join(catalog.DEVICES),
        )
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there[name]:
        raise EnvironmentFault(
            QT_TRANSLATE_NOOP("core", "this machine has no device {device}; available: {available}"),
            device=name,
            available=", ".join(one for one, is_there in there.items() if is_there),
        )
    return name


def check_memory(name: str, nbytes: int, device: str) -> None:
    """Raise EnvironmentFault when weights of that size do not fit; before anything is loaded."""
    free = free_memory(device)
    if free is not None and nbytes * _HEADROOM > free:
        raise EnvironmentFault(
            QT_TRANSLATE_NOOP(
                "core",
                "{name} needs about {needed} MB on {device} and {free} MB are free; close other programs, or give --dtype bf16",
            ),
            name=name,
            needed=int(nbytes * _HEADROOM) >> 20,
            device=device,
            free=free >> 20,
        )


def free_memory(device: str) -> int | None:
    """Return the bytes that can still be taken, None where the system does not say."""
    if device == "cuda":
        return int(torch.cuda.mem_get_info()[0])
    known = [free for free in (_system_free(), _container_free()) if free is not None]
    return min(known, default=None)


def _system_free() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:  # all of the memory, where nobody says what is free of it
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _container_free() -> int | None:
    try:
        limit, used = ((_CGROUP / name).read_text("ascii") for name in ("memory.max", "memory.current"))
        return max(0, int(limit) - int(used))
    except (OSError, ValueError):  # no limit, or no container
        return None
