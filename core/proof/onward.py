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
from core.verdict.diagnosis import hypotheses
from core.verdict.diagnosis.evidence import Evidence
from core.verdict.diagnosis.hypothesis import Hypothesis


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

    @torch.no_grad()
    def search(self, probe: LaneProbe) -> list[tuple[int, Proven]]:
        """Return (step, cause) of what shows once the known causes are repaired."""
        self._pair = ReplayPair(
            self.loader.fresh(), self.loader.fresh(), run_index=2 if self.is_beside else 1, probe=probe, chooser=self._choose
        )  # fmt: skip
        self._kinds = list(_kinds(self.plan.run_beside if self.is_beside else self.plan.actions))
        for _ in play_plan(self.plan, self._pair):
            if len(self.known) >= MAX_CAUSES:
                break
        return self.found

    def _choose(self, step_index: int, outcome: StepOutcome, fork: Fork) -> Changes:
        if step_index < self.first_step or step_index >= len(self._kinds):
            self._last = frozen(outcome)
            return Changes()
        kind, before = self._kinds[step_index]
        evidence = evidence_of(self._pair, outcome, self._last, step_index, self.scenario, kind, before)
        self._last = frozen(outcome)
        if difference(evidence, evidence.cached.logits) <= self.tolerance:
            return Changes()
        chosen = self._healing(evidence, fork, step_index)
        return changes(evidence, [(one.repair, one.placements) for one in chosen if one.repair is not None])

    def _healing(self, evidence: Evidence, fork: Fork, step_index: int) -> list[Hypothesis]:
        """Return what heals the step: the known causes alone if they do, else with what is new."""
        prover = Prover(evidence, lambda one: fork.call(one).float().numpy())
        suggested = hypotheses(evidence)
        known = _of_causes(suggested, {one.hypothesis.cause for one in self.known})
        if known and self._heals(prover, known):
            return known
        proven = prover.prove(suggested)
        total = sum(one.healed or 0.0 for one in proven)
        names = {one.hypothesis.cause for one in self.known}
        for one in proven if total >= HEALED else ():
            if one.hypothesis.cause not in {*names, "unknown"}:
                self.known.append(one)
                self.found.append((step_index, one))
        return [one.hypothesis for one in proven]

    def _heals(self, prover: Prover, chosen: Sequence[Hypothesis]) -> bool:
        share = prover.healed([(one.repair, one.placements) for one in chosen if one.repair is not None])
        return share >= HEALED or (1 - share) * prover.before <= self.tolerance


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
