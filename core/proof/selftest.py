"""Runs one case of the selftest: the bare lanes say what is true, recorder and diagnosis what is found."""

import time
from typing import ClassVar

import torch
from torch import Tensor

from core import catalog
from core.engine.messages import RunSpec
from core.engine.run import texts_of
from core.proof.diagnose import Case, diagnose
from core.record.figures import logit_figures
from core.record.lane_data import lane_logits
from core.record.play import Pair, Played, play_plan
from core.record.recorder import is_compared, record
from core.record.scenarios import Plan, make_plan, what_is_missing
from core.report.selftest import SelftestCase, SelftestResult
from core.targets.base import Target
from core.targets.faults.base import overrides
from core.targets.load import Loader, make_loader
from core.targets.tiny import TinyTarget
from core.trace.records import FindingFacts
from core.verdict.steps import is_over

STEPS = catalog.DEFAULT_STEPS
GOES_ON = ("concat", "decode")  # where the search goes on after single faults too: it must find nothing more


def run_case(case: SelftestCase) -> SelftestResult | None:
    """Return what was found, None where the target cannot do the scenario."""
    torch.set_num_threads(1)
    start = time.perf_counter()
    spec = RunSpec(target=case.target, layout=case.layout, scenario=case.scenario, faults=case.faults)
    loader = make_loader(spec)
    if loader.scratch.why_not(case.scenario) is not None:
        return None
    plan = make_plan(case.scenario, texts_of(spec, loader.scratch), STEPS, loader.scratch.shape.max_length)
    if what_is_missing(case.scenario, plan) is not None:
        return None
    try:
        return _result(case, plan, loader, start)
    except Exception as error:
        return SelftestResult(case=case, error=f"{type(error).__name__}: {error}"[:300])


def _result(case: SelftestCase, plan: Plan, loader: Loader, start: float) -> SelftestResult:
    tolerance = catalog.default_tolerance(loader.scratch.shape.dtype)
    expected = _first_bad_step(plan, loader, tolerance)
    found = next((facts.step_index for facts, _ in record(plan, loader) if is_over(facts, tolerance)), None)
    findings: list[FindingFacts] = []
    if found is not None:
        goes_on = len(case.faults) > 1 or (case.layout, case.scenario) == GOES_ON
        findings = diagnose(Case(plan, loader, case.scenario, found, tolerance, goes_on))
    at_once = [one for one in findings if one.step == found and one.healed is not None]
    first = findings[0] if findings else None
    return SelftestResult(
        case=case, expected_step=expected, found_step=found, causes=tuple(one.cause for one in findings),
        healed=sum(one.healed or 0.0 for one in at_once) if at_once else None,
        null_control=first.null_control if first else None,
        place=f"{first.tensor}, layer {first.layer}" if first else None, seconds=time.perf_counter() - start,
    )  # fmt: skip


def _first_bad_step(plan: Plan, loader: Loader, tolerance: float) -> int | None:
    """Compare the bare lanes, which nobody watches."""
    pair = Pair(_bare_oracle(loader), loader.fresh(), is_watched=False)
    for index, both in enumerate(play_plan(plan, pair)):
        diffs = [_difference(one) for one in both if one is not None]
        if not all(diff is not None and diff <= tolerance for diff in diffs):
            return index
    return None


class _Remembering(TinyTarget):
    """The bare oracle, which says the same of a text whatever is planted in the other lane: asked once for all cases."""

    known: ClassVar[dict[tuple[object, ...], Tensor]] = {}

    def full(self, ids: Tensor) -> Tensor:
        key = (self.name, self.window, tuple(ids.shape), ids.numpy().tobytes())
        if key not in self.known:
            self.known[key] = super().full(ids)
        return self.known[key]


def _bare_oracle(loader: Loader) -> Target:
    oracle = loader.fresh()
    if not isinstance(oracle, TinyTarget) or overrides(oracle.faults, "oracle"):
        return oracle
    return _Remembering(oracle.name, oracle.module, oracle.layout, oracle.faults)


def _difference(played: Played) -> float | None:
    outcome = played.outcome
    oracle = lane_logits(outcome.oracle, outcome.new_ids.shape[1])
    return logit_figures(oracle, outcome.cached.logits, is_compared(outcome)).max_abs_diff
