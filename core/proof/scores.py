"""Scores taken apart: scale * q k + what is added (bias, and -inf where a key is hidden)."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.verdict.diagnosis.hypothesis import NO_PLACE

EXACT = 1e-4  # of the scores' spread: what is left over is rounding, so nothing is added


@dataclass(frozen=True)
class Scores:
    """`exact` are the scores as the model had them, good as long as q, k, scale and what is added are its own."""

    scale: float
    added: Tensor  # (B, H, Q, S)
    exact: Tensor | None = None
    is_fixed: bool = False  # whatever q and k are

    def of(self, q: Tensor, k: Tensor) -> Tensor:
        """Return the scores (B, H, Q, S) of queries and keys."""
        if self.is_fixed and self.exact is not None:
            return self.exact
        return product(q, k) * self.scale + self.added

    def whole(self) -> Tensor:
        """Return the scores as the model had them."""
        assert self.exact is not None
        return self.exact

    def fixed(self) -> "Scores":
        return replace(self, is_fixed=True)

    def unbiased(self) -> "Scores":
        """Keep who is hidden, and nothing else of what is added."""
        return replace(self, added=torch.where(torch.isfinite(self.added), 0.0, self.added), exact=None)

    def hiding(self, slots: Tensor) -> "Scores":
        """Hide slots (B, S)."""
        hidden = self.added.masked_fill(slots[:, None, None, :], float("-inf"))
        exact = None if self.exact is None else self.exact.masked_fill(slots[:, None, None, :], float("-inf"))
        return replace(self, added=hidden, exact=exact)

    def at(self, token: Tensor) -> "Scores":
        """Put the columns in the order of slots (B, S) that hold these tokens; a slot without a token is hidden."""
        index = token.clamp_min(0)[:, None, None, :].expand(-1, *self.added.shape[1:3], -1)
        nowhere = (token == NO_PLACE)[:, None, None, :]
        columns = [
            None if x is None else x.gather(-1, index).masked_fill(nowhere, float("-inf"))
            for x in (self.added, self.exact)
        ]
        assert columns[0] is not None
        return Scores(self.scale, columns[0], columns[1], self.is_fixed)

    @staticmethod
    def mixed(rows: Tensor, one: "Scores", other: "Scores", q: Tensor, k: Tensor) -> "Scores":
        """Take batch rows (B, 1, 1, 1) from one, the rest from another."""
        scores = torch.where(rows, one.of(q, k), other.of(q, k))
        return Scores(other.scale, torch.where(rows, one.added, other.added), scores, is_fixed=True)


def split(q: Tensor, k: Tensor, scores: Tensor, scale: float | None) -> Scores:
    """Take the scores (B, H, Q, S) of a call apart; where the scale is not known it is fitted."""
    raw = product(q, k)
    if scale is None:
        scale = _fitted(raw, scores, q.shape[-1])
    seen = torch.isfinite(scores)
    added = torch.where(seen, scores - raw * scale, torch.where(torch.isnan(scores), scores, float("-inf")))
    spread = float(scores[seen].std()) if int(seen.sum()) > 1 else 1.0
    if seen.any() and float(added[seen].abs().max()) <= EXACT * max(spread, 1e-6):
        added = torch.where(seen, 0.0, added)
    return Scores(scale, added, scores)


def product(q: Tensor, k: Tensor) -> Tensor:
    """Return q k (B, H, Q, S), query head h reading kv head h // (H / G)."""
    return q @ k.nan_to_num(0.0).repeat_interleave(q.shape[1] // k.shape[1], 1).mT


def _fitted(raw: Tensor, scores: Tensor, head_dim: int) -> float:
    """Return the slope of scores over q k; where a bias blurs it, the usual scale that is nearest to it."""
    seen = torch.isfinite(scores)
    if int(seen.sum()) < 3:
        return float(head_dim**-0.5)
    counts = seen.sum(-1, keepdim=True).clamp_min(1)
    x, y = (torch.where(seen, one, 0.0) for one in (raw, scores))
    x, y = (torch.where(seen, one - one.sum(-1, keepdim=True) / counts, 0.0) for one in (x, y))
    slope = float((x * y).sum() / (x * x).sum().clamp_min(1e-30))
    rest = float((y - slope * x).abs().max())
    if rest <= 1e-3 * max(float(y.abs().max()), 1e-9) or slope <= 0:
        return slope if slope > 0 else float(head_dim**-0.5)
    usual = (float(head_dim**-0.5), 1.0, 1.0 / head_dim)
    return min(usual, key=lambda one: abs(float(torch.tensor(one / slope).log())))
