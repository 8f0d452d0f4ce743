"""The difference of every step against the tolerance."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from core.trace.reader import Trace
from core.views.numbers import scientific
from core.views.selection import Selection
from core.views.timeline import TimelineView, timeline
from gui.glossary import tip
from gui.markup import bad
from gui.panels.base import Panel, Select
from gui.plotting import plotting

if TYPE_CHECKING:
    from gui.widgets.timeline import Timeline


class TimelinePanel(Panel):
    """A click moves the cursor; the tolerance line can be dragged."""

    tolerance_dragged = Signal(float)
    tolerance_changed = Signal(float)

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._plot: Timeline | None = None
        self._bookmarks: frozenset[int] = frozenset()
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        if not plotting().is_ready:
            plotting().load_soon()  # the window refreshes when it has come
            return
        view = timeline(trace, selection, tolerance)
        self.plot.set_view(view)
        self.set_figures(self._figures_of(view))
        self.show_body()

    @property
    def plot(self) -> "Timeline":
        """Made when it is first needed, and once the plotting library is there."""
        if self._plot is None:
            from gui.widgets.timeline import Timeline

            self._plot = Timeline()
            self._plot.set_bookmarks(self._bookmarks)
            self._plot.step_clicked.connect(lambda step: self.select(step=step))
            self._plot.tolerance_dragged.connect(self.tolerance_dragged)
            self._plot.tolerance_changed.connect(self.tolerance_changed)
            self.set_body(self._plot)
        return self._plot

    def set_bookmarks(self, steps: frozenset[int]) -> None:
        """Show which steps are marked."""
        self._bookmarks = steps
        if self._plot is not None:
            self._plot.set_bookmarks(steps)

    def retranslate(self) -> None:
        self.set_title(self.tr("Difference per step"))
        self.set_title_tip(tip("logits", "tolerance", "argmax"))
        self.set_explanation(self.tr("max |Δ logit|, log scale; drag the dashed line"))

    def _figures_of(self, view: TimelineView) -> str:
        parts = [self.tr("tolerance {tolerance}").format(tolerance=scientific(view.tolerance))]
        if view.first_bad is None:
            parts.append(self.tr("no bad step"))
        else:
            parts.append(self.tr("first bad step {step}").format(step=bad(f"✗ {view.first_bad}")))
        if view.first_flip is not None:
            parts.append(self.tr("argmax differs from step {step}").format(step=view.first_flip))
        else:
            parts.append(self.tr("argmax agrees"))
        return " · ".join(parts)
