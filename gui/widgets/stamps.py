"""What looks the same in many places is painted once and then copied: rows of a table that are alike, say."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap

from gui.fonts import ui_height

KEPT = 512  # pictures

Draw = Callable[[QPainter, QRectF], None]


class Stamps:
    """The last pictures that were asked for, by what they show, their size and the scale."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def paint(self, painter: QPainter, rect: QRect, what: Hashable, background: QColor, draw: Draw) -> None:
        """Fill `rect` with `background` and what `draw` draws; equal `what` must look equal in one theme and font."""
        scale = painter.device().devicePixelRatio()
        if scale != int(scale):  # places between pixels: a copy would be blurred
            painter.fillRect(rect, background)
            draw(painter, QRectF(rect))
            return
        key = what, rect.width(), rect.height(), scale, background.rgba(), ui_height()
        if key not in self._pictures:
            self._pictures[key] = _picture(rect, int(scale), background, draw)
            if len(self._pictures) > KEPT:
                self._pictures.popitem(last=False)
        self._pictures.move_to_end(key)
        painter.drawPixmap(rect.topLeft(), self._pictures[key])


def _picture(rect: QRect, scale: int, background: QColor, draw: Draw) -> QPixmap:
    picture = QPixmap(rect.size() * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(background)
    painter = QPainter(picture)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter, QRectF(QPointF(0, 0), QRectF(rect).size()))
    finally:
        painter.end()
    return picture
