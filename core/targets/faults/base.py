"""What a planted fault can change: each is a small class that overrides one or two of these hooks.

They are called in the order in which a call of the model runs: the cache that it gets, its arguments, what each layer
stores and reads back, what attention computes, the cache that is handed on. Nothing draws wrong numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional as F

from core.targets.tiny_call import ModelCall, TinyCache
from tinylm.cache import ConcatKV, LayerKV, PastKV
from tinylm.model import attention

Appended = tuple[Tensor, Tensor, LayerKV]  # k and v that attention reads, and the layer's next state


class Past(Protocol):
    """The rows of one layer before a call."""

    def append(self, k_new: Tensor, v_new: Tensor) -> Appended: ...


@dataclass(frozen=True)
class Reading:
    """What attention gets in one layer: see `tinylm.model.attention`."""

    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor | None
    slopes: Tensor | None
    scale: float | None = None


class Fault:
    """No fault: everything passes through unchanged. An instance lives as long as the target that it is planted in."""

    capacity_factor = 1  # how much larger a preallocated cache must be for the fault to run its course
    window_shift = 0  # by how many rows the cached lane's window is too wide

    def open(self, cache: TinyCache) -> TinyCache:
        """Return the cache that a call gets."""
        return cache

    def before(self, call: ModelCall) -> ModelCall:
        """Return the arguments of a call."""
        return call

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        """Store the new rows of a layer, and return what attention reads."""
        return past.append(k_new, v_new)

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        """Return what attention computes with."""
        return reading

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        """Return the cache that is handed on."""
        return past_kv

    def crop(self, past_kv: PastKV, length: int) -> PastKV | None:
        """Roll back to `length` tokens; None = as a right cache does."""
        return None

    def reorder(self, past_kv: PastKV, batch_rows: Tensor) -> PastKV | None:
        """Let row b go on from row batch_rows[b]; None = as a right cache does."""
        return None

    def oracle(self, call: ModelCall) -> ModelCall:
        """Return the arguments of the call without a cache."""
        return call


class FaultyLayer:
    """A layer of the cache for the length of one call: what the model appends passes through the faults."""

    def __init__(self, past: LayerKV | None, faults: Sequence[Fault], layer: int, call: ModelCall) -> None:
        self._past, self._faults, self._layer, self._call = past, faults, layer, call

    def append(self, k_new: Tensor, v_new: Tensor) -> Appended:
        if self._faults:
            rest = FaultyLayer(self._past, self._faults[1:], self._layer, self._call)
            return self._faults[0].append(rest, k_new, v_new, self._layer, self._call)
        if self._past is None:
            return k_new, v_new, ConcatKV(k_new, v_new)
        return self._past.append(k_new, v_new)


class FaultyAttention:
    """The model's attention, on what the faults make of its arguments."""

    def __init__(self, faults: Sequence[Fault], call: ModelCall) -> None:
        self._faults, self._call = faults, call

    def __call__(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, slopes: Tensor | None) -> Tensor:
        reading = Reading(q, k, v, mask, slopes)
        for fault in self._faults:
            reading = fault.attend(reading, self._call)
        mask = fitted(reading.mask, reading.k.shape[2])
        return attention(reading.q, reading.k, reading.v, mask, reading.slopes, reading.scale)


def fitted(mask: Tensor | None, kv_len: int) -> Tensor | None:
    """Fit a mask to a layer that reads more or fewer rows than the others: the newest rows are the last of both."""
    if mask is None or mask.shape[-1] == kv_len:
        return mask
    if mask.shape[-1] > kv_len:
        return mask[..., -kv_len:]
    visible = 1.0 if mask.dtype == torch.bool else 0.0
    return F.pad(mask, (kv_len - mask.shape[-1], 0), value=visible)


def overrides(faults: Sequence[Fault], hook: str) -> list[Fault]:
    """Return the faults that change a hook; the others need not be asked."""
    return [fault for fault in faults if getattr(type(fault), hook) is not getattr(Fault, hook)]
