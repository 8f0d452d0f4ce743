"""What several faults need: a layer with other rows, keys turned by a rotation, positions moved."""

from dataclasses import replace

from torch import Tensor

from core.targets.tiny_call import ModelCall
from tinylm.cache import ConcatKV, LayerKV, PagedKV, SlidingKV, StaticKV
from tinylm.model import TinyLM, rotate


def rebuilt(layer: LayerKV, k: Tensor, v: Tensor) -> LayerKV:
    """Return a layer of the same kind that holds the rows (k, v), each (B, G, n, D)."""
    empty: LayerKV
    match layer:
        case StaticKV():
            empty = StaticKV(layer.capacity)
        case PagedKV():
            empty = PagedKV(layer.capacity, layer.block_size)
        case SlidingKV():
            empty = SlidingKV(layer.window)
        case _:
            return ConcatKV(k, v)
    return empty.append(k, v)[2] if k.shape[2] else empty


def moved(call: ModelCall, by: int | Tensor) -> ModelCall:
    """Move the positions of a call, within the model's table."""
    last = call.model.config.max_seq_len - 1
    return replace(call, position_ids=(call.position_ids + by).clamp(0, last))


def uses_rope(call: ModelCall) -> bool:
    return call.model.config.position_scheme == "rope"


def turned(x: Tensor, by: Tensor, model: TinyLM) -> Tensor:
    """Rotate (B, heads, T, D) by `by` (B, T) positions more, or fewer where it is negative."""
    cos, sin = model.rope_cos[by.abs()], model.rope_sin[by.abs()] * by.sign().unsqueeze(-1)
    return rotate(x, cos.unsqueeze(1), sin.unsqueeze(1)).to(x.dtype)
