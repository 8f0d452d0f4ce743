"""What the measures of a doubtful step show."""

import pytest

from core.trace.records import Doubt, StepFacts
from core.verdict.rounding import NARROWER, settled


def shown(diff: float, **measured: float) -> str | None:
    facts = StepFacts(
        step_index=1, kind="decode", tokens=[[3]], text_len=9, max_abs_diff=diff, argmax_oracle=[1], argmax_cached=[1]
    )  # fmt: skip
    return settled(facts, Doubt(step_index=1, dtype="float64", **measured), "float32")


@pytest.mark.parametrize(("last_places", "is_excused"), [(0.1, True), (0.01, False)])
def test_that_rounding_which_a_sensitive_token_makes_large_is_as_large_in_the_wide_run(
    last_places: float, is_excused: bool
) -> None:
    wide = 9e-4 / NARROWER * last_places
    found = shown(9e-4, noise=1e-5, wide_max_abs_diff=wide, wide_noise=1e-14)
    assert (found == "rounding") == is_excused


def test_that_what_stays_is_a_defect_whatever_it_is_in_last_places() -> None:
    assert shown(9e-4, noise=1e-5, wide_max_abs_diff=9e-4, wide_noise=1e-14) == "defect"
