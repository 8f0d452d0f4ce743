"""What both lanes wrote on their own tokens, one line each, token above token."""

import html
from bisect import bisect_right
from itertools import accumulate

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from core.text import Text
from core.views.free import FreeRow, FreeToken
from gui.i18n import show_text
from gui.theme import current_theme, mono_font, theme_events, ui_font
from gui.token_text import visible
from gui.widgets.guard import guarded
from gui.widgets.painted import CENTRE, LEFT, PaintedWidget, draw_cross, draw_text

LONGEST = 16  # characters of a token that are shown
INDENT = 1.25  # lines of text from the left: where the chips begin
BEFORE = 6  # tokens that stay in sight before the place where the texts part


class FreeTexts(PaintedWidget):
    """Begins where the place at which the texts part is in sight; the wheel moves on. A click selects the step."""

    step_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: FreeRow | None = None
        self._how: Text | None = None
        self._edges: list[float] = [0.0]  # of the columns, from the first token on
        self._start: int | None = None  # the first column that is shown; None: as it fits
        self._names = ("", "")
        self.setMouseTracking(True)
        theme_events().changed.connect(self._measure)
        self.retranslate()

    def set_row(self, row: FreeRow | None, how: Text | None = None) -> None:
        """Show a batch row of the free run and say how it chose its tokens; hidden where there is none."""
        self._how = how
        if row != self._row:
            self._row, self._start = row, None
            self._measure()
        self.setVisible(row is not None)

    def retranslate(self) -> None:
        """Words in the language of now."""
        self._names = (self.tr("Oracle alone"), self.tr("Cached alone"))
        self.setAccessibleName(self.tr("What each lane writes on its own tokens"))
        self._measure()

    def sizeHint(self) -> QSize:
        return QSize(10, round(3 * self._line + self.unit * 0.3))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def first_shown(self) -> int:
        """The place of the first token that is shown."""
        if self._start is not None:
            return self._start
        first = self._row.first if self._row is not None else None
        if first is None or self._edges[first + 1] <= self._room:
            return 0
        return max(0, first - BEFORE)

    def cell(self, place: int, line: int) -> QRectF:
        """Where a token lies; line 0 is the oracle's."""
        left = self._left + self._edges[place] - self._edges[self.first_shown()]
        return QRectF(left, line * self._line, self._edges[place + 1] - self._edges[place], self._line)

    def place_at(self, x: float) -> int | None:
        """The place of the token at a horizontal place."""
        along = x - self._left + self._edges[self.first_shown()]
        place = bisect_right(self._edges, along) - 1
        return place if x >= self._left and 0 <= place < len(self._edges) - 1 else None

    def paint(self, painter: QPainter) -> None:
        if self._row is None:
            return
        theme = current_theme()
        for line, colour in enumerate((theme.oracle, theme.cached_ink)):
            head = QRectF(self.unit * INDENT, line * self._line, self._left, self._line)
            draw_text(painter, head, self._names[line], colour, ui_font(-1, bold=True), LEFT, elide=False)
            self._paint_line(painter, self._row, line, colour)
        self._paint_note(painter, self._row)

    def _paint_line(self, painter: QPainter, row: FreeRow, line: int, colour: QColor) -> None:
        theme, font = current_theme(), mono_font()
        for place in range(self.first_shown(), len(row.tokens)):
            rect = self.cell(place, line)
            if rect.right() > self.width():
                more = QRectF(rect.left(), rect.top(), self.unit, rect.height())
                draw_text(painter, more, "…", theme.muted, font, LEFT, elide=False)
                return
            token = row.tokens[place]
            if place == row.first:
                painter.setPen(QPen(theme.bad, 1.3))
                painter.setBrush(theme.bad_background)
                painter.drawRoundedRect(rect.adjusted(0.5, 1.0, -0.5, -1.0), self.unit * 0.2, self.unit * 0.2)
            elif token.differs and line == 1:
                foot = rect.bottom() - self.unit * 0.1
                painter.setPen(QPen(theme.bad, self.unit * 0.08))
                painter.drawLine(QPointF(rect.left() + 2, foot), QPointF(rect.right() - 2, foot))
            draw_text(painter, rect, _shown(token, line), colour, font, CENTRE, elide=False)

    def _paint_note(self, painter: QPainter, row: FreeRow) -> None:
        theme, x, y = current_theme(), self.unit * INDENT, 2 * self._line
        if row.is_defect:
            centre = QPointF(x + self.unit * 0.3, y + self._line / 2)
            draw_cross(painter, centre, self.unit * 0.22, theme.bad, self.unit * 0.13)
            x += self.unit * 0.9
        room = QRectF(x, y, self.width() - x - self.unit * 0.5, self._line)
        draw_text(painter, room, self.note(), theme.text if row.is_defect else theme.muted, ui_font(-1), LEFT)

    def note(self) -> str:
        """Whether putting the cached lane back on the oracle's text removes the difference."""
        if self._row is None:
            return ""
        sentences = (self._row.sentence, self._row.sensitive_sentence)
        return " ".join(show_text(one) for one in sentences if one is not None)

    @property
    def _line(self) -> float:
        return round(QFontMetricsF(mono_font()).height() * 1.2)

    @property
    def _left(self) -> float:
        metrics = QFontMetricsF(ui_font(-1, bold=True))
        return self.unit * (INDENT + 0.6) + max(metrics.horizontalAdvance(name) for name in self._names)

    @property
    def _room(self) -> float:
        return self.width() - self._left - self.unit

    def _measure(self) -> None:
        metrics = QFontMetricsF(mono_font())
        tokens = self._row.tokens if self._row is not None else ()
        widths = [max(metrics.horizontalAdvance(_shown(token, line)) for line in (0, 1)) for token in tokens]
        self._edges = list(accumulate((width + self.unit * 0.4 for width in widths), initial=0.0))
        self.setAccessibleDescription(self.note())
        self.updateGeometry()
        self.update()

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.setToolTip(self._tip(event.position()))

    def _tip(self, position: QPointF) -> str:
        place = self.place_at(position.x())
        if position.y() >= 2 * self._line:
            how = "" if self._how is None else show_text(self._how)
            return f"<p>{html.escape(self.note())}</p><p>{html.escape(how)}</p>"
        if place is None or self._row is None:
            return ""
        token = self._row.tokens[place]
        words = self.tr("generated token {place}: oracle “{oracle}”, cached “{cached}”")
        texts = {"oracle": visible(token.oracle, 60), "cached": visible(token.cached, 60)}
        return html.escape(words.format(place=place, **texts))

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().x())
        is_token = event.position().y() < 2 * self._line
        if event.button() == Qt.MouseButton.LeftButton and place is not None and is_token:
            self.step_clicked.emit(place)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().x() or event.angleDelta().y()
        if self._row is None or not delta:
            return
        fits = next(
            (i for i, edge in enumerate(self._edges) if self._edges[-1] - edge <= self._room), 0
        )  # the last start
        self._start = min(fits, max(0, self.first_shown() - round(delta / 120) * 3))
        self.update()
        event.accept()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() == QEvent.Type.FontChange:
            self._measure()


def _shown(token: FreeToken, line: int) -> str:
    return visible(token.cached if line else token.oracle, LONGEST)
