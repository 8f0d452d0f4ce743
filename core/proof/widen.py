"""Rounding or defect: measures the steps that are in doubt, on fresh instances, after the run. The verdict reads the figures.

The same tokens run again in the next wider dtype, and the oracle's own rounding is measured in both
(core.verdict.rounding says why). A run without a doubtful step costs nothing.
"""

from collections.abc import Generator
from contextlib import nullcontext, suppress
from dataclasses import replace

import torch
from msgspec.structs import replace as replace_fields
from torch import Tensor

from core import catalog
from core.proof.noise import own_noise
from core.proof.ties import FirstOfEquals
from core.record import scenarios
from core.record.play import Pair, play_plan
from core.record.recorder import differences, worst_of
from core.record.scenarios import Action, Plan
from core.targets.base import Target
from core.targets.load import Loader
from core.targets.wide_casts import WideCasts
from core.targets.wider import CannotWiden, Wider, in_short
from core.trace.records import CACHED, Doubt, StepFacts
from core.verdict.rounding import OWN, USUAL, is_certain, is_doubtful, is_narrow_inside, may_be_tie

Settling = Generator[None, None, list[Doubt]]


def settle(plan: Plan, loader: Loader, steps: list[StepFacts], wider: Wider | None = None) -> Settling:
    """Measure the doubtful ones of the recorded steps and return the figures; yields after each piece of the work.

    Args:
        wider: what ran beside a 16-bit run, None where nothing did.
    """
    doubtful = [facts for facts in steps if is_doubtful(facts, loader.scratch.shape.dtype)]
    if not doubtful:
        return []
    try:
        return (yield from _measured(plan, loader, steps, doubtful, wider))
    except (Exception, SystemExit) as error:  # the run itself is complete, and its verdict stays as it is
        return [Doubt(step_index=facts.step_index, reason=in_short(error)) for facts in doubtful]


def _measured(
    plan: Plan, loader: Loader, steps: list[StepFacts], doubtful: list[StepFacts], wider: Wider | None
) -> Settling:
    texts, dtype = _texts(plan, steps), loader.scratch.shape.dtype
    noise = _noise(loader.scratch, texts, dtype)  # no lane of any run that follows
    yield
    if wider is not None and loader.wide_dtype is not None:
        return (yield from _in_16_bits(wider, loader.wide_dtype, texts, doubtful, noise))
    certain = next((facts for facts in steps if is_certain(facts, dtype, noise)), None)
    if certain is not None:  # what comes after the first bad step decides nothing
        doubtful = [facts for facts in doubtful if facts.step_index < certain.step_index]
    found = (yield from _run_wider(plan, loader, steps, doubtful, texts, noise)) if doubtful else []
    found = yield from _without_ties(plan, loader, steps, found)
    return [*found, *([Doubt(step_index=certain.step_index, noise=noise)] if certain is not None else [])]


def _run_wider(
    plan: Plan, loader: Loader, steps: list[StepFacts], doubtful: list[StepFacts], texts: list[Tensor], noise: float | None,
) -> Settling:  # fmt: skip
    """Play the run up to the last doubtful step on wide instances."""
    at = [facts.step_index for facts in doubtful]
    dtype, wide_dtype = loader.scratch.shape.dtype, loader.wide_dtype
    try:
        if loader.wide is None or wide_dtype is None:
            raise CannotWiden(_why_not(loader))
        wider = Wider(loader.wide, dtype, wide_dtype, texts[0])
        yield
        tokens = with_tokens(plan, steps)
        wide_noise, diffs = yield from _wide_figures(tokens, wider, wide_dtype, texts, at[-1])
    except (Exception, SystemExit) as error:
        reason = str(error) if isinstance(error, CannotWiden) else in_short(error)
        return [Doubt(step_index=index, noise=noise, reason=reason) for index in at]
    left_narrow = wider.left_narrow
    if wide_dtype == "float64" and is_narrow_inside(noise, wide_noise):
        with suppress(Exception, SystemExit):  # what could be measured as it is stands
            wide_noise, diffs = yield from _wide_figures(
                tokens, wider, wide_dtype, texts, at[-1], WideCasts()
            )
            left_narrow = []
    return [
        Doubt(
            step_index=index, noise=noise, dtype=wide_dtype, wide_max_abs_diff=diffs[index], wide_noise=wide_noise,
            left_narrow=left_narrow,
        )
        for index in at
    ]  # fmt: skip


def _wide_figures(
    plan: Plan, wider: Wider, dtype: str, texts: list[Tensor], last: int, casts: WideCasts | None = None
) -> Generator[None, None, tuple[float | None, list[float | None]]]:
    """Return the oracle's own rounding on wide instances, and the difference of each step up to the last one."""
    inside = casts if casts is not None else nullcontext()
    with inside:  # never around a yield: it would be there for whoever goes on
        noise = _noise(wider.instance(), texts, dtype)
    yield
    run = play_plan(plan, Pair(wider.instance(), wider.instance(), False))
    diffs: list[float | None] = []
    while len(diffs) <= last:
        with inside:
            measured, beside = next(run)
        diffs.append(worst_of(*differences(measured.outcome, beside.outcome if beside else None)))
        yield
    return noise, diffs


def _without_ties(plan: Plan, loader: Loader, steps: list[StepFacts], found: list[Doubt]) -> Settling:
    """Play the run once more where a difference neither shrinks nor is larger than what the oracle does by itself."""
    at = [
        doubt.step_index
        for doubt in found
        if may_be_tie(steps[doubt.step_index], doubt, loader.scratch.shape.dtype)
    ]
    if not at:
        return found
    first_of_equals, diffs = FirstOfEquals(), list[float | None]()
    run = play_plan(with_tokens(plan, steps), Pair(loader.fresh(), loader.fresh(), False))
    while len(diffs) <= at[-1]:
        with first_of_equals:  # not around the yield: it would be there for whoever goes on
            measured, beside = next(run)
        if not first_of_equals.was_asked:
            return found
        diffs.append(worst_of(*differences(measured.outcome, beside.outcome if beside else None)))
        yield
    return [
        replace_fields(doubt, stable_max_abs_diff=diffs[doubt.step_index])
        if doubt.step_index in at
        else doubt
        for doubt in found
    ]


def _in_16_bits(
    wider: Wider, wide_dtype: str, texts: list[Tensor], doubtful: list[StepFacts], noise: float | None
) -> Settling:
    """The wide differences are recorded already: show the worst step, and what either oracle's rounding may contradict."""
    worst = max(doubtful, key=lambda facts: facts.max_abs_diff or 0.0)
    unusual = [facts for facts in doubtful if not (facts.wide_max_abs_diff or 0.0) <= USUAL[wide_dtype]]
    wide_noise, left_narrow = None, wider.left_narrow
    if unusual:
        wide_noise = _noise(wider.instance(), texts, wide_dtype)
        yield
        if wider.is_cached_narrow(texts[0]):
            left_narrow = [*left_narrow, CACHED]
    far = [facts for facts in doubtful if noise is not None and (facts.max_abs_diff or 0.0) > OWN * noise]
    chosen = {facts.step_index: facts for facts in (worst, *unusual, *far)}
    return [
        Doubt(
            step_index=index, noise=noise, dtype=wide_dtype, wide_max_abs_diff=chosen[index].wide_max_abs_diff,
            wide_noise=wide_noise, left_narrow=left_narrow,
        )
        for index in sorted(chosen)
    ]  # fmt: skip


def _why_not(loader: Loader) -> str:
    if loader.scratch.shape.dtype not in catalog.WIDER:
        return f"{loader.scratch.shape.dtype} is the widest dtype"
    return "the target names no module whose parameters could be widened"


def _noise(target: Target, texts: list[Tensor], dtype: str) -> float | None:
    return worst_of(*(own_noise(target, text, dtype) for text in texts))


def with_tokens(plan: Plan, steps: list[StepFacts]) -> Plan:
    """Return the plan with the tokens that were fed in place of the choices that led to them."""
    actions: list[Action] = []
    fed = iter(steps)
    for action in plan.actions:
        if isinstance(action, scenarios.CALLS):
            facts = next(fed, None)
            if facts is None:
                break
            if not isinstance(action, scenarios.Feed):
                action = scenarios.Feed(tuple(tuple(row) for row in facts.tokens), facts.kind)
        actions.append(action)
    return replace(plan, actions=tuple(actions))


def _texts(plan: Plan, steps: list[StepFacts]) -> list[Tensor]:
    """Return the text [1, T] of every batch row as it stands at the end, without pads."""
    text: Tensor | None = None
    fed = iter(steps)
    for action in plan.actions:
        match action:
            case scenarios.Crop(n_tokens) if text is not None:
                text = text[:, :n_tokens]
            case scenarios.Reorder(batch_rows) if text is not None:
                text = text[list(batch_rows)]
            case _ if (facts := next(fed, None)) is not None:
                new = torch.tensor(facts.tokens)
                text = new if text is None else torch.cat((text, new), 1)
    assert text is not None
    pads = steps[0].pads or [0] * len(text)
    return [text[row : row + 1, pad:] for row, pad in enumerate(pads)]
