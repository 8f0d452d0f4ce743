"""The lab without a window: its own code is shown, and every figure comes from a run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.lab.code import excerpt
from core.lab.results import Found, measured
from core.lab.steps import RUNS, STEPS
from core.report.notes import lab_notes
from core.trace.reader import Trace
from core.verdict.steps import max_abs_diff
from core.views.measurable import why_not_measured
from core.views.numbers import short
from core.views.profile_table import profile_view
from tests.core.profile.test_profile import RESULT
from tests.core.report.test_notes import sections_of
from tests.core.support import DRIFT, ROOT, record_trace
from tests.gui.small_trace import write_small_trace


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """What the lab has after its runs, shorter ones."""
    folder = tmp_path_factory.mktemp("lab")
    runs = {
        name: record_trace(
            folder / name, [DRIFT] if spec.faults else (), scenario=spec.scenario, faults=spec.faults, steps=3
        )
        for name, spec in RUNS.items()
    }
    yield Found(runs, RESULT)
    for trace in runs.values():
        trace.close()


def said(step_id: str, found: Found) -> str:
    return "\n".join(str(one.text) for one in measured(step_id, found))


def test_that_shown_lines_are_the_lines_of_the_model() -> None:
    refs = [ref for step in STEPS for ref in step.code]
    assert [ref.module for ref in refs] == ["generate", "model", "cache", "generate"]
    for ref in refs:
        lines = excerpt(ref)
        assert lines is not None, ref
        source = (ROOT / lines.file).read_text(encoding="utf-8").splitlines()
        shown = lines.text.splitlines()
        assert [line.strip() for line in source[lines.line - 1 :][: len(shown)]] == [s.strip() for s in shown]
    assert "input_ids = torch.cat((input_ids, next_ids), 1)" in excerpt(refs[0]).text
    assert "past.append(k_new, v_new)" in excerpt(refs[1]).text


def test_that_nothing_is_said_where_nothing_was_measured() -> None:
    assert [measured(step.id, Found({})) for step in STEPS] == [()] * len(STEPS)


def test_that_every_step_says_the_figures_of_its_run(found: Found) -> None:
    assert (
        "38 prompt tokens, 3 decode steps: the oracle was fed 158 tokens in all, the cached lane 41."
        in said("oracle", found)
    )
    assert "K and V of 39 tokens in each of 4 layers, the cached lane of 1." in said("past", found)
    assert "kv_len in layers 0 to 3: 38, 38, 38, 38." in said("prefill", found)
    assert "[1, 2, 38, 32]; dim 2 grew by 1" in said("prefill", found)
    offset = said("offset", found)
    assert "slot 38 is told position 0, the oracle is told 38." in offset
    assert "No error: all 4 steps ran, and K and V are [1, 2, 39, 32] in both lanes of step 1." in offset
    assert "its repair heals 83.1 % of the difference" in offset
    assert f"the largest logit difference is {short(max_abs_diff(found.runs['healthy']))}" in offset
    compare = said("compare", found)
    assert "4 of 4 steps compared" in compare
    assert "3 of 4 steps are over the tolerance" in compare
    assert "kv_len in layers 0 to 3: 1, 1, 1, 1." in said("edge", found)


def test_that_marks_follow_the_figures(found: Found) -> None:
    holds = {step.id: [one.holds for one in measured(step.id, found)] for step in STEPS}
    assert holds["prefill"] == [True, True]
    assert holds["offset"][0] is False
    assert holds["offset"][-1] is True
    wrong = Found({"healthy": found.runs["faulty"]})
    assert [one.holds for one in measured("past", wrong)] == [None, False]
    assert measured("compare", wrong)[0].holds is False


def test_that_costs_come_from_the_profile_alone(found: Found) -> None:
    costs = said("costs", found)
    assert "length 256: a cached step takes 1.00 ms, the oracle 4.00 ms: 4.0 times as long." in costs
    assert "caching does not pay at length 32, 64." in costs
    assert measured("costs", Found(found.runs)) == ()


def test_that_the_notes_of_a_lab_have_five_filled_headings(found: Found) -> None:
    sections = sections_of(lab_notes([found.runs[name] for name in RUNS], profile=found.profile))
    assert len(sections) == 5
    assert all(sections.values())
    comparison = "\n".join(sections["Correctness comparison"])
    assert "- decode + position-reset: 4 steps compared" in comparison
    assert "- single-token-prompt: 4 steps compared" in comparison
    assert "decode + position-reset fails from step 1 on" in sections["One failure boundary"][0]


def test_that_only_a_run_that_passed_may_be_measured(found: Found, tmp_path: Path) -> None:
    assert "Nothing is recorded" in str(why_not_measured(None, 5e-4))
    assert "differ from step 1 on" in str(why_not_measured(found.runs["faulty"], 5e-4))
    assert why_not_measured(found.runs["healthy"], 5e-4) is None
    write_small_trace(tmp_path / "a.kvtrace", [0.0])
    with Trace.open(tmp_path / "a.kvtrace") as prefill:
        assert "no decode step has been compared" in str(why_not_measured(prefill, 5e-4))


def test_that_a_profile_is_shown_with_its_curves_and_where_it_does_not_pay() -> None:
    view = profile_view(RESULT)
    assert [curve.is_oracle for curve in view.curves].count(True) == 1
    assert all(len(curve.lengths) == len(curve.times) for curve in view.curves)
    assert [row.length for row in view.rows if not row.pays] == [32, 64]
    assert any("does not pay at length 32, 64" in str(text) for text in view.conclusions)
