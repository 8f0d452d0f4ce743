"""Which steps are over the tolerance. Derived from the recorded figures, so the tolerance can move afterwards."""

from core.trace.reader import Trace
from core.trace.records import StepFacts


def is_bad(facts: StepFacts, tolerance: float) -> bool:
    """Whether the logits leave the tolerance; a difference that is not finite does."""
    if facts.max_abs_diff is None or facts.judged_diff is None:
        return True
    is_gross = facts.narrow_limit is not None and not facts.max_abs_diff <= facts.narrow_limit
    return is_gross or not facts.judged_diff <= tolerance


def bad_steps(trace: Trace, tolerance: float) -> list[int]:
    return [step_index for step_index in range(len(trace)) if is_bad(trace.facts(step_index), tolerance)]


def first_bad_step(trace: Trace, tolerance: float) -> int | None:
    return next(iter(bad_steps(trace, tolerance)), None)


def max_abs_diff(trace: Trace) -> float | None:
    """Return the largest |logit difference| of the run, None if one is not finite or there is no step."""
    diffs = [trace.facts(step_index).max_abs_diff for step_index in range(len(trace))]
    finite = [diff for diff in diffs if diff is not None]
    return max(finite) if finite and len(finite) == len(diffs) else None


def n_decode_compared(trace: Trace) -> int:
    """Return how many steps after the first were compared; a PASS needs at least one."""
    return max(0, len(trace) - 1)


def generated_tokens(trace: Trace) -> list[int]:
    """Return what was generated, row by row of each decode step, and what would be fed next."""
    decode = (trace.facts(index) for index in range(len(trace)) if trace.facts(index).kind == "decode")
    fed = [token for facts in decode for row in facts.tokens for token in row]
    return [*fed, *(trace.facts(len(trace) - 1).argmax_oracle if len(trace) else [])]
