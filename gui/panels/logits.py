"""The top of both lanes' logits."""

from core.trace.reader import Trace
from core.views.logits import logits
from core.views.missing import no_logits
from core.views.selection import Selection
from gui.glossary import tip
from gui.panels.base import Panel, Select
from gui.widgets.logits_table import LogitsTable

TOP_K = 10


class LogitsPanel(Panel):
    """What each lane would say next."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._table = LogitsTable()
        self.set_body(self._table)
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        self.set_explanation(self.tr("step {step}").format(step=selection.step))
        view = logits(trace, selection, tolerance, k=TOP_K)
        if view is None:
            self.show_missing(no_logits(trace))
            return
        self._table.set_view(view)
        self.set_figures(self.tr("top {count}").format(count=TOP_K))
        self.show_body()

    def retranslate(self) -> None:
        self.set_title(self.tr("Logits"))
        self.set_title_tip(tip("logits", "margin", "kl"))
