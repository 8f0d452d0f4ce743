"""After a repair the search goes on: the run is played with it standing, and what is still bad gets its own cause."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch

from core.proof.prove import HEALED, MAX_CAUSES, Proven, Prover, difference
from core.proof.repair import changes
from core.proof.replay import Changes, Fork, ReplayPair, evidence_of, frozen
from core.record import scenarios
from core.record.lanes import StepOutcome
from core.record.play import play_plan
from core.record.probe_choice import LaneProbe
from core.record.scenarios import Plan
from core.targets.load import Loader
from core.verdict.diagnosis.compared import compare
from core.verdict.diagnosis.diagnose import hypotheses
from core.verdict.diagnosis.evidence import Evidence
from core.verdict.diagnosis.hypothesis import Hypothesis

MAX_TRIED = (
    60  # repairs at later steps; where so many are needed, what is left is no longer one fault after another
)


@dataclass
class Onward:
    """Plays the rest of a run with the causes found so far repaired at every step."""

    plan: Plan
    loader: Loader
    scenario: str
    first_step: int
    known: list[Proven]
    tolerance: float
    is_beside: bool = False
    found: list[tuple[int, Proven]] = field(default_factory=list)
    _last: StepOutcome | None = None
    _n_tried: int = 0
    _repaired: set[tuple[int, int]] = field(default_factory=set)  # batch rows and slots

    def __post_init__(self) -> None:
        self._repaired.update(slot for one in self.known for slot in _slots(one.hypothesis))

    @torch.no_grad()
    def search(self, probe: LaneProbe) -> list[tuple[int, Proven]]:
        """Return (step, cause) of what shows once the known causes are repaired."""
        self._pair = ReplayPair(
            self.loader.fresh(), self.loader.fresh(), run_index=2 if self.is_beside else 1, probe=probe, chooser=self._choose
        )  # fmt: skip
        self._kinds = list(_kinds(self.plan.run_beside if self.is_beside else self.plan.actions))
        for measured, beside in play_plan(self.plan, self._pair):
            played = beside if self.is_beside else measured
            self._last = None if played is None else frozen(played.outcome)  # as it was made, repairs and all
            if len(self.known) >= MAX_CAUSES or self._n_tried > MAX_TRIED:
                break
        return self.found

    def _choose(self, step_index: int, outcome: StepOutcome, fork: Fork) -> Changes:
        if step_index < self.first_step or step_index >= len(self._kinds):
            return Changes()
        kind, before = self._kinds[step_index]
        evidence = evidence_of(self._pair, outcome, self._last, step_index, self.scenario, kind, before)
        if difference(evidence, evidence.cached.logits) <= self.tolerance:
            return Changes()
        chosen = self._healing(evidence, fork, step_index)
        return changes(evidence, [(one.repair, one.placements) for one in chosen if one.repair is not None])

    def _healing(self, evidence: Evidence, fork: Fork, step_index: int) -> list[Hypothesis]:
        """Return what heals the step: the known causes alone if they do, else with what is new."""
        prover = Prover(evidence, lambda one: fork.call(one).float().numpy())
        suggested = hypotheses(compare(evidence))
        known = _of_causes(suggested, {one.hypothesis.cause for one in self.known})
        if known and self._heals(prover, known):
            return known
        proven = prover.prove(suggested)
        self._n_tried += prover.n_tried
        total = sum(one.healed or 0.0 for one in proven)
        names = {one.hypothesis.cause for one in self.known}
        for one in proven if total >= HEALED else ():
            if one.hypothesis.cause not in {*names, "unknown"} and not self._is_old(one.hypothesis):
                self.known.append(one)
                self.found.append((step_index, one))
        for one in proven:
            self._repaired |= set(_slots(one.hypothesis))
        return [one.hypothesis for one in proven]

    def _is_old(self, hypothesis: Hypothesis) -> bool:
        """Whether it repairs nothing but rows that an earlier cause left behind: by now they may look like another fault."""
        slots = _slots(hypothesis)
        return bool(slots) and set(slots) <= self._repaired

    def _heals(self, prover: Prover, chosen: Sequence[Hypothesis]) -> bool:
        share = prover.healed([(one.repair, one.placements) for one in chosen if one.repair is not None])
        return share >= HEALED or (1 - share) * prover.before <= self.tolerance


def _slots(hypothesis: Hypothesis) -> tuple[tuple[int, int], ...]:
    return (hypothesis.repair.slots if hypothesis.repair is not None else None) or ()


def _of_causes(suggested: Sequence[Hypothesis], causes: set[str]) -> list[Hypothesis]:
    """Return the first hypothesis with a repair for each of the causes."""
    firsts: dict[str, Hypothesis] = {}
    for one in suggested:
        if one.cause in causes and one.repair is not None:
            firsts.setdefault(one.cause, one)
    return list(firsts.values())


def _kinds(actions: Sequence[scenarios.Action]) -> Iterator[tuple[str, str | None]]:
    """Yield for each call of a run its kind, and what happened to the cache before it."""
    before: str | None = None
    for action in actions:
        match action:
            case scenarios.Feed(_, kind):
                yield kind, before
            case scenarios.FeedGreedy():
                yield "decode", before
            case scenarios.FeedDraft():
                yield "draft", before
            case scenarios.Crop(n_tokens):
                before = f"crop {n_tokens}"
                continue
            case scenarios.Reorder(batch_rows):
                before = f"reorder {','.join(map(str, batch_rows))}"
                continue
        before = None
