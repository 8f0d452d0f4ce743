"""Bytes: of a cache, each storage once; and the most that a call allocates."""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from core.record.layer_facts import nbytes
from core.report.profile import CacheBytes
from core.targets.base import CacheLayer


def cache_bytes(before: Sequence[CacheLayer], after: Sequence[CacheLayer]) -> CacheBytes:
    """Return the sizes of the cache that a call left; while it ran, the one that it was given was there too."""
    new, old = (
        _storages(tensor for layer in layers for tensor in layer.buffers) for layers in (after, before)
    )
    return CacheBytes(
        valid=sum(nbytes((layer.k, layer.v)) for layer in after), allocated=sum(new.values()), peak=sum((old | new).values()),
        layers=[(nbytes((layer.k, layer.v)), sum(_storages(layer.buffers).values())) for layer in after],
    )  # fmt: skip


def _storages(tensors: Iterable[Tensor]) -> dict[int, int]:
    """Return the size of each storage by its address: views and layers that share one are counted once."""
    return {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes() for one in tensors}


def peak_of(call: Callable[[], object], device: str) -> int:
    """Return how many bytes a call holds at its worst beyond what was there before."""
    if device == "cuda":
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        call()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        call()
    assert seen.profiler is not None
    assert seen.profiler.kineto_results is not None
    events = [event for event in seen.profiler.kineto_results.events() if event.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda one: one.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak
