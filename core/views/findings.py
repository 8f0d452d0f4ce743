"""The verdict in words: what the findings panel and the status bar say."""

from dataclasses import dataclass
from itertools import islice
from typing import Literal

from core import catalog
from core.text import QT_TRANSLATE_NOOP, Text, Value
from core.trace.reader import Trace
from core.trace.records import FindingFacts
from core.trace.texts import text_of
from core.verdict.classes import remarks
from core.verdict.locate import Place, first_bad_tensor
from core.verdict.recorded_parts import broken_steps
from core.verdict.steps import first_bad_step, is_compared_enough, is_over, max_abs_diff
from core.views.causes import CauseView, cause_view, causes_of
from core.views.note_text import note_text
from core.views.numbers import scientific, short

MOST_BROKEN = 8  # invariants of one lane that are listed


@dataclass(frozen=True)
class FindingView:
    """One finding: a sentence, what is behind it, and where a click leads; `query` and `key` are a cell of the maps."""

    headline: Text
    detail: Text
    step: int | None = None
    layer: int | None = None
    head: int | None = None
    batch_row: int | None = None
    query: int | None = None
    key: int | None = None
    cause: CauseView | None = None


@dataclass(frozen=True)
class VerdictView:
    """The state of the run as a whole."""

    state: Literal["nothing", "equivalent", "divergent", "running"]
    status: Text
    findings: tuple[FindingView, ...]


def verdict(trace: Trace, tolerance: float, findings: tuple[FindingFacts, ...] | None = None) -> VerdictView:
    """Return what can be said of the recorded steps at this tolerance; `findings` are those of a run that still grows."""
    first_bad = first_bad_step(trace, tolerance)
    if first_bad is not None:
        status = Text(QT_TRANSLATE_NOOP("core", "divergent from step {step}"), {"step": first_bad})
        known = causes_of(trace, first_bad, findings)
        first = _causes(trace, tolerance, known) or (_first_bad(trace, tolerance, first_bad),)
        return VerdictView("divergent", status, (*first, *_notes(trace, tolerance)))
    if len(trace.lanes) == 1:
        status = Text(QT_TRANSLATE_NOOP("core", "one lane only: nothing to compare"))
        return VerdictView("nothing", status, (*_one_lane(trace), *_notes(trace, tolerance)))
    if not is_compared_enough(trace):
        status = Text(QT_TRANSLATE_NOOP("core", "no decode step compared yet"))
        return VerdictView("nothing", status, (_nothing(trace), *_notes(trace, tolerance)))
    if trace.end is not None and trace.end.status != "complete":
        counts: dict[str, Value] = {"n_steps": len(trace), "n_planned": trace.info.steps}
        status = Text(QT_TRANSLATE_NOOP("core", "ended early, after {n_steps} of {n_planned} steps"), counts)
        return VerdictView("nothing", status, (_ended_early(trace), *_notes(trace, tolerance)))
    if trace.end is None:
        counts = {"n_steps": len(trace), "n_planned": trace.info.steps}
        status = Text(QT_TRANSLATE_NOOP("core", "equal so far, {n_steps} of {n_planned} steps"), counts)
        return VerdictView("running", status, (_agreement(trace, tolerance), *_notes(trace, tolerance)))
    status = Text(QT_TRANSLATE_NOOP("core", "equivalent over {n_steps} steps"), {"n_steps": len(trace)})
    return VerdictView("equivalent", status, (_agreement(trace, tolerance), *_notes(trace, tolerance)))


def selection_at(trace: Trace, step: int) -> dict[str, int]:
    """Return what to select to look at a bad step: it, and the layer, head and batch row where it begins."""
    place = first_bad_tensor(trace, step)
    if place is None:  # the row at least is known
        worst = trace.facts(step).worst_at
        return {"step": step, "batch_row": worst[0]} if worst else {"step": step}
    wanted = {"layer": place.layer, "head": place.head, "batch_row": place.batch_row}
    return {"step": step, **{name: value for name, value in wanted.items() if value is not None}}


def _nothing(trace: Trace) -> FindingView:
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


def _one_lane(trace: Trace) -> tuple[FindingView, ...]:
    """No verdict without another lane: what does not hold of the cache by itself is listed."""
    (lane,) = trace.lanes
    headline = Text(QT_TRANSLATE_NOOP("core", "The trace has the {lane} lane only"), {"lane": lane})
    detail = Text(
        QT_TRANSLATE_NOOP("core", "Open two traces of the same tokens together, and they are compared.")
    )
    broken = tuple(
        FindingView(
            one.sentence, Text(QT_TRANSLATE_NOOP("core", "An invariant of the cache does not hold.")), step,
            one.place.layer, one.place.head, one.place.batch_row,
        )
        for step, one in islice(broken_steps(trace), MOST_BROKEN)
    )  # fmt: skip
    return (FindingView(headline, detail), *broken)


def _ended_early(trace: Trace) -> FindingView:
    """No verdict: what was compared agrees, and that is not the whole run."""
    headline = Text(
        QT_TRANSLATE_NOOP(
            "core", "The run ended early: {n_steps} of {n_planned} steps are there, and they agree"
        ),
        {"n_steps": len(trace), "n_planned": trace.info.steps},
    )
    reason = trace.end.reason if trace.end is not None else None
    detail = (
        Text("{reason}", {"reason": reason})
        if reason
        else Text(QT_TRANSLATE_NOOP("core", "It was cancelled."))
    )
    return FindingView(headline, detail)


def _agreement(trace: Trace, tolerance: float) -> FindingView:
    largest = max_abs_diff(trace) or 0.0
    return FindingView(
        Text(QT_TRANSLATE_NOOP("core", "Both lanes agree in {n_steps} steps"), {"n_steps": len(trace)}),
        Text(
            QT_TRANSLATE_NOOP(
                "core", "The largest logit difference is {largest}, the tolerance {tolerance}."
            ),
            {"largest": short(largest), "tolerance": scientific(tolerance)},
        ),
    )


def _first_bad(trace: Trace, tolerance: float, step: int) -> FindingView:
    place, headline = first_bad_tensor(trace, step), _how_bad(trace, tolerance, step)
    if place is None:
        return FindingView(headline, _begins(None), step)
    return FindingView(headline, _begins(place), step, place.layer, place.head, place.batch_row)


def _how_bad(trace: Trace, tolerance: float, step: int) -> Text:
    facts = trace.facts(step)
    if facts.max_abs_diff is None:
        return Text(
            QT_TRANSLATE_NOOP("core", "Step {step} has {n} logits that are not finite"),
            {"step": step, "n": facts.n_nonfinite},
        )
    over = QT_TRANSLATE_NOOP(
        "core", "Step {step}: the logits differ by {diff}, over the tolerance of {tolerance}"
    )
    under = QT_TRANSLATE_NOOP(
        "core", "Step {step}: the logits differ by {diff}; that is within the tolerance of {tolerance}, but no rounding"
    )  # fmt: skip
    return Text(
        over if is_over(facts, tolerance) else under,
        {"step": step, "diff": short(facts.max_abs_diff), "tolerance": scientific(tolerance)},
    )


def _causes(trace: Trace, tolerance: float, known: list[FindingFacts]) -> tuple[FindingView, ...]:
    return tuple(
        _cause(trace, tolerance, one, is_last=index == len(known) - 1) for index, one in enumerate(known)
    )


def _cause(trace: Trace, tolerance: float, one: FindingFacts, is_last: bool) -> FindingView:
    n_tokens = trace.facts(one.step).text_len
    is_cell = one.slot is not None and 0 <= one.slot < n_tokens
    return FindingView(
        text_of(one.sentence), _how_bad(trace, tolerance, one.step), one.step, one.layer, one.head, one.batch_row,
        query=n_tokens - 1 if is_cell else None, key=one.slot if is_cell else None,
        cause=cause_view(one, tolerance, is_last),
    )  # fmt: skip


def where_it_begins(trace: Trace, step: int) -> Text:
    """Return the first tensor of a bad step that differs, as a sentence."""
    return _begins(first_bad_tensor(trace, step))


def _begins(place: Place | None) -> Text:
    if place is None:
        return Text(
            QT_TRANSLATE_NOOP("core", "No recorded tensor before the logits differs beyond rounding.")
        )
    values: dict[str, Value] = {
        "layer": place.layer or 0, "tensor": place.tensor, "slot": place.slot or 0, "head": place.head or 0,
        "row": place.batch_row or 0, "diff": short(place.difference), "gap": int(place.difference),
    }  # fmt: skip
    if place.tensor == "position_ids":
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "It begins with the position ids: the token at place {slot} of batch row {row} was told another position than the oracle was, {gap} away.",
            ),
            values,
        )
    if place.slot is None:
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "It begins in layer {layer}, {tensor}, head {head}, batch row {row}: largest difference {diff}; what comes before agrees.",
            ),
            values,
        )
    return Text(
        QT_TRANSLATE_NOOP(
            "core",
            "It begins in layer {layer}, {tensor}, slot {slot}, batch row {row}: largest difference {diff}; what comes before agrees.",
        ),
        values,
    )


def _notes(trace: Trace, tolerance: float) -> tuple[FindingView, ...]:
    """What the recording noted; what it said of its planted faults is worked out anew, so that it can be translated."""
    info = trace.info
    known = [fault for fault in info.faults if fault in catalog.FAULT_IDS]
    of_faults = [
        text
        for fault in known
        for text in catalog.notes_of(fault, info.target, info.scenario, info.layout, n_tokens=0, n_in_chunk=0)
        if str(text) in info.notes
    ]
    said = {str(text) for text in of_faults}
    others = [note_text(note) for note in info.notes if note not in said]
    label = Text(QT_TRANSLATE_NOOP("core", "Note of the run."))
    measured = Text(QT_TRANSLATE_NOOP("core", "What was measured."))
    return (
        *(FindingView(text, measured) for text in remarks(trace, tolerance)),
        *(FindingView(text, label) for text in (*of_faults, *others)),
    )
