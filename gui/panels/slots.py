"""Every cache slot of every layer, and the position that its token was told."""

from core.trace.reader import Trace
from core.views.cache import slots
from core.views.selection import Selection
from gui.panels.base import Panel, Select
from gui.widgets.slots_view import SlotsPlot


class SlotsPanel(Panel):
    """Where in the cache the lanes differ."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._plot = SlotsPlot()
        self.set_body(self._plot)
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = slots(trace, selection)
        if view is None:
            self.show_empty(self.tr("This trace has no differences per cache slot."))
            return
        self._plot.set_view(view)
        self.show_body()

    def retranslate(self) -> None:
        self.set_title(self.tr("Slots and positions"))
        self.set_explanation(self.tr("difference per layer and slot; position told per slot"))
