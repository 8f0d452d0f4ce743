"""A step that is played again is the step that was recorded, and repairs change it as they say."""

import gc
import weakref

import numpy as np
import pytest

from core.engine.messages import RunSpec
from core.engine.run import texts_of
from core.proof.prove import HEALED, Prover, difference
from core.proof.replay import Changes, Replayed, replay
from core.record.scenarios import make_plan
from core.targets.load import make_loader
from core.verdict.diagnosis.compared import compare
from core.verdict.diagnosis.diagnose import hypotheses
from core.verdict.diagnosis.hypothesis import Part, Repair


def replayed(
    scenario: str, step: int, *faults: str, target: str = "tiny:rope-gqa", dtype: str | None = None
) -> Replayed:
    spec = RunSpec(target=target, scenario=scenario, faults=faults, dtype=dtype)
    loader = make_loader(spec)
    plan = make_plan(scenario, texts_of(spec, loader.scratch), 6, loader.scratch.shape.max_length)
    return replay(plan, loader, scenario, step)


def healed(one: Replayed, *parts: Part, layers: tuple[int, ...] | None = None) -> float:
    fork = one.fork
    assert fork is not None
    prover = Prover(one.evidence, lambda changes: fork.call(changes).numpy())
    return prover.healed([(Repair(parts, layers), ())])


@pytest.mark.parametrize("target", ["tiny:rope-gqa", "tiny:learned-mha", "tiny:alibi-mqa"])
def test_a_call_that_is_made_again_without_changes_gives_the_same_bits(target: str) -> None:
    one = replayed("second-turn", 4, target=target)
    assert one.fork is not None
    for _ in range(2):
        assert np.array_equal(one.fork.call(Changes()).numpy(), one.evidence.cached.logits)


def test_evidence_holds_whole_keys_and_values_of_both_lanes() -> None:
    evidence = replayed("batch", 2).evidence
    for lane in (evidence.oracle, evidence.cached):
        assert [call.k.shape[2] for call in lane.calls] == [evidence.n_tokens] * 4
        for call in lane.calls:
            weights = np.exp(call.scores - call.scores.max(-1, keepdims=True))
            assert np.allclose(weights / weights.sum(-1, keepdims=True), call.weights, atol=1e-6)
    assert difference(evidence, evidence.cached.logits) < 1e-4


@pytest.mark.parametrize(
    ("fault", "parts"),
    [
        ("position-reset", ("positions",)), ("position-reset", ("q", "k")), ("mask-top-left", ("mask",)),
        ("slot-lost", ("k", "v")), ("layer-aliased", ("k", "v")),
    ],
)  # fmt: skip
def test_the_right_repair_heals_and_another_does_not(fault: str, parts: tuple[Part, ...]) -> None:
    one = replayed("decode", 1, fault)
    assert healed(one, *parts) > 0.999
    assert healed(one, "scale") < 0.2


def test_learned_positions_heal_before_the_first_layer_only() -> None:
    one = replayed("decode", 1, "position-reset", target="tiny:learned-mha")
    assert healed(one, "positions") > 0.999
    assert healed(one, "input") > 0.999
    assert healed(one, "q", "k") < 0.99


def test_rejected_drafts_and_other_runs_are_known_by_their_keys() -> None:
    assert [other.what for other in replayed("rollback", 4).evidence.others] == ["draft"]
    assert [other.what for other in replayed("second-run", 1).evidence.others] == ["before"]
    assert [other.what for other in replayed("interleaved", 1).evidence.others] == ["beside"]


def test_that_two_faults_at_once_are_both_named_before_a_fallback_is_tried() -> None:
    one = replayed("decode", 1, "position-off-by-one", "slot-lost", target="tiny:learned-mha")
    fork = one.fork
    assert fork is not None
    proven = Prover(one.evidence, lambda changes: fork.call(changes).numpy()).prove(
        hypotheses(compare(one.evidence))
    )
    assert {each.hypothesis.cause for each in proven} == {"position-drift", "slot-lost"}
    assert sum(each.healed or 0.0 for each in proven) >= HEALED


def test_a_model_that_was_replayed_can_go() -> None:
    one = replayed(
        "decode", 1, "position-reset", dtype="float64"
    )  # weights as they are stay for the next load
    module = weakref.ref(one.lanes.tested.module)
    del one
    gc.collect()
    assert module() is None
