"""The KV cache of both lanes, one row a layer."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.trace.reader import Trace
from core.views.cache import KvTableView, kv_table
from core.views.invariants import RULES, BrokenView, broken_invariants_of
from core.views.missing import no_cache
from core.views.numbers import data_size
from core.views.selection import Selection
from gui.glossary import tip
from gui.i18n import show_text
from gui.markup import bad, marked
from gui.panels.base import Panel, Select
from gui.widgets.kv_axes import KvAxes
from gui.widgets.kv_table import KvTable
from gui.widgets.panel import tool_row

AT_ONCE = 4096  # rows of all layers whose invariants are checked in no time; for more the selection must rest
REST_MS = 150


class KvPanel(Panel):
    """Shapes, growth, storage, the position ids that the lanes were told, and whether the cache keeps to its invariants."""

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
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._check)
        self._shown: tuple[Trace, int, list[str]] | None = None
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = kv_table(trace, selection)
        if view is None or not view.rows:
            self.show_missing(no_cache(trace))
            return
        self._table.set_view(view, selection.layer)
        self._axes.set_row(view.rows[selection.layer] if selection.layer < len(view.rows) else None)
        self._shown = trace, selection.step, self._figures_of(view, selection)
        self.set_figures(" · ".join(self._shown[2]))
        n_rows = sum(row.kv_len for row in view.rows)
        if n_rows <= AT_ONCE:
            self._check()
        else:
            self._rest.start()
        self.show_body()

    def _figures_of(self, view: KvTableView, selection: Selection) -> list[str]:
        text = self.tr("{total} in all · {per_layer} a layer")
        per_layer = data_size(view.nbytes_total // len(view.rows))
        figures = [text.format(total=data_size(view.nbytes_total), per_layer=per_layer)]
        if view.n_pads:
            words = self.tr("row {row}: {n_valid} tokens after {n_pads} pads")
            figures.insert(0, words.format(row=selection.batch_row, n_valid=view.n_valid, n_pads=view.n_pads))
        return figures

    def _check(self) -> None:
        """Say whether the cached lane keeps to what needs no oracle."""
        if self._shown is None:
            return
        trace, step, figures = self._shown
        broken = broken_invariants_of(trace, step) if step < len(trace) else None
        if broken is None:
            return
        words = self.tr("invariants hold") if not broken else bad("✗ " + self._broken(broken))
        self.set_figures(" · ".join((words, *figures)))
        self.set_figures_tip(
            "\n".join(show_text(one) for one in ([view.sentence for view in broken] if broken else RULES))
        )

    def _broken(self, broken: tuple[BrokenView, ...]) -> str:
        names = {
            "row-changed": self.tr("old row changed"), "length": self.tr("wrong length"), "zero-row": self.tr("zero row"),
            "not-finite": self.tr("not finite"), "blind-query": self.tr("blind query"),
            "shared-storage": self.tr("shared memory"), "positions": self.tr("positions do not go on"),
        }  # fmt: skip
        return ", ".join(names[one.name] for one in broken)

    def retranslate(self) -> None:
        self._button.setText(self.tr("axes"))
        self._button.setToolTip(tip("append_dim"))
        self._axes.retranslate()
        self.set_title(self.tr("KV cache"))
        self.set_title_tip(tip("kv_cache", "append_dim"))
        self.set_explanation(
            self.tr("[batch, kv_heads, {dim}, head_dim] grows on dim 2").format(dim=marked("kv_len"))
        )
