"""Looking inside attention from outside: what a model hands to scaled_dot_product_attention, call by call.

The patch lasts for one call of the target. Nothing is computed while the model runs, so what it computes is unchanged;
scores and weights are worked out afterwards from q, k, mask and scale.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class AttentionCall:
    """Arguments of one attention call: q (B, H, T, D), k and v (B, G, S, D), the mask as it was given."""

    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor | None
    is_causal: bool
    scale: float


@dataclass
class Observation:
    """What one call of a target showed; layers in the order in which they attended."""

    attention: list[AttentionCall] = field(default_factory=list)
    position_ids: Tensor | None = None


@contextmanager
def observe(module: nn.Module | None) -> Iterator[Observation]:
    """Record the attention calls and the position ids of whatever runs inside the block."""
    seen = Observation()
    original = F.scaled_dot_product_attention
    hook = None
    if module is not None and (read := _position_reader(module)) is not None:
        hook = module.register_forward_pre_hook(
            lambda _, args, kwargs: _keep_positions(seen, read(args, kwargs)), with_kwargs=True
        )

    def watched(
        query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
        is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
    ) -> Tensor:  # fmt: skip
        actual_scale = query.shape[-1] ** -0.5 if scale is None else scale
        seen.attention.append(AttentionCall(query, key, value, attn_mask, is_causal, actual_scale))
        return original(
            query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
        )

    F.scaled_dot_product_attention = watched
    try:
        yield seen
    finally:
        F.scaled_dot_product_attention = original
        if hook is not None:
            hook.remove()


def _position_reader(module: nn.Module) -> Callable[[tuple[Any, ...], dict[str, Any]], Any] | None:
    names = list(inspect.signature(module.forward).parameters)
    if "position_ids" not in names:
        return None
    place = names.index("position_ids")
    return lambda args, kwargs: args[place] if len(args) > place else kwargs.get("position_ids")


def _keep_positions(seen: Observation, position_ids: Any) -> None:
    if isinstance(position_ids, Tensor):
        seen.position_ids = position_ids


def attention_weights(call: AttentionCall, n_rows: int) -> Tensor:
    """Return the weights (B, H, R, S) of the last `n_rows` queries, recomputed in the call's own dtype."""
    batch, n_heads, _, head_dim = call.q.shape
    group = n_heads // call.k.shape[1]
    q = call.q[:, :, -n_rows:].reshape(
        batch, call.k.shape[1], -1, head_dim
    )  # heads that share a kv head side by side
    scores = (
        (q @ call.k.mT)
        .mul_(call.scale)
        .view(batch, call.k.shape[1], group, -1, call.k.shape[2])
        .flatten(1, 2)
    )
    bias = mask_rows(call, n_rows)
    if bias is not None:
        scores = scores.masked_fill_(~bias, float("-inf")) if bias.dtype == torch.bool else scores + bias
    return scores.softmax(-1)


def mask_rows(call: AttentionCall, n_rows: int) -> Tensor | None:
    """Return the mask of the last `n_rows` queries, bool (True = may attend) or an additive bias; None = all visible."""
    if call.is_causal:
        q_len, kv_len = call.q.shape[2], call.k.shape[2]
        return torch.ones(q_len, kv_len, dtype=torch.bool).tril()[-n_rows:]
    if call.mask is None:
        return None
    return call.mask if call.mask.shape[-2] == 1 else call.mask[..., -n_rows:, :]


def allowed(call: AttentionCall, n_rows: int) -> Tensor | None:
    """Return which keys the last `n_rows` queries may attend to, bool (B, R, S) or (1, R, S); None = all."""
    rows = mask_rows(call, n_rows)
    if rows is None:
        return None
    seen = rows if rows.dtype == torch.bool else rows > torch.finfo(rows.dtype).min / 2
    while seen.dim() < 4:
        seen = seen.unsqueeze(0)
    return seen[:, 0].expand(-1, n_rows, call.k.shape[2])
