"""One line of the scenario table: what a trace says about its scenario at a tolerance."""

from dataclasses import dataclass
from typing import Literal

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step, max_abs_diff, n_decode_compared
from core.views.causes import cause_view, causes_of
from core.views.findings import where_it_begins

NOTHING = Text("")


@dataclass(frozen=True)
class ScenarioRow:
    """`where` says where it begins, or why there is no pass; empty for a pass without remarks.

    `cause` is the id of the first cause of the first bad step, `healed` the share that its repair heals, None where inferred.
    """

    name: str
    status: Literal["pass", "fail"]
    n_compared: int
    max_abs_diff: float | None
    first_bad: int | None
    where: Text
    cause: str | None = None
    healed: float | None = None


def scenario_row(trace: Trace, tolerance: float) -> ScenarioRow:
    """Judge a recorded scenario."""
    first_bad = first_bad_step(trace, tolerance)
    missing = _why_no_pass(trace)
    where = missing or NOTHING
    cause = None
    if first_bad is not None:
        where = where_it_begins(trace, first_bad)
        known = causes_of(trace, first_bad)
        cause = cause_view(known[0], tolerance, is_last=len(known) == 1) if known else None
    return ScenarioRow(
        name=trace.info.scenario, status="fail" if first_bad is not None or missing else "pass", n_compared=len(trace),
        max_abs_diff=max_abs_diff(trace), first_bad=first_bad, where=where,
        cause=cause.id if cause else None, healed=cause.healed if cause else None,
    )  # fmt: skip


def _why_no_pass(trace: Trace) -> Text | None:
    """A pass needs a decode step that was compared, and no step missing."""
    if not n_decode_compared(trace):
        return Text(QT_TRANSLATE_NOOP("core", "no decode step was compared"))
    if trace.end is None or trace.end.status != "complete" or len(trace) != trace.info.steps:
        template = QT_TRANSLATE_NOOP("core", "only {n_steps} of {n_planned} steps are recorded")
        return Text(template, {"n_steps": len(trace), "n_planned": trace.info.steps})
    return None
