"""How the cells of the KV table are painted: the append dim marked, slots as a bar, mismatches red with a cross."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.views.cache import APPEND_DIM, KvRow
from gui.theme import Theme, current_theme, mono_font, ui_font
from gui.widgets.guard import guarded
from gui.widgets.kv_model import Column, KvModel, dtype_pair, positions_text, storage_pair
from gui.widgets.painted import LEFT, draw_cross, draw_text, hairline

Index = QModelIndex | QPersistentModelIndex
CROSS_LINE = 0.1  # of the line height
PAIRS = {Column.DTYPE: dtype_pair, Column.STORAGE: storage_pair}


class KvDelegate(QStyledItemDelegate):
    """Paints one cell; the model's typed content says what."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = index.model()
        text = model.cell(index).text if isinstance(model, KvModel) else ""
        metrics = QFontMetricsF(_font(index.column()))
        unit = QFontMetricsF(ui_font()).height()
        width = metrics.horizontalAdvance(text) + unit * 1.5
        if index.column() == Column.SLOTS:
            width = unit * 8
        return QSize(int(width), int(unit * 1.36))

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, KvModel):
            return
        theme, rect = current_theme(), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.chip)
        hairline(painter, theme.line, rect.bottomLeft(), rect.bottomRight())
        unit = QFontMetricsF(ui_font()).height()
        self._paint_cell(painter, rect.adjusted(unit * 0.65, 0, -unit * 0.3, 0), model, index, theme)
        painter.restore()

    def _paint_cell(
        self, painter: QPainter, rect: QRectF, model: KvModel, index: Index, theme: Theme
    ) -> None:
        row, cell, column = model.row(index), model.cell(index), Column(index.column())
        if column in (Column.ORACLE, Column.CACHED):
            shape = row.oracle_shape if column == Column.ORACLE else row.cached_shape
            _paint_shape(painter, rect, shape, cell.is_bad, theme)
        elif column == Column.SLOTS:
            _paint_slots(painter, rect, row, theme)
        elif column == Column.POSITIONS and model.view.positions is not None:
            oracle, cached = model.view.positions.oracle, model.view.positions.cached
            _paint_pair(painter, rect, (positions_text(oracle), positions_text(cached)), cell.is_bad, theme)
        elif column in PAIRS:
            _paint_pair(painter, rect, PAIRS[column](row), cell.is_bad, theme)
        else:
            colour = theme.bad if cell.is_bad else theme.text
            draw_text(painter, rect, cell.text, colour, _font(column))


def _font(column: int) -> QFont:
    return mono_font()


def _write(painter: QPainter, rect: QRectF, x: float, text: str, colour: QColor, font: QFont) -> float:
    """Text at `x`; returns where it ends."""
    width = QFontMetricsF(font).horizontalAdvance(text)
    room = min(width, max(0.0, rect.right() - x))
    draw_text(painter, QRectF(x, rect.top(), room, rect.height()), text, colour, font, LEFT)
    return x + width


def _paint_shape(
    painter: QPainter, rect: QRectF, shape: tuple[int, ...] | None, is_bad: bool, theme: Theme
) -> None:
    font, x = mono_font(), rect.left()
    if shape is None:
        _write(painter, rect, x, "\u2013", theme.muted, font)
        return
    metrics = QFontMetricsF(font)
    x = _write(painter, rect, x, "[", theme.text, font)
    for dim, size in enumerate(shape):
        if dim == APPEND_DIM:
            pad = metrics.height() * 0.14
            mark = QRectF(x - pad, rect.center().y() - metrics.height() * 0.52, 0, metrics.height() * 1.04)
            mark.setWidth(metrics.horizontalAdvance(str(size)) + 2 * pad)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.bad_background if is_bad else theme.highlight)
            painter.drawRoundedRect(mark, pad * 1.6, pad * 1.6)
        colour = theme.bad if is_bad and dim == APPEND_DIM else theme.text
        x = _write(painter, rect, x, str(size), colour, font)
        x = _write(painter, rect, x, "]" if dim == len(shape) - 1 else ", ", theme.text, font)


def _paint_slots(painter: QPainter, rect: QRectF, row: KvRow, theme: Theme) -> None:
    """Old rows grey, the rows of this step in the accent, room that is left pale."""
    unit = QFontMetricsF(ui_font()).height()
    height = unit * 0.5
    track = QRectF(rect.left(), rect.center().y() - height / 2, rect.width() - unit * 0.4, height)
    capacity = max(1, row.capacity, row.kv_len)
    used = track.width() * row.kv_len / capacity
    fresh = min(used, max(unit * 0.25, track.width() * max(0, row.grew or 0) / capacity)) if row.grew else 0.0
    painter.setPen(Qt.PenStyle.NoPen)
    painter.save()
    radius = height / 2
    for width, colour in ((track.width(), theme.chip), (used, theme.accent), (used - fresh, theme.muted)):
        painter.setBrush(colour)
        bar = QRectF(track.left(), track.top(), max(0.0, width), height)
        painter.drawRoundedRect(bar, radius, radius)
        if colour is theme.muted and fresh:
            painter.drawRect(bar.adjusted(min(radius, bar.width()), 0, 0, 0))
    painter.restore()


def _paint_pair(
    painter: QPainter, rect: QRectF, pair: tuple[str, str], is_mismatch: bool, theme: Theme
) -> None:
    """What the oracle and the cached lane have, each in its colour."""
    font, (oracle, cached) = mono_font(), pair
    x = _write(painter, rect, rect.left(), oracle, theme.oracle, font)
    x = _write(painter, rect, x, " / ", theme.text, font)
    x = _write(painter, rect, x, cached, theme.bad if is_mismatch else theme.cached, font)
    if is_mismatch:
        line = QFontMetricsF(font).height()
        draw_cross(
            painter, QPointF(x + line * 0.55, rect.center().y()), line * 0.17, theme.bad, line * CROSS_LINE
        )
