"""Causes in JSON and in the terminal."""

from pathlib import Path

from msgspec.structs import replace

from core.report.result import ScenarioResult, scenario_result
from core.report.terminal import cause_lines
from core.trace.records import FindingFacts
from tests.core.support import DRIFT, ROUNDED, record_trace


def result(path: Path, *findings: FindingFacts) -> ScenarioResult:
    spec = {"steps": 2, "prompt": "Pay 12", "faults": ("position-reset",)}
    with record_trace(path / "r.kvtrace", findings=findings, **spec) as trace:
        return scenario_result(trace, 5e-4)


def test_that_json_has_proof_suggestion_and_what_a_repair_leaves(tmp_path: Path) -> None:
    one = result(tmp_path, DRIFT, ROUNDED)
    cause = one.cause
    assert cause is not None
    assert [other.id for other in one.other_causes] == ["value-degraded"]
    assert (cause.healed, cause.null_control, cause.before, cause.after) == (0.83129, 0.013, 17.1, 2.886)
    assert cause.suggestion is not None
    assert cause.suggestion.startswith("Look where the offset")
    assert (cause.place.layer, cause.place.tensor, cause.place.slot) == (1, "k", 6)


def test_that_the_terminal_ends_each_cause_with_what_to_look_at(tmp_path: Path) -> None:
    lines = list(cause_lines(result(tmp_path, DRIFT, ROUNDED)))
    assert lines[0].startswith(
        "cause: position-drift (healed 83.1 %, elsewhere 1.3 %, or rope-mismatch): told"
    )
    assert lines[1] == "  - V agrees in all 7 slots."
    assert lines[2].startswith("  in the code: Look where the offset is advanced")
    assert lines[3].startswith("cause: value-degraded (healed 16.8 %, elsewhere 0.0 %)")
    assert lines[4].startswith("  in the code: Look at the dtype of the cache")


def test_that_findings_of_another_step_are_no_causes_of_this_one(tmp_path: Path) -> None:
    one = result(tmp_path, replace(DRIFT, step=2), ROUNDED)
    assert one.first_bad_step == 1
    assert one.cause is not None
    assert one.cause.id == "value-degraded"
    assert not one.other_causes
