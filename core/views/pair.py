"""The two files of a comparison."""

from core.trace.reader import Trace
from core.trace.records import COMPARE

BETWEEN = " | "


def pair_names(trace: Trace) -> tuple[str, str] | None:
    """Return the names of A, in the oracle's place, and B; None where the trace is no comparison."""
    if trace.info.scenario != COMPARE or BETWEEN not in trace.info.target:
        return None
    a, _, b = trace.info.target.partition(BETWEEN)
    return a, b
