"""The slot map of a recorded step: both lanes' rows put together from the trace, then traced as in a diagnosis."""

from collections import OrderedDict
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.verdict.diagnosis.evidence import Attention, Evidence, Lane, OtherText
from core.verdict.diagnosis.paired import PairedCall, paired_calls
from core.verdict.diagnosis.slot_map import UNKNOWN, LayerSlots, Origin, SlotMap, State, slot_map
from core.verdict.diagnosis.slot_match import flat_rows, row_distances
from core.verdict.row_journal import cropped_to, reordered_by
from core.verdict.rows import LayerRows, rows_at

KEPT_MAPS = 8
_NONE = np.empty(0, np.float32)
_known: WeakKeyDictionary[Trace, OrderedDict[int, SlotMap | None]] = WeakKeyDictionary()


def slot_map_at(trace: Trace, step: int) -> SlotMap | None:
    """Trace every cached row of a step; None where the trace does not hold the rows of both lanes."""
    known = _known.setdefault(trace, OrderedDict())
    if step not in known:
        known[step] = _made(trace, step)
        while len(known) > KEPT_MAPS:
            known.popitem(last=False)
    return known[step]


def _made(trace: Trace, step: int) -> SlotMap | None:
    oracle, cached = rows_at(trace, step, "oracle"), rows_at(trace, step)
    if oracle is None or cached is None or len(oracle) != len(cached):
        return None
    evidence = _evidence(trace, step, oracle, cached)
    calls = paired_calls(evidence)
    if not calls:
        return None
    in_place = [_in_place(call, evidence, layer) for layer, call in enumerate(calls)]
    found = [layer for layer in in_place if layer is not None]
    return SlotMap(calls, tuple(found)) if len(found) == len(calls) else slot_map(evidence)


def _evidence(
    trace: Trace, step: int, oracle: tuple[LayerRows, ...], cached: tuple[LayerRows, ...]
) -> Evidence:
    """Collect what the slot map asks for; scores and weights are none of it."""
    facts = trace.facts(step)
    last = rows_at(trace, step - 1) if step else None
    return Evidence(
        step, facts.kind, trace.info.scenario, text_at(trace, step), facts.q_len, tuple(facts.pads),
        _lane(trace, step, "oracle", oracle), _lane(trace, step, "cached", cached),
        last=None if last is None else _lane(trace, step - 1, "cached", last),
        last_q_len=trace.facts(step - 1).q_len if step else 0, before=facts.before, others=_drafts(trace, step),
        max_length=trace.info.model.max_length, window=trace.info.model.window,
    )  # fmt: skip


def _lane(trace: Trace, step: int, lane: str, rows: Sequence[LayerRows]) -> Lane:
    calls = []
    for layer, (k, v) in enumerate(rows):
        q = trace.tensor(step, f"{lane}/layer.{layer}/q")
        shown = np.empty((len(k), k.shape[1], 0, k.shape[3]), k.dtype) if q is None else q
        calls.append(
            Attention(
                shown, k, v, _NONE, _NONE, dtype=trace.info.model.dtype, kv_dtype=trace.info.model.dtype
            )
        )
    return Lane(_NONE, tuple(calls))


def text_at(trace: Trace, step: int) -> NDArray[np.int64]:
    """Return the tokens (B, T) that were fed so far, rows as they were reordered."""
    text = np.empty((len(trace.facts(step).tokens), 0), np.int64)
    for at in range(step + 1):
        facts = trace.facts(at)
        order = reordered_by(facts)
        text = text if order is None else text[order]
        text = np.concatenate((text[:, : facts.text_len - facts.q_len], np.array(facts.tokens)), 1)
    return text


def _drafts(trace: Trace, step: int) -> tuple[OtherText, ...]:
    """Return what the oracle had for tokens that were fed and rejected: their rows must be gone."""
    found = []
    for at in range(1, step + 1):
        length = cropped_to(trace.facts(at))
        rows = None if length is None else rows_at(trace, at - 1, "oracle")
        if rows is not None:
            found.append(OtherText("draft", tuple((k[:, :, length:], v[:, :, length:]) for k, v in rows)))
    return tuple(found)


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
