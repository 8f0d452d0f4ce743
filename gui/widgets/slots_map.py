"""Layers x slots, by difference or by state; wide caches are pooled so that the worst slot stays visible."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from core.views.physical import Segment
from core.views.slot_states import NO_SLOT
from gui.slot_colours import state_look
from gui.theme import current_theme, difference_lut, mono_font
from gui.widgets.guard import guarded
from gui.widgets.map_image import Scale, colours_image, image
from gui.widgets.painted import CENTRE, LEFT, PaintedWidget, caption_font, draw_text, hairline

LEAST_TOP = 1e-3  # rounding stays pale
MOVES = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
Cell = tuple[int, int]  # layer, slot


class SlotsMap(PaintedWidget):
    """One row a layer, one column a slot; a strip of accent below marks the slots that this step wrote.

    A click selects a slot; Ctrl and arrows move the selected one.
    """

    cell_hovered = Signal(object)  # Cell | None
    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
        self._is_states = False
        self._is_new: NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self._selected: Cell | None = None
        self._segments: Sequence[Segment] = ()
        self._next_slot: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_data(self, values: NDArray[np.float32], is_new: NDArray[np.bool_]) -> None:
        """Sizes [layers, slots], negative where there is nothing to compare; and which slots are new."""
        self._values, self._is_new, self._is_states = values, is_new, False
        self.update()

    def set_states(self, states: NDArray[np.int8], is_new: NDArray[np.bool_]) -> None:
        """States [layers, slots], NO_SLOT where a layer has no such slot."""
        self._values, self._is_new, self._is_states = states.astype(np.float32), is_new, True
        self.update()

    def set_selected(self, cell: Cell | None) -> None:
        """Frame a slot."""
        self._selected = cell
        self.update()

    def set_segments(self, segments: Sequence[Segment], next_slot: int | None) -> None:
        """Runs of slots that lie side by side in memory, in a strip above; and the slot that is written over next."""
        self._segments, self._next_slot = segments, next_slot
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(int(self.unit * 8), int(self.unit * 4))

    def area(self) -> QRectF:
        """The map without its numbers."""
        metrics = QFontMetricsF(caption_font())
        left = metrics.horizontalAdvance(str(max(0, self._values.shape[0] - 1))) + self.unit * 0.5
        top = metrics.height() * 1.1 if self._segments else 0.5
        height = self.height() - top - metrics.height() - self.unit * 0.35
        return QRectF(left, top, max(1.0, self.width() - left - 1), max(1.0, height))

    def cell_at(self, position: QPointF) -> Cell | None:
        """(layer, slot) under a place of the widget."""
        area = self.area()
        if not self._values.size or not area.contains(position):
            return None
        n_layers, n_slots = self._values.shape
        layer = math.floor((position.y() - area.top()) / area.height() * n_layers)
        slot = math.floor((position.x() - area.left()) / area.width() * n_slots)
        return min(layer, n_layers - 1), min(slot, n_slots - 1)

    def cell_rect(self, layer: int, slot: int) -> QRectF:
        """The place of a slot in the widget."""
        area, (n_layers, n_slots) = self.area(), self._values.shape
        width, height = area.width() / n_slots, area.height() / n_layers
        return QRectF(area.left() + slot * width, area.top() + layer * height, width, height)

    def paint(self, painter: QPainter) -> None:
        if not self._values.size:
            return
        area = self.area()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(area, self._picture(area.width() * self.devicePixelRatioF()))
        self._paint_lines(painter, area)
        if self._is_states:
            self._paint_letters(painter)
        self._paint_new(painter, area)
        self._paint_numbers(painter, area)
        self._paint_segments(painter, area)
        if self._selected is not None and self._has(self._selected):
            self._paint_frame(painter, self.cell_rect(*self._selected))

    def _has(self, cell: Cell) -> bool:
        return bool(cell[0] < self._values.shape[0] and cell[1] < self._values.shape[1])

    def _picture(self, pixels: float) -> QImage:
        theme, values = current_theme(), self._pooled(pixels)
        if self._is_states:
            colours = {state: theme.panel if state == NO_SLOT else state_look(state, theme).fill for state in np.unique(values).astype(int).tolist()}  # fmt: skip
            return colours_image(values, colours)
        top = max(LEAST_TOP, float(np.nan_to_num(values, nan=0.0, posinf=0.0).max(initial=0.0)))
        seen = ~(values < 0)  # NaN counts as seen: it is drawn as the largest
        return image(values, seen, Scale(top, is_signed=True), difference_lut(theme.name), theme.unseen)

    def _pooled(self, pixels: float) -> NDArray[np.float32]:
        n_layers, n_slots = self._values.shape
        factor = max(1, math.ceil(n_slots / max(1.0, pixels)))
        if factor == 1:
            return self._values
        padded = np.full((n_layers, -(-n_slots // factor) * factor), NO_SLOT, dtype=np.float32)
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

    def _paint_letters(self, painter: QPainter) -> None:
        """One letter a slot, or one a run of slots of one state where slots are too narrow for it."""
        theme = current_theme()
        cell = self.cell_rect(0, 0)
        font = mono_font(-1)
        metrics = QFontMetricsF(font)
        if cell.height() < metrics.ascent() * 0.9:
            return
        is_wide = cell.width() >= metrics.horizontalAdvance("0") * 1.8
        for layer, first, stop, state in self._runs():
            look = state_look(state, theme)
            if not look.letter:
                continue
            for start, end in ((at, at + 1) for at in range(first, stop)) if is_wide else ((first, stop),):
                rect = self.cell_rect(layer, start)
                rect.setRight(self.cell_rect(layer, end - 1).right())
                if rect.width() >= metrics.horizontalAdvance("0") * 0.8:
                    draw_text(painter, rect, look.letter, look.ink, font, CENTRE, False)

    def _runs(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield (layer, first, stop, state) of slots side by side that are in one state."""
        for layer, row in enumerate(self._values.astype(int)):
            borders = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
            for first, stop in pairwise(borders):
                if row[first] != NO_SLOT:
                    yield layer, first, stop, int(row[first])

    def _paint_new(self, painter: QPainter, area: QRectF) -> None:
        """A strip of accent under the slots that this step wrote, as in the bar of the KV table."""
        new = np.flatnonzero(self._is_new)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().accent)
        slot = area.width() / self._values.shape[1]
        height = max(2.0, self.unit * 0.2)
        for run in np.split(new, np.flatnonzero(np.diff(new) > 1) + 1) if len(new) else ():
            left = area.left() + float(run[0]) * slot
            width = max(self.unit * 0.3, len(run) * slot)
            painter.drawRect(QRectF(min(left, area.right() - width), area.bottom() + 1, width, height))

    def _paint_numbers(self, painter: QPainter, area: QRectF) -> None:
        theme, font = current_theme(), caption_font()
        metrics = QFontMetricsF(font)
        n_layers, n_slots = self._values.shape
        line = metrics.height()
        for layer in range(0, n_layers, max(1, math.ceil(n_layers * line / area.height()))):
            middle = area.top() + area.height() * (layer + 0.5) / n_layers
            rect = QRectF(0, middle - line / 2, area.left(), line)
            draw_text(painter, rect, str(layer), theme.muted, font, LEFT)
        width = metrics.horizontalAdvance(str(n_slots)) * 2.5
        every = max(1, math.ceil(width * n_slots / area.width()))
        every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if n >= every)
        for slot in range(0, n_slots, every):
            middle = area.left() + area.width() * (slot + 0.5) / n_slots
            rect = QRectF(middle - width / 2, area.bottom() + self.unit * 0.25, width, line)
            needed = metrics.horizontalAdvance(str(slot)) / 2
            rect.translate(min(0.0, self.width() - middle - needed), 0)
            draw_text(painter, rect, str(slot), theme.muted, font, CENTRE, False)

    def _paint_segments(self, painter: QPainter, area: QRectF) -> None:
        theme, font = current_theme(), caption_font()
        width = area.width() / self._values.shape[1]
        height = area.top() - self.unit * 0.15
        for segment in self._segments:
            left = area.left() + segment.first * width
            box = QRectF(left, 0.5, (segment.stop - segment.first) * width - 1.5, height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.chip)
            painter.drawRoundedRect(box, 2, 2)
            if QFontMetricsF(font).horizontalAdvance(segment.label) <= box.width():
                draw_text(painter, box, segment.label, theme.muted, font, CENTRE, False)
        if self._next_slot is not None and 0 <= self._next_slot < self._values.shape[1]:
            x = area.left() + self._next_slot * width
            hairline(painter, theme.accent, QPointF(x, 0), QPointF(x, area.bottom()), True)

    def _paint_frame(self, painter: QPainter, rect: QRectF) -> None:
        """Two tones, so that the frame shows on every colour of the map."""
        theme = current_theme()
        grown = max(0.0, (self.unit * 0.4 - rect.width()) / 2) + 1
        frame = rect.adjusted(-grown, -1, grown, 1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((theme.panel, 3.0), (theme.accent, 1.8)):
            painter.setPen(QPen(colour, width))
            painter.drawRect(frame)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.cell_hovered.emit(self.cell_at(event.position()))

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self.cell_hovered.emit(None)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.cell_clicked.emit(*cell)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        is_move = event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in MOVES
        if not is_move or not self._values.size:
            event.ignore()
            return
        n_layers, n_slots = self._values.shape
        layer, slot = self._selected or (0, n_slots)
        layer, slot = layer + MOVES[key][0], slot + MOVES[key][1]
        self.cell_clicked.emit(max(0, min(layer, n_layers - 1)), max(0, min(slot, n_slots - 1)))
