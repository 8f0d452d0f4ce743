"""Layers and heads by how differently they attend."""

from core.trace.reader import Trace
from core.views.attention import layer_grid
from core.views.missing import no_attention
from core.views.selection import Selection
from gui.glossary import tip
from gui.i18n import show_text
from gui.panels.base import Panel, Select
from gui.widgets.layer_grid import LayerGrid


class LayersPanel(Panel):
    """A click looks into a head."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._grid = LayerGrid()
        self._grid.head_clicked.connect(lambda layer, head: self.select(layer=layer, head=head))
        self.set_body(self._grid)
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = layer_grid(trace, selection)
        if view is None:
            self.show_empty(
                show_text(no_attention(trace, selection).what)
            )  # the panel beside it has the hint
            return
        self._grid.set_view(view)
        self.show_body()

    def retranslate(self) -> None:
        self.set_title(self.tr("Layers × heads"))
        self.set_title_tip(tip("layer", "head", "gqa"))
        self.set_explanation(self.tr("by difference"))
