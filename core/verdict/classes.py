"""The class of a run, exact, rounding or defect, and in sentences what is no fault: rounding, ties, harmless shifts."""

from typing import Literal

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text, Value
from core.trace.reader import Trace
from core.trace.records import Doubt, StepFacts
from core.verdict.locate import RELATIVE
from core.verdict.pads import compared
from core.verdict.rounding import SHRINKS, doubt_at, settled_at
from core.verdict.steps import first_bad_step, is_bad, max_abs_diff

RunClass = Literal["exact", "rounding", "defect"]
# q and k that differ by more are turned, not rounded; 32 last places of the dtype, relative to the tensor's scale
SHIFT = {"float16": 0.03, "bfloat16": 0.25}


def classification(trace: Trace, tolerance: float) -> RunClass:
    """Return the class of a run that was compared to its end."""
    if first_bad_step(trace, tolerance) is not None:
        return "defect"
    return "exact" if max_abs_diff(trace) == 0 else "rounding"


def remarks(trace: Trace, tolerance: float) -> list[Text]:
    """Say how a doubt was settled, with the figures, and what differs without being a fault."""
    said = [_judged_in(trace), *_settled(trace, tolerance), _tie(trace, tolerance), _shift(trace, tolerance)]
    return [text for text in said if text is not None]


def main_doubt(trace: Trace, tolerance: float) -> Doubt | None:
    """Return what was measured at the first bad step, or where no step is bad at the one that differs most."""
    first_bad = first_bad_step(trace, tolerance)
    if first_bad is not None:
        return doubt_at(trace, first_bad)
    doubts = trace.end.doubts if trace.end is not None else []
    return max(doubts, key=lambda doubt: trace.facts(doubt.step_index).max_abs_diff or 0.0, default=None)


def sentence(trace: Trace, doubt: Doubt) -> Text | None:
    """Say what was measured at a step, and what it shows; None where there is nothing to say."""
    facts = trace.facts(doubt.step_index)
    if facts.max_abs_diff is None or (
        facts.max_abs_diff == 0 and settled_at(trace, doubt.step_index) == "rounding"
    ):
        return None
    wide = doubt.wide_max_abs_diff
    values: dict[str, Value] = {
        "step": doubt.step_index, "diff": figure(facts.max_abs_diff), "noise": figure(doubt.noise), "wide": figure(wide),
        "wide_noise": figure(doubt.wide_noise), "dtype": doubt.dtype or "", "narrow": trace.info.model.dtype,
        "times": _times(facts.max_abs_diff, doubt.noise), "reason": doubt.reason or "", "stable": figure(doubt.stable_max_abs_diff),
    }  # fmt: skip
    return Text(_template(trace, facts, doubt), values)


def figure(value: float | None) -> str:
    """Return a figure as the sentences show it."""
    if value is None:
        return "not finite"
    return f"{value:.2g}" if 0.01 <= value < 100 else f"{value:.1e}"


def _template(trace: Trace, facts: StepFacts, doubt: Doubt) -> str:
    shown, wide, diff = (
        settled_at(trace, doubt.step_index),
        doubt.wide_max_abs_diff,
        facts.max_abs_diff or 0.0,
    )
    if shown == "tie":
        return QT_TRANSLATE_NOOP("core", "tie: the difference of {diff} at step {step} falls to {stable} where each top-k takes the first of equal values; by length it takes another, in the oracle too")  # fmt: skip
    if shown == "rounding" and doubt.reason is not None:
        return QT_TRANSLATE_NOOP("core", "rounding: the difference of {diff} at step {step} is of the size of the oracle's own, {noise}; it could not be run wider: {reason}")  # fmt: skip
    if shown == "rounding" and doubt.dtype is None:
        return QT_TRANSLATE_NOOP("core", "rounding: the difference of {diff} at step {step} is of the size of the oracle's own, {noise}, so something in the model computes in less than {narrow}")  # fmt: skip
    if shown == "rounding":
        return QT_TRANSLATE_NOOP("core", "rounding: the difference of {diff} at step {step} falls to {wide} in {dtype}; rounding moves the oracle itself by {noise}")  # fmt: skip
    if doubt.reason is not None and shown is None and trace.info.model.dtype != "float64":
        return QT_TRANSLATE_NOOP("core", "rounding or a defect? The difference of {diff} at step {step} could not be run wider: {reason}. The tolerance decides")  # fmt: skip
    if doubt.dtype is None:
        return QT_TRANSLATE_NOOP("core", "defect: the difference of {diff} at step {step} is {times} times what rounding does to the oracle, {noise}")  # fmt: skip
    if wide is not None and wide * SHRINKS <= diff:
        return QT_TRANSLATE_NOOP("core", "not excused: the difference of {diff} at step {step} falls to {wide} in {dtype}, but it is {times} times what rounding does to the oracle, {noise}: it is there in {narrow} only")  # fmt: skip
    if shown == "defect":
        return QT_TRANSLATE_NOOP("core", "defect: the difference of {diff} at step {step} stays in {dtype}, where it is {wide}; rounding moves the oracle itself by {noise}")  # fmt: skip
    return QT_TRANSLATE_NOOP("core", "rounding or a defect? The difference of {diff} at step {step} is {wide} in {dtype}, where the oracle itself still moves by {wide_noise} (in {narrow} by {noise}). The tolerance decides")  # fmt: skip


def _settled(trace: Trace, tolerance: float) -> list[Text | None]:
    doubt = main_doubt(trace, tolerance)
    if doubt is None:
        return []
    said = [sentence(trace, doubt)]
    if doubt.left_narrow:
        said.append(
            Text(
                QT_TRANSLATE_NOOP("core", "the run in {dtype} was not wider as a whole: {kinds} stayed in {narrow}"),
                {"kinds": ", ".join(doubt.left_narrow), "dtype": doubt.dtype or "", "narrow": trace.info.model.dtype},
            )
        )  # fmt: skip
    return said


def _judged_in(trace: Trace) -> Text | None:
    """In 16 bits another run judges, from the first step on."""
    if not len(trace) or (dtype := trace.facts(0).judged_in) is None:
        return None
    wide = [trace.facts(index).wide_max_abs_diff for index in range(len(trace))]
    finite = [diff for diff in wide if diff is not None]
    return Text(
        QT_TRANSLATE_NOOP("core", "judged in {dtype}, where the largest difference is {largest}"),
        {"dtype": dtype, "largest": figure(max(finite) if len(finite) == len(wide) else None)},
    )


def _tie(trace: Trace, tolerance: float) -> Text | None:
    """A choice that flips in a step that is not bad hangs on rounding: the two logits were that close."""
    for step_index in range(len(trace)):
        facts = trace.facts(step_index)
        if not facts.flips or facts.margin is None or is_bad(trace, step_index, tolerance):
            continue
        if facts.margin <= 2 * (facts.max_abs_diff or 0.0):  # one rises, the other falls
            return Text(
                QT_TRANSLATE_NOOP("core", "tie: the argmax differs at step {step} under a margin of {margin}, smaller than the rounding: it moves logits by {diff}"),
                {"step": step_index, "margin": figure(facts.margin), "diff": figure(facts.max_abs_diff)},
            )  # fmt: skip
    return None


def _shift(trace: Trace, tolerance: float) -> Text | None:
    """Queries and keys turned by the same angle give the same scores. The last step shows what all rows are like."""
    last = len(trace) - 1
    if trace.end is None or last < 0 or is_bad(trace, last, tolerance):
        return None
    scale, diffs = trace.tensor(last, "diff/scale"), [compared(trace, last, name) for name in ("q", "k", "v")]
    if scale is None or any(diff is None for diff in diffs):
        return None
    limit = SHIFT.get(trace.info.model.dtype, RELATIVE)
    for layer, sizes in enumerate(scale):
        q, k, v = (
            float(np.nan_to_num(diff[layer], nan=np.inf).max(initial=0.0)) / max(float(size), 1e-30)
            for diff, size in zip(diffs, sizes, strict=True)
            if diff is not None
        )
        if q > limit and k > limit and v <= limit:
            return Text(
                QT_TRANSLATE_NOOP("core", "harmless-shift: q and k differ between the lanes in layer {layer}, by {q} and {k} of their size, and the logits agree"),
                {"layer": layer, "q": f"{q:.0%}", "k": f"{k:.0%}"},
            )  # fmt: skip
    return None


def _times(diff: float, noise: float | None) -> str:
    if not noise:
        return "many"
    return f"{float(f'{diff / noise:.2g}'):,.0f}" if diff > 100 * noise else f"{diff / noise:.2g}"
