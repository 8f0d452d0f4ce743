"""Which rows of an attention call are tokens and which are heads, and which of them are kept."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import torch
from torch import Tensor

from core.record.attention import MASKED_BELOW, AttentionCall


@dataclass(frozen=True)
class Frame:
    """What the recorder knows of the call that it watches; None where it does not say."""

    batch: int | None = None
    q_len: int | None = None  # tokens that were fed; a faulty target may hand the model more
    n_rows: int | None = None  # queries, from the end, that are kept; None = all
    keeps_scores: bool = False  # of attention that is written by hand


def kept_rows(call: AttentionCall, frame: Frame) -> AttentionCall | None:
    """Drop a call of another batch; keep the last queries alone, copied, so that the rest is not held in memory.

    What the model got is copied in any case, since it may go on with it in place. K and V stay references.
    """
    if frame.batch is not None and call.q.shape[0] != frame.batch:
        return None
    if frame.q_len is not None:
        call = _heads_out_of_rows(call, frame.q_len)
    start = 0 if frame.n_rows is None else max(0, call.q.shape[2] - frame.n_rows)
    q, mask = call.q, call.mask
    if start:
        q = q[:, :, start:].clone()
        mask = mask if mask is None or mask.shape[-2] == 1 else mask[..., start:, :]
    return AttentionCall(
        q, call.k, call.v, mask, call.is_causal, call.scale, _copied(call.output, start), _copied(call.weights, start),
        _copied(call.scores, start), start,
    )  # fmt: skip


def _copied(rows: Tensor | None, start: int) -> Tensor | None:
    return None if rows is None else (rows[:, :, start:] if start else rows).clone()


def _heads_out_of_rows(call: AttentionCall, q_len: int) -> AttentionCall:
    """Give query heads that were handed over as further queries their place: (B, G, R * T, D) -> (B, G * R, T, D).

    Models do so to read a shared kv head once. Rows of one token are known by what they may see: the very same keys,
    where those of several tokens never do.
    """
    n_heads, rest = divmod(call.q.shape[2], q_len)
    if call.is_causal or rest or n_heads == 0:
        return call
    if n_heads == 1 and (call.weights is None or call.k.shape[1] > 1):
        return call
    seen = _seen(call)
    if seen is None or seen.shape[2] == 1:  # every row may see the same
        return _with_rows(call, lambda x: x.flatten(1, 2).unsqueeze(2)) if q_len == 1 < n_heads else call
    if n_heads == 1:  # with as many heads as tokens the axes may have been taken for each other
        is_swapped = call.q.shape[1] == q_len > 1 and _same(seen)
        return _with_rows(call, lambda x: x.transpose(1, 2)) if is_swapped else call
    if _same(_split(seen, (n_heads, q_len))):
        return _with_rows(call, lambda x: _split(x, (n_heads, q_len)).flatten(1, 2))
    if _same(_split(seen, (q_len, n_heads)).transpose(2, 3)):
        return _with_rows(call, lambda x: _split(x, (q_len, n_heads)).transpose(2, 3).flatten(1, 2))
    return call


def _seen(call: AttentionCall) -> Tensor | None:
    """Return which keys each row may see, (B or 1, H or 1, rows, S); None = all."""
    if call.weights is not None:
        return call.weights > 0
    if call.mask is None:
        return None
    mask = call.mask.reshape((1,) * (4 - call.mask.dim()) + call.mask.shape)
    return mask if mask.dtype == torch.bool else mask > MASKED_BELOW


def _same(seen: Tensor) -> bool:
    """Whether all entries along dim 2 are the same."""
    return bool((seen == seen[:, :, :1]).all())


def _split(x: Tensor, sizes: tuple[int, int]) -> Tensor:
    return x.reshape(*x.shape[:2], *sizes, x.shape[-1])


def _with_rows(call: AttentionCall, change: Callable[[Tensor], Tensor]) -> AttentionCall:
    """Change whatever has a row for each query; a mask that has is the same for all heads of a token."""
    mask = call.mask
    if mask is not None and mask.shape[-2] > 1:
        mask = change(mask.reshape((1,) * (4 - mask.dim()) + mask.shape))[:, :1]
    return msgspec.structs.replace(
        call, q=change(call.q), mask=mask, output=None if call.output is None else change(call.output),
        weights=None if call.weights is None else change(call.weights),
        scores=None if call.scores is None else change(call.scores),
    )  # fmt: skip
