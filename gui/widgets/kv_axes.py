"""A picture of one layer's cached tensor: its axes to scale, and the one that grows."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from core.views.cache import KvRow
from gui.theme import current_theme, mono_font, ui_font
from gui.widgets.painted import CENTRE, LEFT, PaintedWidget, draw_text, hairline


class KvAxes(PaintedWidget):
    """A sheet a head: kv_len across, the rows of this step in the accent; head_dim down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: KvRow | None = None
        self.retranslate()

    def set_row(self, row: KvRow | None) -> None:
        """Show the layer."""
        self._row = row
        self.retranslate()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Axes of K and V"))
        if self._row is not None and self._row.cached_shape is not None:
            self.setAccessibleDescription(str(self._row.cached_shape))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self.unit * 17), round(self.unit * 8))

    def paint(self, painter: QPainter) -> None:
        row = self._row
        if row is None or row.cached_shape is None or len(row.cached_shape) != 4:
            return
        theme, unit = current_theme(), self.unit
        hairline(painter, theme.line, QPointF(0.5, 0), QPointF(0.5, self.height()))
        batch, heads, kv_len, head_dim = row.cached_shape
        n_sheets = min(4, max(1, heads))
        shift = unit * 0.45
        sheet = QRectF(unit * 4.6, unit * 1.9, self.width() - unit * 6 - shift * n_sheets, 0)
        sheet.setHeight(max(unit, min(unit * 4.2, self.height() - unit * 4.6)))
        words = self.tr("layer {layer} · {batch} × {heads} sheets, one a row and head").format(
            layer=row.layer, batch=batch, heads=heads
        )
        draw_text(
            painter,
            QRectF(unit * 0.8, unit * 0.2, self.width() - unit, unit * 1.2),
            words,
            theme.muted,
            ui_font(-1),
            LEFT,
        )
        for index in reversed(range(n_sheets)):
            self._paint_sheet(painter, sheet.translated(shift * index, -shift * 0.5 * index + shift), row)
        below = QRectF(
            sheet.left() - unit * 2, sheet.bottom() + shift + unit * 0.3, sheet.width() + unit * 4, unit * 1.3
        )
        self._paint_append_dim(painter, below, kv_len)
        side = QRectF(unit * 0.8, sheet.center().y() - unit * 0.7 + shift, unit * 3.8, unit)
        draw_text(painter, side, "head_dim", theme.muted, ui_font(-1), LEFT)
        draw_text(painter, side.translated(0, unit), str(head_dim), theme.text, mono_font(-1), LEFT)

    def _paint_sheet(self, painter: QPainter, rect: QRectF, row: KvRow) -> None:
        theme = current_theme()
        painter.setPen(QPen(theme.line, 1))
        painter.setBrush(theme.chip)
        painter.drawRect(rect)
        used = rect.width() * row.kv_len / max(1, row.capacity, row.kv_len)
        fresh = (
            max(2.0, rect.width() * max(0, row.grew or 0) / max(1, row.capacity, row.kv_len))
            if row.grew
            else 0.0
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.highlight)
        painter.drawRect(QRectF(rect.left(), rect.top(), max(0.0, used - fresh), rect.height()))
        painter.setBrush(theme.accent)
        painter.drawRect(
            QRectF(rect.left() + max(0.0, used - fresh), rect.top(), min(used, fresh), rect.height())
        )
        painter.setPen(QPen(theme.muted, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)

    def _paint_append_dim(self, painter: QPainter, rect: QRectF, kv_len: int) -> None:
        """An arrow along the axis that grows, and its name."""
        theme, unit = current_theme(), self.unit
        left, right, y = rect.left() + unit * 2, rect.right() - unit * 2, rect.top()
        painter.setPen(QPen(theme.accent, 1.6))
        painter.drawLine(QPointF(left, y), QPointF(right, y))
        tip = unit * 0.3
        painter.setBrush(theme.accent)
        painter.drawPolygon(
            QPolygonF([QPointF(right + tip, y), QPointF(right, y - tip / 2), QPointF(right, y + tip / 2)])
        )
        words = self.tr("kv_len {length}: the append dim").format(length=kv_len)
        draw_text(
            painter, rect.translated(0, unit * 0.25), words, theme.accent, ui_font(-1, bold=True), CENTRE
        )
