"""Every cause of the taxonomy says what to look at."""

import re

import pytest

from core.verdict.diagnosis.advice import advice, causes

TAXONOMY = [
    "position-reset",
    "position-drift",
    "pad-positions",
    "rope-mismatch",
    "mask-top-left",
    "mask-missing",
    "pad-not-masked",
    "tail-unmasked",
    "window-boundary",
    "bias-wrong-row",
    "prefix-refed",
    "slot-lost",
    "stale-rows",
    "layer-aliased",
    "row-mixed",
    "layout-scrambled",
    "head-map-wrong",
    "value-degraded",
    "scale-wrong",
    "kv-swapped",
    "context-overflow",
    "shared-state",
    "recurrent-state",
    "oracle-broken",
    "rounding",
    "tie",
    "harmless-shift",
    "unknown",
]


def test_that_every_cause_has_its_own_advice() -> None:
    assert sorted(causes()) == sorted(TAXONOMY)
    assert len({str(advice(cause)) for cause in TAXONOMY}) == len(TAXONOMY)


@pytest.mark.parametrize("cause", TAXONOMY)
def test_that_advice_is_two_sentences(cause: str) -> None:
    text = str(advice(cause))
    assert len(re.findall(r"[.](?= [A-Z]|$)", text)) == 2, text
    assert len(text) < 260


def test_that_a_cause_of_a_stranger_has_none() -> None:
    assert advice("gremlins") is None
