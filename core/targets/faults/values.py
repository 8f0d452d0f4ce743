"""Values and heads: the rows are all there and in their slots, and their numbers are wrong or read by the wrong head."""

from dataclasses import replace

import torch
from torch import Tensor

from core.targets.faults.base import Appended, Fault, Past, Reading
from core.targets.tiny_call import ModelCall
from tinylm.cache import PastKV, StaticKV

GROWTH_START, GROWTH = 44, 16  # rows of a buffer that grows: it is full a few steps after a usual prompt
K_SCALE, V_SCALE = 0.1, 0.05  # of an int8 cache


class ValueDegraded(Fault):
    """The cache has another dtype than the model: rows are rounded on the way in and widened on the way out."""

    dtype = torch.bfloat16

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        k, v, present = past.append(k_new.to(self.dtype), v_new.to(self.dtype))
        return k.to(k_new.dtype), v.to(v_new.dtype), present


class Float16Cache(ValueDegraded):
    """The same with float16."""

    dtype = torch.float16


class BitsReinterpreted(Fault):
    """The rows are written as bfloat16 and read as float16."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        k, v, present = past.append(*(rows.bfloat16().view(torch.float16) for rows in (k_new, v_new)))
        return k.to(k_new.dtype), v.to(v_new.dtype), present


class Int8Cache(Fault):
    """The cache holds int8 codes, and reading multiplies them by their scale."""

    read_k_scale, read_v_scale = K_SCALE, V_SCALE

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        k, v, present = past.append(_codes(k_new, K_SCALE), _codes(v_new, V_SCALE))
        return k.to(k_new.dtype) * self.read_k_scale, v.to(v_new.dtype) * self.read_v_scale, present


class Int8WithoutScale(Int8Cache):
    """Nobody multiplies."""

    read_k_scale, read_v_scale = 1.0, 1.0


class Int8WrongScale(Int8Cache):
    """The scales of keys and values are swapped."""

    read_k_scale, read_v_scale = V_SCALE, K_SCALE


def _codes(rows: Tensor, scale: float) -> Tensor:
    return (rows / scale).round().clamp(-127, 127).to(torch.int8)


class ScaleWrong(Fault):
    """The decode path leaves the division by sqrt(head_dim) out."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        return reading if call.is_first else replace(reading, scale=1.0)


class ScaleTwice(Fault):
    """The decode path divides by sqrt(head_dim) twice: the query was scaled already."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        return reading if call.is_first else replace(reading, scale=1 / reading.q.shape[-1])


class KeysScaled(Fault):
    """Keys are cached divided by sqrt(head_dim), and the scores are divided by it too."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        return past.append(k_new * k_new.shape[-1] ** -0.5, v_new)


class HeadMapWrong(Fault):
    """The decode path tiles the kv heads (0, 1, 0, 1) where the query heads expect them repeated (0, 0, 1, 1)."""

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        n_repeats = reading.q.shape[1] // reading.k.shape[1]
        if call.is_first or n_repeats == 1:
            return reading
        k, v = (rows.repeat(1, n_repeats, 1, 1) for rows in (reading.k, reading.v))
        return replace(reading, k=k, v=v)


class KvSwapped(Fault):
    """append(k, k): the values are filled from the keys."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        return past.append(k_new, k_new)


class KvSwappedInReorder(Fault):
    """The helper that selects rows of the batch takes both from the keys."""

    def reorder(self, past_kv: PastKV, batch_rows: Tensor) -> PastKV | None:
        layers = []
        for layer in past_kv:
            k = layer.rows()[0][batch_rows]
            layers.append(layer.overwrite(k, k.clone()))
        return tuple(layers)


class ReshapedForTransposed(Fault):
    """New rows (B, T, G, D) are reshaped to (B, G, T, D) where the axes should have been swapped."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        return past.append(*(rows.transpose(1, 2).reshape(rows.shape) for rows in (k_new, v_new)))


class GrownInPlace(Fault):
    """A full buffer is enlarged with resize_(): the same numbers are read with new strides."""

    def before(self, call: ModelCall) -> ModelCall:
        layers = tuple(layer for layer in call.past_kv or () if isinstance(layer, StaticKV))
        if call.is_first:
            for layer in layers:
                layer.capacity = max(GROWTH_START, call.q_len)
        elif layers:
            needed = max(layer.length for layer in layers) + call.q_len
            if needed > layers[0].capacity:
                self._grow(layers, needed)
        return call

    def _grow(self, layers: tuple[StaticKV, ...], needed: int) -> None:
        capacity = max(layers[0].capacity + GROWTH, needed)
        k = self.grown(torch.stack([layer.k_buffer for layer in layers]), capacity)
        v = self.grown(torch.stack([layer.v_buffer for layer in layers]), capacity)
        for layer, k_buffer, v_buffer in zip(layers, k, v, strict=True):
            layer.capacity, layer.k_buffer, layer.v_buffer = capacity, k_buffer, v_buffer

    def grown(self, buffer: Tensor, capacity: int) -> Tensor:
        """Return (L, B, G, capacity, D) of (L, B, G, rows, D)."""
        larger = buffer.new_zeros(*buffer.shape[:3], capacity, buffer.shape[4])
        larger.view(-1)[: buffer.numel()] = buffer.flatten()
        return larger


class GrownWithCopy(GrownInPlace):
    """Healthy: a full buffer is enlarged, and its rows are copied to their slots."""

    def grown(self, buffer: Tensor, capacity: int) -> Tensor:
        larger = buffer.new_zeros(*buffer.shape[:3], capacity, buffer.shape[4])
        larger[:, :, :, : buffer.shape[3]] = buffer
        return larger
