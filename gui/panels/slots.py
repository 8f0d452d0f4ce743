"""Every cache slot of every layer, and the position that its token was told."""

from concurrent.futures import Future
from typing import TYPE_CHECKING

from core.trace.reader import Trace
from core.views.missing import no_slots
from core.views.selection import Selection
from core.views.slots import SlotsView, slots
from gui.background import Background, Show
from gui.glossary import tip
from gui.panels.base import Panel, Select
from gui.plotting import plotting

if TYPE_CHECKING:
    from gui.widgets.slots_view import SlotsPlot


class SlotsPanel(Panel):
    """Where in the cache the lanes differ, what each slot holds; a click lists what happened to it."""

    def __init__(self, select: Select, background: Background) -> None:
        super().__init__(select)
        self._background = background
        self._plot: SlotsPlot | None = None
        self._trace: Trace | None = None
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        self._show(trace, slots(trace, selection))

    def begin(self, trace: Trace, selection: Selection) -> "Future[Show] | None":
        """Work it out beside the window's thread; None where that cannot be."""

        def make(twin: Trace) -> Show:
            view = slots(twin, selection)
            return lambda: self._show(trace, view)

        return self._background.submit(trace, make, self)

    def _show(self, trace: Trace, view: SlotsView | None) -> None:
        if view is None:
            self.show_missing(no_slots(trace))
            return
        if not plotting().is_ready:
            plotting().load_soon()
            return
        if trace is not self._trace:  # what was chosen was chosen for another run
            self._trace = trace
            self.plot.choose(None)
        self.plot.set_view(view)
        self.show_body()

    @property
    def plot(self) -> "SlotsPlot":
        """Made when it is first needed, as the timeline is."""
        if self._plot is None:
            from gui.widgets.slots_view import SlotsPlot

            self._plot = SlotsPlot()
            self._plot.slot_clicked.connect(lambda layer, slot: self.select(layer=layer, slot=slot))
            self._plot.slot_left.connect(lambda: self.select(slot=None))
            self.set_body(self._plot)
        return self._plot

    def retranslate(self) -> None:
        self.set_title(self.tr("Slots and positions"))
        self.set_title_tip(tip("cache_slot", "position_id"))
        self.set_explanation(self.tr("by layer and slot; position ids"))
