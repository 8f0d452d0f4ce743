"""A diagnosis from end to end: cause, place, proof, and what is seen beside it."""

from core.engine.messages import RunSpec
from core.engine.run import texts_of
from core.proof.diagnose import Case, diagnose
from core.record.scenarios import make_plan
from core.targets.load import make_loader
from core.trace.records import FindingFacts
from core.trace.texts import text_of


def findings(scenario: str, step: int, *faults: str) -> list[FindingFacts]:
    spec = RunSpec(target="tiny:rope-gqa", scenario=scenario, faults=faults)
    loader = make_loader(spec)
    plan = make_plan(scenario, texts_of(spec, loader.scratch), 4, loader.scratch.shape.max_length)
    return diagnose(Case(plan, loader, scenario, step, 5e-4))


def test_layers_that_share_a_cache_are_told_with_all_that_gives_them_away() -> None:
    (one,) = findings("decode", 1, "layer-aliased")
    assert (one.cause, one.layer, one.step) == ("layer-aliased", 0, 1)
    assert one.healed is not None
    assert one.healed > 0.999
    assert one.null_control is not None
    assert one.null_control < 0.5
    evidence = " ".join(str(text_of(text)) for text in one.evidence)
    assert "Introduced in layer 0, cache" in evidence
    assert "Cached rows changed after they were written" in evidence
    assert "lie in the same memory" in evidence


def test_a_step_that_agrees_gets_no_cause() -> None:
    assert findings("decode", 1) == []


def test_a_fault_that_begins_later_is_found_once_the_first_is_repaired() -> None:
    first, second = findings("beam-reorder", 1, "position-off-by-one", "row-not-reordered")
    assert (first.cause, first.step) == ("position-drift", 1)
    assert (second.cause, second.step) == ("row-mixed", 3)
