"""The logits of a step in two traces, over the tokens and rows that both have."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.compare.align import does_not_fit
from core.compare.gather import rows_of_tokens
from core.trace.figures import log_softmax
from core.trace.reader import Trace

LOG_PROBS = "log-probs"
Array = NDArray[Any]


@dataclass(frozen=True)
class LogitPair:
    """Rows (B, R, K) of the newest R tokens; `ids` (B, R, K) where they are not the whole vocabulary."""

    ids: Array | None
    a: Array
    b: Array


@dataclass(frozen=True)
class Lane:
    """One lane of a trace, and whether its logits are normalised, and cut off how far below the largest."""

    trace: Trace
    name: str

    @property
    def is_log_probs(self) -> bool:
        return self.trace.info.logits == LOG_PROBS


def logit_pair(a: Lane, b: Lane, begin: int, end: int) -> LogitPair | None:
    """Return the newest rows of the tokens [begin, end) that both have, None where they share none.

    Where one has log-probabilities, those of the other are taken too, cut off where the first cuts off.
    """
    of_a, of_b = _rows(a, begin, end), _rows(b, begin, end)
    if of_a is None or of_b is None:
        return None
    n_rows = min(of_a[1].shape[1], of_b[1].shape[1])
    (ids, one), (other_ids, other) = _newest(of_a, n_rows), _newest(of_b, n_rows)
    if ids is None and other_ids is None and one.shape != other.shape:
        raise does_not_fit(f"the vocabulary has {one.shape[-1]} tokens in A and {other.shape[-1]} in B")
    if a.is_log_probs or b.is_log_probs:
        one, other = _normalised(a, ids, one), _normalised(b, other_ids, other)
        floor = min(lane.trace.info.logits_floor or np.inf for lane in (a, b))
        one, other = (np.maximum(x, x.max(-1, keepdims=True) - floor) for x in (one, other))
    return _of_same_ids(ids, one, other_ids, other)


def _newest(found: tuple[Array | None, Array], n_rows: int) -> tuple[Array | None, Array]:
    ids, logits = found
    return None if ids is None else ids[:, -n_rows:], logits[:, -n_rows:]


def _rows(lane: Lane, begin: int, end: int) -> tuple[Array | None, Array] | None:
    whole = rows_of_tokens(lane.trace, lane.name, "logits", begin, end)
    if whole is not None:
        return None, whole[1]
    top = rows_of_tokens(lane.trace, lane.name, "top_logits", begin, end)
    ids = rows_of_tokens(lane.trace, lane.name, "top_ids", begin, end)
    if top is None or ids is None or top[1].shape != ids[1].shape:
        return None
    return ids[1].astype(np.int64), top[1]


def _normalised(lane: Lane, ids: Array | None, logits: Array) -> Array:
    if lane.is_log_probs:
        return logits.astype(np.float64)
    if ids is not None:
        raise does_not_fit("one has log-probabilities, and of the other only the top logits are known")
    return log_softmax(logits)


def _of_same_ids(ids: Array | None, one: Array, other_ids: Array | None, other: Array) -> LogitPair:
    if ids is None and other_ids is None:
        return LogitPair(None, one, other)
    if ids is None or other_ids is None:
        known = other_ids if ids is None else ids
        assert known is not None
        n_tokens = (one if ids is None else other).shape[-1]
        if known.min(initial=0) < 0 or known.max(initial=0) >= n_tokens:
            raise does_not_fit(f"top_ids name tokens outside a vocabulary of {n_tokens}")
        if ids is None:
            return LogitPair(known, np.take_along_axis(one, known, -1), other)
        return LogitPair(known, one, np.take_along_axis(other, known, -1))
    if np.array_equal(ids, other_ids):
        return LogitPair(ids, one, other)
    return _in_both(ids, one, other_ids, other)


def _in_both(ids: Array, one: Array, other_ids: Array, other: Array) -> LogitPair:
    """Each row has its own common ids: as many as the row with fewest are kept, the best of A first."""
    batch, n_rows, _ = ids.shape
    kept = [
        np.intersect1d(ids[b, r], other_ids[b, r], return_indices=True)
        for b in range(batch)
        for r in range(n_rows)
    ]
    n_kept = min(len(common) for common, _, _ in kept)
    if not n_kept:
        raise does_not_fit("the top logits of a row have no token in common")
    shape = (batch, n_rows, n_kept)
    out = np.empty(shape, np.int64), np.empty(shape, one.dtype), np.empty(shape, other.dtype)
    for at, (common, here, there) in enumerate(kept):
        b, r = divmod(at, n_rows)
        best = np.argsort(-one[b, r, here], kind="stable")[:n_kept]
        out[0][b, r], out[1][b, r], out[2][b, r] = (
            common[best],
            one[b, r, here[best]],
            other[b, r, there[best]],
        )
    return LogitPair(*out)
