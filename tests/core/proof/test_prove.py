"""The proof: which repairs stand, and what each of them leaves."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.proof import prove
from core.proof.prove import Prover
from core.proof.repair import Placements
from core.text import Text
from core.verdict.diagnosis.evidence import Evidence, Lane
from core.verdict.diagnosis.hypothesis import Hypothesis, Part, Repair
from core.verdict.locate import Place

BEFORE = 8.0
LEFT = {
    (): BEFORE,
    ("mask",): 2.0,
    ("k",): 7.0,
    ("k", "mask"): 0.004,
    ("v",): 8.0,
    ("mask", "v"): 2.0,
    ("k", "v"): 7.0,
}


def evidence() -> Evidence:
    """One row, one logit: the cached lane is off by BEFORE."""
    lanes = [Lane(np.full((1, 1, 1), value), ()) for value in (0.0, BEFORE)]
    return Evidence(1, "decode", "decode", np.array([[5, 6]]), 1, (0,), *lanes)


def suspect(cause: str, part: Part) -> Hypothesis:
    return Hypothesis(cause, Text(cause), (), Place("k", 1.0), Repair((part,)))


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> Prover:
    """A prover whose step differs by what LEFT says of the parts that are repaired."""

    def parts(_: Evidence, repairs: Sequence[tuple[Repair, Placements]]) -> object:
        return tuple(sorted(part for repair, _ in repairs for part in repair.parts))

    monkeypatch.setattr(prove, "changes", parts)
    return Prover(evidence(), lambda repaired: np.full((1, 1, 1), LEFT[repaired]))  # type: ignore[call-overload]


def test_that_each_cause_carries_the_difference_before_and_after_its_repair(prover: Prover) -> None:
    found = prover.prove([suspect("a", "v"), suspect("b", "k"), suspect("c", "mask")])
    assert [one.hypothesis.cause for one in found] == ["c", "b"]
    assert [(one.before, one.after) for one in found] == [(8.0, 2.0), (2.0, 0.004)]
    assert [one.healed for one in found] == [0.75, pytest.approx(0.2495)]


def test_that_an_inferred_cause_has_no_figures(prover: Prover) -> None:
    one = Hypothesis("x", Text("x"), (), Place("k", 1.0), None)
    (found,) = prover.prove([one])
    assert (found.healed, found.before, found.after) == (None, None, None)


def test_that_two_causes_which_hide_each_other_are_found_together(
    prover: Prover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LEFT, ("mask",), 8.5)
    monkeypatch.setitem(LEFT, ("k",), 9.0)
    found = prover.prove([suspect("a", "v"), suspect("b", "k"), suspect("c", "mask")])
    assert [one.hypothesis.cause for one in found] == ["c", "b"]
    assert sum(one.healed or 0.0 for one in found) > 0.99
