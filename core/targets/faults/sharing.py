"""Sharing: layers, rows of the batch, or runs use one cache where each needs its own."""

from dataclasses import replace

import torch
from torch import Tensor

from core.targets.faults.base import Fault
from core.targets.tiny_call import ModelCall, TinyCache
from tinylm.cache import LayerKV, PastKV, reorder, truncate

SHARED_LAYERS = (1, 2)


class LayerAliased(Fault):
    """All layers write the same slots of one buffer: after a call it holds what the last layer wrote."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        for layer in past_kv[:-1]:
            share_storage(layer, past_kv[-1])
        return past_kv


class LayerPairAliased(Fault):
    """Two layers got the same index."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        first, second = SHARED_LAYERS
        share_storage(past_kv[first], past_kv[second])
        return past_kv


def share_storage(layer: LayerKV, other: LayerKV) -> None:
    """Let a layer read and write the tensors of another; each keeps its own length."""
    vars(layer).update({name: value for name, value in vars(other).items() if isinstance(value, Tensor)})


class RowMixed(Fault):
    """Every row of the batch is looked up as sequence 0."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        return reorder(past_kv, torch.zeros(call.input_ids.shape[0], dtype=torch.int64))


class NotReordered(Fault):
    """The reordered cache is returned and nobody takes it: tokens follow the beams, rows do not."""

    def reorder(self, past_kv: PastKV, batch_rows: Tensor) -> PastKV | None:
        return past_kv


class ValuesNotReordered(Fault):
    """Keys follow the beams, values stay."""

    def reorder(self, past_kv: PastKV, batch_rows: Tensor) -> PastKV | None:
        return tuple(_keys_reordered(layer, batch_rows) for layer in past_kv)


def _keys_reordered(layer: LayerKV, batch_rows: Tensor) -> LayerKV:
    k, v = layer.rows()
    return layer.overwrite(k[batch_rows], v.clone())


class SharedState(Fault):
    """The cache hangs on the module: whoever ran last left its rows there, and the next call takes them for its own."""

    capacity_factor = 2

    def __init__(self) -> None:
        self.newest: PastKV | None = None

    def open(self, cache: TinyCache) -> TinyCache:
        return cache if cache.n_calls == 0 else replace(cache, past_kv=self.newest)

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        self.newest = past_kv
        return past_kv

    def crop(self, past_kv: PastKV, length: int) -> PastKV | None:
        self.newest = truncate(past_kv, length)
        return self.newest

    def reorder(self, past_kv: PastKV, batch_rows: Tensor) -> PastKV | None:
        self.newest = reorder(past_kv, batch_rows)
        return self.newest
