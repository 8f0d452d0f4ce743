"""Invariants of a recorded lane: what a cache must keep to, held against the trace of that lane alone."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.trace.reader import Trace
from core.verdict.diagnosis.evidence import Attention, Evidence, Floats, Lane
from core.verdict.diagnosis.invariants import Broken, broken_invariants
from core.verdict.recorded_slots import text_at
from core.verdict.rows import LayerRows, rows_at


def broken_of_lane(trace: Trace, lane: str) -> Iterator[tuple[int, Broken]]:
    """Yield (step, what does not hold) for each invariant that the lane breaks, in the order of the steps."""
    for step in range(len(trace)):
        for one in broken_at(trace, step, lane):
            yield step, one


def broken_at(trace: Trace, step: int, lane: str) -> list[Broken]:
    """Return the invariants that a lane breaks in a step; none where the trace does not hold its keys and values."""
    rows = rows_at(trace, step, lane)
    if rows is None:
        return []
    facts = trace.facts(step)
    before = rows_at(trace, step - 1, lane) if step else None
    now = _lane(trace, step, lane, rows)
    return broken_invariants(
        Evidence(
            step, facts.kind, trace.info.scenario, text_at(trace, step), facts.q_len, tuple(facts.pads),
            now, now,  # the other lane is not asked
            last=None if before is None else _lane(trace, step - 1, lane, before),
            last_q_len=trace.facts(step - 1).q_len if step else 0, before=facts.before,
            max_length=trace.info.model.max_length, window=trace.info.model.window,
        )
    )  # fmt: skip


def _lane(trace: Trace, step: int, lane: str, rows: Sequence[LayerRows]) -> Lane:
    calls = []
    for layer, (k, v) in enumerate(rows):
        prefix = f"{lane}/layer.{layer}/"
        weights, q = trace.tensor(step, prefix + "attn_weights"), trace.tensor(step, prefix + "q")
        assert weights is not None  # else there were no rows
        shown = np.zeros((*weights.shape[:3], k.shape[3]), np.float32) if q is None else q
        calls.append(Attention(shown, k, v, _scores(trace, step, prefix, weights), weights))
    return Lane(np.empty((0,)), tuple(calls), position_ids=trace.tensor(step, f"{lane}/position_ids"))


def _scores(trace: Trace, step: int, prefix: str, weights: Floats) -> Floats:
    """A trace has no scores: who sees whom is told by the mask, or by the weights that are not zero."""
    mask = trace.tensor(step, prefix + "mask")
    seen = weights > 0
    if mask is not None and mask.ndim == 3 and mask.shape[1:] == weights.shape[2:]:
        seen = np.broadcast_to(mask[:, None].astype(np.bool_), weights.shape)
    return np.where(seen, 0.0, -np.inf)
