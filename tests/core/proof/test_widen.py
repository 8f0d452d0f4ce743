"""Rounding or defect: two differences of one size are told apart, and no model that merely computes narrowly is blamed."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import torch
from torch import nn

from core import catalog
from core.errors import UnreadableError
from core.proof.noise import own_noise
from core.report.result import ScenarioResult, scenario_result
from core.targets.wider import CannotWiden, Wider
from core.trace.reader import Trace
from core.trace.records import Doubt
from core.trace.writer import TraceWriter
from core.verdict.consistency import check_consistent
from core.verdict.rounding import settled_at
from core.verdict.steps import first_bad_step
from core.views.findings import verdict
from tests.core.proof import doubtful
from tests.core.support import main, record_trace

IDS = (3, 1, 4, 1, 5, 9, 2, 6)
Record = Callable[..., Trace]


@pytest.fixture
def recorded(tmp_path: Path) -> Record:
    """Return a function that records a run of a source."""

    def record(source: str, **spec: object) -> Trace:
        (tmp_path / "target.py").write_text(source)
        return record_trace(
            tmp_path / "a.kvtrace", **{"target": str(tmp_path / "target.py"), "prompt_ids": IDS, **spec}
        )

    return record


def result(trace: Trace) -> ScenarioResult:
    return scenario_result(trace, trace.info.tolerance)


def says(trace: Trace, *words: str) -> bool:
    """Whether one note holds all the words."""
    return any(all(word in note for word in words) for note in result(trace).notes)


def test_that_of_two_differences_of_one_size_the_defect_is_blamed_and_rounding_is_not(
    recorded: Record,
) -> None:
    faulty = result(recorded(doubtful.NO_CLAMP))
    assert 5e-4 < faulty.max_abs_diff < 1e-3
    assert (faulty.status, faulty.first_bad_step, faulty.classification) == ("fail", 2, "defect")
    healthy = recorded(doubtful.LARGE_SUMS)
    assert faulty.max_abs_diff / 3 < result(healthy).max_abs_diff < 3 * faulty.max_abs_diff  # the CPU decides
    assert (result(healthy).status, result(healthy).classification) == ("pass", "rounding")
    assert says(healthy, "rounding: the difference of ", "falls to", "in float64")


def test_that_a_defect_within_the_tolerance_is_a_defect_all_the_same(recorded: Record) -> None:
    trace = recorded(doubtful.HARDLY_NO_CLAMP)
    found = result(trace)
    assert 2e-4 < found.max_abs_diff < 3e-4 < found.tolerance
    assert (found.status, found.first_bad_step, found.classification) == ("fail", 2, "defect")
    assert "but no rounding" in str(verdict(trace, found.tolerance).findings[0].headline)


def test_that_a_fault_which_exists_in_the_narrow_dtype_only_is_not_excused(recorded: Record) -> None:
    trace = recorded(doubtful.AUTOCAST)
    found = result(trace)
    assert (found.status, found.first_bad_step, found.classification) == ("fail", 0, "defect")
    assert trace.end.doubts[0].wide_max_abs_diff < 1e-12  # as rounding would
    assert says(trace, "not excused", "it is there in float32 only")


def test_that_what_a_model_casts_to_float32_goes_wider_with_the_rest(recorded: Record) -> None:
    trace = recorded(doubtful.FLOAT32_INSIDE.replace("4e3", "1e3"))
    assert result(trace).status == "pass"
    assert max(doubt.wide_max_abs_diff for doubt in trace.end.doubts) < 1e-10
    assert says(trace, "rounding: the difference of ", "falls to", "in float64")


def test_that_a_fault_beside_casts_to_float32_stays(recorded: Record) -> None:
    source = doubtful.HARDLY_NO_CLAMP.replace("self.head(x)", "self.head(x.float().to(x.dtype))")
    found = result(recorded(source))
    assert (found.status, found.first_bad_step, found.classification) == ("fail", 2, "defect")


def test_that_a_model_which_stays_float32_inside_is_not_blamed_for_what_does_not_shrink(
    recorded: Record,
) -> None:
    source = doubtful.FLOAT32_INSIDE.replace("4e3", "1e3").replace(").float()", ").type('torch.FloatTensor')")
    trace = recorded(source.replace("weight.float()", "weight.type('torch.FloatTensor')"))
    assert result(trace).status == "pass"
    assert trace.end.doubts[0].wide_max_abs_diff > 1e-5  # in float64 rounding would be 1e-12
    assert says(trace, "rounding or a defect?", "the oracle itself still moves by")


@pytest.mark.slow
def test_that_a_module_which_does_not_run_wider_stays_as_it_is_and_the_rest_tells(recorded: Record) -> None:
    healthy = recorded(doubtful.NO_FLOAT64.replace("4e3", "1e3"))
    assert result(healthy).status == "pass"
    assert says(healthy, "not wider as a whole: Fused stayed in float32")
    faulty = recorded(doubtful.NO_FLOAT64_NO_CLAMP)
    assert (result(faulty).status, result(faulty).classification) == ("fail", "defect")
    assert says(faulty, "defect: ", "stays in float64")


@pytest.mark.parametrize(
    ("source", "reason"),
    [(doubtful.ALL_FLOAT32, "AssertionError"), (doubtful.NO_MODULE, "the target names no module")],
)
def test_that_the_tolerance_decides_where_nothing_runs_wider_and_the_reason_is_said(
    recorded: Record, source: str, reason: str
) -> None:
    over = recorded(source)
    assert result(over).status == "fail"
    assert says(over, "could not be run wider: " + reason)
    under = recorded(source.replace("4e3", "1e3"))
    assert result(under).status == "pass"
    assert says(under, "could not be run wider: " + reason)


def test_that_a_large_fault_needs_no_wider_run(recorded: Record) -> None:
    trace = recorded(doubtful.FIRST_ROW_LOST)
    (doubt,) = trace.end.doubts
    assert (doubt.step_index, doubt.dtype) == (1, None)
    assert says(trace, "defect: the difference of", "times what rounding does to the oracle")


def test_that_usual_rounding_is_not_looked_at_again(recorded: Record) -> None:
    trace = recorded(doubtful.source())
    assert trace.end.doubts == []
    assert result(trace).classification == "rounding"


def test_that_bits_which_are_equal_are_exact(recorded: Record) -> None:
    source = doubtful.source(call="whole = ids if cache is None else torch.cat((cache, ids), 1)\n    return full(whole)[:, -ids.shape[1]:], whole")  # fmt: skip
    assert result(recorded(source)).classification == "exact"


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario", ["rollback", "beam-reorder", "ragged-batch", "interleaved", "second-run"]
)
def test_that_every_kind_of_plan_can_be_played_again(tmp_path: Path, scenario: str) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", scenario=scenario, faults=("value-degraded",), steps=5)
    found = scenario_result(trace, trace.info.tolerance)
    assert found.status == "fail"
    doubt = next(one for one in trace.end.doubts if one.step_index == found.first_bad_step)
    assert (
        doubt.dtype is None or 0.3 < doubt.wide_max_abs_diff / trace.facts(doubt.step_index).max_abs_diff < 3
    )
    assert settled_at(trace, found.first_bad_step) == "defect"


def test_that_whoever_gives_a_tolerance_judges_by_it_alone(recorded: Record) -> None:
    trace = recorded(doubtful.HARDLY_NO_CLAMP, tolerance=5e-4)
    assert trace.end.doubts == []
    assert result(trace).status == "pass"


@pytest.mark.slow
def test_that_a_tolerance_that_moves_forgives_more_the_higher_it_is(recorded: Record) -> None:
    rounding, defect = doubtful.LARGE_SUMS, doubtful.HARDLY_NO_CLAMP
    trace = recorded(rounding)
    assert [first_bad_step(trace, tolerance) for tolerance in (1e-5, 5e-4, 6e-4, 1e-2)] == [
        1,
        None,
        None,
        None,
    ]
    trace = recorded(defect)
    assert [first_bad_step(trace, tolerance) for tolerance in (1e-5, 3e-4, 5e-4, 1e-3)] == [2, 2, 2, None]


def test_that_bfloat16_is_judged_in_float32_and_shows_its_figures(recorded: Record) -> None:
    healthy = recorded(doubtful.BFLOAT16)
    assert result(healthy).status == "pass"
    faulty = recorded(doubtful.BFLOAT16_FAULT)
    assert (result(faulty).status, result(faulty).first_bad_step) == ("fail", 1)
    assert says(faulty, "defect: the difference of 0.03 at step 1 stays in float32")


def test_that_a_fault_of_bfloat16_alone_is_not_excused_by_float32(recorded: Record) -> None:
    call = "logits, cache = module(ids, cache, True)\n    return logits + 0.3 * (module.reach.dtype == torch.bfloat16), cache"
    trace = recorded(doubtful.in_bfloat16(doubtful.source(call=call)))
    assert (result(trace).status, result(trace).first_bad_step) == ("fail", 0)
    assert says(trace, "it is there in bfloat16 only")


def test_that_a_cache_which_stays_in_16_bits_is_seen_and_neither_blamed_nor_an_excuse(
    recorded: Record,
) -> None:
    large = doubtful.BFLOAT16_CACHE.replace("self.head(x)", "8 * self.head(x)")
    trace = recorded(large)
    assert max(trace.facts(step).wide_max_abs_diff for step in range(len(trace))) > 5e-4
    assert (result(trace).status, result(trace).classification) == ("pass", "exact")
    assert says(trace, "not wider as a whole: cached() stayed in bfloat16")
    faulty = result(recorded(doubtful.BFLOAT16_CACHE_FAULT))
    assert (faulty.status, faulty.first_bad_step) == ("fail", 1)


def test_that_a_flip_within_the_rounding_is_called_a_tie(recorded: Record) -> None:
    trace = recorded(doubtful.TIE)
    assert result(trace).status == "pass"
    assert says(trace, "tie: the argmax differs at step 1 under a margin of 5.0e-06", "1.0e-05")


@pytest.mark.slow
def test_that_a_top_k_which_breaks_ties_by_length_is_called_a_tie(recorded: Record) -> None:
    text = (3, 1, 4, 1, 5, 1, 1, 2, 1, 3, 3, 1)
    trace = recorded(doubtful.sparse(), prompt_ids=text)
    assert result(trace).max_abs_diff > 0.1
    assert (result(trace).status, result(trace).classification) == ("pass", "rounding")
    assert says(trace, "tie: the difference of 0.11 at step 2 falls to", "first of equal values")
    lost = "if cache is not None:\n        cache[1][1] = tuple(rows.roll(1, 1) for rows in cache[1][1])\n    return run(ids, cache)"
    faulty = result(recorded(doubtful.sparse(lost), prompt_ids=text))
    assert (faulty.status, faulty.first_bad_step, faulty.classification) == ("fail", 1, "defect")


def test_that_a_shift_of_all_positions_is_harmless_and_named(recorded: Record) -> None:
    trace = recorded(doubtful.SHIFTED)
    assert result(trace).status == "pass"
    assert says(trace, "harmless-shift: q and k differ between the lanes in layer 0")
    assert not says(recorded(doubtful.SHIFTED.replace("SHIFT = 5", "SHIFT = 0")), "harmless-shift")


def test_that_the_window_says_the_same_in_a_sentence(recorded: Record) -> None:
    trace = recorded(doubtful.LARGE_SUMS)
    view = verdict(trace, trace.info.tolerance)
    assert view.state == "equivalent"
    assert any("falls to" in str(finding.headline) for finding in view.findings)


def test_that_a_part_in_float32_shows_in_the_noise_of_float64(tmp_path: Path) -> None:
    class Inside(nn.Module):
        def __init__(self, is_narrow: bool) -> None:
            super().__init__()
            self.table = nn.Parameter(torch.rand(11, 999, dtype=torch.float64), requires_grad=False)
            self.is_narrow = is_narrow

    class Toy:
        shape = msgspec.structs.replace(
            record_trace(tmp_path / "a.kvtrace", steps=1).info.model, max_length=None
        )

        def __init__(self, is_narrow: bool) -> None:
            torch.manual_seed(0)
            self.module = Inside(is_narrow)

        def full(self, ids: torch.Tensor) -> torch.Tensor:
            logits = self.module.table[ids]
            return logits.float().double() if self.module.is_narrow else logits

    text = torch.tensor([IDS])
    before = Toy(True).module.table.clone()
    narrow, wide = Toy(True), Toy(False)
    assert 1e-8 < own_noise(narrow, text, "float64") < 1e-6
    assert own_noise(wide, text, "float64") < 1e-14
    assert torch.equal(narrow.module.table, before)  # lanes may share it


def test_that_a_model_which_fails_in_too_many_places_is_left_alone() -> None:
    def fails() -> None:
        raise RuntimeError("no such kernel")

    with pytest.raises(CannotWiden, match="no such kernel"):
        Wider(fails, "float32", "float64", torch.tensor([IDS]))


@pytest.mark.parametrize("doubt", [Doubt(step_index=7), Doubt(step_index=0, noise=-1.0)])
def test_that_measures_which_cannot_be_are_refused(tmp_path: Path, doubt: Doubt) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=1)
    writer = TraceWriter(tmp_path / "b.kvtrace", trace.info)
    for index in range(len(trace)):
        writer.add_encoded_step(trace.step_bytes(index))
    writer.close("complete", doubts=[doubt])
    with Trace.open(tmp_path / "b.kvtrace") as forged, pytest.raises(UnreadableError):
        check_consistent(forged)


@pytest.mark.slow
def test_that_check_settles_by_itself_and_show_says_the_same(tmp_path: Path) -> None:
    target, trace = tmp_path / "target.py", tmp_path / "a.kvtrace"
    target.write_text(doubtful.LARGE_SUMS)
    done = main(
        "check", str(target), "--scenario", "decode", "--prompt-ids", ",".join(map(str, IDS)), "--trace", str(trace)
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    shown = main("show", str(trace))
    assert shown.returncode == 0
    assert all("rounding: the difference of" in out for out in (done.stdout, shown.stdout))
    assert {"float16", "bfloat16", "float32"} == set(catalog.WIDER)
