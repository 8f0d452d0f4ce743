"""What is looked at: the trace, one selection, the tolerance. Panels ask for a change and keep no copy."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from core.trace.reader import Trace
from core.trace.records import FindingFacts
from core.views.selection import Selection

DEFAULT_TOLERANCE = 5e-4


class AppState(QObject):
    """The one place that holds what all panels show; every signal is sent once per change."""

    trace_changed = Signal()
    step_added = Signal(int)
    selection_changed = Signal()
    findings_changed = Signal()
    busy_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._trace: Trace | None = None
        self._selection = Selection()
        self._tolerance = DEFAULT_TOLERANCE
        self._busy = False
        self._findings: tuple[FindingFacts, ...] = ()

    @property
    def trace(self) -> Trace | None:
        return self._trace

    @property
    def selection(self) -> Selection:
        return self._selection

    @property
    def tolerance(self) -> float:
        return self._tolerance

    @property
    def findings(self) -> tuple[FindingFacts, ...]:
        """The causes that are known: those in the trace, or what the engine has said while it still grows."""
        end = self._trace.end if self._trace is not None else None
        return tuple(end.findings) if end is not None and end.findings else self._findings

    @property
    def busy(self) -> bool:
        return self._busy

    @property
    def n_steps(self) -> int:
        return len(self._trace) if self._trace is not None else 0

    def set_trace(self, trace: Trace | None, selection: Selection | None = None) -> None:
        """Show another trace; the one before is closed."""
        old, self._trace = self._trace, trace
        self._findings = ()
        self._selection = self._within_bounds(selection or Selection())
        self.trace_changed.emit()
        if old is not None and old is not trace:
            old.close()

    def add_steps(self) -> int:
        """Read what the engine has appended; the number of new steps."""
        if self._trace is None:
            return 0
        n_new = self._trace.refresh()
        if n_new > 0:
            self.step_added.emit(self.n_steps - 1)
        return n_new

    def select(self, **changes: int | None) -> None:
        """Change the selection, such as select(step=3, layer=0); out of range values are moved to the nearest."""
        wanted = self._within_bounds(replace(self._selection, **changes))  # type: ignore[arg-type]
        if wanted != self._selection:
            self._selection = wanted
            self.selection_changed.emit()

    def set_tolerance(self, tolerance: float) -> None:
        if tolerance > 0 and tolerance != self._tolerance:
            self._tolerance = tolerance
            self.findings_changed.emit()

    def add_findings(self, step: int, found: list[FindingFacts]) -> None:
        """What the engine has found about a step of the run that is shown."""
        others = tuple(one for one in self._findings if one.step != step)
        self._findings = (*others, *found)
        self.findings_changed.emit()

    def set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit()

    def _within_bounds(self, wanted: Selection) -> Selection:
        if self._trace is None:
            return wanted
        model = self._trace.info.model
        n_rows = len(self._trace.info.prompt_ids)
        return replace(
            wanted,
            step=_clamp(wanted.step, self.n_steps),
            layer=_clamp(wanted.layer, model.n_layers),
            head=_clamp(wanted.head, model.n_heads),
            batch_row=_clamp(wanted.batch_row, n_rows),
        )


def _clamp(value: int, count: int | None) -> int:
    return max(0, value if count is None else min(value, count - 1))
