"""When a run, or the playing of a recorded one, stops by itself."""

from dataclasses import dataclass

from core.trace.reader import Trace
from core.verdict.steps import is_bad


@dataclass(frozen=True)
class StopCondition:
    """Any of: a step over the tolerance, a step that is not finite, a chosen step."""

    at_bad: bool = False
    at_nonfinite: bool = False
    at_step: int | None = None

    def holds(self, trace: Trace, step: int, tolerance: float) -> bool:
        """Whether to stop at a recorded step."""
        if step == self.at_step or (self.at_bad and is_bad(trace, step, tolerance)):
            return True
        return self.at_nonfinite and trace.facts(step).judged_diff is None

    @property
    def is_set(self) -> bool:
        return self != NEVER


NEVER = StopCondition()
AT_BAD = StopCondition(at_bad=True)
