"""Every cache slot of every layer, and the position that its token was told."""

from typing import TYPE_CHECKING

from core.trace.reader import Trace
from core.views.cache import slots
from core.views.missing import no_slots
from core.views.selection import Selection
from gui.panels.base import Panel, Select
from gui.plotting import plotting

if TYPE_CHECKING:
    from gui.widgets.slots_view import SlotsPlot


class SlotsPanel(Panel):
    """Where in the cache the lanes differ."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._plot: SlotsPlot | None = None
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = slots(trace, selection)
        if view is None:
            self.show_missing(no_slots(trace))
            return
        if not plotting().is_ready:
            plotting().load_soon()
            return
        self.plot.set_view(view)
        self.show_body()

    @property
    def plot(self) -> "SlotsPlot":
        """Made when it is first needed, as the timeline is."""
        if self._plot is None:
            from gui.widgets.slots_view import SlotsPlot

            self._plot = SlotsPlot()
            self.set_body(self._plot)
        return self._plot

    def retranslate(self) -> None:
        self.set_title(self.tr("Slots and positions"))
        self.set_explanation(self.tr("difference per layer and slot; position told per slot"))
