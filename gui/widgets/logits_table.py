"""The top of both lanes' logits as bars, with their difference."""

import html

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from core.views.logits import LogitRow, LogitsView
from core.views.numbers import short, signed
from gui.lanes import lanes
from gui.theme import current_theme, mono_font, theme_events, ui_font
from gui.token_text import visible
from gui.widgets.guard import guarded
from gui.widgets.painted import LEFT, RIGHT, PaintedWidget, draw_text, hairline

LONGEST = 10
ROW_HEIGHTS = (1.38, 1.85)  # of a line of text, least and most
FAINT = 0.45  # how strong the bars are that no lane chooses


class LogitsTable(QWidget):
    """Bars above, the summary of the step below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: LogitsView | None = None
        self._bars = _Bars()
        self._summary = QLabel()
        self._summary.setWordWrap(True)
        self._summary.setTextFormat(Qt.TextFormat.RichText)
        self._summary.setProperty("tone", "muted")
        self._scroll = scroll = QScrollArea()
        scroll.setWidget(self._bars)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setMinimumHeight(1)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.viewport().setAutoFillBackground(False)
        self._bars.setAutoFillBackground(False)
        self._layout = QVBoxLayout(self)
        self._layout.addWidget(scroll, 1)
        self._layout.addWidget(self._summary)
        self._layout.addStretch(0)
        theme_events().changed.connect(self._on_theme_changed)
        lanes().changed.connect(self.retranslate)
        self.retranslate()
        self._on_theme_changed()

    def set_view(self, view: LogitsView) -> None:
        """Show one step."""
        if view == self._view:
            return
        self._view = view
        self._bars.set_view(view)
        self._write_summary()
        self._fit()

    def summary(self) -> str:
        """The lines below the bars, as plain text."""
        return self.accessibleDescription()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Largest logits of both lanes"))
        self._scroll.setAccessibleName(self.accessibleName())
        names = lanes()
        self._bars.headers = (
            self.tr("token"), names.oracle(self.tr("oracle")), names.cached(self.tr("cached")),
        )  # fmt: skip
        self._bars.update()
        self._write_summary()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The rows share the room above the summary, which follows the last one."""
        margins = self._layout.contentsMargins()
        summary = self._summary.heightForWidth(self.width()) + self._layout.spacing() + margins.bottom()
        self._bars.fit_height(self.height() - summary)
        self._scroll.setMaximumHeight(self._bars.minimumHeight())

    def _on_theme_changed(self) -> None:
        unit = self.fontMetrics().height()
        self._layout.setContentsMargins(0, 0, 0, unit // 2)
        self._layout.setSpacing(unit // 3)
        self._summary.setContentsMargins(unit * 2 // 3, 0, unit * 2 // 3, 0)
        self._write_summary()

    def _write_summary(self) -> None:
        if self._view is None:
            return
        first, second = self._figures(self._view)
        bad = current_theme().bad.name()
        differs, agrees = self.tr("top-1 differs"), self.tr("top-1 agrees")
        word = (
            f'<b style="color:{bad}">{html.escape(differs)}</b>'
            if self._view.top1_differs
            else html.escape(agrees)
        )
        lines = [" · ".join([word, *map(html.escape, first)]), html.escape(second)]
        self._summary.setText("<br>".join(line for line in lines if line))
        self.setAccessibleDescription(
            " · ".join([differs if self._view.top1_differs else agrees, *first])
            + ("\n" + second if second else "")
        )

    def _figures(self, view: LogitsView) -> tuple[list[str], str]:
        first = []
        if view.kl is not None:
            first.append(self.tr("KL {value}").format(value=short(view.kl)))
        if view.margin is not None:
            first.append(self.tr("margin {value}").format(value=short(view.margin)))
        if view.max_abs_diff is None:
            return first, self.tr("some logits are not finite")
        if view.max_abs_diff == 0:
            return first, self.tr("exactly equal")
        words = self.tr("max |Δ| {value} at “{token}”")
        return first, words.format(value=short(view.max_abs_diff), token=visible(view.worst_text, 24))


class _Bars(PaintedWidget):
    def __init__(self) -> None:
        super().__init__()
        self.headers = ("token", "oracle", "cached")
        self._rows: tuple[LogitRow, ...] = ()
        self._pitch = round(self.unit * ROW_HEIGHTS[0])
        self.setMouseTracking(True)

    def set_view(self, view: LogitsView) -> None:
        self._rows = view.rows

    def minimumSizeHint(self) -> QSize:
        return QSize(int(self.unit * 12), int(self._row_height * 3))

    @property
    def _row_height(self) -> int:
        return self._pitch

    def fit_height(self, height: int) -> None:
        """Rows as high as the room allows, within what is good to read."""
        n_lines = len(self._rows) + 1
        pitch = min(
            self.unit * ROW_HEIGHTS[1], max(self.unit * ROW_HEIGHTS[0], (height - self.unit * 0.5) / n_lines)
        )
        self._pitch = round(pitch)
        self.setMinimumHeight(int(self._pitch * n_lines + self.unit * 0.5))
        self.update()

    def _columns(self) -> tuple[QRectF, QRectF, QRectF, QRectF]:
        """Token, oracle, cached and delta, for the row at the top."""
        margin, gap, height = self.unit * 0.65, self.unit * 0.7, self._row_height
        mono = QFontMetricsF(mono_font())
        texts = [visible(row.text, LONGEST) for row in self._rows]
        widest = max((mono.horizontalAdvance(text) for text in texts), default=0.0)
        token = max(widest, QFontMetricsF(ui_font(-1)).horizontalAdvance(self.headers[0]), self.unit * 2.2)
        token = min(token, self.width() * 0.3)
        delta = max((mono.horizontalAdvance(signed(row.delta, 1)) for row in self._rows), default=0.0)
        delta = max(delta, mono.horizontalAdvance("-0.0"))
        bars = max(1.0, (self.width() - 2 * margin - token - delta - 3 * gap) / 2)
        lefts = [margin, margin + token + gap, margin + token + bars + 2 * gap, self.width() - margin - delta]
        widths = [token, bars, bars, delta]
        made = [QRectF(left, 0, width, height) for left, width in zip(lefts, widths, strict=True)]
        return made[0], made[1], made[2], made[3]

    def paint(self, painter: QPainter) -> None:
        theme, columns = current_theme(), self._columns()
        font = ui_font(-1)
        tones = (theme.muted, theme.oracle, theme.cached_ink, theme.muted)
        for rect, word, tone, align in zip(
            columns, (*self.headers, "Δ"), tones, (LEFT, LEFT, LEFT, RIGHT), strict=True
        ):
            room = (
                rect if align is RIGHT else rect.adjusted(0, 0, self.unit * 0.6, 0)
            )  # a word may use the gap
            draw_text(painter, room, word, tone, font, align)
        y = self._row_height - 0.5
        hairline(painter, theme.line, QPointF(0, y), QPointF(self.width(), y))
        low, high = self._range()
        for i, row in enumerate(self._rows):
            moved = [rect.translated(0, self._row_height * (i + 1) + self.unit * 0.15) for rect in columns]
            self._paint_row(painter, row, moved, low, high)

    def _paint_row(
        self, painter: QPainter, row: LogitRow, rects: list[QRectF], low: float, high: float
    ) -> None:
        theme = current_theme()
        is_choice = row.is_oracle_choice or row.is_cached_choice
        draw_text(painter, rects[0], visible(row.text, LONGEST), theme.text, mono_font(bold=is_choice))
        for rect, value, colour, is_chosen in (
            (rects[1], row.oracle, theme.oracle, row.is_oracle_choice),
            (rects[2], row.cached, theme.cached, row.is_cached_choice),
        ):
            self._paint_bar(painter, rect, (value - low) / (high - low), colour, is_chosen)
        colour = theme.bad if row.is_bad else theme.text
        draw_text(painter, rects[3], signed(row.delta, 1), colour, mono_font(), RIGHT, False)

    def _paint_bar(
        self, painter: QPainter, rect: QRectF, share: float, colour: QColor, is_chosen: bool
    ) -> None:
        share = min(1.0, max(0.0, share)) if share == share else 0.0
        height = self.unit * 0.62
        bar = QRectF(
            rect.left(), rect.center().y() - height / 2, max(height * 0.4, rect.width() * share), height
        )
        painter.setPen(Qt.PenStyle.NoPen)
        tone = QColor(colour)
        tone.setAlphaF(1.0 if is_chosen else FAINT)
        painter.setBrush(tone)
        painter.drawRoundedRect(bar, height * 0.22, height * 0.22)

    def _range(self) -> tuple[float, float]:
        """Bars start a little below the smallest logit on show: they compare, they are not zero based."""
        values = [v for row in self._rows for v in (row.oracle, row.cached) if abs(v) < 1e30]
        low, high = min(values, default=0.0), max(values, default=1.0)
        return low - 0.12 * (high - low) - 1e-9, high + 1e-9

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = int(event.position().y() // self._row_height) - 1
        if not 0 <= index < len(self._rows):
            self.setToolTip("")
            return
        row = self._rows[index]
        words = self.tr("“{token}”, id {id}: oracle {oracle}, cached {cached}")
        self.setToolTip(
            html.escape(
                words.format(
                    token=visible(row.text, 40),
                    id=row.token_id,
                    oracle=short(row.oracle, 3),
                    cached=short(row.cached, 3),
                )
            )
        )
