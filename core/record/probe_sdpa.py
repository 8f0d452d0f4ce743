"""From the arguments of scaled_dot_product_attention, in any of its forms, to an AttentionCall."""

from typing import Any

from torch import Tensor

from core.record.attention import AttentionCall
from core.record.probe_rows import Frame, kept_rows


def sdpa_call(output: Tensor, frame: Frame, *args: Any, **kwargs: Any) -> AttentionCall | None:
    """Return the call; None where its tensors do not belong to the watched batch."""
    query, key, value, mask, is_causal, scale = _bound(*args, **kwargs)
    batch = frame.batch
    q, k, v, out = (
        heads_apart(query.detach(), batch), heads_apart(key.detach(), batch), heads_apart(value.detach(), batch),
        heads_apart(output.detach(), batch),
    )  # fmt: skip
    if q is None or k is None or v is None or out is None:
        return None
    if mask is not None:
        mask = _mask_4d(mask.detach(), query, q)
    if q.shape[0] > 1:
        k, v = (x.expand(q.shape[0], -1, -1, -1) if x.shape[0] == 1 else x for x in (k, v))
    return kept_rows(AttentionCall(q, k, v, mask, is_causal, scale, out), frame)


def _bound(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None, bool, float]:  # fmt: skip
    """Bind the arguments by torch's own names; dropout is none of ours, and the shapes tell about enable_gqa."""
    return query, key, value, attn_mask, is_causal, query.shape[-1] ** -0.5 if scale is None else scale


def heads_apart(x: Tensor, batch: int | None) -> Tensor | None:
    """Return (B, H, T, D) of a tensor whose heads may be merged into the batch, or spread over several dimensions."""
    if x.dim() == 4:
        return x if batch is None or x.shape[0] in (1, batch) else None
    if x.dim() == 2:
        x = x.unsqueeze(0)
    if x.dim() == 3:
        rows = 1 if batch is None else batch
        return x.reshape(rows, -1, *x.shape[1:]) if x.shape[0] % rows == 0 else None
    return heads_apart(x.flatten(1, -3), batch)


def _mask_4d(mask: Tensor, query: Tensor, q: Tensor) -> Tensor:
    """A mask that broadcasts onto (B, H, T, S); torch aligns its dimensions from the right."""
    if mask.dim() < 2:
        return mask.unsqueeze(0)
    if query.dim() == 3 and mask.dim() == 3 and mask.shape[0] > 1:
        return mask.reshape(*q.shape[:2], *mask.shape[1:])
    if mask.dim() > 4:
        return mask.expand(*query.shape[:-2], *mask.shape[-2:]).flatten(1, -3)
    return mask
