"""Why a step is bad: evidence from a replay, hypotheses from signatures, proof by repair."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import torch
from torch import Tensor

from core.proof.onward import Onward
from core.proof.prove import HEALED, Proven, Prover, Tell, difference
from core.proof.reach import window_of_model
from core.proof.replay import Between, Changes, Replayed, replay
from core.record.scenarios import Plan
from core.targets.base import Target
from core.targets.load import Loader
from core.text import Text
from core.trace.records import FindingFacts, TextFacts
from core.verdict.diagnosis.compared import Compared, compare
from core.verdict.diagnosis.diagnose import hypotheses
from core.verdict.diagnosis.evidence import Evidence, Floats
from core.verdict.diagnosis.seen import seen

N_SHORT = 4  # tokens


@dataclass(frozen=True)
class Case:
    """What is to be diagnosed: a run, its first bad step, and what counts as bad."""

    plan: Plan
    loader: Loader
    scenario: str
    step_index: int
    tolerance: float
    goes_on: bool = True  # over the rest of the run, once the step is repaired


@dataclass(frozen=True)
class Scene:
    """The bad step as it was played again, and how to make its call again with changes."""

    replayed: Replayed
    again: Callable[[Changes], Floats]
    is_beside: bool
    can_go_on: bool  # calls made on a copy of the cache leave no trace


def diagnose(case: Case, tell: Tell | None = None) -> list[FindingFacts]:
    """Return the causes of the step, first the one that heals most, then what shows later once these are repaired.

    Empty where the replay does not show the difference.
    """
    between = None if tell is None else lambda: tell(0, 0)
    scene = play_again(case, between)
    if scene is None:
        return []
    evidence = scene.replayed.evidence
    step = compare(evidence)
    proven = Prover(evidence, scene.again, tell).prove(hypotheses(step))
    found = [(case.step_index, one) for one in proven]
    if case.goes_on and scene.can_go_on and proven and sum(one.healed or 0.0 for one in proven) >= HEALED:
        onward = Onward(
            case.plan, case.loader, case.scenario, case.step_index, proven, case.tolerance, scene.is_beside
        )
        with contextlib.suppress(Exception):  # what fails later must not cost the cause that was found
            found += onward.search(scene.replayed.lanes.probe)
    facts = [facts_of(one, step_index) for step_index, one in found]
    if facts:
        more = [_text(text) for text in _seen(step)]
        facts[0] = msgspec.structs.replace(facts[0], evidence=[*facts[0].evidence, *more])
    return facts


def _seen(step: Compared) -> list[Text]:
    try:
        return seen(step)
    except Exception:  # a shape that nobody thought of must not cost the cause that was found
        return []


def play_again(case: Case, between: Between | None = None) -> Scene | None:
    """Play the run again, or the one beside it, whichever shows the difference."""
    for is_beside in (False, True) if case.plan.run_beside else (False,):
        one = replay(
            case.plan, case.loader, case.scenario, case.step_index, is_beside=is_beside, between=between
        )
        if not difference(one.evidence, one.evidence.cached.logits) <= case.tolerance:
            evidence = _with_invariance(one.evidence, case.loader.fresh(), case.tolerance)
            evidence = replace(evidence, window=window_of_model(evidence, one.lanes))
            is_good = _copy_is_good(one)
            return Scene(
                replace(one, evidence=evidence), _again(case, one, is_beside, is_good), is_beside, is_good
            )
    return None


def _copy_is_good(replayed: Replayed) -> bool:
    """Whether the call gives the same bits from a copy of the cache, time and again: a target may remember its calls."""
    fork, wanted = replayed.fork, replayed.evidence.cached.logits
    try:
        return fork is not None and all(_same(fork.call(Changes()), wanted) for _ in range(2))
    except Exception:  # the target's own
        return False


def _again(
    case: Case, replayed: Replayed, is_beside: bool, copy_is_good: bool
) -> Callable[[Changes], Floats]:
    """Return what makes the call again: from a copy of the cache where that is good, else by a whole replay."""
    fork = replayed.fork
    if fork is not None and copy_is_good:
        return lambda changes: fork.call(changes).float().numpy()

    def whole(changes: Changes) -> Floats:
        at = {case.step_index: changes}
        probe = replayed.lanes.probe
        one = replay(case.plan, case.loader, case.scenario, case.step_index, at, is_beside, probe)
        return one.evidence.cached.logits

    return whole


def _same(logits: Tensor, wanted: Floats) -> bool:
    return np.array_equal(logits.float().numpy(), wanted.astype(np.float32), equal_nan=True)


def _with_invariance(evidence: Evidence, oracle: Target, tolerance: float) -> Evidence:
    """Test the oracle first: its logits of old tokens must stay as they are when tokens are added."""
    holds, holds_when_short = True, True
    for row, pads in enumerate(evidence.pads):
        ids = torch.from_numpy(evidence.text[row : row + 1, pads:])
        holds &= _rows_stay(oracle, ids, min(evidence.q_len, ids.shape[1] - 1), tolerance)
        holds_when_short &= _rows_stay(oracle, ids[:, :N_SHORT], 1, tolerance)
    return replace(evidence, is_prefix_invariant=holds, is_invariant_when_short=holds_when_short)


@torch.no_grad()
def _rows_stay(oracle: Target, ids: Tensor, n_new: int, tolerance: float) -> bool:
    kept = ids.shape[1] - max(1, n_new)
    if kept < 1:
        return True
    part = oracle.full(
        ids[:, :kept].clone()
    ).double()  # the shorter one first, as a run asks: an oracle may remember lengths
    whole = oracle.full(ids.clone())[:, :kept].double()
    return bool(((whole - part).abs() <= tolerance).all())


def facts_of(proven: Proven, step_index: int) -> FindingFacts:
    one = proven.hypothesis
    place = one.place
    return FindingFacts(
        step=step_index, cause=one.cause, sentence=_text(one.sentence), evidence=[_text(text) for text in one.evidence],
        healed=_finite(proven.healed), null_control=_finite(proven.null_control), before=_finite(proven.before),
        after=_finite(proven.after), also=list(proven.also),
        tensor=place.tensor, layer=place.layer, batch_row=place.batch_row, slot=place.slot, head=place.head,
    )  # fmt: skip


def _text(text: Text) -> TextFacts:
    return TextFacts(text.template, dict(text.values))


def _finite(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)
