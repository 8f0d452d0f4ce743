"""Causes lead the findings when they are those of the first bad step."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.text import Text
from core.trace.reader import Trace
from core.trace.records import FindingFacts
from core.views.causes import CauseView
from core.views.findings import FindingView, verdict
from core.views.scenarios import scenario_row
from tests.core.support import DRIFT, ROUNDED, record_trace

TOLERANCE = 5e-4


@pytest.fixture(scope="module")
def diagnosed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trace]:
    path = tmp_path_factory.mktemp("causes") / "r.kvtrace"
    with record_trace(
        path, findings=(DRIFT, ROUNDED), steps=2, prompt="Pay 12", faults=("position-reset",)
    ) as trace:
        yield trace


def shown(trace: Trace, *findings: FindingFacts) -> list[tuple[FindingView, CauseView]]:
    """Return the findings that are causes, of those given instead of the trace's."""
    view = verdict(trace, TOLERANCE, findings)
    return [(one, one.cause) for one in view.findings if one.cause is not None]


def test_that_the_first_cause_leads_and_the_next_follows(diagnosed: Trace) -> None:
    first, second, *_ = verdict(diagnosed, TOLERANCE).findings
    assert str(first.headline) == "told position 7, expected 6"
    assert first.cause is not None
    assert second.cause is not None
    assert (first.cause.id, second.cause.id) == ("position-drift", "value-degraded")
    assert "over the tolerance" in str(first.detail)
    assert [str(text) for text in first.cause.evidence] == ["V agrees in all 7 slots."]
    assert str(first.cause.suggestion).startswith("Look where the offset is advanced")


def test_that_the_place_is_said_from_the_step_inwards_and_can_be_selected(diagnosed: Trace) -> None:
    (finding, cause), (_, other) = shown(diagnosed, DRIFT, ROUNDED)
    assert [str(part) for part in cause.place] == ["step 1", "layer 1", "k", "slot 6", "row 0"]
    assert [str(part) for part in other.place][-2:] == ["head 1", "row 0"]
    assert (finding.step, finding.layer, finding.head, finding.batch_row) == (1, 1, None, 0)
    assert (finding.query, finding.key) == (6, 6)  # "Pay 12" and one token


def test_that_a_slot_outside_the_text_selects_no_cell(diagnosed: Trace) -> None:
    for slot in (-1, 99):
        ((finding, _),) = shown(diagnosed, replace(DRIFT, slot=slot))
        assert (finding.query, finding.key) == (None, None)


def test_that_findings_of_another_step_do_not_lead(diagnosed: Trace) -> None:
    view = verdict(diagnosed, TOLERANCE, (replace(DRIFT, step=2),))
    assert view.findings[0].cause is None
    assert "begins" in str(view.findings[0].detail)
    assert all(one.cause is None for one in verdict(diagnosed, 1e6).findings)


def test_that_a_repair_says_what_it_leaves(diagnosed: Trace) -> None:
    (_, first), (_, second) = shown(diagnosed, DRIFT, ROUNDED)
    assert str(first.remains) == "With this repair the step still differs by 2.89, 16.8 % of 17.1 before."
    assert str(second.remains).startswith("Nothing remains")
    ((_, alone),) = shown(diagnosed, DRIFT)
    assert str(alone.remains).endswith("no other cause was found.")
    ((_, from_nan),) = shown(diagnosed, replace(DRIFT, before=None))
    assert (
        str(from_nan.remains) == "With this repair the step still differs by 2.89; no other cause was found."
    )


def test_that_an_inferred_cause_has_no_repair(diagnosed: Trace) -> None:
    ((_, cause),) = shown(diagnosed, replace(DRIFT, healed=None))
    assert cause.is_inferred
    assert cause.remains is None


def test_that_shares_stay_between_nothing_and_all(diagnosed: Trace) -> None:
    ((_, cause),) = shown(diagnosed, replace(DRIFT, healed=1e300, null_control=-7.0))
    assert (cause.healed, cause.null_control) == (1.0, 0.0)


def test_that_a_trace_with_endless_findings_is_shown_in_part(diagnosed: Trace) -> None:
    many = replace(DRIFT, evidence=DRIFT.evidence * 10_000, cause="x" * 10_000, also=["y"] * 10_000)
    found = shown(diagnosed, *[many] * 1000)
    assert len(found) < 10
    assert len(found[0][1].evidence) < 50
    assert len(found[0][1].id) < 50
    assert len(found[0][1].also) < 10
    assert found[0][1].suggestion is None


def test_that_the_table_of_scenarios_names_the_cause(diagnosed: Trace) -> None:
    row = scenario_row(diagnosed, TOLERANCE)
    assert (row.cause, row.healed) == ("position-drift", 0.83129)
    assert isinstance(row.where, Text)
    assert "begins" in str(row.where)
    assert scenario_row(diagnosed, 1e6).cause is None


def test_that_a_run_without_findings_says_where_it_begins(tmp_path: Path) -> None:
    with record_trace(tmp_path / "r.kvtrace", steps=2, prompt="Pay 12", faults=("position-reset",)) as trace:
        assert verdict(trace, TOLERANCE).findings[0].cause is None
        assert scenario_row(trace, TOLERANCE).cause is None
