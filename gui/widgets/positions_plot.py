"""The position that each slot's token was told, one line a lane; slots where the lanes disagree are red."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
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
        for item in (self._oracle_line, self._cached_line, self._mismatches):
            self.addItem(item)
        self.retranslate()
        self.recolour()

    def set_positions(self, oracle: Positions, cached: Positions) -> None:
        """Position ids by slot."""
        self._oracle, self._cached = oracle, cached
        n = max(len(oracle), len(cached), 2)
        top = max((int(ids.max()) for ids in (oracle, cached) if len(ids)), default=1)
        low = min((int(ids.min()) for ids in (oracle, cached) if len(ids)), default=0)
        self.plotItem.setRange(xRange=(0, n - 1), yRange=(min(0, low), max(1, top) * 1.06), padding=0.06)
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
        is_off = self._oracle[:n] != self._cached[:n]
        self._oracle_line.setData(np.arange(len(self._oracle)), self._oracle, pen=self.pen(theme.oracle, 2))
        cached = self.pen(
            theme.cached, 2, (3, 2.5)
        )  # dashed, so that the oracle's line shows where both agree
        self._cached_line.setData(np.arange(len(self._cached)), self._cached, pen=cached)
        at = np.flatnonzero(is_off)
        self._mismatches.setData(
            x=at,
            y=self._cached[:n][is_off],
            size=unit * 0.45,
            brush=pg.mkBrush(theme.bad),
            pen=self.pen(theme.panel),
        )
