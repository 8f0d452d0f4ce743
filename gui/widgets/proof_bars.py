"""How much of the difference a repair heals, beside what an equally large repair elsewhere heals."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from core.views.causes import CauseView
from core.views.numbers import percent
from gui.theme import current_theme, mono_font, ui_font
from gui.widgets.guard import guarded
from gui.widgets.painted import LEFT, RIGHT, PaintedWidget, draw_text

WIDTH = 13  # lines of text
THICK, THIN = 0.5, 0.22


class ProofBars(PaintedWidget):
    """Two bars of one length with their figures; the healed share is dark, the null control thin and pale."""

    def __init__(self, cause: CauseView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cause = cause
        self.retranslate()

    def sizeHint(self) -> QSize:
        n_rows = 1 if self._cause.null_control is None else 2
        height = self.unit * (n_rows + THICK + 0.3 + (THIN + 0.2 if n_rows > 1 else 0))
        return QSize(self.width_for(self.unit), round(height))

    @staticmethod
    def width_for(unit: float) -> int:
        """The width of the bars where a line of text is `unit` high."""
        return round(unit * WIDTH)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def retranslate(self) -> None:
        """What it says, also to a screen reader."""
        figures = [f"{label} {figure}" for label, figure, _ in self._figures()]
        self.setAccessibleName(", ".join(figures))
        self.setToolTip(
            self.tr(
                "The share of the logit difference that goes away when the step runs again with this repair; below, "
                "what a repair of the same size at another place does. The proof is the gap between the two."
            )
        )
        self.update()

    def paint(self, painter: QPainter) -> None:
        theme, unit, width = current_theme(), self.unit, float(self.width())
        (healed, *control), y = self._figures(), 0.0
        self._row(painter, y, *healed[:2], is_bold=True)
        y += unit * 1.15
        self._bar(painter, QRectF(0, y, width, unit * THICK), healed[2], is_strong=True)
        y += unit * (THICK + 0.2)
        for label, figure, share in control:
            self._bar(painter, QRectF(0, y, width, unit * THIN), share, is_strong=False)
            y += unit * (THIN + 0.1)
            self._row(painter, y, label, figure, is_bold=False)
        painter.setPen(theme.text)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _figures(self) -> list[tuple[str, str, float]]:
        """Label, figure and share of each bar."""
        cause = self._cause
        rows = [(self.tr("healed"), percent(cause.healed or 0.0), cause.healed or 0.0)]
        if cause.null_control is not None:
            rows.append((self.tr("elsewhere"), percent(cause.null_control), cause.null_control))
        return rows

    def _row(self, painter: QPainter, y: float, label: str, figure: str, is_bold: bool) -> None:
        theme, rect = current_theme(), QRectF(0, y, self.width(), self.unit)
        draw_text(painter, rect, label, theme.muted, ui_font(), LEFT)
        colour = theme.text if is_bold else theme.muted
        draw_text(painter, rect, figure, colour, mono_font(bold=is_bold), RIGHT)

    def _bar(self, painter: QPainter, rect: QRectF, share: float, is_strong: bool) -> None:
        theme, radius = current_theme(), rect.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.line)
        painter.drawRoundedRect(rect, radius, radius)
        if share > 0:
            filled = QRectF(rect.x(), rect.y(), max(rect.height(), rect.width() * share), rect.height())
            painter.setBrush(theme.text if is_strong else theme.muted)
            painter.drawRoundedRect(filled, radius, radius)
