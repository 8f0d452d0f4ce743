"""Causes where the calls of attention are not one for each layer: loops over heads or rows, an encoder, a model run twice."""

from pathlib import Path

import pytest

from tests.core.proof.test_hybrid import judged
from tests.core.targets import looping


@pytest.mark.parametrize("loop", ["heads", "rows"])
@pytest.mark.parametrize("scenario", ["decode", "batch", "chunked-prefill", "rollback"])
def test_that_a_healthy_one_passes(tmp_path: Path, loop: str, scenario: str) -> None:
    assert judged(looping.source(loop=loop), scenario, tmp_path).status == "pass"


@pytest.mark.parametrize(
    ("cause", "loop", "scenario", "step"),
    [
        pytest.param("scale-wrong", "heads", "decode", 1, marks=pytest.mark.slow),
        pytest.param("head-map-wrong", "heads", "decode", 1, marks=pytest.mark.slow),
        pytest.param("head-map-wrong", "rows", "decode", 1, marks=pytest.mark.slow),
        pytest.param("row-mixed", "rows", "batch", 1, marks=pytest.mark.slow),
        pytest.param("mask-missing", "heads", "chunked-prefill", 1, marks=pytest.mark.slow),
        ("mask-missing", "rows", "chunked-prefill", 1),
        pytest.param("prefix-refed", "rows", "decode", 1, marks=pytest.mark.slow),
        pytest.param("shared-state", "rows", "interleaved", 1, marks=pytest.mark.slow),
        ("stale-rows", "rows", "rollback", 4),
    ],
)
def test_that_a_cause_is_named_however_the_calls_are_made(
    tmp_path: Path, cause: str, loop: str, scenario: str, step: int
) -> None:
    result = judged(looping.source(cause, loop), scenario, tmp_path)
    assert result.cause is not None
    assert (result.first_bad_step, result.cause.id) == (step, cause)
