"""RoPE: the position is right, and the rotation of a query or key is not the rotation of that position."""

from dataclasses import replace

import torch
from torch import Tensor

from core.targets.faults.base import Appended, Fault, Past, Reading
from core.targets.faults.tools import turned, uses_rope
from core.targets.tiny_call import ModelCall
from tinylm.cache import PastKV


class RopeFault(Fault):
    """A fault of models that rotate; elsewhere it changes nothing."""

    def append(self, past: Past, k_new: Tensor, v_new: Tensor, layer: int, call: ModelCall) -> Appended:
        return self.rotate_rows(past, k_new, v_new, call) if uses_rope(call) else past.append(k_new, v_new)

    def attend(self, reading: Reading, call: ModelCall) -> Reading:
        return replace(reading, q=self.rotate_queries(reading.q, call)) if uses_rope(call) else reading

    def rotate_rows(self, past: Past, k_new: Tensor, v_new: Tensor, call: ModelCall) -> Appended:
        return past.append(k_new, v_new)

    def rotate_queries(self, q: Tensor, call: ModelCall) -> Tensor:
        return q


class MemoByLength(RopeFault):
    """cos and sin are remembered by the number of tokens alone: the first offset is replayed for every such call."""

    def __init__(self) -> None:
        self.offset_of_length: dict[int, int] = {}

    def before(self, call: ModelCall) -> ModelCall:
        self.offset_of_length.setdefault(call.q_len, call.text_len - call.q_len)
        return call

    def rotate_rows(self, past: Past, k_new: Tensor, v_new: Tensor, call: ModelCall) -> Appended:
        return past.append(turned(k_new, self._error(call), call.model), v_new)

    def rotate_queries(self, q: Tensor, call: ModelCall) -> Tensor:
        return turned(q, self._error(call), call.model)

    def _error(self, call: ModelCall) -> Tensor:
        return torch.full_like(
            call.input_ids, self.offset_of_length[call.q_len] - (call.text_len - call.q_len)
        )


class RotatedTwice(RopeFault):
    """Keys are cached rotated, and the read path rotates what it finds in the cache once more."""

    def rotate_rows(self, past: Past, k_new: Tensor, v_new: Tensor, call: ModelCall) -> Appended:
        k, v, present = past.append(k_new, v_new)
        n_old = k.shape[2] - k_new.shape[2]
        old = turned(k[:, :, :n_old], slot_positions(call, k.shape[2])[:, :n_old], call.model)
        return torch.cat((old, k[:, :, n_old:]), 2), v, present


class Compounding(RopeFault):
    """Each call rotates the cached keys again and writes them back."""

    def after(self, past_kv: PastKV, call: ModelCall) -> PastKV:
        if not uses_rope(call):
            return past_kv
        layers = []
        for layer in past_kv:
            k, v = layer.rows()
            layers.append(layer.overwrite(turned(k, slot_positions(call, k.shape[2]), call.model), v.clone()))
        return tuple(layers)


class RawKeys(RopeFault):
    """Keys are written to the cache before they are rotated, and nobody rotates them when they are read."""

    def rotate_rows(self, past: Past, k_new: Tensor, v_new: Tensor, call: ModelCall) -> Appended:
        return past.append(turned(k_new, -call.position_ids, call.model), v_new)


class QueryOffsetTooLate(RopeFault):
    """Queries are rotated with the offset as it is after the cache has moved it on; keys with the one before."""

    def rotate_queries(self, q: Tensor, call: ModelCall) -> Tensor:
        return turned(q, torch.full_like(call.input_ids, call.q_len), call.model)


class Fragments(RopeFault):
    """Keys of a later piece of text are those of the piece alone: rotated as positions 0, 1, 2 ..."""

    def rotate_rows(self, past: Past, k_new: Tensor, v_new: Tensor, call: ModelCall) -> Appended:
        if call.is_first or call.q_len == 1:
            return past.append(k_new, v_new)
        start = call.position_ids[:, :1].expand_as(call.position_ids)
        return past.append(turned(k_new, -start, call.model), v_new)


class RotatedAtRead(RopeFault):
    """Healthy: keys are cached as they are, and all of them are rotated at every read."""

    def rotate_rows(self, past: Past, k_new: Tensor, v_new: Tensor, call: ModelCall) -> Appended:
        k, v, present = past.append(turned(k_new, -call.position_ids, call.model), v_new)
        return turned(k, slot_positions(call, k.shape[2]), call.model), v, present


def slot_positions(call: ModelCall, n_rows: int) -> Tensor:
    """Return the positions (B, n_rows) of the newest rows; rows that no text explains count as position 0."""
    known = call.positions_of_last(n_rows)
    n_unknown = n_rows - known.shape[1]
    return torch.nn.functional.pad(known, (n_unknown, 0)) if n_unknown > 0 else known
