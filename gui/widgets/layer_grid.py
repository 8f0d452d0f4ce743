"""Layers x heads, each square coloured by how differently the head attends in the selected step."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from core.views.attention import LayerGridView
from core.views.numbers import short
from gui.theme import current_theme, difference_lut, ui_font
from gui.widgets.guard import guarded
from gui.widgets.painted import CENTRE, PaintedWidget, caption_font, draw_text, paint_focus

MOVES: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}  # (layers, heads)
SMALL = 1.0  # of a line of text: squares below that are plain
LEAST_TOP = 1e-3  # below this all squares stay pale: rounding is no finding


@dataclass(frozen=True)
class _Grid:
    """Where the first square lies, from square to square, and the gap between two."""

    left: float
    top: float
    pitch: float
    gap: float


def _tone(place: int) -> QColor:
    return QColor(int(difference_lut(current_theme().name)[place]) & 0xFFFFFF)


class LayerGrid(PaintedWidget):
    """A click selects the layer and head; reached by Tab, the arrow keys do."""

    head_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: LayerGridView | None = None
        self._legend: list[str] = []
        self._grid = _Grid(0, 0, 1, 0)
        self._rects: list[QRectF] = []  # of all heads, layer by layer
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the run
        self.retranslate()

    def set_view(self, view: LayerGridView) -> None:
        """Show the heads of all layers."""
        self._view = view
        self._write_legend()
        self._place()
        self.setAccessibleDescription(self.tr("layer {layer}, head {head} is selected").format(
            layer=view.selected[0], head=view.selected[1]
        ))  # fmt: skip
        self.update()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self._write_legend()
        self.setAccessibleName(self.tr("Layers and heads by difference"))

    def _write_legend(self) -> None:
        self._legend = [self.tr("Outlined: selected."), self.tr("Red corner: attends differently.")]
        if self._view is not None and self._view.values.size:
            text = self.tr("layer {layer} · head {head}: |Δ| {value}")
            layer, head = self._view.selected
            value = short(float(self._view.values[layer, head]))
            self._legend.insert(0, text.format(layer=layer, head=head, value=value))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self._remeasure()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._remeasure()

    def _on_theme_changed(self) -> None:
        super()._on_theme_changed()
        self._remeasure()

    def _remeasure(self) -> None:
        self._place()
        self.update()

    def _place(self) -> None:
        shape = self._view.values.shape if self._view is not None else (0, 0)
        grid = self._measure()
        if grid != self._grid or len(self._rects) != math.prod(shape):
            self._grid = grid
            self._rects = [self.head_rect(layer, head) for layer, head in np.ndindex(shape)]

    def minimumSizeHint(self) -> QSize:
        return QSize(int(self.unit * 8), int(self.unit * 7))

    def paint(self, painter: QPainter) -> None:
        if self._view is None or not self._view.values.size:
            return
        n_layers, n_heads = self._view.values.shape
        self._paint_numbers(painter, n_layers, n_heads)
        values = np.nan_to_num(self._view.values, nan=1.0, posinf=1.0)
        shares = np.clip(values / max(LEAST_TOP, float(values.max())), 0, 1)
        tones = np.rint(128 + 127 * shares.astype(np.float64)).astype(np.int64)  # places in the colour map
        if self._grid.pitch - self._grid.gap < self.unit * SMALL:
            # of a large model there are hundreds, too small for a round corner to show
            self._paint_small_heads(painter, tones, self._view.is_bad)
        else:
            for layer, head in np.ndindex(n_layers, n_heads):
                is_bad = bool(self._view.is_bad[layer, head])
                self._paint_head(painter, _tone(int(tones[layer, head])), is_bad, self.head_rect(layer, head))
        self._paint_selected(painter, self.head_rect(*self._view.selected))
        self._paint_legend(painter, self.head_rect(n_layers - 1, 0).bottom())

    def head_rect(self, layer: int, head: int) -> QRectF:
        """The square of a head."""
        grid = self._grid
        side = grid.pitch - grid.gap
        return QRectF(grid.left + head * grid.pitch, grid.top + layer * grid.pitch, side, side)

    def head_at(self, position: QPointF) -> tuple[int, int] | None:
        """(layer, head) under a place of the widget."""
        if self._view is None:
            return None
        grid = self._grid
        layer = math.floor((position.y() - grid.top) / grid.pitch)
        head = math.floor((position.x() - grid.left) / grid.pitch)
        n_layers, n_heads = self._view.values.shape
        return (layer, head) if 0 <= layer < n_layers and 0 <= head < n_heads else None

    def _measure(self) -> "_Grid":
        """Squares as large as the room allows, up to a measure."""
        n_layers, n_heads = self._view.values.shape if self._view is not None else (1, 1)
        numbers = QFontMetricsF(caption_font())
        left = self.unit * 1.1 + numbers.horizontalAdvance(str(n_layers))
        top = numbers.height() + self.unit * 0.9
        legend = self._legend_height() + self.unit * 0.9
        wide = (self.width() - left - self.unit * 0.5) / max(1, n_heads)
        high = (self.height() - top - legend) / max(1, n_layers)
        pitch = max(3.0, min(wide, high, self.unit * 3.6))
        gap = max(1.0, min(pitch * 0.12, self.unit * 0.33))
        if pitch - gap < self.unit * SMALL:  # whole pixels, or small squares would be blurred
            return _Grid(round(left), round(top), math.floor(pitch), round(gap))
        return _Grid(left, top, pitch, gap)

    def _paint_numbers(self, painter: QPainter, n_layers: int, n_heads: int) -> None:
        theme, font = current_theme(), caption_font()
        left, top, pitch, gap = self._grid.left, self._grid.top, self._grid.pitch, self._grid.gap
        line = QFontMetricsF(font).height()
        every = max(1, math.ceil(line * 1.1 / pitch))
        for head in range(0, n_heads, every):
            rect = QRectF(left + head * pitch - pitch, top - line - self.unit * 0.25, pitch * 3 - gap, line)
            draw_text(painter, rect, str(head), theme.muted, font, CENTRE, False)
        for layer in range(0, n_layers, every):
            rect = QRectF(0, top + layer * pitch + (pitch - gap - line) / 2, left - self.unit * 0.2, line)
            draw_text(painter, rect, str(layer), theme.muted, font, CENTRE, False)

    def _paint_head(self, painter: QPainter, colour: QColor, is_bad: bool, rect: QRectF) -> None:
        theme = current_theme()
        radius = min(rect.width() * 0.12, self.unit * 0.22)
        painter.setPen(QPen(theme.line, 1))
        painter.setBrush(colour)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        if is_bad:
            self._paint_corner(painter, rect, radius)

    def _paint_small_heads(
        self, painter: QPainter, tones: NDArray[np.int64], is_bad: NDArray[np.bool_]
    ) -> None:
        """Head by head would take longer than all else: those of one colour are painted together."""
        theme, side = current_theme(), self._grid.pitch - self._grid.gap
        rects = self._rects
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if side > self.unit * 0.5:
            painter.setBrush(theme.line)
            painter.drawRects(rects)
            inside = [rect.adjusted(1, 1, -1, -1) for rect in rects]
        else:
            inside = rects
        flat = tones.ravel()
        for tone in np.unique(flat).tolist():
            painter.setBrush(_tone(tone))
            painter.drawRects([inside[i] for i in np.flatnonzero(flat == tone).tolist()])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size, corners = max(3.0, side * 0.45), QPainterPath()
        for i in np.flatnonzero(is_bad.ravel()).tolist():
            corner = rects[i].topRight()
            corners.addPolygon(
                QPolygonF([corner, corner - QPointF(size, 0), corner + QPointF(0, size), corner])
            )
        painter.setBrush(theme.bad)
        painter.drawPath(corners)

    def _paint_corner(self, painter: QPainter, rect: QRectF, radius: float) -> None:
        size = max(3.0, min(rect.width() * 0.36, self.unit * 0.8))
        inside = QPainterPath()
        inside.addRoundedRect(rect, radius, radius)
        corner = QPainterPath()
        right, top = rect.right(), rect.top()
        corner.addPolygon(
            QPolygonF([QPointF(right - size, top), QPointF(right, top), QPointF(right, top + size)])
        )
        painter.setPen(QPen(current_theme().panel, 1))
        painter.setBrush(current_theme().bad)
        painter.drawPath(inside.intersected(corner))

    def _paint_selected(self, painter: QPainter, rect: QRectF) -> None:
        theme = current_theme()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width, grown in ((theme.panel, 1.5, 0.6), (theme.accent, 2.0, 2.2)):
            painter.setPen(QPen(colour, width))
            radius = min(rect.width() * 0.12, self.unit * 0.22) + grown
            painter.drawRoundedRect(rect.adjusted(-grown, -grown, grown, grown), radius, radius)

    def _legend_height(self) -> float:
        room = QRectF(0, 0, self.width() - self.unit * 1.2, 1e4)
        words = "\n".join(self._legend)
        return QFontMetricsF(ui_font(-1)).boundingRect(room, int(Qt.TextFlag.TextWordWrap), words).height()

    def _paint_legend(self, painter: QPainter, bottom: float) -> None:
        font = ui_font(-1)
        painter.setFont(font)
        painter.setPen(current_theme().muted)
        rect = QRectF(
            self.unit * 0.8, bottom + self.unit * 0.5, self.width() - self.unit * 1.2, self.height()
        )
        painter.drawText(rect, int(Qt.TextFlag.TextWordWrap), "\n".join(self._legend))

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in MOVES
        ):
            event.accept()  # the arrows are ours while we have the focus
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._view is None or event.key() not in MOVES:
            event.ignore()
            return
        n_layers, n_heads = self._view.values.shape
        down, right = MOVES[event.key()]
        layer, head = self._view.selected[0] + down, self._view.selected[1] + right
        if 0 <= layer < n_layers and 0 <= head < n_heads:
            self.head_clicked.emit(layer, head)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            paint_focus(self)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.head_at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor)
        if place is None or self._view is None:
            self.setToolTip("")
            return
        text = self.tr("layer {layer}, head {head}: max |Δ weight| {value}")
        self.setToolTip(
            text.format(layer=place[0], head=place[1], value=short(float(self._view.values[place])))
        )

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.head_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.head_clicked.emit(*place)
