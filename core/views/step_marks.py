"""What is special about a step: how its tokens came, what was done to the cache before it, and a token that matters."""

from dataclasses import dataclass
from typing import Literal

from core.trace.kept import kept
from core.trace.reader import Trace
from core.trace.records import StepFacts
from core.views.selection import Selection
from core.views.tokens import token_strip

MarkKind = Literal["chunk", "turn", "draft", "rollback", "reorder"]


@dataclass(frozen=True)
class StepMark:
    """`tokens`: how many the step feeds; for a rollback how many were kept, None where the trace does not say."""

    step: int
    kind: MarkKind
    tokens: int | None


@dataclass(frozen=True)
class SensitiveStep:
    """A step that chose a token of an amount, a date, an address or an id; `cached` is the other lane's, if another."""

    step: int
    oracle: str
    cached: str | None


@dataclass(frozen=True)
class StepMarks:
    """The marks of all recorded steps; the tokens are those of the selected batch row."""

    marks: tuple[StepMark, ...] = ()
    sensitive: tuple[SensitiveStep, ...] = ()


def step_marks(trace: Trace, selection: Selection, tolerance: float) -> StepMarks:
    """Return what is to be marked of the steps so far."""
    return _marks(trace, selection.batch_row, tolerance)


@kept
def _marks(trace: Trace, batch_row: int, tolerance: float) -> StepMarks:
    marks = [mark for step in range(len(trace)) for mark in _marks_of(trace.facts(step))]
    chips = token_strip(trace, Selection(batch_row=batch_row), tolerance).chips
    sensitive = tuple(
        SensitiveStep(chip.step_index, chip.text, chip.cached_text)
        for chip in chips
        if chip.is_sensitive and chip.is_chosen
    )
    return StepMarks(tuple(marks), sensitive)


def _marks_of(facts: StepFacts) -> list[StepMark]:
    found = []
    what, _, how = (facts.before or "").partition(" ")
    if what == "crop":
        found.append(StepMark(facts.step_index, "rollback", int(how) if how.isdecimal() else None))
    elif what == "reorder":
        found.append(StepMark(facts.step_index, "reorder", facts.q_len))
    if facts.kind == "chunk" or facts.kind == "turn" or facts.kind == "draft":
        found.append(StepMark(facts.step_index, facts.kind, facts.q_len))
    return found
