"""Rows and slots: the cache holds a row twice, not at all, or one that belongs to no token of this text."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from core.targets.faults.base import Appended, Fault, Past, Reading, fitted
from core.targets.faults.tools import rebuilt
from core.targets.tiny_call import ModelCall, TinyCache
from tinylm.cache import LayerKV, PastKV, StaticKV
from tinylm.model import alibi_bias

BUDGET = 40  # rows that survive where the oldest are evicted: below the length of a usual run
CAPACITY = 44  # rows that were allocated where writing is clamped
REFED_LAYER = 2


class PrefixRefed(Fault):
    """The second call feeds the whole text again, on top of the rows that are there."""

    capacity_factor = 2

    def before(self, call: ModelCall) -> ModelCall:
        return refed(call) if call.before.n_calls == 1 else call


class PrefixRefedAlways(Fault):
    """Every call hands over the whole text together with the cache."""

    capacity_factor = 16

    def before(self, call: ModelCall) -> ModelCall:
        room = self.capacity_factor * call.model.config.max_seq_len - call.kv_len
        return call if call.is_first or room < call.text_len else refed(call)


def refed(call: ModelCall) -> ModelCall:
    """Feed the whole text, with the positions and the mask of a whole text at the end of the cache."""
    again = replace(call, input_ids=torch.cat((call.before.ids, call.input_ids), 1))
    again = replace(again, position_ids=again.positions_of_last(call.text_len))
    return replace(again, mask=again.right_mask(call.window))


class LayerRefed(Fault):
    """One layer runs twice in the prefill (to read its attention), and appending is a side effect of running."""

    capacity_factor = 2

    def before(self, call: ModelCall) -> ModelCall:
        for layer in call.past_kv or ():
            if call.is_first and isinstance(layer, StaticKV):  # one that grows starts smaller
                layer.capacity = max(layer.capacity, 2 * call.q_len)
        return call

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        k, v, present = past.append(k_new, v_new)
        if layer == REFED_LAYER and call.is_first:
            present = present.append(*(rows[:, :, -call.q_len :] for rows in present.rows()))[2]
        return k, v, present


class SlotLost(Fault):
    """The newest row of the first call is never written; its slot holds the zeros that it was allocated with."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        return tuple(without_last_row(layer) for layer in past_kv) if call.is_first else past_kv


def without_last_row(layer: LayerKV) -> LayerKV:
    k, v = (rows.clone() for rows in layer.rows())
    k[:, :, -1] = 0
    v[:, :, -1] = 0
    return layer.overwrite(k, v)


class NewestExcluded(Fault):
    """Attention reads the cache as it was before the call: a new token cannot see itself."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        if call.is_first:
            return reading
        n_old = reading.k.shape[2] - call.q_len
        mask = None if reading.mask is None else reading.mask[..., :n_old]
        return replace(reading, k=reading.k[:, :, :n_old], v=reading.v[:, :, :n_old], mask=mask)


class PreviousOverwritten(Fault):
    """The write index of the second call is one too small: its first row lands on the last row of the prefill."""

    def open(self, cache: TinyCache) -> TinyCache:
        return kept(cache, lambda n_rows: slice(0, n_rows - 1)) if cache.n_calls == 1 else cache


class OldestEvicted(Fault):
    """A budget below the window: the oldest rows go while they are still to be seen."""

    def open(self, cache: TinyCache) -> TinyCache:
        return kept(cache, lambda n_rows: slice(max(0, n_rows - BUDGET), n_rows))


class WritesClamped(Fault):
    """The cache was allocated too small, and writing stops at its end without a word."""

    def open(self, cache: TinyCache) -> TinyCache:
        return kept(cache, lambda n_rows: slice(0, CAPACITY))


def kept(cache: TinyCache, rows_of: Callable[[int], slice]) -> TinyCache:
    """Keep some rows of every layer; rows_of gets how many there are."""
    if cache.n_calls == 0 or cache.past_kv is None:
        return cache
    return replace(cache, past_kv=tuple(_part(layer, rows_of(layer.kv_len)) for layer in cache.past_kv))


def _part(layer: LayerKV, rows: slice) -> LayerKV:
    k, v = layer.rows()
    part = k[:, :, rows], v[:, :, rows]
    return layer if part[0].shape == k.shape else rebuilt(layer, *(x.clone() for x in part))


class StaleRows(Fault):
    """The cache outlives its run: the next one starts on top of what is there."""

    capacity_factor = 4

    def __init__(self) -> None:
        self.left_over: PastKV | None = None

    def open(self, cache: TinyCache) -> TinyCache:
        if cache.n_calls or self.left_over is None:
            return cache
        return replace(cache, past_kv=self.leave(self.left_over))

    def leave(self, past_kv: PastKV) -> PastKV:
        return past_kv

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        self.left_over = past_kv
        return past_kv


class StaleZeros(StaleRows):
    """Reset zeroes the rows and leaves the length: the next run attends to zeros."""

    def leave(self, past_kv: PastKV) -> PastKV:
        return tuple(layer.overwrite(*(torch.zeros_like(rows) for rows in layer.rows())) for layer in past_kv)


class DraftKept(Fault):
    """Rolling back is a no-op for this kind of cache: the rows of rejected draft tokens stay."""

    def crop(self, past_kv: PastKV, length: int) -> PastKV | None:
        return past_kv


class ReversedSlots(Fault):
    """Healthy: the prompt's rows lie in another order, and the mask and the bias follow."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        kv_len = reading.k.shape[2]
        prompt_len = min(kv_len, call.before.prompt_len or call.q_len)
        order = torch.cat((torch.arange(prompt_len).flip(0), torch.arange(prompt_len, kv_len)))
        mask = fitted(reading.mask, kv_len)
        if reading.slopes is not None:
            mask = alibi_bias(reading.slopes, kv_len, mask)
        return replace(
            reading, k=reading.k[:, :, order], v=reading.v[:, :, order], slopes=None,
            mask=None if mask is None else mask[..., order],
        )  # fmt: skip
