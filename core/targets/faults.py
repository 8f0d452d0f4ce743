"""Planted faults: each changes how the cache is used around a call of the model, as the bug in real code would.

`before` changes the arguments of the call, `after` the cache that the next call gets. Nothing draws wrong numbers.
The ids are those of the taxonomy; core/catalog.py tells users about them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from tinylm.cache import ConcatKV, LayerKV, PastKV
from tinylm.masks import causal_mask

if TYPE_CHECKING:
    from core.targets.tiny import ModelCall


class Fault:
    """No fault: the call passes through unchanged."""

    capacity_factor = 1  # how much larger a preallocated cache must be for the fault to run its course

    def before(self, call: ModelCall) -> ModelCall:
        return call

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        return past_kv


class PositionReset(Fault):
    """arange(q_len) where arange(past, past + q_len) was meant."""

    def before(self, call: ModelCall) -> ModelCall:
        if call.is_first:
            return call
        return replace(call, position_ids=torch.arange(call.input_ids.shape[1]).expand_as(call.input_ids))


class PrefixRefed(Fault):
    """The second call feeds the whole text again, on top of the rows that are there."""

    capacity_factor = 2

    def before(self, call: ModelCall) -> ModelCall:
        if call.before.n_calls != 1 or call.past_kv is None:
            return call
        text = torch.cat((call.before.ids, call.input_ids), 1)
        kv_len = call.past_kv[0].past_len + text.shape[1]
        return replace(
            call, input_ids=text, position_ids=torch.arange(text.shape[1]).expand_as(text),
            mask=causal_mask(text.shape[1], kv_len, call.window),
        )  # fmt: skip


class MaskTopLeft(Fault):
    """is_causal=True: row i of the mask sees keys 0..i, wherever the queries really stand."""

    def before(self, call: ModelCall) -> ModelCall:
        q_len = call.input_ids.shape[1]
        kv_len = q_len + (call.past_kv[0].past_len if call.past_kv else 0)
        if q_len == kv_len:  # the corners coincide
            return call
        return replace(call, mask=torch.ones(q_len, kv_len, dtype=torch.bool).tril())


class LayerAliased(Fault):
    """All layers write the same slots of one buffer: after a call it holds what the last layer wrote."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        for layer in past_kv[:-1]:
            share_storage(layer, past_kv[-1])
        return past_kv


def share_storage(layer: LayerKV, other: LayerKV) -> None:
    """Let a layer read and write the tensors of another; each keeps its own length."""
    layer, other = getattr(layer, "inner", layer), getattr(other, "inner", other)
    vars(layer).update({name: value for name, value in vars(other).items() if isinstance(value, Tensor)})


class RowMixed(Fault):
    """Every row of the batch is looked up as sequence 0."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        first = torch.zeros(call.input_ids.shape[0], dtype=torch.int64)
        return tuple(layer.reorder(first) for layer in past_kv)


class SlotLost(Fault):
    """The newest row of the first call is never written; its slot holds the zeros that it was allocated with."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        return tuple(without_last_row(layer) for layer in past_kv) if call.is_first else past_kv


def without_last_row(layer: LayerKV) -> LayerKV:
    k, v = (rows.clone() for rows in layer.rows())
    k[:, :, -1] = 0
    v[:, :, -1] = 0
    return layer.overwrite(k, v)


class ValueDegraded(Fault):
    """The cache is bfloat16, the model is not: rows are rounded on the way in and widened on the way out."""

    def before(self, call: ModelCall) -> ModelCall:
        if not call.is_first:
            return call
        layers = call.past_kv or (None,) * call.n_layers
        return replace(call, past_kv=tuple(NarrowKV(layer) for layer in layers))


class NarrowKV(LayerKV):
    """A layer that keeps its rows in bfloat16, whatever it is given."""

    def __init__(self, inner: LayerKV | None) -> None:
        self.inner = inner

    def append(self, k_new: Tensor, v_new: Tensor) -> tuple[Tensor, Tensor, NarrowKV]:
        k, v = k_new.bfloat16(), v_new.bfloat16()
        present: LayerKV = ConcatKV(k, v)
        if self.inner is not None:
            k, v, present = self.inner.append(k, v)
        return k.to(k_new.dtype), v.to(v_new.dtype), NarrowKV(present)

    @property
    def _layer(self) -> LayerKV:
        if self.inner is None:
            raise ValueError("nothing was appended to this layer yet")
        return self.inner

    def rows(self) -> tuple[Tensor, Tensor]:
        return self._layer.rows()

    def truncate(self, length: int) -> NarrowKV:
        return NarrowKV(self._layer.truncate(length))

    def reorder(self, batch_rows: Tensor) -> NarrowKV:
        return NarrowKV(self._layer.reorder(batch_rows))

    def overwrite(self, k: Tensor, v: Tensor) -> NarrowKV:
        return NarrowKV(self._layer.overwrite(k, v))

    def buffers(self) -> tuple[Tensor, ...]:
        return self._layer.buffers()

    @property
    def kv_len(self) -> int:
        return self.inner.kv_len if self.inner is not None else 0

    @property
    def past_len(self) -> int:
        return self.inner.past_len if self.inner is not None else 0


FAULTS: dict[str, type[Fault]] = {
    "position-reset": PositionReset,
    "prefix-refed": PrefixRefed,
    "layer-aliased": LayerAliased,
    "row-mixed": RowMixed,
    "mask-top-left": MaskTopLeft,
    "slot-lost": SlotLost,
    "value-degraded": ValueDegraded,
}
