"""What the timeline marks, of recorded runs."""

from pathlib import Path

import pytest

from core.views.selection import Selection
from core.views.sensitive_tokens import sensitive_tokens
from core.views.step_marks import StepMark, step_marks
from tests.core.support import record_trace


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("decode", ()),
        ("second-turn", (StepMark(4, "turn", 15),)),
        ("chunked-prefill", (StepMark(1, "chunk", 3), StepMark(2, "chunk", 32))),
        ("rollback", (StepMark(3, "draft", 3), StepMark(4, "rollback", 41))),
        ("beam-reorder", (StepMark(3, "reorder", 1),)),
    ],
)
def test_that_each_scenario_shows_what_makes_it(
    tmp_path: Path, scenario: str, expected: tuple[StepMark, ...]
) -> None:
    with record_trace(tmp_path / "a.kvtrace", scenario=scenario, steps=5) as trace:
        assert step_marks(trace, Selection(), 5e-4).marks == expected


def test_that_tokens_that_matter_say_what_the_cached_lane_would_write(tmp_path: Path) -> None:
    with record_trace(
        tmp_path / "a.kvtrace", scenario="rollback", faults=["position-reset"], steps=8
    ) as trace:
        found = step_marks(trace, Selection(), 5e-4).sensitive
        assert [one.oracle for one in found] == ["2"]
        assert found[0].cached not in (None, "2")
        assert trace.facts(found[0].step).flips


def test_that_a_draft_token_is_not_taken_for_a_chosen_one(tmp_path: Path) -> None:
    prompt = "Evidence EV-2047: 0x7f3a paid 1,250.00 USD on 2"
    with record_trace(tmp_path / "a.kvtrace", scenario="rollback", prompt=prompt, steps=8) as trace:
        marked = step_marks(trace, Selection(), 5e-4).sensitive
        chosen = [
            trace.facts(one.step).token_texts[str(trace.facts(one.step).argmax_oracle[0])] for one in marked
        ]
        assert sensitive_tokens(trace, 5e-4).n_compared == len(marked)
    assert [one.oracle for one in marked] == chosen
    assert 3 not in [one.step for one in marked]  # it fed the draft, and what it chose itself was rolled back
