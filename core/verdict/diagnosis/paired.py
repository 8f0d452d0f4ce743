"""Attention calls of both lanes side by side, with one kv head for every kv head of the model, and their tolerance."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.verdict.diagnosis.evidence import Attention, Evidence, Floats

Bools = NDArray[np.bool_]
Distances = NDArray[np.float64]

# rms difference, of the tensor's rms, that counts as equal; healthy rounding is far below, a cache in the next narrower dtype above
EQUAL = {"float64": 1e-9, "float32": 5e-5, "float16": 8e-3, "bfloat16": 6e-2}


def equal_below(dtype: str) -> float:
    """Return the relative rms difference below which tensors of a dtype are taken for equal."""
    return EQUAL.get(dtype, EQUAL["float32"])


@dataclass(frozen=True)
class PairedCall:
    """One attention call in both lanes; the oracle's key j is token first_token + j.

    k and v are (B, G, S, D) with the same G in both lanes, so heads that were repeated for the queries count once.
    """

    oracle: Attention
    cached: Attention
    k_oracle: Floats
    v_oracle: Floats
    k_cached: Floats
    v_cached: Floats
    first_token: int
    tolerance: float

    @cached_property
    def k_scale(self) -> float:
        return rms(self.k_oracle)

    @cached_property
    def v_scale(self) -> float:
        return rms(self.v_oracle)

    @property
    def q_len(self) -> int:
        """Queries that both lanes have: the last of the step."""
        return int(min(self.oracle.q.shape[2], self.cached.q.shape[2]))


def paired_calls(evidence: Evidence) -> tuple[PairedCall, ...]:
    """Pair the calls in their order; none where the lanes make a different number of them, or of other shapes.

    Nor where the oracle reads more keys than there are tokens: a summary of several tokens has no place of its own.
    """
    oracle, cached = evidence.oracle.calls, evidence.cached.calls
    if len(oracle) != len(cached):
        return ()
    pairs = [_paired(a, b, evidence.n_tokens) for a, b in zip(oracle, cached, strict=True)]
    return tuple(pair for pair in pairs if pair is not None) if all(pairs) else ()


def rms(x: Floats) -> float:
    """Return the root mean square of the finite values, never 0."""
    finite = x[np.isfinite(x)].astype(np.float64)
    return max(float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0, 1e-30)


def one_per_kv_head(oracle: Floats, cached: Floats) -> tuple[Floats, Floats]:
    """Return both with as many heads as the model has kv heads; neighbouring heads that are equal are one, repeated.

    All heads of both, where the cached lane has as many and repeats them otherwise.
    """
    n_repeats = _repeats(oracle)
    if cached.shape[1] == oracle.shape[1] and not _is_repeated(cached, n_repeats):
        return oracle, cached
    oracle = oracle[:, ::n_repeats]
    n_heads = oracle.shape[1]
    if cached.shape[1] % n_heads == 0:
        return oracle, _one_of_each(cached, n_heads)
    return (
        (oracle, cached) if n_heads % cached.shape[1] else (oracle[:, :: n_heads // cached.shape[1]], cached)
    )


def _one_of_each(x: Floats, n_groups: int) -> Floats:
    """Return (B, n_groups, S, D): of each group of neighbouring heads one that differs from the first, if any does."""
    groups = x.reshape(x.shape[0], n_groups, -1, *x.shape[2:])
    differs = (groups != groups[:, :, :1]).any((0, 3, 4))
    return groups[:, np.arange(n_groups), differs.argmax(-1)]


def _repeats(x: Floats) -> int:
    """Return how many neighbouring heads are the same throughout."""
    n_heads = x.shape[1]
    for n_repeats in range(n_heads, 1, -1):
        if n_heads % n_repeats == 0 and _is_repeated(x, n_repeats):
            return n_repeats
    return 1


def _is_repeated(x: Floats, n_repeats: int) -> bool:
    groups = x.reshape(x.shape[0], -1, n_repeats, *x.shape[2:])
    first = groups[:, :, :, :1]  # of the rows: where it differs already, the others need not be looked at
    if not np.array_equal(first, np.broadcast_to(first[:, :, :1], first.shape), equal_nan=True):
        return False
    return np.array_equal(groups, np.broadcast_to(groups[:, :, :1], groups.shape), equal_nan=True)


def _paired(oracle: Attention, cached: Attention, n_tokens: int) -> PairedCall | None:
    k_oracle, k_cached = one_per_kv_head(oracle.k, cached.k)
    v_oracle, v_cached = one_per_kv_head(oracle.v, cached.v)
    for a, b in ((k_oracle, k_cached), (v_oracle, v_cached), (oracle.q, cached.q)):
        if (a.shape[0], a.shape[1], a.shape[3]) != (b.shape[0], b.shape[1], b.shape[3]):
            return None
    if k_oracle.shape[2] > n_tokens:
        return None
    dtypes = {oracle.dtype, oracle.kv_dtype}
    tolerance = max(equal_below(dtype) for dtype in dtypes)
    return PairedCall(
        oracle, cached, k_oracle, v_oracle, k_cached, v_cached, n_tokens - k_oracle.shape[2], tolerance
    )
