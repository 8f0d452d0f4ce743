"""Milliseconds of a decode step over the length, both axes logarithmic: a straight line is a power, its slope the order."""

import math

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from core.views.profile_table import Curve
from gui.theme import current_theme
from gui.widgets.painted import caption_font
from gui.widgets.plots import Plot

DASHES = ((), (6, 3), (2, 2.5), (8, 2.5, 2, 2.5))  # layouts are told apart by more than their name
LEAST_MS = 1e-4  # what no clock tells from nothing
SYMBOLS = ("o", "s", "t", "d")


class ProfilePlot(Plot):
    """The oracle blue, the cached lane orange, one line a layout, each with its name and order at its end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[Curve, ...] = ()
        self._items: list[object] = []
        self.plotItem.setMouseEnabled(x=False, y=False)
        self.plotItem.vb.sigResized.connect(self._draw)
        self.retranslate()
        self.recolour()

    def set_curves(self, curves: tuple[Curve, ...]) -> None:
        self._curves = curves
        self.recolour()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Milliseconds of a step by length, both logarithmic"))
        self.recolour()

    def recolour(self) -> None:
        if not hasattr(self, "_items"):
            return
        super().recolour()
        unit = self.fontMetrics().height()
        for side in ("left", "bottom"):
            self.plotItem.getAxis(side).setStyle(tickLength=0, tickTextOffset=unit // 4)
        self.plotItem.getAxis("left").setGrid(60)
        self.plotItem.getAxis("left").setWidth(self.fontMetrics().horizontalAdvance("0000"))
        self._draw()

    def _draw(self) -> None:
        for item in self._items:
            self.plotItem.removeItem(item)
        self._items = []
        if not self._curves or self.closed:
            return
        self._fit_axes()
        place = 0
        for curve in self._curves:
            colour = current_theme().oracle if curve.is_oracle else current_theme().cached
            index = 0 if curve.is_oracle else place % len(DASHES)
            place += not curve.is_oracle
            x, y = _log(curve.lengths), _log(curve.times)
            self._add(pg.PlotCurveItem(x, y, pen=self.pen(colour, 2, DASHES[index])))
            brush = pg.mkBrush(current_theme().panel)
            size = self.fontMetrics().height() * 0.45
            self._add(
                pg.ScatterPlotItem(
                    x=x, y=y, size=size, symbol=SYMBOLS[index], brush=brush, pen=self.pen(colour, 1.6)
                )
            )
        self._write_names()

    def _fit_axes(self) -> None:
        lengths = sorted({length for curve in self._curves for length in curve.lengths})
        times = [max(time, LEAST_MS) for curve in self._curves for time in curve.times]
        low, high = math.log10(min(times)) - 0.12, math.log10(max(times)) + 0.12
        first, last = math.log10(lengths[0]), math.log10(lengths[-1])
        spread = max(last - first, 0.1)
        metrics = QFontMetricsF(caption_font())
        names = max(metrics.horizontalAdvance(self._name(curve)) for curve in self._curves) + metrics.height()
        room = max(1.0, self.plotItem.vb.width())
        share = min(0.6, names / room)
        self.plotItem.setRange(
            xRange=(first - spread * 0.09, last + spread * 1.05 * share / (1 - share)),
            yRange=(low, high),
            padding=0,
        )
        self.plotItem.getAxis("bottom").setTicks([[(math.log10(one), str(one)) for one in lengths]])
        decades = range(math.floor(low), math.ceil(high) + 1)
        values = [digit * 10.0**exponent for exponent in decades for digit in (1, 2, 5)]
        ticks = [(math.log10(one), f"{one:g}") for one in values if low <= math.log10(one) <= high]
        self.plotItem.getAxis("left").setTicks([ticks])

    def _write_names(self) -> None:
        """At the ends of the lines, moved apart where they would touch."""
        low, high = self.plotItem.vb.viewRange()[1]
        height = max(1.0, self.plotItem.vb.height())
        line = QFontMetricsF(caption_font()).height() * (high - low) / height
        curves = sorted(self._curves, key=lambda one: -one.times[-1])
        wanted = [math.log10(max(curve.times[-1], LEAST_MS)) for curve in curves]
        for curve, y in zip(curves, _apart(wanted, line, low + line / 2), strict=True):
            colour = current_theme().oracle if curve.is_oracle else current_theme().cached_ink
            label = pg.TextItem(self._name(curve), color=colour, anchor=(0, 0.5))
            label.setFont(caption_font())
            label.setPos(math.log10(curve.lengths[-1]), y)
            self._add(label)

    def _name(self, curve: Curve) -> str:
        name = self.tr("oracle") if curve.is_oracle else curve.layout or self.tr("cached")
        return f"  {name}" if curve.order is None else f"  {name}  ~ n^{curve.order:.2f}"

    def _add(self, item: object) -> None:
        self._items.append(item)
        self.plotItem.addItem(item)


def _apart(wanted: list[float], line: float, lowest: float) -> list[float]:
    """Places from the top down, a line apart at least, the last one not below `lowest`."""
    places: list[float] = []
    for y in wanted:
        places.append(min(y, places[-1] - line) if places else y)
    below = lowest
    for index in reversed(range(len(places))):
        places[index] = max(places[index], below)
        below = places[index] + line
    return places


def _log(values: tuple[float, ...]) -> list[float]:
    return [math.log10(max(value, LEAST_MS)) for value in values]
