"""One thread beside the window's for views that take long. It reads traces of its own, so nothing is shared."""

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from core.trace.reader import Trace
from gui.app_state import AppState
from gui.panels.base import Panel

SWITCH_S = 1e-3
AT_ONCE = 4096  # cached rows of all layers, which are looked at in no time
Show = Callable[[], object]
Make = Callable[[Trace], Show]


def is_large(state: AppState) -> bool:
    """Whether the selected step has so many cached rows that looking at each takes a while."""
    trace, step = state.trace, state.selection.step
    if trace is None or step >= len(trace):
        return False
    return (trace.info.model.n_layers or 0) * trace.facts(step).text_len > AT_ONCE


class Background:
    """Works out one thing after the other; what is asked for last is told by the caller."""

    def __init__(self) -> None:
        # the window's thread asks for the interpreter at every stroke of the brush: it is to get it soon
        sys.setswitchinterval(SWITCH_S)
        self._thread = ThreadPoolExecutor(1, "kvscope-views")
        self._twin: tuple[Trace, Trace] | None = None  # of the window's trace, the thread's own

    def submit(self, trace: Trace, make: Make, panel: Panel) -> "Future[Show] | None":
        """Call `make` in the thread with a reader of the same steps; None where a trace cannot be read twice.

        What comes of it is shown by the caller, in the window's thread; `panel` says so where it cannot be made.
        """
        twin = self._twin_of(trace)
        if twin is None:
            return None
        n_steps = len(trace)

        def work() -> Show:
            try:
                if len(twin) < n_steps:
                    twin.refresh()
                show = make(twin)
            except Exception as error:
                show = partial(_fail, error)
            return lambda: panel.show_safely(show)

        return self._thread.submit(work)

    def stop(self) -> None:
        """Begin nothing more."""
        self._let_go()
        self._thread.shutdown(wait=False)

    def _twin_of(self, trace: Trace) -> Trace | None:
        if self._twin is None or self._twin[0] is not trace:
            self._let_go()
            twin = trace.twin()
            self._twin = None if twin is None else (trace, twin)
        return None if self._twin is None else self._twin[1]

    def _let_go(self) -> None:
        """Close the thread's reader once the thread is done with it."""
        if self._twin is not None:
            self._thread.submit(self._twin[1].close)
            self._twin = None


def _fail(error: Exception) -> None:
    raise error
