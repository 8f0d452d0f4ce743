"""The evidence of a recorded step: what the trace holds of both lanes, as a diagnosis wants it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.trace.records import LayerFacts
from core.verdict.diagnosis.evidence import Attention, Evidence, Lane, OtherText, StoredLayer
from core.verdict.row_journal import cropped_to, reordered_by
from core.verdict.rows import LayerRows, rows_at

Floats = NDArray[np.floating[Any]]
_NONE = np.empty(0, np.float32)


def evidence_at(trace: Trace, step: int) -> Evidence | None:
    """Collect a step with its attention; where the trace has one lane only, that is taken as the cached one.

    None where that lane's keys and values are not all there.
    """
    lane = trace.lanes[0] if len(trace.lanes) == 1 else "cached"
    cached = rows_at(trace, step, lane)
    if not cached:
        return None
    oracle = rows_at(trace, step, "oracle") if lane == "cached" else None
    return _evidence(trace, step, oracle or (), cached, has_attention=True, lane=lane)


def evidence_of_rows(
    trace: Trace, step: int, oracle: tuple[LayerRows, ...], cached: tuple[LayerRows, ...]
) -> Evidence:
    """Collect what the slot map asks for; scores and weights are none of it."""
    return _evidence(trace, step, oracle, cached, has_attention=False)


def _evidence(
    trace: Trace,
    step: int,
    oracle: tuple[LayerRows, ...],
    cached: tuple[LayerRows, ...],
    has_attention: bool,
    lane: str = "cached",
) -> Evidence:
    facts = trace.facts(step)
    last = rows_at(trace, step - 1, lane) if step else None
    return Evidence(
        step, facts.kind, trace.info.scenario, text_at(trace, step), facts.q_len, tuple(facts.pads),
        _lane(trace, step, "oracle", oracle, has_attention), _lane(trace, step, lane, cached, has_attention),
        last=None if last is None else _lane(trace, step - 1, lane, last, has_attention),
        last_q_len=trace.facts(step - 1).q_len if step else 0, before=facts.before, others=_drafts(trace, step),
        max_length=trace.info.model.max_length, window=trace.info.model.window,
    )  # fmt: skip


def _lane(trace: Trace, step: int, lane: str, rows: Sequence[LayerRows], has_attention: bool) -> Lane:
    calls = tuple(
        _call(trace, step, f"{lane}/layer.{layer}/", k, v, has_attention) for layer, (k, v) in enumerate(rows)
    )
    if not has_attention:
        return Lane(_NONE, calls)
    facts = getattr(trace.facts(step), lane)
    told = trace.tensor(step, f"{lane}/position_ids")
    return Lane(_NONE, calls, told, stored=_stored(rows, facts.layers if facts else []))


def _call(trace: Trace, step: int, prefix: str, k: Floats, v: Floats, has_attention: bool) -> Attention:
    q = trace.tensor(step, prefix + "q")
    q = np.empty((len(k), k.shape[1], 0, k.shape[3]), k.dtype) if q is None else q
    weights = trace.tensor(step, prefix + "attn_weights") if has_attention else None
    scores = _NONE if weights is None else _scores(weights, trace.tensor(step, prefix + "mask"))
    dtype = trace.info.model.dtype
    return Attention(q, k, v, scores, _NONE if weights is None else weights, dtype=dtype, kv_dtype=dtype)


def _scores(weights: Floats, mask: NDArray[Any] | None) -> Floats:
    """Return scores that give these weights: logarithms, which are the true ones up to what all keys of a query share."""
    allowed = weights > 0 if mask is None else np.broadcast_to(mask[:, None].astype(np.bool_), weights.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.maximum(np.log(weights), np.finfo(weights.dtype).min)
    return np.where(allowed, logs, -np.inf)


def _stored(rows: Sequence[LayerRows], layers: Sequence[LayerFacts]) -> tuple[StoredLayer, ...]:
    """Return the layers of which the memory is known; equal numbers are the same memory."""
    if len(layers) != len(rows) or any(one.storage is None for one in layers):
        return ()
    number = {name: index for index, name in enumerate(dict.fromkeys(one.storage for one in layers))}
    return tuple(
        StoredLayer(k, v, one.dtype, number[one.storage]) for (k, v), one in zip(rows, layers, strict=True)
    )


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
