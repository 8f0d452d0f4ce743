"""Causes in a decoder that has recurrent layers beside attention, and where keys are more than tokens."""

from pathlib import Path

import pytest

from core.engine.messages import RunSpec
from core.engine.run import Run
from core.report.result import ScenarioResult, scenario_result
from core.trace.reader import Trace
from tests.core.targets import hybrid, zoo

IDS = (3, 1, 4, 1, 5, 9, 2, 6)


def judged(source: str, scenario: str, folder: Path) -> ScenarioResult:
    """Run a scenario and look for the cause of its first bad step."""
    target = folder / "target.py"
    target.write_text(source)
    run = Run(RunSpec(target=str(target), scenario=scenario, prompt_ids=IDS), folder / "a.kvtrace")
    list(run.steps())
    list(run.settle())
    if run.first_bad_step is not None:
        run.diagnose(run.first_bad_step, lambda tried, planned: None)
    with Trace.open(run.close("complete")) as trace:
        return scenario_result(trace, trace.info.tolerance)


@pytest.mark.parametrize("scenario", ["decode", "chunked-prefill"])
@pytest.mark.parametrize("has_summary", [False, True])
def test_that_a_healthy_one_passes(tmp_path: Path, scenario: str, has_summary: bool) -> None:
    assert judged(hybrid.source(has_summary=has_summary), scenario, tmp_path).status == "pass"


@pytest.mark.parametrize(
    ("fault", "scenario", "step", "cause"),
    [
        ("state-lost", "chunked-prefill", 1, "recurrent-state"),
        ("position-reset", "decode", 1, "position-reset"),
    ],
)
def test_that_the_state_is_blamed_where_a_layer_without_attention_parts_first(
    tmp_path: Path, fault: str, scenario: str, step: int, cause: str
) -> None:
    result = judged(hybrid.source(fault), scenario, tmp_path)
    assert result.cause is not None
    assert (result.first_bad_step, result.cause.id) == (step, cause)


def test_that_keys_beyond_the_tokens_are_an_honest_unknown(tmp_path: Path) -> None:
    result = judged(hybrid.source("summary", has_summary=True), "decode", tmp_path)
    assert result.first_bad_step == 1
    assert result.cause is not None
    assert result.cause.id == "unknown"
    assert "side by side" in result.cause.sentence
    assert not any("could not be looked for" in note for note in result.notes)


def test_that_rows_which_were_not_cropped_explain_the_positions_after_them(tmp_path: Path) -> None:
    result = judged(zoo.source("not-cropped"), "rollback", tmp_path)
    assert result.cause is not None
    assert (result.first_bad_step, result.cause.id) == (4, "stale-rows")
