"""Honest fallbacks: where the lanes part, and a repair of just that, when no signature is known."""

from collections.abc import Iterator

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.hypothesis import Hypothesis, Repair
from core.verdict.diagnosis.rules.parts import place_of_query, place_of_slot, slots_repair
from core.verdict.diagnosis.rules.scores import SCORES_AGREE, ScoreView
from core.verdict.diagnosis.rules.values import KV
from core.verdict.locate import Place


def begins_at(step: Compared) -> Iterator[Hypothesis]:
    """Name the first tensor that differs, then coarser repairs: all keys and values, what attention gives."""
    for call in step.calls:
        found = list(_first(step, call))
        if found:
            yield from found
            layers = None if call.layer == 0 else tuple(range(call.layer, len(step.calls)))
            yield _from_here(step, call, Repair(("output",), (call.layer,)))
            yield _from_here(step, call, Repair(("output",), layers))
            return
    yield _outside(step)


def _first(step: Compared, call: ComparedCall) -> Iterator[Hypothesis]:
    for name in KV:
        distance = call.slots.k_distance if name == "k" else call.slots.v_distance
        mask = call.differs & (distance > call.tolerance)
        if mask.any():
            chosen = [
                (one, one.differs) for one in step.calls if one.layer >= call.layer and one.differs.any()
            ]
            yield _hypothesis(step, place_of_slot(call, name, mask), slots_repair(step, (name,), chosen))
    queries = call.q_distance > call.tolerance
    if queries.any():
        yield _hypothesis(
            step, place_of_query(call, "q", queries, float(call.q_distance.max())), Repair(("q",))
        )
    masked = (call.hidden | call.extra).any(-1) | call.rows_too_many.any(-1, keepdims=True)
    if (masked & call.is_query).any():
        yield _hypothesis(step, place_of_query(call, "mask", masked & call.is_query, 1.0), Repair(("mask",)))
    scores = ScoreView(call).distance
    if (scores > SCORES_AGREE * call.tolerance).any():
        place = place_of_query(call, "scores", scores > SCORES_AGREE * call.tolerance, float(scores.max()))
        yield _hypothesis(step, place, Repair(("scores",)))
    if call.output_distance.max(initial=0.0) > SCORES_AGREE * call.tolerance:
        is_off = call.output_distance > SCORES_AGREE * call.tolerance
        yield _hypothesis(
            step,
            place_of_query(call, "output", is_off, float(call.output_distance.max())),
            Repair(("output",)),
        )


def _hypothesis(step: Compared, place: Place, repair: Repair) -> Hypothesis:
    values: Values = {
        "layer": place.layer or 0, "tensor": place.tensor, "slot": place.slot or 0, "row": place.batch_row or 0,
    }  # fmt: skip
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core",
            "The cause is unknown; the lanes part in layer {layer}, {tensor}, token {slot} of batch row {row}.",
        ),
        values,
    )
    return Hypothesis("unknown", sentence, (), place, repair, step.slots.placements)


def _from_here(step: Compared, call: ComparedCall, repair: Repair) -> Hypothesis:
    place = place_of_query(
        call, "output", np.ones_like(call.is_query), float(call.output_distance.max(initial=0.0))
    )
    return _hypothesis(step, place, repair)


def _outside(step: Compared) -> Hypothesis:
    """No attention call differs, or none was seen."""
    name, difference = first_module(step)
    values: Values = {"module": name}
    if name and step.evidence.oracle.calls and not step.calls:
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "The cause is unknown; the attention calls of the two lanes cannot be set side by side, and the lanes part in the output of module {module}.",
            ),
            values,
        )
    elif name:
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "The cause is unknown; every attention call agrees, and the lanes part in the output of module {module}.",
            ),
            values,
        )
    elif step.calls:
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "The cause is unknown; every attention call agrees, so the lanes part outside of attention.",
            )
        )
    else:
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "The cause is unknown; the attention calls of the two lanes cannot be set side by side, so only the logits tell that they part.",
            )
        )
    return Hypothesis(
        "unknown", sentence, (), Place(name or "logits", difference), None, step.slots.placements
    )


def first_module(step: Compared, times: float = SCORES_AGREE) -> tuple[str, float]:
    """Return the first module whose output of the new tokens differs, and by how much of its rms; "" if none does.

    It differs by more than `times` the tolerance of vectors.
    """
    oracle, cached = step.evidence.oracle.modules, step.evidence.cached.modules
    tolerance = step.calls[0].tolerance if step.calls else 1e-4
    is_token = step.evidence.is_token()[:, -step.n_new :]
    for name, wanted in oracle.items():
        got = cached.get(name)
        if got is None or got.shape != wanted.shape or wanted.shape[:2] != is_token.shape:
            continue
        a, b = got[is_token].astype(np.float64), wanted[is_token].astype(np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            found = float(np.sqrt(np.mean((a - b) ** 2) / max(float(np.mean(b**2)), 1e-30)))
        if not found <= times * tolerance:
            return name, found
    return "", float("inf")
