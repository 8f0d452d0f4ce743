"""The KV cache of both lanes, one row a layer."""

from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.trace.reader import Trace
from core.views.cache import kv_table
from core.views.missing import no_cache
from core.views.numbers import data_size
from core.views.selection import Selection
from gui.glossary import tip
from gui.markup import marked
from gui.panels.base import Panel, Select
from gui.widgets.kv_axes import KvAxes
from gui.widgets.kv_table import KvTable
from gui.widgets.panel import tool_row


class KvPanel(Panel):
    """Shapes, growth, storage, and the position ids that the lanes were told."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._table = KvTable()
        self._table.layer_clicked.connect(lambda layer: self.select(layer=layer))
        self._axes = KvAxes()
        self._axes.setFixedWidth(self._axes.sizeHint().width())
        self._axes.hide()
        self._button = QToolButton()
        self._button.setCheckable(True)
        self._button.toggled.connect(self._axes.setVisible)
        self._button.toggled.connect(self._table.set_brief)
        self.add_title_widget(tool_row(self._button))
        host = QWidget()
        row = QHBoxLayout(host)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._table, 1)
        row.addWidget(self._axes)
        self.set_body(host)
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = kv_table(trace, selection)
        if view is None or not view.rows:
            self.show_missing(no_cache(trace))
            return
        self._table.set_view(view, selection.layer)
        self._axes.set_row(view.rows[selection.layer] if selection.layer < len(view.rows) else None)
        per_layer = data_size(view.nbytes_total // len(view.rows))
        text = self.tr("{total} in all · {per_layer} a layer")
        figures = [text.format(total=data_size(view.nbytes_total), per_layer=per_layer)]
        if view.n_pads:
            words = self.tr("row {row}: {n_valid} tokens after {n_pads} pads")
            figures.insert(0, words.format(row=selection.batch_row, n_valid=view.n_valid, n_pads=view.n_pads))
        self.set_figures(" · ".join(figures))
        self.show_body()

    def retranslate(self) -> None:
        self._button.setText(self.tr("axes"))
        self._button.setToolTip(tip("append_dim"))
        self._axes.retranslate()
        self.set_title(self.tr("KV cache"))
        self.set_title_tip(tip("kv_cache", "append_dim"))
        self.set_explanation(
            self.tr("[batch, kv_heads, {dim}, head_dim] grows on dim 2").format(dim=marked("kv_len"))
        )
