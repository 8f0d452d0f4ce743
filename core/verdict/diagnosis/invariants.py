"""Invariants that need no oracle: what a cache of keys and values must keep to, checked on the cached lane alone.

They hold for plain layers; ring and recurrent state is healthy when it changes, so a layer that rolls is not checked
for what rolling changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text
from core.verdict.diagnosis.evidence import Attention, Evidence, Floats
from core.verdict.diagnosis.paired import rms
from core.verdict.diagnosis.rules.parts import listed
from core.verdict.diagnosis.rules.told import told_alone, told_positions
from core.verdict.diagnosis.slot_match import distances, flat_rows
from core.verdict.locate import Place

CHANGED = 1e-4  # of the rms: keys that are rotated at every read change by rounding


@dataclass(frozen=True)
class Broken:
    """An invariant that does not hold, with the place."""

    name: str  # row-changed | length | zero-row | not-finite | blind-query | shared-storage | positions
    sentence: Text
    place: Place


def broken_invariants(evidence: Evidence) -> list[Broken]:
    """Return the invariants that the cached lane breaks in this step, in the order of the layers."""
    found = list(_positions_go_on(evidence))
    for layer, call in enumerate(evidence.cached.calls):
        found += [*_rows_stay(evidence, layer, call), *_length(evidence, layer, call)]
        if call.scores.size:  # else nobody knows who may see whom
            found += [*_rows_are_filled(evidence, layer, call), *_queries_see(evidence, layer, call)]
    return [*found, *_storage_is_own(evidence)]


def _rows_stay(evidence: Evidence, layer: int, call: Attention) -> Iterator[Broken]:
    """A cached row never changes: it is still there after the next call, in whatever slot.

    Nothing is said of a layer that drops rows as it rolls, or that was cropped or reordered in between.
    """
    last = evidence.last
    if last is None or layer >= len(last.calls) or evidence.before is not None:
        return
    old = last.calls[layer]
    was_filled, is_filled = _is_filled(old), _is_filled(call)
    if (is_filled.sum(-1) <= was_filled.sum(-1)).any():
        return
    for name, now, then in (("k", call.k, old.k), ("v", call.v, old.v)):
        if now.shape[1] == then.shape[1] and np.array_equal(now[:, :, : then.shape[2]], then):
            continue  # by far the most frequent case, and the cheapest
        n_heads = min(now.shape[1], then.shape[1])
        rows, before = (flat_rows(x[:, :: x.shape[1] // n_heads]) for x in (now, then))
        if rows.shape[::2] != before.shape[::2]:
            return
        for b in range(len(rows)):
            kept = distances(before[b], rows[b], rms(before[b])).min(-1, initial=np.inf) <= CHANGED
            changed = np.flatnonzero(was_filled[b] & ~kept)
            if len(changed):
                yield Broken("row-changed", Text(
                    QT_TRANSLATE_NOOP("core", "Cached rows changed after they were written: {tensor} of slots {slots} in layer {layer}."),
                    {"tensor": name, "slots": listed(changed), "layer": layer},
                ), Place(name, float("inf"), layer, b, int(changed[0])))  # fmt: skip
                break


def _length(evidence: Evidence, layer: int, call: Attention) -> Iterator[Broken]:
    """As many rows as tokens were fed: more are wrong where they are filled, fewer where nothing rolls out."""
    n_filled = int(_is_filled(call).any(0).sum())
    is_rolling = evidence.window is not None or (evidence.last is not None and _rolls(evidence, layer, call))
    if n_filled == evidence.n_tokens or (n_filled < evidence.n_tokens and is_rolling):
        return
    if n_filled < evidence.n_tokens and any(evidence.pads):
        return  # pads may have no rows
    yield Broken("length", Text(
        QT_TRANSLATE_NOOP("core", "Layer {layer} holds {n_rows} rows, and {n_tokens} tokens were fed."),
        {"layer": layer, "n_rows": n_filled, "n_tokens": evidence.n_tokens},
    ), Place("k", float(abs(n_filled - evidence.n_tokens)), layer))  # fmt: skip


def _rolls(evidence: Evidence, layer: int, call: Attention) -> bool:
    last = evidence.last
    return last is not None and layer < len(last.calls) and last.calls[layer].k.shape[2] >= call.k.shape[2]


def _is_filled(call: Attention) -> NDArray[np.bool_]:
    """(B, S): slots that are not all zeros."""
    return np.asarray(_rows_any(call.k) | _rows_any(call.v))


def _rows_any(x: Floats) -> NDArray[np.bool_]:
    return np.asarray((x != 0).any((1, 3)))


def _rows_are_filled(evidence: Evidence, layer: int, call: Attention) -> Iterator[Broken]:
    """No zero or non-finite rows among those that a token attends to."""
    seen = call.allowed.any((1, 2)) & _rows_of_tokens(evidence, call)
    is_finite = np.isfinite(call.k).all((1, 3)) & np.isfinite(call.v).all((1, 3))
    for name, bad, sentence in (
        ("zero-row", seen & ~_is_filled(call), QT_TRANSLATE_NOOP("core", "Slots {slots} in layer {layer} hold zeros, and queries attend to them.")),
        ("not-finite", seen & ~is_finite, QT_TRANSLATE_NOOP("core", "Slots {slots} in layer {layer} hold numbers that are not finite, and queries attend to them.")),
    ):  # fmt: skip
        if bad.any():
            b, slot = (int(at) for at in np.argwhere(bad)[0])
            text = Text(sentence, {"slots": listed(np.flatnonzero(bad.any(0))), "layer": layer})
            yield Broken(name, text, Place("k", float("inf"), layer, b, slot))


def _rows_of_tokens(evidence: Evidence, call: Attention) -> NDArray[np.bool_]:
    """(B, S): False at the slots of left pads, where they have slots."""
    n_slots = call.k.shape[2]
    pads = (
        np.array(evidence.pads or (0,) * evidence.batch)[:, None]
        if n_slots >= evidence.n_tokens
        else np.zeros((evidence.batch, 1))
    )
    return np.asarray(np.arange(n_slots)[None] >= pads)


def _queries_see(evidence: Evidence, layer: int, call: Attention) -> Iterator[Broken]:
    """No query of a token with nothing to attend to."""
    n_rows = call.q.shape[2]
    blind = ~call.allowed.any((1, 3)) & evidence.is_token()[:, -n_rows:]
    if blind.any():
        first = evidence.n_tokens - n_rows
        b, query = (int(at) for at in np.argwhere(blind)[0])
        tokens = listed(first + np.flatnonzero(blind.any(0)))
        text = Text(
            QT_TRANSLATE_NOOP(
                "core", "In layer {layer} the queries of tokens {tokens} have nothing to attend to."
            ),
            {"layer": layer, "tokens": tokens},
        )
        yield Broken("blind-query", text, Place("mask", float("inf"), layer, b, first + query))  # fmt: skip


def _storage_is_own(evidence: Evidence) -> Iterator[Broken]:
    """Layers do not lie in the same memory with the same rows; rows of the batch are not the same row."""
    stored = evidence.cached.stored
    for layer, one in enumerate(stored):
        for other in range(layer):
            same = stored[other].storage == one.storage and stored[other].k.shape == one.k.shape
            if same and one.k.any() and np.array_equal(stored[other].k, one.k):
                yield Broken("shared-storage", Text(
                    QT_TRANSLATE_NOOP("core", "Layers {other} and {layer} lie in the same memory and hold the same rows."), {"other": other, "layer": layer},
                ), Place("k", 0.0, layer))  # fmt: skip
                return


def _positions_go_on(evidence: Evidence) -> Iterator[Broken]:
    """The new tokens' positions go on from the last one's, by one a token."""
    told = told_positions(evidence) or told_alone(evidence)
    if told is None:
        return
    for b in range(evidence.batch):
        ids = told.cached[b][told.is_token[b]]
        steps = np.diff(ids)
        if evidence.before is None and told.last is not None and len(ids):
            steps = np.concatenate(([ids[0] - told.last[b]], steps))
        if (steps != 1).any():
            at = int(np.flatnonzero(steps != 1)[0])
            text = Text(
                QT_TRANSLATE_NOOP("core", "Positions do not go on from the history: batch row {row} is told {ids} after {last}."),
                {"row": b, "ids": ", ".join(map(str, ids[:6])), "last": "-" if told.last is None else int(told.last[b])},
            )  # fmt: skip
            yield Broken("positions", text, Place("position_ids", float(abs(steps[at] - 1)), None, b))
            return
