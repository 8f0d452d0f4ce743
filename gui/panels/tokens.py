"""The text of the run, one chip a token."""

import sys

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from core.trace.reader import Trace
from core.views.free import free_rows, how_chosen
from core.views.selection import Selection
from core.views.tokens import TokenStripView, token_strip
from gui.panels.base import Select
from gui.theme import theme_events, ui_font
from gui.widgets.free_texts import FreeTexts
from gui.widgets.row_selector import RowSelector
from gui.widgets.token_strip import TokenStrip


class TokensPanel(QFrame):
    """The strip under the toolbar; a click goes to the step of the token."""

    def __init__(self, select: Select) -> None:
        super().__init__()
        self.setObjectName("tokenBar")
        self.strip = TokenStrip()
        self.strip.step_clicked.connect(lambda step: select(step=step))
        self.rows = RowSelector()
        self.rows.row_clicked.connect(lambda row: select(batch_row=row))
        self.free = FreeTexts()  # only a free run has such texts
        self.free.step_clicked.connect(lambda step: select(step=step))
        self.free.hide()
        self._row = QHBoxLayout()
        self._row.addWidget(self.rows)
        self._row.addWidget(self.strip, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._row)
        self._column.addWidget(self.free)
        theme_events().changed.connect(self._fit)
        self._fit()

    def show_run(self, trace: Trace | None, selection: Selection, tolerance: float) -> None:
        if trace is None or len(trace) == 0:
            self.strip.set_view(TokenStripView(chips=()))
            self.rows.hide()
            self.free.set_row(None)
            return
        try:
            view = token_strip(trace, selection, tolerance)
            self.rows.show_rows(view.n_batch_rows, selection.batch_row)
            self.strip.set_view(view)
            free = free_rows(trace)
            row = free[selection.batch_row] if selection.batch_row < len(free) else None
            self.free.set_row(row, how_chosen(trace))
        except Exception as error:
            self.strip.set_view(TokenStripView(chips=()))
            self.free.set_row(None)
            sys.excepthook(type(error), error, error.__traceback__)

    def _fit(self) -> None:
        unit = QFontMetrics(ui_font()).height() // 2
        self._row.setContentsMargins(unit, unit // 2, unit, 0)
        self._row.setSpacing(unit // 2)

    def retranslate(self) -> None:
        """The strip holds no words of its own beside what it paints."""
        self.strip.update()
        self.rows.retranslate()
        self.free.retranslate()
