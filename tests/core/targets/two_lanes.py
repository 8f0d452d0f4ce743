"""Plays a scenario on the two lanes and tells the first bad step, without a trace and without looking inside."""

from functools import lru_cache

from core import catalog
from core.record.figures import logit_figures
from core.record.lane_data import lane_logits
from core.record.lanes import StepOutcome
from core.record.play import Pair, Played, play
from core.record.recorder import is_compared
from core.record.scenarios import Texts, make_plan
from core.targets.faults import planted
from core.targets.tiny import TinyTarget
from tinylm.checkpoint import load_checkpoint
from tinylm.model import TinyLM
from tinylm.tokenizer import encode

TEXTS = (catalog.DEFAULT_PROMPT, catalog.OTHER_PROMPT, catalog.ROW_PROMPT, catalog.TURN_TEXT)


@lru_cache(maxsize=3)
def model_of(target: str) -> TinyLM:
    return load_checkpoint(target.removeprefix(catalog.TINY_PREFIX))[0]


def first_bad(
    target: str, layout: str, scenario: str, faults: tuple[str, ...], steps: int = catalog.DEFAULT_STEPS
) -> int | None:
    """Return the first step over the tolerance, None where there is none."""
    for step, diff in enumerate(differences(target, layout, scenario, faults, steps)):
        if diff is None or diff > catalog.default_tolerance("float32"):
            return step
    return None


def differences(
    target: str, layout: str, scenario: str, faults: tuple[str, ...], steps: int = catalog.DEFAULT_STEPS
) -> list[float | None]:
    """Return max |logit difference| of every step, None where it is not finite; nothing for a scenario that is skipped."""
    oracle, tested = (TinyTarget(target, model_of(target), layout, planted(faults)) for _ in range(2))
    if oracle.why_not(scenario):
        return []
    pair = Pair(oracle, tested, is_watched=False)
    plan = make_plan(scenario, Texts(*(tuple(encode(text)) for text in TEXTS)), steps, None)
    list(play(plan.run_before, pair, None))
    beside = play(plan.run_beside, pair, None)
    return [_worse(played, next(beside, None)) for played in play(plan.actions, pair, None)]


def _worse(*runs: Played | None) -> float | None:
    diffs = [_difference(run.outcome) for run in runs if run is not None]
    known = [diff for diff in diffs if diff is not None]
    return max(known) if len(known) == len(diffs) else None


def _difference(step: StepOutcome) -> float | None:
    q_len = step.new_ids.shape[1]
    return logit_figures(lane_logits(step.oracle, q_len), step.cached.logits, is_compared(step)).max_abs_diff
