"""A second track under the timeline: the oracle's margin and the KL divergence of every step."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from core.views.timeline import TimelineView
from gui.glossary import name_of
from gui.theme import current_theme
from gui.widgets.painted import LEFT, PaintedWidget, caption_font, draw_text

FLOOR, TOP = -9.0, 3.0  # decades
LINES = 3.2  # of text


class MarginTrack(PaintedWidget):
    """Both on one log scale; where KL comes near the margin's height, the lanes may choose different tokens."""

    def __init__(self, place_of: Callable[[float], float], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place_of = place_of  # a step's horizontal place in this widget, as in the timeline above
        self._view: TimelineView | None = None
        self.retranslate()

    def set_view(self, view: TimelineView) -> None:
        """Show the steps of the timeline."""
        self._view = view
        self.update()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(f"{name_of('margin')}, {name_of('kl')}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(10, round(self.unit * LINES))

    def paint(self, painter: QPainter) -> None:
        if self._view is None:
            return
        theme = current_theme()
        painter.setPen(QPen(theme.line, 1))
        painter.drawLine(QPointF(0, 0.5), QPointF(self.width(), 0.5))
        x = self._place_of(self._view.selected)
        painter.setPen(QPen(theme.accent, 2))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        tracks = (
            (self._view.margin, name_of("margin"), theme.text, ()),
            (self._view.kl, name_of("kl"), theme.muted, (2, 2)),
        )
        for line, (values, name, colour, dashes) in enumerate(tracks):
            self._paint_line(painter, values, colour, dashes)
            place = QRectF(
                self.unit * 0.4,
                self.unit * (0.2 + 1.1 * line),
                self._place_of(0) - self.unit * 0.6,
                self.unit,
            )
            draw_text(painter, place, name.split(" ")[0], colour, caption_font(), LEFT)

    def _paint_line(
        self, painter: QPainter, values: NDArray[np.float64], colour: QColor, dashes: Sequence[float]
    ) -> None:
        pen = QPen(colour, 1.4)
        if dashes:
            pen.setDashPattern(list(dashes))
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points = [
            QPointF(self._place_of(step), self._height_of(value))
            for step, value in enumerate(values.tolist())
            if value == value
        ]
        painter.drawPolyline(QPolygonF(points))
        painter.setBrush(colour)
        for point in points if len(points) <= 64 else []:
            painter.drawEllipse(point, 1.6, 1.6)

    def _height_of(self, value: float) -> float:
        decades = min(TOP, max(FLOOR, float(np.log10(max(value, 10**FLOOR)))))
        inset = self.unit * 0.3
        return inset + (self.height() - 2 * inset) * (TOP - decades) / (TOP - FLOOR)
