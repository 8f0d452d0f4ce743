"""The position ids that both lanes were told, token by token: each step says those of its new tokens."""

from collections import OrderedDict
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.trace.records import LANES, StepFacts
from core.verdict.pads import n_pads
from core.verdict.row_journal import reordered_by

NOT_TOLD = -1
KEPT_STEPS = 64

Ids = NDArray[np.int64]
_known: WeakKeyDictionary[Trace, OrderedDict[int, dict[str, Ids]]] = WeakKeyDictionary()


def told_positions(trace: Trace, step: int, batch_row: int) -> dict[str, Ids]:
    """Return per lane the position id of each token (T,) of the text, NOT_TOLD where none was passed, and of pads."""
    told = {lane: ids[batch_row].copy() for lane, ids in _told(trace, step).items()}
    for ids in told.values():  # what a pad was told does not matter
        ids[: n_pads(trace, step, batch_row)] = NOT_TOLD
    return told


def _told(trace: Trace, step: int) -> dict[str, Ids]:
    """Return per lane the ids of all rows (B, T), from the last step on for which they are known."""
    known = _known.setdefault(trace, OrderedDict())
    start = max((at for at in known if at <= step), default=-1)
    told = known.get(start, {})
    for at in range(start + 1, step + 1):
        facts = trace.facts(at)
        told = {lane: _after(trace, at, facts, lane, told.get(lane)) for lane in LANES}
    known[step] = told
    while len(known) > KEPT_STEPS:
        known.popitem(last=False)
    return told


def _after(trace: Trace, step: int, facts: StepFacts, lane: str, before: Ids | None) -> Ids:
    start, batch = facts.text_len - facts.q_len, len(facts.tokens)
    found = np.full((batch, facts.text_len), NOT_TOLD, np.int64)
    if before is not None:
        order = reordered_by(facts)
        before = before if order is None else before[order]
        found[:, :start] = before[:, :start]
    ids = trace.rows(step, f"{lane}/position_ids")
    if ids is not None:
        found[:, start:] = ids
    return found
