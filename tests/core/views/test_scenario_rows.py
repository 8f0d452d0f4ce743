"""The line of a scenario in the table, and runs that did not come to their end."""

from pathlib import Path

from core.engine.messages import RunSpec
from core.engine.run import Run
from core.trace.reader import Trace
from core.views.findings import verdict
from core.views.scenarios import scenario_row
from tests.core.support import record_trace


def test_that_a_pass_says_how_much_was_compared(tmp_path: Path) -> None:
    row = scenario_row(record_trace(tmp_path / "r.kvtrace", steps=2, prompt="Pay 12"), 5e-4)
    assert (row.name, row.status, row.n_compared, row.first_bad) == ("decode", "pass", 3, None)
    assert str(row.where) == ""


def test_that_a_failure_says_where_it_begins(tmp_path: Path) -> None:
    row = scenario_row(record_trace(tmp_path / "r.kvtrace", steps=2, faults=("position-reset",)), 5e-4)
    assert (row.status, row.first_bad) == ("fail", 1)
    assert "position" in str(row.where)


def test_that_a_run_that_ended_early_is_no_pass(tmp_path: Path) -> None:
    run = Run(RunSpec(steps=4), tmp_path / "r.kvtrace")
    steps = run.steps()
    next(steps)
    next(steps)
    path = run.close("failed", "it raised")
    with Trace.open(path) as trace:
        row = scenario_row(trace, 5e-4)
        assert row.status == "fail"
        assert "2 of 5" in str(row.where)
        view = verdict(trace, 5e-4)
    assert view.state == "nothing"
    assert str(view.findings[0].detail) == "it raised"
