"""Mask and bias: a query sees what it must not see, or does not see what it should."""

from dataclasses import replace

import torch
from torch import Tensor
from torch.nn import functional as F

from core.targets.faults.base import Appended, Fault, Past, Reading, fitted
from core.targets.tiny_call import ModelCall, TinyCache
from tinylm.cache import PagedKV, SlidingKV, StaticKV
from tinylm.model import alibi_bias


class MaskTopLeft(Fault):
    """is_causal=True: row i of the mask sees keys 0..i, wherever the queries really stand."""

    def before(self, call: ModelCall) -> ModelCall:
        if call.q_len == call.kv_len:  # the corners coincide
            return call
        return replace(call, mask=torch.ones(call.q_len, call.kv_len, dtype=torch.bool).tril())


class MaskMissing(Fault):
    """The mask is made where there is no cache only; the prefill passes one, and sees the future."""

    def before(self, call: ModelCall) -> ModelCall:
        return without_causality(call) if call.is_first else call


class MaskMissingInChunk(Fault):
    """The mask is left out as soon as there is a past: right for one token, wrong for several."""

    def before(self, call: ModelCall) -> ModelCall:
        return call if call.is_first or call.q_len == 1 else without_causality(call)


def without_causality(call: ModelCall) -> ModelCall:
    """Let every query see every token; pads stay hidden."""
    is_token = call.key_is_token(call.attention_mask)
    if is_token is None:
        return replace(call, mask=None)
    own = torch.eye(call.kv_len, dtype=torch.bool)[-call.q_len :]
    return replace(call, mask=is_token[:, None, None, :] | own)


class PadNotMasked(Fault):
    """The mask of pads is dropped on the way to attention."""

    def before(self, call: ModelCall) -> ModelCall:
        return call if call.attention_mask is None else replace(call, mask=call.mask_for(call.window, None))


class PadNotMaskedInDecode(PadNotMasked):
    """The prefill masks pads; decoding attends to their cached rows."""

    def before(self, call: ModelCall) -> ModelCall:
        return call if call.is_first else super().before(call)


class TailUnmasked(Fault):
    """Attention reads the preallocated buffer to its end, and the mask ends where the text ends."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        k, v, present = past.append(k_new, v_new)
        tails = (rows[:, :, k.shape[2] :] for rows in whole_buffers(present) or (k, v))
        k_tail, v_tail = tails
        return torch.cat((k, k_tail.to(k.dtype)), 2), torch.cat((v, v_tail.to(v.dtype)), 2), present

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        if reading.mask is None:
            return reading
        n_tail = max(0, reading.k.shape[2] - reading.mask.shape[-1])
        return replace(reading, mask=F.pad(reading.mask, (0, n_tail), value=True))


def whole_buffers(layer: object) -> tuple[Tensor, Tensor] | None:
    """Return K and V with the unused slots that lie behind the text, None where the layout has none."""
    match layer:
        case StaticKV():
            return layer.k_buffer, layer.v_buffer
        case PagedKV():  # a kernel that reads whole blocks
            k, v = (pool[layer.block_table].transpose(1, 2).flatten(2, 3) for pool in layer.buffers())
            return k, v
        case SlidingKV() if layer.n_seen < layer.window:
            return layer.k_ring, layer.v_ring
    return None


class TailNotFinite(Fault):
    """The buffer came from torch.empty: what lies behind the text is masked, but 0 * NaN is NaN."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        k, v, present = past.append(k_new, v_new)
        if not isinstance(present, StaticKV):
            return k, v, present
        tail = v.new_full((*v.shape[:2], present.capacity - present.length, v.shape[3]), float("nan"))
        return torch.cat((k, torch.zeros_like(tail)), 2), torch.cat((v, tail), 2), present

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        n_tail = reading.k.shape[2] - call.kv_len
        if n_tail <= 0:
            return reading
        mask = torch.ones(call.q_len, call.kv_len, dtype=torch.bool) if reading.mask is None else reading.mask
        return replace(reading, mask=F.pad(mask, (0, n_tail), value=False))


class WindowWide(Fault):
    """The cached lane keeps and sees window + 1 tokens."""

    window_shift = 1


class WindowShort(Fault):
    """The cached lane keeps and sees window - 1 tokens."""

    window_shift = -1


class WindowNotInDecode(Fault):
    """Every row is kept and the mask has to cut the window out; the decode path passes none."""

    def open(self, cache: TinyCache) -> TinyCache:
        is_new_ring = cache.n_calls == 0 and cache.past_kv and isinstance(cache.past_kv[0], SlidingKV)
        return replace(cache, past_kv=None) if is_new_ring else cache

    def before(self, call: ModelCall) -> ModelCall:
        if call.is_first or call.q_len > 1 or call.window is None:
            return call
        return replace(call, mask=call.right_mask(None))


class WindowClamped(Fault):
    """Keys are cut to the last `window` rows before a call of several tokens reads them: its first queries lose theirs."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        k, v, present = past.append(k_new, v_new)
        if call.window is None or call.q_len == 1:
            return k, v, present
        return k[:, :, -call.window :], v[:, :, -call.window :], present


class BiasWrongRow(Fault):
    """The bias is a table of query x key, and decoding takes its first rows instead of its last."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        if reading.slopes is None or call.is_first:
            return reading
        query, key = torch.arange(reading.q.shape[2]).unsqueeze(1), torch.arange(reading.k.shape[2])
        return with_bias(reading, -reading.slopes[:, None, None] * (query - key).abs())


class BiasMissing(Fault):
    """The bias is built over the length of the query: of one token it is zero, and broadcasts."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        if reading.slopes is None or call.is_first:
            return reading
        return with_bias(reading, torch.zeros(1, 1, reading.k.shape[2], dtype=reading.slopes.dtype))


class HarmlessBias(Fault):
    """The bias of every key is one step too large; softmax does not see what all keys of a query share."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        if reading.slopes is None:
            return reading
        bias = alibi_bias(reading.slopes, reading.k.shape[2], None)
        return with_bias(reading, bias + reading.slopes[:, None, None])


def with_bias(reading: Reading, bias: Tensor) -> Reading:
    """Put a bias (H, T or 1, S) in the place of the model's own; what is masked stays so."""
    mask = fitted(reading.mask, reading.k.shape[2])
    if mask is not None:
        bias = bias.masked_fill(~mask, float("-inf"))
    return replace(reading, mask=bias, slopes=None)
