"""Where the lanes part, tensor by tensor: what differs, and whether it went wrong there or came in wrong."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.evidence import Floats
from core.verdict.diagnosis.paired import Bools, Distances
from core.verdict.diagnosis.rules.scores import SCORES_AGREE, ScoreView
from core.verdict.diagnosis.rules.told import told_positions

Status = Literal["same", "introduced", "inherited"]
TENSORS = ("q", "k_new", "v_new", "cache", "mask", "scores", "weights", "output")


@dataclass(frozen=True)
class Difference:
    """One tensor of one layer; `difference` is rms, relative to the tensor's own rms (cells for the mask).

    Introduced: all that it is made of agrees. `module` names outputs of modules, which have no layer.
    """

    tensor: str
    status: Status
    difference: float
    layer: int | None = None
    module: str | None = None


def introduced(step: Compared) -> list[Difference]:
    """Compare every tensor of the step by logical position, pads left out, in the order in which a forward makes them."""
    found = list(_before(step))
    has_right_input = all(one.status == "same" for one in found)
    for call in step.calls:
        layer = _layer(call, has_right_input)
        found += layer
        has_right_input &= layer[-1].status == "same"
    return [*found, *_modules(step, has_right_input)]


def _before(step: Compared) -> list[Difference]:
    told = told_positions(step.evidence)
    found = []
    if told is not None:
        gap = float(np.abs(told.gap).max())
        found.append(Difference("position_ids", "introduced" if gap else "same", gap))
    oracle, cached = step.evidence.oracle.first_input, step.evidence.cached.first_input
    if oracle is not None and cached is not None and oracle.shape == cached.shape:
        far = _relative(oracle, cached, step)
        tolerance = step.calls[0].tolerance if step.calls else 1e-4
        status: Status = (
            "same" if far <= tolerance else "inherited" if found and found[0].difference else "introduced"
        )
        found.append(Difference("input", status, far))
    return found


def _layer(call: ComparedCall, has_right_input: bool) -> list[Difference]:
    """Return the tensors of a layer in order; what is made of the layer's input is inherited where that differs."""
    k, v = call.slots.k_distance, call.slots.v_distance
    tolerance, loose = call.tolerance, SCORES_AGREE * call.tolerance
    new = call.differs & call.is_new
    # a query that agrees had the right input, whatever came before
    written = new & (call.slot_has_right_input | has_right_input)
    old = call.differs & ~call.is_new
    rows = [
        _judged("q", call, call.q_distance, tolerance, has_right_input),
        _judged("k_new", call, np.where(new, k, 0.0), tolerance, _any(written & (k > tolerance))),
        _judged("v_new", call, np.where(new, v, 0.0), tolerance, _any(written & (v > tolerance))),
        _judged("cache", call, np.where(old, np.maximum(k, v), 0.0), tolerance, True),
    ]
    cells = (
        (call.hidden | call.extra).sum(-1)
        + call.rows_too_many.sum(-1, keepdims=True)
        + call.lost.sum(-1, keepdims=True)
    )
    rows.append(_judged("mask", call, cells.astype(np.float64), 0.5, True))
    agree = all(one.status == "same" for one in rows[:4])
    rows.append(_judged("scores", call, ScoreView(call).distance, loose, agree))
    agree &= all(one.status == "same" for one in rows[4:])
    rows.append(_judged("weights", call, call.weight_distance, loose, agree))
    agree &= rows[-1].status == "same"
    rows.append(_judged("output", call, call.output_distance, loose, agree))
    return rows


def _judged(
    tensor: str, call: ComparedCall, distance: Distances, tolerance: float, is_introduced: bool
) -> Difference:
    largest = float(distance.max(initial=0.0))
    if largest <= tolerance:
        return Difference(tensor, "same", largest, call.layer)
    return Difference(tensor, "introduced" if is_introduced else "inherited", largest, call.layer)


def _any(mask: Bools) -> bool:
    return bool(mask.any())


def _modules(step: Compared, has_right_input: bool) -> list[Difference]:
    """Outputs of modules: the first that differs is introduced there if no attention differs."""
    oracle, cached = step.evidence.oracle.modules, step.evidence.cached.modules
    tolerance = SCORES_AGREE * (step.calls[0].tolerance if step.calls else 5e-5)
    found: list[Difference] = []
    for name, wanted in oracle.items():
        got = cached.get(name)
        if got is None or got.shape != wanted.shape:
            continue
        far = _relative(wanted, got, step)
        status: Status = "same" if far <= tolerance else "introduced" if has_right_input else "inherited"
        has_right_input &= status == "same"
        found.append(Difference("module", status, far, None, name))
    return found


def _relative(oracle: Floats, cached: Floats, step: Compared) -> float:
    """Return the rms difference of (B, Q, ...), of the oracle's rms, over rows that are no pads."""
    is_token = step.evidence.is_token()[:, -oracle.shape[1] :]
    if is_token.shape != oracle.shape[:2]:
        return 0.0
    a, b = oracle[is_token].astype(np.float64), cached[is_token].astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        far = float(np.sqrt(np.mean((a - b) ** 2) / max(float(np.mean(a**2)), 1e-30)))
    return far if np.isfinite(far) else float("inf")
