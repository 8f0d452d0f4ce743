"""One attention call as plain tensors, and what can be worked out from it: weights, and who may see whom."""

import math

import msgspec
import torch
from torch import Tensor

MASKED_BELOW = (
    -9.9e3
)  # an additive mask this low hides a key: -1e4 was common in 16 bits, biases stay far above


class AttentionCall(
    msgspec.Struct, frozen=True, eq=False
):  # made several times a layer: a dataclass takes longer
    """Arguments of one attention call: q (B, H, T, D), k and v (B, G, S, D), query heads h reading kv head h // (H / G).

    Attention that was written by hand comes with the `weights` that the model computed, and without mask and scale.
    """

    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor | None = None
    is_causal: bool = False
    scale: float | None = None
    output: Tensor | None = None  # (B, H, T, D), what the model got
    weights: Tensor | None = None  # (B, H, T, S)
    scores: Tensor | None = None  # (B, H, T, S), what a hand-written softmax got, where it was asked for
    first_row: int = 0  # queries of the call that came before those in q, and were not kept

    def part(self, start: int, stop: int) -> "AttentionCall":
        """Return the call as queries start..stop alone would have made it, reading the keys before `stop`."""
        return AttentionCall(
            self.q[:, :, start:stop], self.k[:, :, :stop], self.v[:, :, :stop], self._mask_part(start, stop),
            self.is_causal, self.scale,
            output=None if self.output is None else self.output[:, :, start:stop],
            weights=None if self.weights is None else self.weights[:, :, start:stop, :stop],
            scores=None if self.scores is None else self.scores[:, :, start:stop, :stop],
            first_row=self.first_row + start,
        )  # fmt: skip

    def with_rows(self, k: Tensor, v: Tensor) -> "AttentionCall":
        """Return the call with other k and v."""
        return msgspec.structs.replace(self, k=k, v=v)

    def _mask_part(self, start: int, stop: int) -> Tensor | None:
        if self.mask is None:
            return None
        rows = self.mask if self.mask.shape[-2] == 1 else self.mask[..., start:stop, :]
        return rows if rows.shape[-1] == 1 else rows[..., :stop]


def attention_weights(call: AttentionCall, n_rows: int) -> Tensor:
    """Return the weights (B, H, R, S) of the last `n_rows` queries: the model's own, or recomputed in the call's dtype."""
    if call.weights is not None:
        return call.weights[:, :, -n_rows:]
    scores = products(call, n_rows)
    rows = mask_rows(call, n_rows)
    if rows is None:
        return scores.softmax(-1)
    if rows.dtype != torch.bool:
        return _without_nan(scores.add_(rows).softmax(-1), rows == float("-inf"))
    return _without_nan(scores.masked_fill_(~rows, float("-inf")).softmax(-1), ~rows)


def attention_scores(call: AttentionCall, n_rows: int) -> Tensor:
    """Return the scores (B, H, R, S) of the last `n_rows` queries, scaled, with bias, -inf where a key is hidden.

    Those of a hand-written softmax are its own where they were kept; else its weights tell them, but for a constant.
    """
    if call.weights is not None:
        kept = call.weights.log() if call.scores is None else call.scores
        return kept[:, :, -n_rows:].masked_fill(kept[:, :, -n_rows:] < MASKED_BELOW, float("-inf"))
    scores, rows = products(call, n_rows), mask_rows(call, n_rows)
    if rows is None:
        return scores
    if rows.dtype == torch.bool:
        return scores.masked_fill_(~rows, float("-inf"))
    return scores.add_(rows).masked_fill_(rows < MASKED_BELOW, float("-inf"))


def products(call: AttentionCall, n_rows: int) -> Tensor:
    """Return scale * q k (B, H, R, S) of the last `n_rows` queries."""
    batch, n_heads, _, head_dim = call.q.shape
    n_kv_heads, kv_len = call.k.shape[1:3]
    q = call.q if call.q.shape[2] == n_rows else call.q[:, :, -n_rows:]
    q = q.reshape(batch * n_kv_heads, -1, head_dim)  # heads that share a kv head side by side
    scale = head_dim**-0.5 if call.scale is None else call.scale
    k = call.k.reshape(batch * n_kv_heads, kv_len, head_dim)
    return torch.bmm(q, k.mT).mul_(scale).view(batch, n_heads, -1, kv_len)


def _without_nan(weights: Tensor, is_hidden: Tensor) -> Tensor:
    """A query that may see nothing (a pad) gets zeros from torch, where softmax alone gives NaN."""
    return weights.masked_fill_(is_hidden.all(-1, keepdim=True), 0.0)


def mask_rows(call: AttentionCall, n_rows: int) -> Tensor | None:
    """Return the mask of the last `n_rows` queries, bool (True = may attend) or an additive bias; None = all visible.

    is_causal counts from the top left, as torch does, also where there are more keys than queries.
    """
    if call.is_causal:
        q_len, kv_len = call.q.shape[2], call.k.shape[2]
        whole = torch.ones(q_len, kv_len, dtype=torch.bool, device=call.q.device)
        return whole.tril(call.first_row)[-n_rows:]
    if call.mask is None:
        return None
    return call.mask if call.mask.shape[-2] == 1 else call.mask[..., -n_rows:, :]


def allowed(call: AttentionCall, n_rows: int) -> Tensor | None:
    """Return which keys the last `n_rows` queries may attend to in any head, bool (B or 1, R, S); None = all."""
    if call.weights is not None:
        return (call.weights[:, :, -n_rows:] > 0).any(1)
    rows = mask_rows(call, n_rows)
    if rows is None:
        return None
    seen = rows if rows.dtype == torch.bool else rows > MASKED_BELOW
    while seen.dim() < 4:
        seen = seen.unsqueeze(0)
    return seen.any(1).expand(-1, n_rows, call.k.shape[2])


def output_error(call: AttentionCall, weights: Tensor) -> float | None:
    """Return how far weights @ v (last rows, (B, H, R, S)) is from the output that the model got, of its largest value.

    None where there is nothing to compare: a hand-written product is the model's own, and NaN is found elsewhere.
    """
    if call.output is None or call.weights is not None:
        return None
    batch, n_kv_heads, kv_len, head_dim = call.v.shape
    got = call.output[:, :, -weights.shape[2] :]
    v = call.v.reshape(batch * n_kv_heads, kv_len, head_dim)
    again = torch.bmm(weights.reshape(batch * n_kv_heads, -1, kv_len), v).view(got.shape)
    error, scale = float((again - got).abs_().max()), float(got.abs().max())
    return error / max(scale, 1e-30) if math.isfinite(error + scale) else None
