"""The result of a check as data: `kvscope.check/1` of the design. Unknown values are null, numbers are finite."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from core.trace.reader import Trace
from core.trace.records import COMPARE, FindingFacts, LaneFacts
from core.trace.texts import text_of
from core.verdict.classes import RunClass, classification, remarks
from core.verdict.diagnosis.advice import advice
from core.verdict.locate import first_bad_tensor
from core.verdict.steps import (
    first_bad_step,
    generated_tokens,
    is_bad,
    is_compared_enough,
    max_abs_diff,
    n_compared,
    n_decode_compared,
)
from core.views.causes import causes_of
from core.views.free import free_rows
from core.views.invariants import broken_invariants_of

SCHEMA = "kvscope.check/1"
Status = Literal["pass", "fail", "skipped"]
FEW_TOKENS = 3


class StepResult(Struct, frozen=True, kw_only=True):
    """One step; tokens and argmaxes are per batch row, kv_len is None where layers differ."""

    step: int
    kind: str
    tokens: list[list[int]]
    max_abs_diff: float | None
    argmax_oracle: list[int]
    argmax_cached: list[int]
    kv_len: int | None
    kv_len_per_layer: list[int]
    is_bad: bool


class PlaceResult(Struct, frozen=True, kw_only=True):
    """The first tensor that differs in the first bad step."""

    tensor: str
    layer: int | None
    batch_row: int | None
    slot: int | None
    head: int | None


class CauseResult(Struct, frozen=True, kw_only=True):
    """What made the first bad step bad. `healed` is the share that the repair heals, null where the cause is inferred.

    `null_control` is the share that an equally large repair elsewhere heals; `also` are causes that the repair cannot
    tell apart from this one; `before` and `after` are the step's largest logit difference without and with the repair,
    those of the causes before it standing; `suggestion` says what to look at in the code.
    """

    id: str
    sentence: str
    evidence: list[str]
    healed: float | None
    null_control: float | None
    before: float | None
    after: float | None
    also: list[str]
    suggestion: str | None
    step: int
    place: PlaceResult


class InvariantResult(Struct, frozen=True, kw_only=True):
    """What the cached lane breaks by itself in a step, no oracle needed; `layers` are those that break it alike."""

    step: int
    name: str
    sentence: str
    layers: list[int]


class FreeResult(Struct, frozen=True, kw_only=True):
    """A batch row of a free run: where the texts part, how often the cached lane differs again on the oracle's text."""

    sentence: str
    first_differing_token: int | None
    differs_again: int
    n_sensitive: int
    n_sensitive_changed: int
    oracle: str
    cached: str


class ScenarioResult(Struct, frozen=True, kw_only=True):
    """One scenario. `tolerance`, figures and steps are null or empty where it was skipped."""

    name: str
    status: Status
    reason: str | None = None
    steps_compared: int = 0
    distinct_tokens: int | None = None
    notes: list[str] = []
    first_bad_step: int | None = None
    max_abs_diff: float | None = None
    tolerance: float | None = None
    classification: RunClass | None = None
    first_bad_tensor: PlaceResult | None = None
    cause: CauseResult | None = None
    other_causes: list[CauseResult] = []
    broken_invariants: list[InvariantResult] = []
    steps: list[StepResult] = []
    free: list[FreeResult] | None = None


class CheckResult(Struct, frozen=True, kw_only=True):
    """All scenarios of a target."""

    target: str
    verdict: Literal["equivalent", "divergent"]
    scenarios: list[ScenarioResult]
    schema: str = SCHEMA


def check_result(target: str, scenarios: list[ScenarioResult]) -> CheckResult:
    """Return the verdict over all scenarios: equivalent needs one that passed and none that failed."""
    passed = any(one.status == "pass" for one in scenarios) and not any(
        one.status == "fail" for one in scenarios
    )
    return CheckResult(target=target, verdict="equivalent" if passed else "divergent", scenarios=scenarios)


def scenario_result(trace: Trace, tolerance: float, is_thorough: bool = False) -> ScenarioResult:
    """Derive a scenario's result from its trace at a tolerance.

    The invariants are those of the first bad step; those of every step where it is to be thorough.
    """
    first_bad = first_bad_step(trace, tolerance)
    reason = _why_no_pass(trace)
    place = first_bad_tensor(trace, first_bad) if first_bad is not None else None
    causes = _causes(trace, first_bad)
    return ScenarioResult(
        name=trace.info.scenario, status="fail" if first_bad is not None or reason else "pass", reason=reason,
        steps_compared=n_compared(trace), distinct_tokens=len(set(generated_tokens(trace))), notes=_notes(trace, tolerance),
        first_bad_step=first_bad, max_abs_diff=max_abs_diff(trace), tolerance=tolerance,
        classification=None if first_bad is None and reason else classification(trace, tolerance),
        first_bad_tensor=PlaceResult(
            tensor=place.tensor, layer=place.layer, batch_row=place.batch_row, slot=place.slot, head=place.head
        ) if place else None,
        cause=causes[0] if causes else None, other_causes=causes[1:],
        broken_invariants=_broken(trace, range(len(trace)) if is_thorough else () if first_bad is None else (first_bad,)),
        steps=[_step(trace, step_index, tolerance) for step_index in range(len(trace))], free=_free(trace),
    )  # fmt: skip


def _free(trace: Trace) -> list[FreeResult] | None:
    rows = [
        FreeResult(
            sentence=" ".join(str(text) for text in (row.sentence, row.sensitive_sentence) if text is not None),
            first_differing_token=row.first, differs_again=row.later, n_sensitive=row.n_sensitive,
            n_sensitive_changed=row.n_sensitive_changed, oracle="".join(one.oracle for one in row.tokens),
            cached="".join(one.cached for one in row.tokens),
        )
        for row in free_rows(trace)
    ]  # fmt: skip
    return rows or None


def _causes(trace: Trace, first_bad: int | None) -> list[CauseResult]:
    """Return what was found about the first bad step; findings about another one (the tolerance was moved) do not fit."""
    return [_cause(one) for one in causes_of(trace, first_bad)] if first_bad is not None else []


def _cause(one: FindingFacts) -> CauseResult:
    place = PlaceResult(
        tensor=one.tensor or "", layer=one.layer, batch_row=one.batch_row, slot=one.slot, head=one.head
    )
    suggestion = advice(one.cause)
    return CauseResult(
        id=one.cause, sentence=str(text_of(one.sentence)), evidence=[str(text_of(text)) for text in one.evidence],
        healed=one.healed, null_control=one.null_control, before=one.before, after=one.after, also=one.also,
        suggestion=None if suggestion is None else str(suggestion), step=one.step, place=place,
    )  # fmt: skip


def _broken(trace: Trace, steps: Iterable[int]) -> list[InvariantResult]:
    return [
        InvariantResult(step=step, name=one.name, sentence=str(one.sentence), layers=list(one.layers))
        for step in steps
        for one in broken_invariants_of(trace, step) or ()
    ]


def _why_no_pass(trace: Trace) -> str | None:
    """A PASS needs a decode step that was compared, and no step missing."""
    if len(trace.lanes) == 1:
        return f"the trace has the {trace.lanes[0]} lane only: nothing was compared"
    if trace.info.scenario == COMPARE:
        return None if is_compared_enough(trace) else "no step after the first has logits in both traces"
    if len(trace) and n_compared(trace) < len(trace):
        return f"only {n_compared(trace)} of {len(trace)} steps have the logits of both lanes"
    if not n_decode_compared(trace):
        return "no decode step was compared"
    if trace.end is None or trace.end.status != "complete" or len(trace) != trace.info.steps:
        return f"only {len(trace)} of {trace.info.steps} steps are recorded"
    return None


def _notes(trace: Trace, tolerance: float) -> list[str]:
    notes = list(dict.fromkeys([*trace.info.notes, *(trace.end.notes if trace.end else [])]))
    notes += map(str, remarks(trace, tolerance))
    if trace.info.scenario == COMPARE and n_compared(trace) < len(trace):
        notes.append(f"{n_compared(trace)} of {len(trace)} steps have logits in both traces")
    generated = generated_tokens(trace)
    if len(set(generated)) < FEW_TOKENS <= len(generated):
        notes.append(
            f"only {len(set(generated))} different tokens were generated, which proves little: rows of equal tokens are alike"
        )
    return notes


def _step(trace: Trace, step_index: int, tolerance: float) -> StepResult:
    facts = trace.facts(step_index)
    lengths = kv_lengths(facts.cached)
    return StepResult(
        step=facts.step_index, kind=facts.kind, tokens=facts.tokens, max_abs_diff=facts.max_abs_diff,
        argmax_oracle=facts.argmax_oracle, argmax_cached=facts.argmax_cached,
        kv_len=lengths[0] if len(set(lengths)) == 1 else None, kv_len_per_layer=lengths,
        is_bad=is_bad(trace, step_index, tolerance),
    )  # fmt: skip


def kv_lengths(lane: LaneFacts | None) -> list[int]:
    """Return the cache length of every layer."""
    return [layer.k_shape[2] for layer in lane.layers] if lane else []
