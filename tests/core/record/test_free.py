"""Free running: where the texts part, what re-anchoring says, and sampling that draws alike in both lanes."""

from pathlib import Path

import msgspec
import pytest
import torch

from core.record.free import _sampled
from core.report.page import ReportInput, html_report
from core.report.result import scenario_result
from core.trace.records import FreeFacts
from core.views.free import free_rows
from tests.core.support import record_trace


def test_that_a_healthy_lane_writes_the_oracles_text(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", mode="free", scenario="batch", steps=6) as trace:
        rows = free_rows(trace)
        free = trace.end.free
        greedy = [[trace.facts(step).argmax_oracle[row] for step in range(len(trace))] for row in range(2)]
    assert [row.first for row in rows] == [None, None]
    assert free.oracle == free.cached == free.anchored == greedy


def test_that_a_defect_differs_again_on_the_oracles_text(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", mode="free", faults=("mask-top-left",), steps=8) as trace:
        (row,) = free_rows(trace)
        flips = [step for step in range(len(trace)) if trace.facts(step).flips]
        result = scenario_result(trace, trace.info.tolerance)
        page = html_report(ReportInput("t", [trace])).decode()
    assert (row.first, row.later) == (flips[0], len(flips) - 1)
    assert str(row.sentence).endswith("a defect.")
    assert result.free[0].first_differing_token == flips[0]
    assert result.free[0].oracle != result.free[0].cached
    assert "Free running" in page
    assert "Compare greedily first" in page


def test_that_a_plan_that_is_no_plain_decode_is_not_run_free(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", mode="free", scenario="rollback", steps=6) as trace:
        assert trace.end.free is None
        assert free_rows(trace) == ()


@pytest.mark.parametrize(("faults", "word"), [((), "a tie."), (("value-degraded",), "a defect.")])
def test_that_one_changed_token_is_a_tie_only_where_the_logits_agree(
    faults: tuple[str, ...], word: str, tmp_path: Path
) -> None:
    with record_trace(tmp_path / "a.kvtrace", faults=faults, steps=3) as trace:
        once = FreeFacts(oracle=[[1, 2, 3, 4]], cached=[[1, 9, 9, 9]], anchored=[[1, 9, 3, 4]])
        trace.end = msgspec.structs.replace(trace.end, free=once)
        (row,) = free_rows(trace)
    assert (row.first, row.later) == (1, 0)
    assert str(row.sentence).endswith(word)


def test_that_sampling_draws_the_same_number_for_a_step_whatever_was_chosen_before() -> None:
    logits = torch.randn(1, 50, generator=torch.Generator().manual_seed(1))
    one, other = _sampled(1.0, 7), _sampled(1.0, 7)
    one(torch.zeros(1, 50), 0)  # a lane that has drawn before
    assert one(logits, 3) == other(logits, 3)
    picked = {int(one(logits, step)) for step in range(40)}
    assert len(picked) > 5
    assert {int(_sampled(0.01, 7)(logits, step)) for step in range(40)} == {int(logits.argmax())}


def test_that_sampled_tokens_follow_the_probabilities() -> None:
    logits = torch.tensor([[0.0, 3.0, 1.0]]).log_softmax(-1)
    choose = _sampled(1.0, 0)
    counts = (
        torch.bincount(torch.cat([choose(logits, step).flatten() for step in range(2000)]), minlength=3)
        / 2000
    )
    torch.testing.assert_close(counts, logits[0].exp(), atol=0.04, rtol=0)


def test_that_a_sampled_run_of_a_healthy_lane_agrees_and_says_how_it_was_drawn(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", mode="free", temperature=1.5, seed=4, steps=6) as trace:
        (row,) = free_rows(trace)
        assert row.first is None
        assert (trace.end.free.temperature, trace.end.free.seed) == (1.5, 4)
        page = html_report(ReportInput("t", [trace])).decode()
    assert "temperature 1.5 with seed 4" in page
