"""The difference of every step against the tolerance."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from core.trace.reader import Trace
from core.views.numbers import scientific
from core.views.selection import Selection
from core.views.step_marks import step_marks
from core.views.timeline import TimelineView, timeline
from gui.glossary import tip
from gui.markup import bad
from gui.panels.base import Panel, Select
from gui.plotting import plotting
from gui.widgets.margin_track import MarginTrack
from gui.widgets.panel import tool_row

if TYPE_CHECKING:
    from gui.widgets.timeline import Timeline


class TimelinePanel(Panel):
    """A click moves the cursor; the tolerance line can be dragged."""

    tolerance_dragged = Signal(float)
    tolerance_changed = Signal(float)

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._plot: Timeline | None = None
        self._track: MarginTrack | None = None
        self._bookmarks: frozenset[int] = frozenset()
        self._button = QToolButton()
        self._button.setCheckable(True)
        self._button.toggled.connect(self._show_track)
        self.add_title_widget(tool_row(self._button))
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        if not plotting().is_ready:
            plotting().load_soon()  # the window refreshes when it has come
            return
        view = timeline(trace, selection, tolerance)
        self.plot.set_marks(step_marks(trace, selection, tolerance))
        self.plot.set_view(view)
        assert self._track is not None
        self._track.set_view(view)
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
            self._track = MarginTrack(self._plot.place_of)
            self._track.setFixedHeight(self._track.sizeHint().height())
            self._track.setVisible(self._button.isChecked())
            self._plot.setMinimumHeight(self._track.height())  # neither squeezes the other
            self.set_body(self._both(self._plot, self._track))
        return self._plot

    def set_bookmarks(self, steps: frozenset[int]) -> None:
        """Show which steps are marked."""
        self._bookmarks = steps
        if self._plot is not None:
            self._plot.set_bookmarks(steps)

    def retranslate(self) -> None:
        self._button.setText(self.tr("margin"))
        self._button.setToolTip(tip("margin", "kl"))
        if self._track is not None:
            self._track.retranslate()
        self.set_title(self.tr("Difference per step"))
        self.set_title_tip(tip("logits", "tolerance", "argmax"))
        self.set_explanation(self.tr("max |Δ logit|, log scale; drag the dashed line"))

    def _show_track(self, is_shown: bool) -> None:
        if self._track is not None:
            self._track.setVisible(is_shown)

    @staticmethod
    def _both(plot: QWidget, track: QWidget) -> QWidget:
        host = QWidget()
        column = QVBoxLayout(host)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(plot, 1)
        column.addWidget(track)
        return host

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
