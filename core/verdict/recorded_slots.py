"""The slot map of a recorded step: both lanes' rows put together from the trace, then traced as in a diagnosis."""

from collections import OrderedDict
from weakref import WeakKeyDictionary

import numpy as np

from core.trace.reader import Trace
from core.verdict.diagnosis.evidence import Evidence
from core.verdict.diagnosis.paired import PairedCall, paired_calls
from core.verdict.diagnosis.slot_map import UNKNOWN, LayerSlots, Origin, SlotMap, State, slot_map
from core.verdict.diagnosis.slot_match import flat_rows, row_distances
from core.verdict.recorded_evidence import evidence_of_rows
from core.verdict.rows import rows_at

KEPT_BYTES = 64 << 20  # of the rows that maps hold on to
_known: WeakKeyDictionary[Trace, OrderedDict[int, SlotMap | None]] = WeakKeyDictionary()


def slot_map_at(trace: Trace, step: int) -> SlotMap | None:
    """Trace every cached row of a step; None where the trace does not hold the rows of both lanes."""
    known = _known.setdefault(trace, OrderedDict())
    if step not in known:
        known[step] = _made(trace, step)
        while len(known) > 1 and sum(map(_nbytes, known.values())) > KEPT_BYTES:
            known.popitem(last=False)
    known.move_to_end(step)
    return known[step]


def _nbytes(found: SlotMap | None) -> int:
    calls = () if found is None else found.calls
    return sum(
        rows.nbytes for call in calls for rows in (call.oracle.k, call.oracle.v, call.cached.k, call.cached.v)
    )


def _made(trace: Trace, step: int) -> SlotMap | None:
    oracle, cached = rows_at(trace, step, "oracle"), rows_at(trace, step)
    if oracle is None or cached is None or len(oracle) != len(cached):
        return None
    evidence = evidence_of_rows(trace, step, oracle, cached)
    calls = paired_calls(evidence)
    if not calls:
        return None
    in_place = [_in_place(call, evidence, layer) for layer, call in enumerate(calls)]
    found = [layer for layer in in_place if layer is not None]
    return SlotMap(calls, tuple(found)) if len(found) == len(calls) else slot_map(evidence)


def _in_place(call: PairedCall, evidence: Evidence, layer: int) -> LayerSlots | None:
    """Return the slots where each holds the token of its place, the newest last; None where one does not.

    That is so in every healthy step, and costs a tenth of looking rows up.
    """
    batch, _, n_slots, _ = call.k_cached.shape
    first = evidence.n_tokens - n_slots
    if first < call.first_token:
        return None
    is_pad = ~evidence.is_token()[:, first:]
    at = slice(first - call.first_token, None)
    k, v = (
        row_distances(flat_rows(cached), flat_rows(oracle[:, :, at]), scale)
        for cached, oracle, scale in (
            (call.k_cached, call.k_oracle, call.k_scale),
            (call.v_cached, call.v_oracle, call.v_scale),
        )
    )
    if (np.maximum(k, v) > call.tolerance)[~is_pad].any():
        return None
    token = np.broadcast_to(np.arange(first, evidence.n_tokens), (batch, n_slots))
    n_old = evidence.n_tokens - evidence.q_len
    if evidence.last is not None and layer < len(evidence.last.calls):
        n_old = min(n_old, evidence.last.calls[layer].k.shape[2])
    slot_before = np.arange(n_slots) + n_old + evidence.q_len - n_slots
    kept = np.where(token < evidence.n_tokens - evidence.q_len, slot_before, UNKNOWN)
    nowhere = np.full((batch, n_slots), UNKNOWN, np.int64)
    origin = Origin(nowhere, nowhere, nowhere, nowhere)
    missing = tuple(tuple(range(pads, first)) for pads in evidence.pads or (0,) * batch)
    return LayerSlots(token, np.where(is_pad, State.PAD, State.OK), k, v, origin, origin, kept, missing)
