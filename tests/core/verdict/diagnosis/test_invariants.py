"""What a cache must keep to is checked on the cached lane alone."""

from dataclasses import replace

import numpy as np
import pytest

from core.verdict.diagnosis.compared import compare
from core.verdict.diagnosis.evidence import Evidence, StoredLayer
from core.verdict.diagnosis.introduced import introduced
from core.verdict.diagnosis.invariants import broken_invariants
from tests.core.verdict.diagnosis.test_rules import both, future, old_only, twice, with_tail, zero_row
from tests.core.verdict.diagnosis.toy import Fault, evidence


def names(step: Evidence) -> set[str]:
    return {one.name for one in broken_invariants(step)}


@pytest.mark.parametrize("facts", [{}, {"q_len": 4}, {"q_len": 9}, {"has_bias": True}])
def test_that_a_healthy_step_breaks_nothing(facts: dict[str, object]) -> None:
    step = evidence(**facts)  # type: ignore[arg-type]
    assert broken_invariants(step) == []
    assert {one.status for one in introduced(compare(step))} == {"same"}


@pytest.mark.parametrize(
    ("fault", "broken"),
    [(Fault(spoil=lambda _, k, v: (old_only(k, lambda x: x * 1.1), v)), "row-changed"), (Fault(spoil=both(twice), mask=future), "length"),
     (Fault(spoil=both(zero_row)), "zero-row"), (Fault(spoil=both(with_tail), mask=future), "zero-row"),
     (Fault(position=lambda p: p + 1), "positions"), (Fault(mask=lambda seen: seen & False), "blind-query")],
)  # fmt: skip
def test_that_a_broken_invariant_is_told(fault: Fault, broken: str) -> None:
    assert broken in names(evidence(fault))


def test_that_layers_in_one_memory_are_told() -> None:
    rows = np.ones((1, 2, 9, 8))
    step = evidence()
    stored = (StoredLayer(rows, rows, "float32", 5), StoredLayer(rows, rows, "float32", 5))
    assert names(replace(step, cached=replace(step.cached, stored=stored))) == {"shared-storage"}


def test_that_what_follows_from_a_fault_is_inherited() -> None:
    found = introduced(compare(evidence(Fault(scale=2.0))))
    status = {(one.layer, one.tensor): one.status for one in found}
    assert status[0, "scores"] == "introduced"
    assert status[0, "q"] == status[0, "cache"] == status[0, "mask"] == "same"
    assert status[0, "output"] == status[1, "q"] == status[1, "scores"] == "inherited"


def test_that_a_spoiled_row_of_the_cache_is_introduced_where_it_lies() -> None:
    found = introduced(
        compare(evidence(Fault(spoil=lambda layer, k, v: (k, zero_row(v) if layer == 1 else v))))
    )
    assert [(one.layer, one.tensor) for one in found if one.status == "introduced"] == [(1, "cache")]
