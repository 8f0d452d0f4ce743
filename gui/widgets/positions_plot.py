"""The position that each slot's token was told, one line a lane; slots where the lanes disagree are red."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QWidget

from gui.theme import current_theme
from gui.widgets.painted import caption_font
from gui.widgets.plot_axes import WholeAxis
from gui.widgets.plots import Plot

Positions = NDArray[np.int64]


class PositionsPlot(Plot):
    """Healthy lanes lie on one rising line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, left=WholeAxis("left"), bottom=WholeAxis("bottom"))
        self._oracle: Positions = np.zeros(0, dtype=np.int64)
        self._cached: Positions = np.zeros(0, dtype=np.int64)
        self.plotItem.setMouseEnabled(x=False, y=False)
        self._oracle_line, self._cached_line = pg.PlotCurveItem(), pg.PlotCurveItem()
        self._mismatches = pg.ScatterPlotItem()
        self._nothing = pg.TextItem(anchor=(0.5, 0.5))
        for item in (self._oracle_line, self._cached_line, self._mismatches, self._nothing):
            self.addItem(item)
        self.retranslate()
        self.recolour()

    def set_positions(self, oracle: Positions, cached: Positions) -> None:
        """Position ids by slot, negative where none was seen: a pad, or a model that is told none."""
        self._oracle, self._cached = oracle, cached
        n = max(len(oracle), len(cached), 2)
        top = max((int(ids.max()) for ids in (oracle, cached) if len(ids)), default=1)
        self.plotItem.setRange(xRange=(0, n - 1), yRange=(0, max(1, top) * 1.06), padding=0.06)
        self._nothing.setPos((n - 1) / 2, max(1, top) / 2)
        self.recolour()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Position told for each slot"))
        self.plotItem.setLabel("bottom", self.tr("slot"))
        self.recolour()

    def recolour(self) -> None:
        if not hasattr(self, "_mismatches"):
            return
        super().recolour()
        theme, unit = current_theme(), self.fontMetrics().height()
        for side in ("left", "bottom"):
            axis = self.plotItem.getAxis(side)
            axis.setStyle(tickLength=0, tickTextOffset=unit // 4)
        self.plotItem.getAxis("left").setWidth(self.fontMetrics().horizontalAdvance("0000"))
        self.plotItem.getAxis("left").setPen(None)
        label = self.plotItem.getAxis("bottom")
        label.label.setFont(caption_font())
        label.setLabel(color=theme.muted.name())
        self._draw()

    def _draw(self) -> None:
        theme, unit = current_theme(), self.fontMetrics().height()
        n = min(len(self._oracle), len(self._cached))
        is_known = (self._oracle[:n] >= 0) & (self._cached[:n] >= 0)
        is_off = (self._oracle[:n] != self._cached[:n]) & is_known
        self._draw_line(self._oracle_line, self._oracle, self.pen(theme.oracle, 2))
        cached = self.pen(
            theme.cached, 2, (3, 2.5)
        )  # dashed, so that the oracle's line shows where both agree
        self._draw_line(self._cached_line, self._cached, cached)
        is_empty = bool((self._oracle < 0).all() and (self._cached < 0).all())
        self._nothing.setVisible(is_empty and len(self._oracle) > 0)
        self._nothing.setText(self.tr("no position ids seen"), color=theme.muted)
        self._nothing.setFont(caption_font())
        at = np.flatnonzero(is_off)
        self._mismatches.setData(
            x=at,
            y=self._cached[:n][is_off],
            size=unit * 0.45,
            brush=pg.mkBrush(theme.bad),
            pen=self.pen(theme.panel),
        )

    @staticmethod
    def _draw_line(line: pg.PlotCurveItem, ids: Positions, pen: QPen) -> None:
        """Slots without an id are left out."""
        at = np.flatnonzero(ids >= 0)
        line.setData(at, ids[at], pen=pen)
