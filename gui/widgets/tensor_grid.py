"""Layers x tensors of the selected step: what agrees, what went wrong there, and what came in wrong."""

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from core.views.numbers import short
from core.views.tensor_grid import INHERITED, INTRODUCED, SAME, TensorGridView
from gui.theme import current_theme, ui_font
from gui.widgets.guard import guarded
from gui.widgets.painted import CENTRE, PaintedWidget, caption_font, draw_text

HEADS = {
    "q": "q", "k_new": "k", "v_new": "v", "cache": "c", "mask": "m", "scores": "s", "weights": "w", "output": "o",
}  # fmt: skip


class TensorGrid(PaintedWidget):
    """A click selects the layer; the tool tip says how far a tensor is off."""

    layer_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: TensorGridView | None = None
        self.setMouseTracking(True)
        self.retranslate()

    def set_view(self, view: TensorGridView) -> None:
        """Show all layers of a step."""
        self._view = view
        first = view.first
        words = self.tr("layer {layer}, {tensor}: introduced here")
        self.setAccessibleDescription(
            "" if first is None else words.format(layer=first[0], tensor=self._name(view.tensors[first[1]]))
        )
        self.update()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Layers and tensors by where they go wrong"))
        self._names = {
            "q": self.tr("queries"), "k_new": self.tr("new keys"), "v_new": self.tr("new values"),
            "cache": self.tr("cached rows"), "mask": self.tr("mask"), "scores": self.tr("scores"),
            "weights": self.tr("weights"), "output": self.tr("output of attention"),
        }  # fmt: skip
        self.update()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def minimumSizeHint(self) -> QSize:
        return QSize(int(self.unit * 8), int(self.unit * 7))

    def cell_rect(self, layer: int, column: int) -> QRectF:
        """The cell of a tensor."""
        left, top, wide, high = self._measure()
        return QRectF(left + column * wide, top + layer * high, wide, high)

    def cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """(layer, tensor) under a place of the widget."""
        if self._view is None:
            return None
        left, top, wide, high = self._measure()
        layer = math.floor((position.y() - top) / high)
        column = math.floor((position.x() - left) / wide)
        n_layers, n_tensors = self._view.status.shape
        return (layer, column) if 0 <= layer < n_layers and 0 <= column < n_tensors else None

    def _measure(self) -> tuple[float, float, float, float]:
        """Left, top, and the size of a cell; rows become as high as the room allows, up to a measure."""
        n_layers, n_tensors = self._view.status.shape if self._view is not None else (1, 1)
        numbers = QFontMetricsF(caption_font())
        left = self.unit * 1.1 + numbers.horizontalAdvance(str(n_layers))
        top = numbers.height() + self.unit * 0.9
        wide = min((self.width() - left - self.unit * 0.6) / n_tensors, self.unit * 2.2)
        room = self.height() - top - self._legend_height() - self.unit * 0.9
        return left, top, max(3.0, wide), max(2.0, min(room / max(1, n_layers), self.unit * 1.8))

    def paint(self, painter: QPainter) -> None:
        if self._view is None:
            return
        view, theme = self._view, current_theme()
        n_layers, n_tensors = view.status.shape
        _, top, _, high = self._measure()
        font, line = caption_font(), QFontMetricsF(caption_font()).height()
        for column, name in enumerate(view.tensors):
            rect = self.cell_rect(0, column)
            rect.setRect(rect.left(), top - line - self.unit * 0.25, rect.width(), line)
            draw_text(painter, rect, HEADS[name], theme.muted, font, CENTRE, False)
        self._paint_selected(painter)
        every = max(1, math.ceil(line * 1.1 / high))
        for layer in range(n_layers):
            if layer % every == 0:
                rect = self.cell_rect(layer, 0)
                rect.setRect(0, rect.center().y() - line / 2, rect.left() - self.unit * 0.2, line)
                draw_text(painter, rect, str(layer), theme.muted, font, CENTRE, False)
            for column in range(n_tensors):
                self._paint_mark(painter, self.cell_rect(layer, column), int(view.status[layer, column]))
        self._paint_legend(painter, top + n_layers * high)

    def _paint_selected(self, painter: QPainter) -> None:
        assert self._view is not None
        n_layers, n_tensors = self._view.status.shape
        if not 0 <= self._view.layer < n_layers:
            return
        row = self.cell_rect(self._view.layer, 0).united(self.cell_rect(self._view.layer, n_tensors - 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(current_theme().accent, 1.5))
        painter.drawRoundedRect(row.adjusted(-1, 0.5, 1, -0.5), 4, 4)

    def _paint_mark(self, painter: QPainter, rect: QRectF, status: int) -> None:
        """A dot where all is well, a ring for what came in wrong, a filled disc with a bar for what went wrong here."""
        theme, centre = current_theme(), rect.center()
        radius = min(rect.width(), rect.height()) * 0.5 - 1
        if status == INTRODUCED:
            size = min(radius, self.unit * 0.46)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.bad)
            painter.drawEllipse(centre, size, size)
            painter.setPen(QPen(theme.panel, max(1.0, size * 0.3)))
            painter.drawLine(centre - QPointF(size * 0.5, 0), centre + QPointF(size * 0.5, 0))
            return
        size = min(radius, self.unit * (0.32 if status == INHERITED else 0.1))
        painter.setPen(QPen(theme.bad, 1.4) if status == INHERITED else Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush if status == INHERITED else theme.muted)
        painter.drawEllipse(centre, size, size)

    def _legend(self) -> list[tuple[int, str]]:
        """Marks and what they mean; before them position ids, which have no layer."""
        marks = [(INTRODUCED, self.tr("introduced here")), (INHERITED, self.tr("inherited"))]
        if self._view is not None and self._view.positions is not None:
            words = (
                self.tr("position ids agree")
                if self._view.positions == SAME
                else self.tr("position ids differ")
            )
            return [(self._view.positions, words), *marks]
        return marks

    def _legend_height(self) -> float:
        words = self._letters()
        room = QRectF(0, 0, self.width() - self.unit * 1.2, 1e4)
        metrics = QFontMetricsF(ui_font(-1))
        return (
            metrics.height() * 1.25 * len(self._legend())
            + metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), words).height()
        )

    def _letters(self) -> str:
        return self.tr("c cached rows, m mask, s scores, w weights, o output")

    def _paint_legend(self, painter: QPainter, bottom: float) -> None:
        font, theme = ui_font(-1), current_theme()
        line = QFontMetricsF(font).height() * 1.25
        y = bottom + self.unit * 0.5
        for status, words in self._legend():
            self._paint_mark(painter, QRectF(self.unit * 0.8, y, self.unit, line), status)
            rect = QRectF(self.unit * 2.1, y, self.width() - self.unit * 2.6, line)
            draw_text(painter, rect, words, theme.muted, font)
            y += line
        painter.setFont(font)
        painter.setPen(theme.muted)
        rect = QRectF(self.unit * 0.8, y, self.width() - self.unit * 1.2, self.height() - y)
        painter.drawText(rect, int(Qt.TextFlag.TextWordWrap), self._letters())

    def _name(self, tensor: str) -> str:
        return self._names.get(tensor, tensor)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor)
        self.setToolTip("" if place is None else self.tip(*place))

    def tip(self, layer: int, column: int) -> str:
        """Return what a mark means, and how far the tensor is off."""
        assert self._view is not None
        status, tensor = int(self._view.status[layer, column]), self._view.tensors[column]
        if status == INTRODUCED:
            words = self.tr("layer {layer}, {tensor}: introduced here, all that it is made of agrees ({far})")
        elif status == INHERITED:
            words = self.tr("layer {layer}, {tensor}: inherited, it came in wrong ({far})")
        else:
            words = self.tr("layer {layer}, {tensor}: agrees ({far})")
        far = float(self._view.difference[layer, column])
        what = self.tr("{n} cells") if tensor == "mask" else self.tr("{n} of its rms")
        return words.format(
            layer=layer,
            tensor=self._name(tensor),
            far=what.format(n=int(far) if tensor == "mask" else short(far)),
        )

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.layer_clicked.emit(place[0])
