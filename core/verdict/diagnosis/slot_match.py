"""How far cached rows are from the oracle's, and which row belongs to which token: the arithmetic of the slot map."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.verdict.diagnosis.evidence import Floats
from core.verdict.diagnosis.paired import Bools, Distances
from core.verdict.diagnosis.row_index import Ids, RowIndex

NEAR = 0.1  # of the rows' rms: the same row, somewhat damaged
K_VOTE, V_VOTE = 0.6, 0.4  # keys know their position
MOST_LAYERS = 0.35
MANY_ALIKE = 16  # tokens that look like one row, on the average: then comparing all is quicker


def flat_rows(x: Floats) -> NDArray[np.float64]:
    """Return (B, S, G * D) of (B, G, S, D): a row is what all heads hold of one token."""
    batch, _, n_rows, _ = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, n_rows, -1).astype(np.float64)


def distances(rows: NDArray[np.float64], others: NDArray[np.float64], scale: float) -> Distances:
    """Return the rms difference of every row (n, D) from every other (m, D), divided by `scale`; inf where not finite."""
    bad_rows, bad_others = (np.asarray(~np.isfinite(x).all(-1)) for x in (rows, others))
    rows, others = np.where(bad_rows[:, None], 0.0, rows), np.where(bad_others[:, None], 0.0, others)
    squares = (rows**2).sum(-1)[:, None] + (others**2).sum(-1)[None] - 2 * rows @ others.T
    found = np.sqrt(np.maximum(squares, 0) / max(1, rows.shape[-1])) / scale
    found[bad_rows] = np.inf
    found[:, bad_others] = np.inf
    return np.asarray(found)


def row_distances(rows: NDArray[np.float64], others: NDArray[np.float64], scale: float) -> Distances:
    """Return the rms difference of rows (..., D) from the rows at the same place, divided by `scale`; inf where not finite."""
    with np.errstate(invalid="ignore", over="ignore"):
        found = np.sqrt(np.mean((rows - others) ** 2, axis=-1)) / scale
    return np.where(np.isfinite(found), found, np.inf)


@dataclass(frozen=True)
class MatchedRows:
    """K or V of a layer and a batch row: the cached rows (S, D), and what the oracle has for each token (T, D)."""

    cached: NDArray[np.float64]
    oracle: NDArray[np.float64]
    scale: float

    def equal(self, tolerance: float) -> tuple[Ids, Ids]:
        """Return the pairs (slot, token) that are equal. Nearly all pairs are not, and are not compared."""
        index = RowIndex(self.oracle)
        found = index.near(self.cached, tolerance * self.scale, most=MANY_ALIKE * len(self.cached))
        if found is None:
            slots, tokens = np.nonzero(self.distances() <= tolerance)
            return slots, tokens
        return found

    def distances(self, slots: Ids | slice = slice(None)) -> Distances:
        return distances(self.cached[slots], self.oracle, self.scale)


def votes(k: MatchedRows, v: MatchedRows, tolerance: float) -> NDArray[np.float64]:
    """Return (S, T): how well a layer says that slot s holds token t.

    A row that equals several tokens (the first layer's values know the token id alone) divides its vote. Only a row that
    equals none votes for the tokens that it is near to.
    """
    found = np.zeros((len(k.cached), len(k.oracle)))
    for rows, vote in ((k, K_VOTE), (v, V_VOTE)):
        found[rows.equal(tolerance)] += vote
    slots, tokens = np.nonzero(found)
    weights = found[slots, tokens]
    is_best = weights == found.max(-1, initial=0.0)[slots]
    found[slots[~is_best], tokens[~is_best]] = 0.0
    slots, tokens, weights = slots[is_best], tokens[is_best], weights[is_best]
    found[slots, tokens] = weights / np.bincount(slots, minlength=len(found))[slots]
    rest = np.setdiff1d(np.arange(len(found)), slots)
    if len(rest):
        found[rest] = _near(np.maximum(k.distances(rest), v.distances(rest)))
    return found


def _near(worst: Distances) -> NDArray[np.float64]:
    near = np.where(worst < NEAR, 1 - worst / NEAR, 0.0)
    near = np.where(near == near.max(-1, keepdims=True, initial=0.0), near, 0.0)
    return np.asarray(near / np.maximum(1, (near > 0).sum(-1, keepdims=True)))


def credible(weights: NDArray[np.float64], n_layers: int, usual: Bools, n_filled: int) -> NDArray[np.float64]:
    """Keep votes for a token out of its usual slots (S, T) only where more than one layer gives them.

    The first layer's rows may know the token id alone, so equal tokens look alike there.
    """
    n_slots, n_tokens = weights.shape
    slots, tokens = np.arange(n_slots)[:, None], np.arange(n_tokens)
    usual = usual | (slots == tokens)
    by_end = (
        slots + n_tokens - n_filled == tokens
    )  # rows too many lie before the text, or old ones rolled out
    if 2 * int((by_end & (weights > 0)).sum()) > min(n_filled, n_tokens):
        usual = usual | by_end
    least = max(1.0, MOST_LAYERS * n_layers) if n_layers > 1 else MOST_LAYERS
    return np.where(usual | (weights > least + 1e-9), weights, 0.0)


def assigned(weights: NDArray[np.float64], prior: NDArray[np.float64]) -> dict[int, int]:
    """Give slots their tokens, each token once, heaviest vote first; `prior` decides between equal votes."""
    slots, tokens = np.nonzero(weights)
    order = np.lexsort((-prior[slots, tokens], -np.round(weights[slots, tokens], 6)))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for at in order:
        slot, token = int(slots[at]), int(tokens[at])
        if slot not in found and token not in taken:
            found[slot] = token
            taken.add(token)
    return found


def kept_since(
    k: NDArray[np.float64], v: NDArray[np.float64], k_last: NDArray[np.float64], v_last: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return for each slot (S) the slot that held the same value row one call earlier, -1 for a new one.

    Rows stay where they are, or all move together (a cache that rolls); a call may do either. Values decide where keys
    are rotated at every read.
    """
    n_now, n_last = len(v), len(v_last)
    best, best_count = np.full(n_now, -1, dtype=np.int64), 0
    for shift in sorted({0, *range(max(0, n_last - n_now), n_last)}):
        n_common = min(n_now, n_last - shift)
        if n_common <= best_count:  # further ones have no more in common
            break
        same = (v[:n_common] == v_last[shift : shift + n_common]).all(-1) & v[:n_common].any(-1)
        if shift == 0 and v.shape[-1] == k.shape[-1]:
            same |= (k[:n_common] == k_last[:n_common]).all(-1) & k[:n_common].any(-1)
        if int(same.sum()) > best_count:
            best_count = int(same.sum())
            best = np.full(n_now, -1, dtype=np.int64)
            best[:n_common][same] = np.arange(shift, shift + n_common)[same]
    return best


def in_order(free: list[int], stale: set[int], missing: list[int], is_zero: Bools) -> dict[int, int]:
    """Give slots that match nothing the tokens that nobody holds: in order where their numbers agree, else slot = token.

    Slots that hold another text's rows may be rows too many; so may slots of zeros.
    """
    own = [slot for slot in free if slot not in stale]
    filled = [slot for slot in free if not is_zero[slot]]
    own_filled = [slot for slot in own if not is_zero[slot]]
    for slots in (filled, own_filled, free, own):
        if len(slots) == len(missing):
            return dict(zip(slots, missing, strict=True))
    if own_filled and stale and min(own_filled) > max(stale) and len(own_filled) < len(missing):
        return dict(
            zip(own_filled, missing[-len(own_filled) :], strict=True)
        )  # written behind another text's rows
    wanted = set(missing)
    by_place = {slot: slot for slot in own if slot in wanted}
    if 0 < len(own_filled) < len(missing) and len(by_place) < len(own_filled):
        return dict(zip(own_filled, missing[-len(own_filled) :], strict=True))
    return by_place
