"""The line under the map of slots: what the pointer is at, else what the states look like."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.slot_colours import state_look
from gui.theme import current_theme
from gui.widgets.painted import CENTRE, LEFT, RIGHT, PaintedWidget, caption_font, draw_text


class SlotsFoot(PaintedWidget):
    """A read-out, or a legend with a remark at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read_out = ""
        self._legend: Sequence[tuple[int, str]] = ()
        self._remark = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_legend(self, legend: Sequence[tuple[int, str]], remark: str) -> None:
        """States and their names, and words that are shown where there is room for them."""
        self._legend, self._remark = legend, remark
        self._describe()

    def set_read_out(self, text: str) -> None:
        """Words instead of the legend; nothing brings it back."""
        self._read_out = text
        self._describe()

    def sizeHint(self) -> QSize:
        return QSize(0, round(QFontMetricsF(caption_font()).height() * 1.15))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paint(self, painter: QPainter) -> None:
        theme, font = current_theme(), caption_font()
        whole = QRectF(self.rect())
        if self._read_out:
            draw_text(painter, whole, self._read_out, theme.text, font, LEFT)
            return
        x = self._paint_legend(painter)
        room = whole.adjusted(x, 0, 0, 0)
        if x == 0 or QFontMetricsF(font).horizontalAdvance(self._remark) <= room.width():
            draw_text(painter, room, self._remark, theme.muted, font, RIGHT if x else LEFT)

    def _paint_legend(self, painter: QPainter) -> float:
        """Paint as many entries as fit; return where they end."""
        theme, font, metrics = current_theme(), caption_font(), QFontMetricsF(caption_font())
        size, x = metrics.height() * 0.95, 0.0
        for state, name in self._legend:
            width = size + metrics.horizontalAdvance(name) + self.unit * 0.3
            if x + width > self.width():
                break
            look = state_look(state, theme)
            box = QRectF(x, (self.height() - size) / 2, size, size)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.fill)
            painter.drawRoundedRect(box, 2, 2)
            draw_text(painter, box, look.letter, look.ink, font, CENTRE, False)
            words = QRectF(box.right() + self.unit * 0.3, 0, self.width(), self.height())
            draw_text(painter, words, name, theme.muted, font, LEFT)
            x += width + self.unit * 0.7
        return x

    def _describe(self) -> None:
        shown = self._read_out or " \u00b7 ".join([*(name for _, name in self._legend), self._remark])
        self.setAccessibleDescription(shown)
        self.setToolTip(shown)
        self.update()
