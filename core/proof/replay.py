"""Plays a run again up to a step, gathers the evidence there, and makes the cached lane's call again with changes."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import torch
from torch import Tensor

from core.proof.alongside import alongside
from core.proof.gather import lane_evidence
from core.proof.inside import Told, keep, told
from core.record.lanes import LaneStep, StepOutcome, TwoLanes
from core.record.one_pass import OnePass
from core.record.play import Pair, play_plan
from core.record.probe_choice import LaneProbe
from core.record.probe_replace import Replacement
from core.record.scenarios import Plan
from core.targets.base import Cache
from core.targets.load import Loader
from core.verdict.diagnosis.evidence import Evidence, OtherText

Between = Callable[[], None]


@dataclass
class Changes:
    """What is changed in a call of the cached lane: outputs of attention, and what modules are told."""

    attention: Replacement | None = None
    told: Told | None = None


@dataclass
class Fork:
    """The cached lane just before a call: enough to make the call again."""

    lanes: "ReplayLanes"
    new_ids: Tensor
    cache: Cache
    text: Tensor

    def call(self, changes: Changes) -> Tensor:
        """Return the logits [B, Q, V] of the call with these changes."""
        return self.step(changes).logits

    def step(self, changes: Changes) -> LaneStep:
        """Make the call with these changes."""
        lanes = self.lanes
        lanes.cache, lanes.text = copied(self.cache, lanes.tested), self.text
        lanes.changes = changes
        return lanes.ask_cached(self.new_ids)


Chooser = Callable[[int, StepOutcome, Fork], Changes]  # of a step, by what it shows without changes


class ReplayLanes(TwoLanes):
    """Lanes that look closer, and that can be stopped before a call."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.changes_at: dict[int, Changes] = {}
        self.changes = Changes()
        self.fork_at: int | None = None
        self.fork: Fork | None = None
        self.cropped_text: Tensor | None = None  # the last one that held rejected drafts
        self.chooser: Chooser | None = None
        self.n_calls = 0
        self._oracle_steps: list[LaneStep] = []
        for probe in (self._oracle_probe, self._cached_probe):
            probe.keeps_scores = True

    @property
    def probe(self) -> LaneProbe:
        """The cached lane's probe; one that has seen a run knows how to look from the first call on."""
        return self._cached_probe

    @probe.setter
    def probe(self, probe: LaneProbe) -> None:
        self._cached_probe = probe

    def crop(self, n_tokens: int) -> None:
        self.cropped_text = self.text
        super().crop(n_tokens)

    def ask_cached(self, new_ids: Tensor) -> LaneStep:
        noted: dict[str, Tensor] = {}
        self._cached_probe.replacement = self.changes.attention
        with told(self.tested.module, noted, self.changes.told):
            step = super()._ask_cached(new_ids)
        keep(noted, step.seen, new_ids.shape[1])
        return step

    def _ask_oracle(self, q_len: int) -> list[LaneStep]:
        self._oracle_steps = super()._ask_oracle(q_len)
        return self._oracle_steps

    def _ask_cached(self, new_ids: Tensor) -> LaneStep:
        index, self.n_calls = self.n_calls, self.n_calls + 1
        if index == self.fork_at:
            self.fork = self._fork(new_ids)
        self.changes = self.changes_at.get(index, Changes())
        if self.chooser is not None:
            self.changes = self._chosen(index, new_ids, self.chooser)
        return self.ask_cached(new_ids)

    def _chosen(self, index: int, new_ids: Tensor, chooser: Chooser) -> Changes:
        """Make the call unchanged first, so that what to change can be chosen by what it shows."""
        fork = self._fork(new_ids)
        if fork is None:
            return Changes()
        step = fork.step(Changes())
        outcome = StepOutcome(new_ids, self.text.shape[1], self._oracle_steps, step, self.pads)
        chosen = chooser(index, outcome, fork)
        self.cache, self.text = fork.cache, fork.text
        return chosen

    def _fork(self, new_ids: Tensor) -> "Fork | None":
        try:
            return Fork(self, new_ids, copied(self.cache, self.tested), self.text)
        except Exception:  # a cache that cannot be copied: every repair plays the run again
            return None

    def _run_oracle(self, ids: Tensor, n_rows: int) -> LaneStep:
        noted: dict[str, Tensor] = {}
        with told(self.oracle.module, noted):
            step = super()._run_oracle(ids, n_rows)
        keep(noted, step.seen, n_rows)
        return step


def copied(cache: Cache, target: Any) -> Cache:
    """Copy a cache with what it shares inside; the model that it may point to stays the same."""
    memo: dict[int, Any] = {id(target): target}
    if target.module is not None:
        memo.update({id(one): one for one in target.module.modules()})
        memo.update({id(one): one for one in target.module.parameters()})
    return copy.deepcopy(cache, memo)


@dataclass(frozen=True)
class ReplayPair(Pair):
    """Remembers the runs that it made: the one before, the measured one, the one beside."""

    fork_at: int | None = None
    changes_at: dict[int, Changes] = field(default_factory=dict)
    runs: list[ReplayLanes] = field(default_factory=list)
    run_index: int = 1  # of the run that is looked into
    probe: LaneProbe | None = None
    chooser: Chooser | None = None

    def new_run(self, one_pass: OnePass | None = None) -> ReplayLanes:
        lanes = ReplayLanes(self.oracle, self.tested, one_pass, self.is_watched)
        if len(self.runs) == self.run_index:
            lanes.fork_at, lanes.changes_at = self.fork_at, self.changes_at
            lanes.probe, lanes.chooser = self.probe or lanes.probe, self.chooser
        self.runs.append(lanes)
        return lanes


@dataclass(frozen=True)
class Replayed:
    """A step that was played again."""

    evidence: Evidence
    outcome: StepOutcome
    fork: Fork | None
    lanes: ReplayLanes


@torch.no_grad()
def replay(
    plan: Plan,
    loader: Loader,
    scenario: str,
    step_index: int,
    changes_at: dict[int, Changes] | None = None,
    is_beside: bool = False,
    probe: LaneProbe | None = None,
    between: Between | None = None,
) -> Replayed:
    """Play the run up to and with `step_index`, with changes at steps where they are wanted, and gather what is there.

    Changes need a `probe` that has seen these calls before. `between` is called after each step, and may raise to give up.
    """
    pair = ReplayPair(
        loader.fresh(), loader.fresh(), fork_at=step_index, changes_at=changes_at or {},
        run_index=2 if is_beside else 1, probe=probe,
    )  # fmt: skip
    last: StepOutcome | None = None
    for index, (measured, beside) in enumerate(play_plan(plan, pair)):
        played = beside if is_beside else measured
        if played is None:
            break
        if index < step_index:
            if between is not None:
                between()
            last = frozen(played.outcome) if index == step_index - 1 else None
            continue
        lanes = pair.runs[pair.run_index]
        evidence = evidence_of(pair, played.outcome, last, index, scenario, played.kind, played.before)
        return Replayed(evidence, played.outcome, lanes.fork, lanes)
    raise ValueError(f"the plan has no step {step_index}")


def frozen(outcome: StepOutcome) -> StepOutcome:
    """Copy the keys and values that the cached lane read: the next call may write into the same memory."""
    seen = outcome.cached.seen
    calls = [msgspec.structs.replace(call, k=call.k.clone(), v=call.v.clone()) for call in seen.attention]
    return replace(outcome, cached=replace(outcome.cached, seen=replace(seen, attention=calls)))


def evidence_of(
    pair: ReplayPair,
    outcome: StepOutcome,
    last: StepOutcome | None,
    step_index: int,
    scenario: str,
    kind: str,
    before: str | None,
) -> Evidence:
    """Gather what both lanes have in hand in a step; `last` is the step before it."""
    shape, q_len = pair.oracle.shape, outcome.new_ids.shape[1]
    lanes = pair.runs[pair.run_index]
    text = lanes.text
    evidence = Evidence(
        step_index, kind, scenario, text.numpy().copy(), q_len, tuple(outcome.pads) or (0,) * text.shape[0],
        lane_evidence(outcome.oracle, q_len), lane_evidence([outcome.cached], q_len, lanes.tested.inspect(lanes.cache)),
        None if last is None else lane_evidence([last.cached], last.new_ids.shape[1]),
        0 if last is None else last.new_ids.shape[1], before, _other_texts(pair),
        max_length=shape.max_length, window=shape.window, is_row_by_row=_is_row_by_row(lanes, outcome),
    )  # fmt: skip
    return alongside(evidence)


def _is_row_by_row(lanes: ReplayLanes, outcome: StepOutcome) -> bool:
    """Whether the rows of the batch attend one after the other: a single row makes as many calls less."""
    batch, n_tokens = lanes.text.shape
    if batch < 2 or len(outcome.oracle) > 1:
        return False

    def n_calls(step: LaneStep) -> int:  # an encoder's keys are read by all rows at once
        return sum(call.k.shape[2] <= n_tokens for call in step.seen.attention)

    return n_calls(outcome.oracle[0]) == batch * n_calls(lanes._run_oracle(lanes.text[:1], 1)) > 0


def _other_texts(pair: ReplayPair) -> tuple[OtherText, ...]:
    """Look up what the oracle has for texts that are not this run's: of the other runs, and with rejected drafts."""
    texts = [
        ("before" if index == 0 else "beside", lanes, lanes.text)
        for index, lanes in enumerate(pair.runs)
        if index != pair.run_index and lanes.text.numel()
    ]
    lanes = pair.runs[pair.run_index]
    if lanes.cropped_text is not None:
        texts.append(("draft", lanes, lanes.cropped_text))
    found = []
    for what, lanes, text in texts:
        calls = lane_evidence([lanes._run_oracle(text, 1)], 1).calls
        found.append(OtherText(what, tuple((call.k, call.v) for call in calls)))
    return tuple(found)
