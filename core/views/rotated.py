"""As which positions the cached keys are rotated, solved from the keys of the first layer against the oracle's."""

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.verdict.diagnosis.paired import PairedCall
from core.verdict.diagnosis.rotation import rotation_of
from core.verdict.diagnosis.slot_map import LayerSlots
from core.verdict.recorded_slots import slot_map_at
from core.views.selection import Selection

UNKNOWN = -1
MOST_FITTED = 64  # keys that the angles are worked out from
FAR = 128  # tokens, up to which keys may be turned several times their position

Ids = NDArray[np.int64]


def rotated_positions(trace: Trace, selection: Selection, expected: Ids) -> Ids | None:
    """Return per token the position that its cached key is rotated as, UNKNOWN where it cannot be solved.

    `expected` (T,) are the positions that the oracle was told. None where nothing says that the model rotates its keys.
    Only the first layer is asked: there both lanes rotate the same vector, a token's own.
    """
    found = slot_map_at(trace, selection.step) if len(trace) else None
    if found is None or not found.layers or selection.batch_row >= len(found.layers[0].state):
        return None
    call, slots, b = found.calls[0], found.layers[0], selection.batch_row
    at = np.flatnonzero((slots.token[b] >= call.first_token) & (expected[slots.token[b]] >= 0))
    shifts = _shifts(call, slots, b, at, len(expected))
    if shifts is None and trace.info.model.position_scheme != "rope":
        return None
    rotated = np.full(len(expected), UNKNOWN, np.int64)
    is_equal = slots.k_distance[b, at] <= call.tolerance
    token = slots.token[b, at]
    rotated[token[is_equal]] = expected[token[is_equal]]
    for one, shift in zip(token[~is_equal], shifts or (), strict=False):
        rotated[one] = UNKNOWN if shift is None else max(UNKNOWN, expected[one] + shift)
    return rotated


def _shifts(call: PairedCall, slots: LayerSlots, b: int, at: Ids, n_tokens: int) -> list[int | None] | None:
    """Return by how many positions the keys at these slots that differ are turned too far; None where that is no rotation."""
    at = at[slots.k_distance[b, at] > call.tolerance]
    cached = call.k_cached[b].transpose(1, 0, 2)[at]
    oracle = call.k_oracle[b].transpose(1, 0, 2)[slots.token[b, at] - call.first_token]
    is_finite = np.isfinite(cached).all((1, 2))
    if not is_finite.any():
        return None
    reach = (4 if n_tokens <= FAR else 2) * n_tokens + 8
    fitted = np.flatnonzero(is_finite)[-MOST_FITTED:]
    rotation = rotation_of(cached[fitted], oracle[fitted], reach, call.tolerance)
    return (
        None
        if rotation is None
        else rotation.turned_by(np.where(np.isfinite(cached), cached, 0), oracle, reach)
    )
