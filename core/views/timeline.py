"""The timeline: the difference of every step against the tolerance."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from core.trace.kept import kept
from core.trace.reader import Trace
from core.verdict.steps import is_bad
from core.views.selection import Selection

FLOOR = 1e-9  # a difference of exactly zero is drawn here, so that it has a place on a log axis


@dataclass(frozen=True)
class TimelineView:
    """One entry per recorded step; log10_diff is finite (a non-finite difference is drawn at the top)."""

    log10_diff: NDArray[np.float64]
    is_bad: NDArray[np.bool_]
    is_nonfinite: NDArray[np.bool_]
    is_flip: NDArray[np.bool_]
    is_exact: NDArray[np.bool_]
    kinds: tuple[str, ...]
    tolerance: float
    selected: int
    n_planned: int  # the index of the last step, so that the axis ends there
    first_bad: int | None
    first_flip: int | None
    margin: NDArray[np.float64]  # NaN where it was not recorded
    kl: NDArray[np.float64]

    def is_same_but_selected(self, other: "TimelineView | None") -> bool:
        """Whether nothing but the selected step differs; arrays are the same only where they are one."""
        if other is None:
            return False
        pairs = (
            (getattr(self, one.name), getattr(other, one.name))
            for one in fields(self)
            if one.name != "selected"
        )
        return all(a is b or (not isinstance(a, np.ndarray) and a == b) for a, b in pairs)


def timeline(trace: Trace, selection: Selection, tolerance: float) -> TimelineView:
    """Return the recorded figures of every step, and which of them are over `tolerance`."""
    return replace(_timeline(trace, tolerance), selected=selection.step)


@kept
def _timeline(trace: Trace, tolerance: float) -> TimelineView:
    facts = [trace.facts(step_index) for step_index in range(len(trace))]
    nonfinite = np.array([one.judged_diff is None and one.is_compared for one in facts], dtype=np.bool_)
    diffs = np.array([one.judged_diff or 0.0 for one in facts], dtype=np.float64)
    diffs[nonfinite] = max(diffs.max(initial=1.0), tolerance) * 10  # above everything that has a number
    bad = np.array([is_bad(trace, one.step_index, tolerance) for one in facts], dtype=np.bool_)
    flips = np.array([one.flips for one in facts], dtype=np.bool_)
    return TimelineView(
        log10_diff=np.log10(np.maximum(diffs, FLOOR)), is_bad=bad, is_nonfinite=nonfinite, is_flip=flips,
        is_exact=np.array([one.judged_diff == 0 for one in facts], dtype=np.bool_),
        kinds=tuple(one.kind for one in facts), tolerance=tolerance, selected=0,
        n_planned=max(trace.info.steps, len(trace)) - 1, first_bad=_first(bad), first_flip=_first(flips),
        margin=_figures(one.margin for one in facts), kl=_figures(one.kl for one in facts),
    )  # fmt: skip


def _figures(values: Iterable[float | None]) -> NDArray[np.float64]:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _first(flags: NDArray[np.bool_]) -> int | None:
    return int(flags.argmax()) if flags.any() else None
