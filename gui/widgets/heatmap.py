"""One square map with token axes and a colour bar; several share a viewport and a hovered cell."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.theme import current_theme, difference_lut, sequential_lut, ui_font
from gui.widgets.guard import guarded
from gui.widgets.heatmap_axes import MapGeometry, paint_axes, paint_bar
from gui.widgets.map_image import Scale
from gui.widgets.map_outline import Outline, paint_outline
from gui.widgets.map_pyramid import MapPyramid
from gui.widgets.map_viewport import MapViewport
from gui.widgets.painted import LEFT, RIGHT, PaintedWidget, draw_text, hairline


@dataclass(frozen=True)
class MapData:
    """A matrix [rows, columns], what of it exists, and how it is coloured."""

    values: NDArray[np.float32]
    seen: NDArray[np.bool_]
    labels: tuple[str, ...]
    scale: Scale
    border: int | None = None  # a dashed line before this row and column
    selected: tuple[int, int] | None = None
    outlines: tuple[Outline, ...] = ()  # of what may be seen


class Heatmap(PaintedWidget):
    """Wheel zooms, dragging pans, a double click shows all; a click without a drag picks a cell."""

    cell_clicked = Signal(int, int)
    cell_hovered = Signal(object)  # tuple[int, int] | None

    def __init__(self, viewport: MapViewport, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._viewport = viewport
        self._tone = tone
        self._data: MapData | None = None
        self._pyramid: MapPyramid | None = None
        self._captions = ("", "")
        self._hovered: tuple[int, int] | None = None
        self._geometry: MapGeometry | None = None
        self._measured: tuple[QSize, float] | None = None
        self._measured_labels: tuple[str, ...] = ()
        self._pressed_at: QPointF | None = None
        self._is_dragging = False
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        viewport.changed.connect(self._on_viewport_changed)

    def set_data(self, data: MapData) -> None:
        """Show a matrix."""
        self._data = data
        self._pyramid = None
        self.update()

    def set_captions(self, name: str, remark: str) -> None:
        """The name of the map (in its lane's colour) and a remark at the right."""
        self._captions = (name, remark)
        self.setAccessibleName(name)
        self.update()

    def set_hovered(self, cell: tuple[int, int] | None) -> None:
        """Mark a cell that is under the pointer here or in a linked map."""
        if cell != self._hovered:
            self._hovered = cell
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(int(self.unit * 9), int(self.unit * 8))

    def geometry_now(self) -> MapGeometry:
        """Where the parts of the map lie: measured once for a size, a font and the labels."""
        labels = self._data.labels if self._data else ()
        fits = self._geometry is not None and self._measured == (self.size(), self.unit)
        if self._geometry is None or not fits or labels is not self._measured_labels:
            self._geometry = MapGeometry.fit(QRectF(self.rect()), self.unit, labels)
            self._measured, self._measured_labels = (self.size(), self.unit), labels
        return self._geometry

    def cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """(row, column) under a place of the widget."""
        cells = self._to_cells(position)
        if self._data is None or cells is None:
            return None
        row, column = math.floor(cells.y()), math.floor(cells.x())
        rows, columns = self._data.values.shape
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def cell_rect(self, row: int, column: int) -> QRectF:
        """The place of a cell in the widget."""
        area, view = self.geometry_now().area, self._viewport.rect
        size = area.width() / view.width()
        return QRectF(
            area.left() + (column - view.left()) * size, area.top() + (row - view.top()) * size, size, size
        )

    def paint(self, painter: QPainter) -> None:
        theme, geometry = current_theme(), self.geometry_now()
        name, remark = self._captions
        colour = theme.cached_ink if self._tone == "cached" else getattr(theme, self._tone)
        draw_text(painter, geometry.caption, name, colour, ui_font(bold=True), LEFT)
        taken = QFontMetricsF(ui_font(bold=True)).horizontalAdvance(name) + self.unit * 0.6
        room = geometry.caption.adjusted(taken, 0, 0, 0)
        if QFontMetricsF(ui_font(-1)).horizontalAdvance(remark) <= room.width():
            draw_text(painter, room, remark, theme.muted, ui_font(-1), RIGHT)
        if self._data is None or not self._data.values.size:
            return
        self._paint_cells(painter, geometry, self._data)
        self._paint_marks(painter, geometry.area, self._data)
        paint_axes(painter, geometry, self._data.labels, self._viewport.rect, theme)
        lut = difference_lut(theme.name) if self._data.scale.is_signed else sequential_lut()
        paint_bar(painter, geometry, lut, self._data.scale, theme)

    def _paint_cells(self, painter: QPainter, geometry: MapGeometry, data: MapData) -> None:
        theme = current_theme()
        if self._pyramid is None:
            self._pyramid = MapPyramid(data.values, data.seen)
        lut = difference_lut(theme.name) if data.scale.is_signed else sequential_lut()
        pixels = geometry.area.width() * self.devicePixelRatioF()
        piece = self._pyramid.piece(self._viewport.rect, pixels, data.scale, lut, theme.unseen)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(geometry.area, piece.picture, piece.source)

    def _paint_marks(self, painter: QPainter, area: QRectF, data: MapData) -> None:
        theme = current_theme()
        painter.save()
        painter.setClipRect(area)
        if data.border is not None and 0 < data.border < data.values.shape[0]:
            corner = self.cell_rect(data.border, data.border).topLeft()
            hairline(
                painter,
                theme.muted,
                QPointF(area.left(), corner.y()),
                QPointF(area.right(), corner.y()),
                True,
            )
            hairline(
                painter,
                theme.muted,
                QPointF(corner.x(), area.top()),
                QPointF(corner.x(), area.bottom()),
                True,
            )
        first = self.cell_rect(0, 0)
        for outline in data.outlines:
            paint_outline(painter, outline, first.topLeft(), first.width())
        if data.selected is not None:
            self._paint_selected(painter, area, data.selected)
        if self._hovered is not None and self._hovered != data.selected:
            self._paint_frame(painter, self.cell_rect(*self._hovered))
        painter.restore()

    def _paint_selected(self, painter: QPainter, area: QRectF, cell: tuple[int, int]) -> None:
        rect = self.cell_rect(*cell)
        colour = current_theme().accent
        faint = QPen(colour, 1)
        faint.setDashPattern([2, 3])
        painter.setPen(faint)
        middle = rect.center()
        for start, end in (
            (QPointF(area.left(), middle.y()), QPointF(rect.left(), middle.y())),
            (QPointF(rect.right(), middle.y()), QPointF(area.right(), middle.y())),
            (QPointF(middle.x(), area.top()), QPointF(middle.x(), rect.top())),
            (QPointF(middle.x(), rect.bottom()), QPointF(middle.x(), area.bottom())),
        ):
            painter.drawLine(start, end)
        self._paint_frame(painter, rect)

    def _paint_frame(self, painter: QPainter, rect: QRectF) -> None:
        """Two tones, so that the frame shows on every colour of the map."""
        theme = current_theme()
        least = self.unit * 0.4
        grown = max(0.0, (least - rect.width()) / 2) + 1
        frame = rect.adjusted(-grown, -grown, grown, grown)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.panel, 3))
        painter.drawRect(frame)
        painter.setPen(QPen(theme.accent, 1.6))
        painter.drawRect(frame)

    def _to_cells(self, position: QPointF) -> QPointF | None:
        area, view = self.geometry_now().area, self._viewport.rect
        if not area.contains(position) or area.width() <= 0:
            return None
        share = (position - area.topLeft()) / area.width()
        return view.topLeft() + share * view.width()

    def _on_viewport_changed(self) -> None:
        self.update()

    def _on_theme_changed(self) -> None:
        self._pyramid = None
        super()._on_theme_changed()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update()

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        at = self._to_cells(event.position())
        if at is not None:
            self._viewport.zoom(0.8 ** (event.angleDelta().y() / 120), at)
            event.accept()

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()
            self._is_dragging = False

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.cell_hovered.emit(self.cell_at(event.position()))
        if self._pressed_at is None:
            return
        moved = event.position() - self._pressed_at
        if self._is_dragging or moved.manhattanLength() > self.unit * 0.4:
            self._is_dragging = True
            self._pressed_at = event.position()
            self._viewport.pan(-moved * (self._viewport.span / max(1.0, self.geometry_now().area.width())))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if self._pressed_at is not None and not self._is_dragging and cell is not None:
            self.cell_clicked.emit(*cell)
        self._pressed_at = None

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._viewport.fit()

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self.cell_hovered.emit(None)
