"""A stopwatch inside a call: what attention takes, and with the built-in caches what appending takes."""

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from torch.nn import functional as F

from tinylm.cache import ConcatKV, PagedKV, SlidingKV, StaticKV

CACHES = (ConcatKV, StaticKV, PagedKV, SlidingKV)
Sync = Callable[[], None]  # waits for a device that works by itself


@dataclass
class Parts:
    """Milliseconds that a call spent in each part, and how often it was there."""

    spent: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(("append", "gather", "attention"), 0.0)
    )
    calls: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("append", "gather", "attention"), 0))


@contextmanager
def stopwatch(sync: Sync) -> Iterator[Parts]:
    """Time the parts of whatever runs inside the block; `gather` is a share of `append`."""
    parts = Parts()
    with ExitStack() as stack:
        stack.enter_context(_timed(F, "scaled_dot_product_attention", "attention", parts, sync))
        for cache in CACHES:
            stack.enter_context(_timed(cache, "append", "append", parts, sync))
        stack.enter_context(_timed(PagedKV, "rows", "gather", parts, sync))
        yield parts


@contextmanager
def _timed(owner: Any, name: str, part: str, parts: Parts, sync: Sync) -> Iterator[None]:
    original = getattr(owner, name)

    @functools.wraps(original)
    def timed(*args: Any, **kwargs: Any) -> Any:
        sync()
        start = time.perf_counter()
        try:
            return original(*args, **kwargs)
        finally:
            sync()
            parts.spent[part] += 1e3 * (time.perf_counter() - start)
            parts.calls[part] += 1

    setattr(owner, name, timed)
    try:
        yield
    finally:
        setattr(owner, name, original)
