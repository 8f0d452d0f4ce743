"""Which steps are bad. Derived from the recorded figures, so the tolerance can move afterwards."""

from core.trace.kept import kept
from core.trace.reader import Trace
from core.trace.records import COMPARE, StepFacts
from core.verdict.rounding import Settled, settled_at


def is_bad(trace: Trace, step_index: int, tolerance: float) -> bool:
    """Whether a step is bad: over the tolerance, unless what was measured of it says otherwise.

    What is shown to be rounding or a tie is good at the run's own tolerance and above; what is shown to be a defect is bad at it
    and below. So a tolerance that is moved stays what it is called: a higher one forgives more, a lower one less.
    """
    return judged(
        trace.facts(step_index), settled_at(trace, step_index), tolerance, own_tolerance=trace.info.tolerance
    )


def judged(facts: StepFacts, shown: Settled | None, tolerance: float, own_tolerance: float) -> bool:
    """Whether a step is bad by its figures and by what was shown of them."""
    if shown in ("rounding", "tie") and tolerance >= own_tolerance:
        return False
    return (shown == "defect" and tolerance <= own_tolerance) or is_over(facts, tolerance)


def is_over(facts: StepFacts, tolerance: float) -> bool:
    """Whether the logits leave the tolerance; a difference that is not finite does, what was not compared does not."""
    if not facts.is_compared:
        return False
    if facts.max_abs_diff is None or facts.judged_diff is None:
        return True
    is_gross = facts.narrow_limit is not None and not facts.max_abs_diff <= facts.narrow_limit
    return is_gross or not facts.judged_diff <= tolerance


@kept
def bad_steps(trace: Trace, tolerance: float) -> tuple[int, ...]:
    return tuple(step_index for step_index in range(len(trace)) if is_bad(trace, step_index, tolerance))


def first_bad_step(trace: Trace, tolerance: float) -> int | None:
    return next(iter(bad_steps(trace, tolerance)), None)


def max_abs_diff(trace: Trace) -> float | None:
    """Return the largest |logit difference| of the run, None if one is not finite or there is no step."""
    facts = (trace.facts(step_index) for step_index in range(len(trace)))
    diffs = [one.max_abs_diff for one in facts if one.is_compared]
    finite = [diff for diff in diffs if diff is not None]
    return max(finite) if finite and len(finite) == len(diffs) else None


def n_decode_compared(trace: Trace) -> int:
    """Return how many steps after the first were compared; a PASS needs at least one."""
    return sum(trace.facts(step_index).is_compared for step_index in range(1, len(trace)))


def is_compared_enough(trace: Trace) -> bool:
    """Whether steps were compared that a verdict can rest on: more than the prompt, where there is more than that.

    In a comparison of two traces a prompt may be all there is.
    """
    if trace.info.scenario == COMPARE and len(trace) == 1:
        return n_compared(trace) == 1
    return n_decode_compared(trace) > 0


def n_compared(trace: Trace) -> int:
    """Return how many steps were compared; those of one lane alone were not."""
    return sum(trace.facts(step_index).is_compared for step_index in range(len(trace)))


def generated_tokens(trace: Trace) -> list[int]:
    """Return what was generated, row by row of each decode step, and what would be fed next."""
    decode = (trace.facts(index) for index in range(len(trace)) if trace.facts(index).kind == "decode")
    fed = [token for facts in decode for row in facts.tokens for token in row]
    return [*fed, *(trace.facts(len(trace) - 1).argmax_oracle if len(trace) else [])]
