"""Causes are named on real replays: the project's own faulty targets, and faults planted in the built-in models."""

from pathlib import Path

import pytest

from core import catalog
from core.verdict.diagnosis.compared import compare
from core.verdict.diagnosis.diagnose import hypotheses
from tests.core.targets import zoo
from tests.core.targets.two_lanes import first_bad
from tests.core.verdict.diagnosis.named import bad_step

CAUSES = {"not-cropped": "stale-rows", "not-reordered": "row-mixed", "half-reordered": "row-mixed"}
QUICK = [
    ("position-double-advance", "tiny:rope-gqa", "concat", "decode", 2),
    ("rope-compounding", "tiny:rope-gqa", "static", "decode", 2),
    ("tail-unmasked", "tiny:learned-mha", "static", "decode", 0),
    ("bias-missing", "tiny:alibi-mqa", "concat", "decode", 1),
    ("prefix-refed-layer", "tiny:rope-gqa", "concat", "decode", 1),
    ("stale-zeros", "tiny:rope-gqa", "concat", "second-run", 0),
    ("shared-state", "tiny:learned-mha", "paged", "interleaved", 1),
    ("value-bits", "tiny:rope-gqa", "concat", "decode", 0),
    ("row-half-reordered", "tiny:alibi-mqa", "concat", "beam-reorder", 3),
    ("oracle-broken", "tiny:rope-gqa", "concat", "decode", 0),
]


@pytest.mark.parametrize("fault", [fault for fault in zoo.FIRST_BAD if fault != "none"])
def test_that_the_fault_of_a_foreign_target_is_named(tmp_path: Path, fault: str) -> None:
    target = tmp_path / "target.py"
    target.write_text(zoo.source(fault))
    scenario, step_index = next(iter(zoo.FIRST_BAD[fault].items()))
    evidence = bad_step(target, scenario, step_index)
    assert evidence is not None
    assert hypotheses(compare(evidence))[0].cause == CAUSES.get(fault, fault)


@pytest.mark.parametrize(("fault", "target", "layout", "scenario", "step_index"), QUICK)
def test_that_a_planted_fault_is_named(
    fault: str, target: str, layout: str, scenario: str, step_index: int
) -> None:
    evidence = bad_step(target, scenario, step_index, (fault,), layout)
    assert evidence is not None
    assert hypotheses(compare(evidence))[0].cause == catalog.fault_info(fault).cause


@pytest.mark.slow
@pytest.mark.parametrize("fault", [one.id for one in catalog.FAULTS if not one.is_harmless])
@pytest.mark.parametrize("target", catalog.MODELS)
def test_that_every_planted_fault_is_named_wherever_it_shows(fault: str, target: str) -> None:
    """On each layout, in the first scenario in which it shows."""
    info = catalog.fault_info(fault)
    for layout in catalog.LAYOUTS:
        for scenario in catalog.SCENARIOS:
            step_index = None
            if catalog.why_invisible(fault, target, scenario, layout) is None:
                step_index = first_bad(target, layout, scenario, (fault,))
            if step_index is None:
                continue
            evidence = bad_step(target, scenario, step_index, (fault,), layout)
            assert evidence is not None
            assert hypotheses(compare(evidence))[0].cause in (info.cause, *info.looks_like), (
                layout,
                scenario,
            )
            break
