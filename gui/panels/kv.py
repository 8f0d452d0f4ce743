"""The KV cache of both lanes, one row a layer."""

from core.trace.reader import Trace
from core.views.cache import kv_table
from core.views.missing import no_cache
from core.views.numbers import data_size
from core.views.selection import Selection
from gui.glossary import tip
from gui.markup import marked
from gui.panels.base import Panel, Select
from gui.widgets.kv_table import KvTable


class KvPanel(Panel):
    """Shapes, growth, storage, and the position ids that the lanes were told."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._table = KvTable()
        self._table.layer_clicked.connect(lambda layer: self.select(layer=layer))
        self.set_body(self._table)
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = kv_table(trace, selection)
        if view is None or not view.rows:
            self.show_missing(no_cache(trace))
            return
        self._table.set_view(view, selection.layer)
        per_layer = data_size(view.nbytes_total // len(view.rows))
        text = self.tr("{total} in all · {per_layer} a layer")
        figures = [text.format(total=data_size(view.nbytes_total), per_layer=per_layer)]
        if view.n_pads:
            words = self.tr("row {row}: {n_valid} tokens after {n_pads} pads")
            figures.insert(0, words.format(row=selection.batch_row, n_valid=view.n_valid, n_pads=view.n_pads))
        self.set_figures(" · ".join(figures))
        self.show_body()

    def retranslate(self) -> None:
        self.set_title(self.tr("KV cache"))
        self.set_title_tip(tip("kv_cache", "append_dim"))
        self.set_explanation(
            self.tr("[batch, kv_heads, {dim}, head_dim] grows on dim 2").format(dim=marked("kv_len"))
        )
