"""The first layer's input: q, k and v of new tokens differ together, so what differs came before attention."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.hypothesis import Hypothesis, Repair
from core.verdict.diagnosis.paired import Bools
from core.verdict.diagnosis.rules.parts import place_of_query
from core.verdict.diagnosis.rules.told import told_positions
from core.verdict.diagnosis.slot_map import OWN_TEXT

Ids = NDArray[np.int64]
UNKNOWN = -1
FITS = 1e-2


def wrong_input(step: Compared) -> Iterator[Hypothesis]:
    """Positions that are part of the embedding are wrong, as far as can be inferred: only they enter before layer 0."""
    if not step.calls:
        return
    call = step.calls[0]
    wrong = _wrong_from_the_start(step, call)
    told = told_positions(step.evidence)
    if not wrong.any() or (told is not None and told.gap.any()):
        return
    positions = _looked_up(step, call, wrong)
    known = positions != UNKNOWN
    gap = np.where(known, positions - _true_positions(step), 0)
    causes = _causes(step, wrong, positions, gap)
    evidence = [
        Text(
            QT_TRANSLATE_NOOP(
                "core",
                "q, k and v of these tokens differ in layer 0 already, while older rows and the mask agree: what goes into layer 0 is another.",
            )
        )
    ]
    if known.any():
        b, query = (int(at) for at in np.argwhere(known)[0])
        evidence.append(Text(
            QT_TRANSLATE_NOOP("core", "Token {token} has the k and v that its word has at position {cached}; it stands at {oracle}."),
            {"token": int(call.query_token[query]), "cached": int(positions[b, query]), "oracle": int(_true_positions(step)[b, query])},
        ))  # fmt: skip
    place = place_of_query(call, "input", wrong, float(call.q_distance[wrong].max()))
    repair = Repair(("input",)) if step.evidence.oracle.first_input is not None else None
    for cause in causes:
        yield Hypothesis(
            cause, Text(_SENTENCES[cause]), tuple(evidence), place, repair, step.slots.placements
        )


_SENTENCES = {
    "position-reset": QT_TRANSLATE_NOOP("core", "New tokens enter the first layer as if they stood elsewhere: the cached lane seems to count the tokens of every call from 0."),
    "position-drift": QT_TRANSLATE_NOOP("core", "New tokens enter the first layer as if they stood elsewhere: the offset of their positions seems to be wrong."),
    "pad-positions": QT_TRANSLATE_NOOP("core", "Tokens of padded rows enter the first layer as if they stood elsewhere: left pads seem to be counted in their positions."),
}  # fmt: skip


def _causes(step: Compared, wrong: Bools, positions: Ids, gap: Ids) -> list[str]:
    """Return the likely causes, best first; a counter that is reset shows in the second call, a drifting one may later."""
    pads = np.array(step.evidence.pads)
    if pads.any() and not wrong[pads == 0].any():
        return ["pad-positions"]
    if (positions != UNKNOWN).any():
        expected = np.broadcast_to(np.arange(wrong.shape[1]), wrong.shape)
        known = positions != UNKNOWN
        is_reset = bool((positions[known] == expected[known]).all())
        return (
            ["position-reset", "position-drift"]
            if is_reset and step.evidence.last is not None
            else ["position-drift", "position-reset"]
        )
    return (
        ["position-reset", "position-drift"]
        if step.evidence.step_index == 1
        else ["position-drift", "position-reset"]
    )


def _wrong_from_the_start(step: Compared, call: ComparedCall) -> Bools:
    """(B, Q): new tokens whose q, k and v all differ in the first layer; none if older rows differ as well."""
    wrong = np.zeros(call.q_distance.shape, dtype=bool)
    if (call.differs & ~call.is_new).any():
        return wrong
    for b in range(len(wrong)):
        slot = call.slots.slot_of(b, call.n_tokens)[call.query_token]
        at = np.maximum(slot, 0)
        bad = np.minimum(call.slots.k_distance[b, at], call.slots.v_distance[b, at]) > call.tolerance
        wrong[b] = (slot >= 0) & bad & (call.q_distance[b] > call.tolerance) & call.is_query[b]
    if (call.q_distance > call.tolerance).sum() > wrong.sum():
        wrong[:] = False
    return wrong


def _looked_up(step: Compared, call: ComparedCall, wrong: Bools) -> Ids:
    """(B, Q): the position that a new row was given, where the same word stands there in this text; else from sinusoids."""
    found = _from_sinusoids(step, wrong)
    text, pads = step.evidence.text, np.array(step.evidence.pads)
    k, v = call.slots.k_origin, call.slots.v_origin
    for b, query in np.argwhere(wrong):
        token = int(call.query_token[query])
        slot = int(call.slots.slot_of(int(b), call.n_tokens)[token])
        same = k.text[b, slot] == v.text[b, slot] == OWN_TEXT and k.token[b, slot] == v.token[b, slot]
        if same and k.layer[b, slot] == 0 and text[k.batch_row[b, slot], k.token[b, slot]] == text[b, token]:
            found[b, query] = k.token[b, slot] - pads[k.batch_row[b, slot]]
    return found


def _from_sinusoids(step: Compared, wrong: Bools) -> Ids:
    """Solve positions from what the first layer got, if sines and cosines of the usual table were added to it."""
    found = np.full(wrong.shape, UNKNOWN, dtype=np.int64)
    oracle, cached = step.evidence.oracle.first_input, step.evidence.cached.first_input
    if oracle is None or cached is None or oracle.shape != cached.shape or oracle.ndim != 3:
        return found
    width, n_tokens = oracle.shape[-1], step.evidence.n_tokens
    true = _true_positions(step)
    for table in _sinusoids(2 * n_tokens + 8, width):
        for b, query in np.argwhere(wrong & (found == UNKNOWN)):
            at = query - wrong.shape[1]
            moved = cached[b, at].astype(np.float64) - oracle[b, at].astype(np.float64)
            rest = np.linalg.norm(table - table[true[b, query]] - moved, axis=-1)
            best = int(rest.argmin())
            if rest[best] < FITS * np.linalg.norm(moved):
                found[b, query] = best
    return found


def _sinusoids(length: int, width: int) -> Iterator[NDArray[np.float64]]:
    """Yield tables (length, width) of sinusoidal positions: sines and cosines in turn, and as two halves."""
    half = width // 2
    if width % 2:
        return
    for exponent in (np.arange(half) / half, np.arange(half) / max(1, half - 1)):
        angle = np.arange(length)[:, None] * 10000.0**-exponent
        yield np.stack((np.sin(angle), np.cos(angle)), -1).reshape(length, width)
        yield np.concatenate((np.sin(angle), np.cos(angle)), -1)


def _true_positions(step: Compared) -> Ids:
    return np.asarray(step.calls[0].query_token[None] - np.array(step.evidence.pads)[:, None])
