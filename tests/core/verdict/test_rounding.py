"""What the measures of a doubtful step show."""

import pytest

from core.trace.records import Doubt, StepFacts
from core.verdict.rounding import NARROWER, settled


def shown(
    diff: float, dtype: str = "float32", relative: float | None = None, **measured: float
) -> str | None:
    facts = StepFacts(
        step_index=1, kind="decode", tokens=[[3]], text_len=9, max_abs_diff=diff, argmax_oracle=[1], argmax_cached=[1],
        rel_l2=relative,
    )  # fmt: skip
    return settled(facts, Doubt(step_index=1, **measured), dtype)


@pytest.mark.parametrize(("last_places", "is_excused"), [(0.1, True), (0.01, False)])
def test_that_rounding_which_a_sensitive_token_makes_large_is_as_large_in_the_wide_run(
    last_places: float, is_excused: bool
) -> None:
    wide = 9e-4 / NARROWER * last_places
    found = shown(9e-4, noise=1e-5, wide_max_abs_diff=wide, wide_noise=1e-14)
    assert (found == "rounding") == is_excused


def test_that_what_stays_is_a_defect_whatever_it_is_in_last_places() -> None:
    assert shown(9e-4, noise=1e-5, wide_max_abs_diff=9e-4, wide_noise=1e-14) == "defect"


@pytest.mark.parametrize(
    ("diff", "relative", "means"),
    [(1.2e-3, 3e-7, "rounding"), (3e-3, 3e-7, None), (1.2e-3, 1e-3, None), (0.5, 1e-2, "defect")],
)
def test_that_what_cannot_run_wider_is_rounding_where_it_is_as_small_as_the_oracles_own(
    diff: float, relative: float, means: str | None
) -> None:
    assert shown(diff, relative=relative, noise=1e-3) == means


def test_that_in_16_bits_a_difference_far_from_the_oracles_own_is_a_defect_though_nothing_ran_wider() -> None:
    assert shown(0.6, "bfloat16", relative=0.05, noise=0.04) == "defect"
    assert shown(0.3, "bfloat16", relative=0.05, noise=0.04) is None
