"""How far two lanes' logits are apart, for traces that bring the logits and no figures. The recorder's, without torch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Figures:
    """Over all compared rows of a step; None where a number is not finite. `worst_at` is batch row, row, column."""

    max_abs_diff: float | None
    worst_at: tuple[int, int, int]
    n_nonfinite: int
    rel_l2: float | None
    kl: float | None  # KL(oracle || cached) of the newest row, the largest of the batch, in nats
    margin: float | None  # top1 - top2 of the oracle's newest row, the smallest of the batch


def logit_figures(oracle: Floats, cached: Floats, is_compared: NDArray[np.bool_]) -> Figures:
    """Compare logits (B, R, V); rows where is_compared (B, R) is False hold pads and are left out."""
    want, got = oracle.astype(np.float64), cached.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        diff = np.abs(got - want)
        diff[(want == got) | ~is_compared[..., None]] = 0.0  # inf - inf would be NaN
        n_nonfinite = int((~np.isfinite(diff)).sum())
        seen = np.nan_to_num(diff, nan=np.inf) if n_nonfinite else diff
        row, query, token = (int(at) for at in np.unravel_index(int(seen.argmax()), diff.shape))
        rel_l2 = np.linalg.norm(diff) / max(float(np.linalg.norm(want)), 1e-30)
        kl = np.maximum(_kl(want[:, -1], got[:, -1]), 0.0).max()
        top = np.sort(want[:, -1], -1)[:, -2:]
        margin = (top[:, -1] - top[:, 0]).min()
    return Figures(
        None if n_nonfinite else float(diff[row, query, token]), (row, query, token), n_nonfinite,
        _finite(rel_l2), _finite(kl), _finite(margin),
    )  # fmt: skip


def log_softmax(logits: Floats) -> NDArray[np.float64]:
    """Return log-probabilities over the last axis."""
    x = logits.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        x = x - x.max(-1, keepdims=True)
        return np.asarray(x - np.log(np.exp(x).sum(-1, keepdims=True)))


def _kl(want: NDArray[np.float64], got: NDArray[np.float64]) -> NDArray[np.float64]:
    log_p, log_q = log_softmax(want), log_softmax(got)
    p = np.exp(log_p)
    return np.asarray(np.where(p > 0, p * (log_p - log_q), 0.0).sum(-1))


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
