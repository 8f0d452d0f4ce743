"""The base of widgets that paint themselves: live palette, lengths from the font, guarded paint."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.theme import current_theme, theme_events, ui_font
from gui.widgets.guard import guarded

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


class PaintedWidget(QWidget):
    """Subclasses write `paint(painter)`; `unit` is the height of a line of text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme_events().changed.connect(self._on_theme_changed)

    @property
    def unit(self) -> float:
        """The height of a line: the measure of all spacing."""
        return QFontMetricsF(self.font()).height()

    def paint(self, painter: QPainter) -> None:
        """Draw everything; exceptions are reported, not thrown."""
        raise NotImplementedError

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
            self.paint(painter)
        finally:
            painter.end()

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()


def draw_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    colour: QColor,
    font: QFont,
    align: Qt.AlignmentFlag = LEFT,
    elide: bool = True,
) -> None:
    """One line of plain text, cut with an ellipsis where it does not fit."""
    painter.setFont(font)
    painter.setPen(colour)
    if elide:
        text = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width() + 0.5)
    painter.drawText(rect, int(align) | int(Qt.TextFlag.TextSingleLine), text)


def draw_cross(painter: QPainter, centre: QPointF, radius: float, colour: QColor, width: float) -> None:
    """The second cue beside red."""
    painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for sign in (1, -1):
        painter.drawLine(
            QPointF(centre.x() - radius, centre.y() - sign * radius),
            QPointF(centre.x() + radius, centre.y() + sign * radius),
        )


def hairline(painter: QPainter, colour: QColor, a: QPointF, b: QPointF, dashed: bool = False) -> None:
    """A thin line, sharp at every scale."""
    pen = QPen(colour, 1)
    if dashed:
        pen.setDashPattern([3, 3])
    painter.setPen(pen)
    painter.drawLine(a, b)


def paint_focus(widget: QWidget) -> None:
    """A quiet ring around a widget that was reached by keyboard."""
    painter = QPainter(widget)
    pen = QPen(current_theme().accent, 1)
    pen.setDashPattern([2, 2])
    painter.setPen(pen)
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(2, 2, -3, -3), 5, 5)
    painter.end()


def caption_font(bold: bool = False) -> QFont:
    """The small face for axis ticks and legends."""
    return ui_font(-1, bold)
