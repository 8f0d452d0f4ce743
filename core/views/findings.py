"""The verdict in words: what the findings panel and the status bar say."""

from dataclasses import dataclass
from typing import Literal

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.locate import Place, first_bad_tensor
from core.verdict.steps import first_bad_step, max_abs_diff, n_decode_compared


@dataclass(frozen=True)
class FindingView:
    """One finding: a sentence, its evidence, and where a click leads."""

    headline: Text
    detail: Text
    step: int | None = None
    layer: int | None = None


@dataclass(frozen=True)
class VerdictView:
    """The state of the run as a whole."""

    state: Literal["nothing", "equivalent", "divergent", "running"]
    status: Text
    findings: tuple[FindingView, ...]


def verdict(trace: Trace, tolerance: float) -> VerdictView:
    """Return what can be said of the recorded steps at this tolerance."""
    first_bad = first_bad_step(trace, tolerance)
    if first_bad is not None:
        status = Text(QT_TRANSLATE_NOOP("core", "divergent from step {step}"), {"step": first_bad})
        return VerdictView("divergent", status, (_first_finding(trace, tolerance, first_bad),))
    if not n_decode_compared(trace):
        return VerdictView(
            "nothing",
            Text(QT_TRANSLATE_NOOP("core", "no decode step compared yet")),
            (_nothing_finding(trace),),
        )
    n_steps, largest = len(trace), max_abs_diff(trace) or 0.0
    state: Literal["equivalent", "running"] = (
        "equivalent" if trace.end is not None and trace.end.status == "complete" else "running"
    )
    if state == "running":
        status = Text(
            QT_TRANSLATE_NOOP("core", "equal so far, {n_steps} of {n_planned} steps"),
            {"n_steps": n_steps, "n_planned": trace.info.steps},
        )
    else:
        status = Text(QT_TRANSLATE_NOOP("core", "equivalent over {n_steps} steps"), {"n_steps": n_steps})
    finding = FindingView(
        Text(QT_TRANSLATE_NOOP("core", "Both lanes agree in {n_steps} steps"), {"n_steps": n_steps}),
        Text(
            QT_TRANSLATE_NOOP(
                "core", "The largest logit difference is {largest:.1e}, the tolerance {tolerance:.1e}."
            ),
            {"largest": largest, "tolerance": tolerance},
        ),
    )
    return VerdictView(state, status, (finding, *_notes(trace)))


def _nothing_finding(trace: Trace) -> FindingView:
    if not len(trace):
        return FindingView(
            Text(QT_TRANSLATE_NOOP("core", "Nothing is recorded yet")),
            Text(QT_TRANSLATE_NOOP("core", "Run the decode, or open a trace.")),
        )
    return FindingView(
        Text(
            QT_TRANSLATE_NOOP("core", "The prompt is in the cache, and nothing has been decoded with it yet")
        ),
        Text(QT_TRANSLATE_NOOP("core", "Step on: the first decode step is where most cache faults begin.")),
        step=0,
    )


def _first_finding(trace: Trace, tolerance: float, step: int) -> FindingView:
    facts, place = trace.facts(step), first_bad_tensor(trace, step)
    if facts.max_abs_diff is None:
        headline = Text(
            QT_TRANSLATE_NOOP("core", "Step {step} has {n} logits that are not finite"),
            {"step": step, "n": facts.n_nonfinite},
        )
    else:
        headline = Text(
            QT_TRANSLATE_NOOP(
                "core", "Step {step}: the logits differ by {diff:.2g}, over the tolerance of {tolerance:.1e}"
            ),
            {"step": step, "diff": facts.max_abs_diff, "tolerance": tolerance},
        )
    return FindingView(headline, _begins(place), step, place.layer if place else None)


def _begins(place: Place | None) -> Text:
    if place is None:
        return Text(
            QT_TRANSLATE_NOOP("core", "No recorded tensor before the logits differs beyond rounding.")
        )
    if place.tensor == "position_ids":
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "It begins with the position ids: the token at place {slot} was told another position than the oracle was, {gap} away.",
            ),
            {"slot": place.slot or 0, "gap": int(place.difference)},
        )
    values: dict[str, str | int | float] = {
        "layer": place.layer or 0,
        "tensor": place.tensor,
        "diff": place.difference,
    }
    if place.slot is None:
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "It begins in layer {layer}, tensor {tensor}, head {head}: largest difference {diff:.2g}, what comes before agrees.",
            ),
            {**values, "head": place.head or 0},
        )
    return Text(
        QT_TRANSLATE_NOOP(
            "core",
            "It begins in layer {layer}, tensor {tensor}, slot {slot}: largest difference {diff:.2g}, what comes before agrees.",
        ),
        {**values, "slot": place.slot},
    )


def _notes(trace: Trace) -> tuple[FindingView, ...]:
    empty = Text(QT_TRANSLATE_NOOP("core", "Note of the run."))
    return tuple(FindingView(Text("{note}", {"note": note}), empty) for note in trace.info.notes)
