"""Layers x slots coloured by difference; wide caches are pooled so that the worst slot stays visible."""

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from core.views.numbers import short
from gui.theme import current_theme, difference_lut
from gui.widgets.guard import guarded
from gui.widgets.map_image import Scale, image
from gui.widgets.painted import CENTRE, LEFT, PaintedWidget, caption_font, draw_text

LEAST_TOP = 1e-3  # rounding stays pale


class SlotsMap(PaintedWidget):
    """One row a layer, one column a slot; the slots that this step wrote have a strip of accent below."""

    cell_hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
        self._is_new: NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self._name = "K"
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Differences by layer and slot"))

    def set_data(self, values: NDArray[np.float32], is_new: NDArray[np.bool_], name: str) -> None:
        """Sizes [layers, slots], negative where the cached lane does not hold the slot; and which slots are new."""
        self._values, self._is_new, self._name = values, is_new, name
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(int(self.unit * 8), int(self.unit * 4))

    def area(self) -> QRectF:
        """The map without its numbers."""
        metrics = QFontMetricsF(caption_font())
        left = metrics.horizontalAdvance(str(max(0, self._values.shape[0] - 1))) + self.unit * 0.5
        return QRectF(
            left,
            0.5,
            max(1.0, self.width() - left - 1),
            max(1.0, self.height() - metrics.height() - self.unit * 0.35),
        )

    def cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """(layer, slot) under a place of the widget."""
        area = self.area()
        if not self._values.size or not area.contains(position):
            return None
        n_layers, n_slots = self._values.shape
        layer = math.floor((position.y() - area.top()) / area.height() * n_layers)
        slot = math.floor((position.x() - area.left()) / area.width() * n_slots)
        return min(layer, n_layers - 1), min(slot, n_slots - 1)

    def paint(self, painter: QPainter) -> None:
        if not self._values.size:
            return
        area = self.area()
        self._paint_cells(painter, area)
        self._paint_lines(painter, area)
        self._paint_numbers(painter, area)

    def _paint_cells(self, painter: QPainter, area: QRectF) -> None:
        theme = current_theme()
        values = self._pooled(area.width() * self.devicePixelRatioF())
        top = max(LEAST_TOP, float(np.nan_to_num(values, nan=0.0, posinf=0.0).max(initial=0.0)))
        seen = ~(values < 0)  # NaN counts as seen: it is drawn as the largest
        picture = image(values, seen, Scale(top, is_signed=True), difference_lut(theme.name), theme.unseen)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(area, picture)

    def _pooled(self, pixels: float) -> NDArray[np.float32]:
        n_layers, n_slots = self._values.shape
        factor = max(1, math.ceil(n_slots / max(1.0, pixels)))
        if factor == 1:
            return self._values
        padded = np.zeros((n_layers, -(-n_slots // factor) * factor), dtype=np.float32)
        padded[:, :n_slots] = self._values
        return np.asarray(padded.reshape(n_layers, -1, factor).max(axis=2), dtype=np.float32)

    def _paint_lines(self, painter: QPainter, area: QRectF) -> None:
        theme = current_theme()
        n_layers, n_slots = self._values.shape
        painter.setPen(QPen(theme.panel, max(1.0, min(3.0, area.height() / n_layers * 0.12))))
        for layer in range(1, n_layers):
            y = area.top() + area.height() * layer / n_layers
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        if area.width() / n_slots > self.unit * 0.3:
            painter.setPen(QPen(theme.panel, 1))
            for slot in range(1, n_slots):
                x = area.left() + area.width() * slot / n_slots
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setPen(theme.line)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)
        self._paint_new(painter, area)

    def _paint_new(self, painter: QPainter, area: QRectF) -> None:
        """A strip of accent under the slots that this step wrote, as in the bar of the KV table."""
        new = np.flatnonzero(self._is_new)
        if not len(new):
            return
        slot = area.width() / self._values.shape[1]
        height = max(2.0, self.unit * 0.2)
        left = area.left() + float(new[0]) * slot
        width = max(self.unit * 0.3, (float(new[-1] - new[0]) + 1) * slot)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().accent)
        painter.drawRect(QRectF(min(left, area.right() - width), area.bottom() + 1, width, height))

    def _paint_numbers(self, painter: QPainter, area: QRectF) -> None:
        theme, font = current_theme(), caption_font()
        metrics = QFontMetricsF(font)
        n_layers, n_slots = self._values.shape
        line = metrics.height()
        for layer in range(0, n_layers, max(1, math.ceil(n_layers * line / area.height()))):
            middle = area.top() + area.height() * (layer + 0.5) / n_layers
            draw_text(
                painter, QRectF(0, middle - line / 2, area.left(), line), str(layer), theme.muted, font, LEFT
            )
        width = metrics.horizontalAdvance(str(n_slots)) * 2.5
        every = max(1, math.ceil(width * n_slots / area.width()))
        every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if n >= every)
        for slot in range(0, n_slots, every):
            middle = area.left() + area.width() * (slot + 0.5) / n_slots
            rect = QRectF(middle - width / 2, area.bottom() + self.unit * 0.25, width, line)
            draw_text(painter, rect, str(slot), theme.muted, font, CENTRE, False)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        self.cell_hovered.emit(cell)
        if cell is None:
            self.setToolTip("")
            return
        value = float(self._values[cell])
        words = self.tr("layer {layer}, slot {slot}: |Δ{name}| {value}")
        if value < 0:
            words = self.tr("layer {layer}, slot {slot}: not in the cache any more")
        self.setToolTip(words.format(layer=cell[0], slot=cell[1], name=self._name, value=short(value)))
