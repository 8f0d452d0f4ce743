"""Of a recorded step: which invariants the cached lane breaks, and which tensors went wrong there or came in wrong."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TypeVar
from weakref import WeakKeyDictionary

from core.trace.reader import Trace
from core.verdict.diagnosis.compared import compare
from core.verdict.diagnosis.evidence import Evidence
from core.verdict.diagnosis.introduced import Difference, introduced
from core.verdict.diagnosis.invariants import Broken, broken_invariants
from core.verdict.recorded_evidence import evidence_at

KEPT_STEPS = 256  # what is kept is a few sentences and figures a step
T = TypeVar("T")
_Known = WeakKeyDictionary[Trace, OrderedDict[int, T]]
_broken: "_Known[list[Broken] | None]" = WeakKeyDictionary()
_differences: "_Known[list[Difference] | None]" = WeakKeyDictionary()


def broken_at(trace: Trace, step: int) -> list[Broken] | None:
    """Return the invariants that the cached lane breaks in a step; None where the trace does not hold its keys and values.

    They need no oracle: of a trace of one lane that lane is checked.
    """
    return _remembered(_broken, trace, step, broken_invariants)


def broken_steps(trace: Trace) -> Iterator[tuple[int, Broken]]:
    """Yield (step, invariant) for all that does not hold, in the order of the steps."""
    for step in range(len(trace)):
        for one in broken_at(trace, step) or ():
            yield step, one


def differences_at(trace: Trace, step: int) -> list[Difference] | None:
    """Return each tensor of a step with its status; None where the trace does not hold both lanes."""
    return _remembered(_differences, trace, step, _compared)


def _compared(evidence: Evidence) -> list[Difference] | None:
    n_calls = len(evidence.cached.calls)
    if len(evidence.oracle.calls) != n_calls or any(
        not call.weights.size for lane in (evidence.oracle, evidence.cached) for call in lane.calls
    ):
        return None
    return introduced(compare(evidence))


def _remembered(
    known: "_Known[T | None]", trace: Trace, step: int, work_out: Callable[[Evidence], T | None]
) -> T | None:
    steps = known.setdefault(trace, OrderedDict())
    if step not in steps:
        steps[step] = _tried(trace, step, work_out)
        while len(steps) > KEPT_STEPS:
            steps.popitem(last=False)
    return steps[step]


def _tried(trace: Trace, step: int, work_out: Callable[[Evidence], T | None]) -> T | None:
    try:
        evidence = evidence_at(trace, step)
        return None if evidence is None else work_out(evidence)
    except (
        ValueError,
        IndexError,
        ZeroDivisionError,
    ):  # tensors of a foreign trace that do not fit each other
        return None
