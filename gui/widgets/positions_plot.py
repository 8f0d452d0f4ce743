"""The position that each token was told, one line a lane, and as which its key is rotated; where they disagree is red."""

import html

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QWidget

from gui.lanes import lanes
from gui.theme import current_theme
from gui.widgets.painted import caption_font
from gui.widgets.plot_axes import WholeAxis
from gui.widgets.plots import Plot

Positions = NDArray[np.int64]


NOWHERE = -1
MOST_CAPTION = 0.5  # of the height


class PositionsPlot(Plot):
    """Healthy lanes lie on one rising line, and so does the rotation."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, left=WholeAxis("left"), bottom=WholeAxis("bottom"))
        self._oracle: Positions = np.zeros(0, dtype=np.int64)
        self._cached: Positions = np.zeros(0, dtype=np.int64)
        self._rotated: Positions | None = None
        self._legend = self._finding = ""
        self.plotItem.setMouseEnabled(x=False, y=False)
        self._oracle_line, self._cached_line = pg.PlotCurveItem(), pg.PlotCurveItem()
        self._rotated_line = pg.PlotCurveItem(connect="finite")
        self._mismatches = pg.ScatterPlotItem()
        self._nothing = pg.TextItem(anchor=(0.5, 0.5))
        self._caption = pg.TextItem(anchor=(0, 0))
        self._caption.setParentItem(self.plotItem.vb)  # stays at its corner, whatever is plotted
        for item in (
            self._oracle_line, self._cached_line, self._rotated_line, self._mismatches, self._nothing,
        ):  # fmt: skip
            self.addItem(item)
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.plotItem.vb.sigResized.connect(self._fit_range)
        lanes().changed.connect(self.retranslate)
        self.retranslate()
        self.recolour()

    def set_positions(self, oracle: Positions, cached: Positions, rotated: Positions | None = None) -> None:
        """Position ids by token, negative where none was seen: a pad, or a model that is told none."""
        self._oracle, self._cached, self._rotated = oracle, cached, rotated
        self.recolour()

    def _fit_range(self) -> None:
        """All positions, and above them room for the caption where there is one: the lines end at the top right."""
        shown = [ids for ids in (self._oracle, self._cached, self._rotated) if ids is not None and len(ids)]
        n = max([len(ids) for ids in shown] + [2])
        top = max([int(ids.max()) for ids in shown] + [1]) * 1.06
        box = self.plotItem.vb
        high = self._caption_height(self._legend + self._finding)
        if self._finding and high > MOST_CAPTION * box.height():  # what is wrong matters more than the names
            high = self._caption_height(self._finding)
        room = min(MOST_CAPTION, high / max(1.0, box.height())) if self._finding else 0.0
        self.plotItem.setRange(xRange=(0, n - 1), yRange=(0, top / (1 - room)), padding=0.06)
        self._nothing.setPos((n - 1) / 2, top / 2)

    def _caption_height(self, text: str) -> float:
        """Write the caption; in a narrow panel it goes over several lines."""
        self._caption.setHtml(text.removeprefix("<br>"))
        self._caption.setTextWidth(max(1.0, self.plotItem.vb.width()))
        return float(self._caption.textItem.boundingRect().height())

    def read_out(self, token: int) -> str:
        """What a token was told in both lanes, and as which position its key is rotated."""
        oracle, cached, rotated = (
            int(ids[token]) if ids is not None and 0 <= token < len(ids) else NOWHERE
            for ids in (self._oracle, self._cached, self._rotated)
        )
        parts = [
            (oracle, self.tr("the oracle is told {position}")),
            (cached, self.tr("the cached lane is told {position}")),
            (rotated, self.tr("rotated as {position}")),
        ]
        known = [words.format(position=position) for position, words in parts if position >= 0]
        name = self.tr("token {token}").format(token=token)
        return f"{name}: {', '.join(known)}" if known else ""

    def caption(self) -> str:
        """The first token whose key is not rotated as it was told, or whose lanes were told different positions."""
        told, rotated = self._cached, self._rotated
        if rotated is not None and len(told) == len(rotated):
            known = (rotated >= 0) & (told >= 0)
            off = np.flatnonzero(known & (rotated != told))
            if len(off):
                words = self.tr("token {token}: told {told}, rotated as {rotated}")
                return str(words.format(token=off[0], told=told[off[0]], rotated=rotated[off[0]]))
        n = min(len(self._oracle), len(told))
        off = np.flatnonzero((self._oracle[:n] != told[:n]) & (self._oracle[:n] >= 0) & (told[:n] >= 0))
        if len(off):
            words = self.tr("token {token}: told {told}, expected {expected}")
            return str(words.format(token=off[0], told=told[off[0]], expected=self._oracle[off[0]]))
        return ""

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
        self._fit_range()

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
        self._draw_rotated()
        self._write_caption()
        is_empty = self._rotated is None and bool((self._oracle < 0).all() and (self._cached < 0).all())
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

    def _draw_rotated(self) -> None:
        """Dots, so that the line of what was told shows where both agree; nothing between tokens that are not known."""
        rotated = (
            np.zeros(0) if self._rotated is None else np.where(self._rotated >= 0, self._rotated, np.nan)
        )
        pen = self.pen(current_theme().text, 2.2, (0.1, 3))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self._rotated_line.setData(np.arange(len(rotated)), rotated, pen=pen)

    def _write_caption(self) -> None:
        theme = current_theme()
        names = [
            (lanes().oracle(self.tr("oracle")), theme.oracle), (lanes().cached(self.tr("cached")), theme.cached_ink),
        ]  # fmt: skip
        names += [(self.tr("rotated"), theme.text)] if self._rotated is not None else []
        legend = " · ".join(
            f'<span style="color:{tone.name()}">{html.escape(name)}</span>' for name, tone in names
        )
        caption = self.caption()
        self._legend = legend
        self._finding = (
            f'<br><span style="color:{theme.bad.name()}">{html.escape(caption)}</span>' if caption else ""
        )
        self._caption.setFont(caption_font())
        self.setAccessibleDescription(caption)

    def _on_mouse_moved(self, place: QPointF) -> None:
        box = self.plotItem.vb
        inside = box.sceneBoundingRect().contains(place)
        self.setToolTip(self.read_out(round(box.mapSceneToView(place).x())) if inside else "")

    @staticmethod
    def _draw_line(line: pg.PlotCurveItem, ids: Positions, pen: QPen) -> None:
        """Slots without an id are left out."""
        at = np.flatnonzero(ids >= 0)
        line.setData(at, ids[at], pen=pen)
