"""The KV cache of both lanes, one row a layer."""

from concurrent.futures import Future
from dataclasses import dataclass

from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.trace.reader import Trace
from core.views.cache import KvTableView, kv_table
from core.views.invariants import RULES, BrokenView, broken_invariants_of
from core.views.missing import no_cache
from core.views.numbers import data_size
from core.views.selection import Selection
from gui.background import AT_ONCE, Background, Show
from gui.glossary import tip
from gui.i18n import show_text
from gui.late_part import LatePart
from gui.markup import bad, marked
from gui.panels.base import Panel, Select
from gui.theme import current_theme
from gui.widgets.kv_axes import KvAxes
from gui.widgets.kv_table import KvTable
from gui.widgets.panel import tool_row


@dataclass(frozen=True)
class _Shown:
    """What the title row tells of: broken invariants are written in the theme's colour."""

    trace: Trace
    step: int
    figures: list[str]
    theme: str


class KvPanel(Panel):
    """Shapes, growth, storage, the position ids that the lanes were told, and whether the cache keeps to its invariants."""

    def __init__(self, select: Select, background: Background) -> None:
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
        self._background = background
        self._shown: _Shown | None = None
        self._n_rows = 0
        self.late_check = LatePart(self._check, self, self._begin_check, lambda: self._n_rows > AT_ONCE)
        self.retranslate()

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = kv_table(trace, selection)
        if view is None or not view.rows:
            self.late_check.stop()
            self._shown = None
            self.show_missing(no_cache(trace))
            return
        self._table.set_view(view, selection.layer)
        self._axes.set_row(view.rows[selection.layer] if selection.layer < len(view.rows) else None)
        shown = _Shown(trace, selection.step, self._figures_of(view, selection), current_theme().name)
        if shown != self._shown or self.is_empty:  # else it is said, or on its way
            self._shown = shown
            self.set_figures(" · ".join(shown.figures))
            self._n_rows = sum(row.kv_len for row in view.rows)
            self.late_check.ask()
        self.show_body()

    def forget(self) -> None:
        """The trace is about to be closed."""
        self.late_check.stop()
        self._shown = None

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
        if self._shown is not None and self._shown.step < len(self._shown.trace):
            self._say(broken_invariants_of(self._shown.trace, self._shown.step), self._shown.figures)

    def _begin_check(self) -> "Future[Show] | None":
        if self._shown is None or self._shown.step >= len(self._shown.trace):
            return None
        trace, step, figures = self._shown.trace, self._shown.step, self._shown.figures

        def make(twin: Trace) -> Show:
            broken = broken_invariants_of(twin, step)
            return lambda: self._say(broken, figures)

        return self._background.submit(trace, make, self)

    def _say(self, broken: tuple[BrokenView, ...] | None, figures: list[str]) -> None:
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
