"""How the cells of the KV table are painted: the append dim marked, slots as a bar, mismatches red with a cross."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.views.cache import APPEND_DIM, KvRow
from gui.fonts import mono_height, mono_width, ui_height
from gui.theme import Theme, current_theme, mono_font
from gui.widgets.guard import guarded
from gui.widgets.kv_model import Cell, Column, KvModel, dtype_pair, positions_text, shape_text, storage_pair
from gui.widgets.painted import LEFT, draw_cross, draw_text, hairline
from gui.widgets.stamps import Stamps

Index = QModelIndex | QPersistentModelIndex
CROSS_LINE = 0.1  # of the line height
PAIRS: dict[int, Callable[[KvRow], tuple[str, str]]] = {
    Column.DTYPE: dtype_pair,
    Column.STORAGE: storage_pair,
}


@dataclass(frozen=True)
class Shape:
    """The shape of K and of V; None where the lane keeps none."""

    sizes: tuple[int, ...] | None
    is_bad: bool


@dataclass(frozen=True)
class Slots:
    """How full a layer is."""

    kv_len: int
    capacity: int
    grew: int


@dataclass(frozen=True)
class Pair:
    """What the oracle and the cached lane have."""

    oracle: str
    cached: str
    is_mismatch: bool


Content = Cell | Shape | Slots | Pair


class KvDelegate(QStyledItemDelegate):
    """Paints one cell; the model's typed content says what. Layers that are alike are painted once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stamps = Stamps()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = index.model()
        text = model.cell(index).text if isinstance(model, KvModel) else ""
        return QSize(cell_width(Column(index.column()), text), int(ui_height() * 1.36))

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, KvModel):
            return
        theme = current_theme()
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        content = _content(model, index)
        self._stamps.paint(
            painter, option.rect, (content, theme.name), theme.chip if is_chosen else theme.panel,
            lambda there, rect: _paint_cell(there, rect, content, theme),
        )  # fmt: skip


def _content(model: KvModel, index: Index) -> Content:
    row, cell, column = (
        model.row(index),
        model.cell(index),
        index.column(),
    )  # an enum costs as much as the picture
    if column in (Column.ORACLE, Column.CACHED):
        return Shape(row.oracle_shape if column == Column.ORACLE else row.cached_shape, cell.is_bad)
    if column == Column.SLOTS:
        return Slots(row.kv_len, row.capacity, row.grew or 0)
    if column == Column.POSITIONS and model.view.positions is not None:
        oracle, cached = model.view.positions.oracle, model.view.positions.cached
        return Pair(positions_text(oracle), positions_text(cached), cell.is_bad)
    return Pair(*PAIRS[column](row), cell.is_bad) if column in PAIRS else cell


def _paint_cell(painter: QPainter, cell: QRectF, content: Content, theme: Theme) -> None:
    bottom = cell.bottom() - 0.5  # within the cell
    hairline(painter, theme.line, QPointF(cell.left(), bottom), QPointF(cell.right(), bottom))
    unit = ui_height()
    rect = cell.adjusted(unit * 0.65, 0, -unit * 0.3, 0)
    match content:
        case Shape(sizes, is_bad):
            _paint_shape(painter, rect, sizes, is_bad, theme)
        case Slots():
            _paint_slots(painter, rect, content, theme)
        case Pair(oracle, cached, is_bad):
            _paint_pair(painter, rect, (oracle, cached), is_bad, theme)
        case Cell(text, is_bad):
            _write(painter, rect, rect.left(), text, theme.bad if is_bad else theme.text)


def cell_width(column: Column, text: str) -> int:
    """How wide a cell wants to be."""
    return int(ui_height() * 8 if column == Column.SLOTS else mono_width(text) + ui_height() * 1.5)


def _write(painter: QPainter, rect: QRectF, x: float, text: str, colour: QColor) -> float:
    """Text at `x`, cut where the cell ends; returns where it ends."""
    width = mono_width(text)
    room = min(width, max(0.0, rect.right() - x))
    place = QRectF(x, rect.top(), room, rect.height())
    draw_text(painter, place, text, colour, mono_font(), LEFT, elide=room < width)
    return x + width


def _paint_shape(
    painter: QPainter, rect: QRectF, shape: tuple[int, ...] | None, is_bad: bool, theme: Theme
) -> None:
    if shape is None or len(shape) <= APPEND_DIM:
        _write(painter, rect, rect.left(), shape_text(shape), theme.muted if shape is None else theme.text)
        return
    sizes = [str(size) for size in shape]
    before, marked = "".join(f"{size}, " for size in sizes[:APPEND_DIM]), sizes[APPEND_DIM]
    after = "".join(f", {size}" for size in sizes[APPEND_DIM + 1 :])
    x = _write(painter, rect, rect.left(), f"[{before}", theme.text)
    _paint_mark(painter, rect, x, marked, theme.bad_background if is_bad else theme.highlight)
    x = _write(painter, rect, x, marked, theme.bad if is_bad else theme.text)
    _write(painter, rect, x, f"{after}]", theme.text)


def _paint_mark(painter: QPainter, rect: QRectF, x: float, text: str, colour: QColor) -> None:
    """What lies behind the size that grows."""
    height = mono_height()
    pad = height * 0.14
    mark = QRectF(x - pad, rect.center().y() - height * 0.52, mono_width(text) + 2 * pad, height * 1.04)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(mark, pad * 1.6, pad * 1.6)


def _paint_slots(painter: QPainter, rect: QRectF, row: Slots, theme: Theme) -> None:
    """Old rows grey, the rows of this step in the accent, room that is left pale."""
    unit = ui_height()
    height = unit * 0.5
    track = QRectF(rect.left(), rect.center().y() - height / 2, rect.width() - unit * 0.4, height)
    capacity = max(1, row.capacity, row.kv_len)
    used = track.width() * row.kv_len / capacity
    fresh = min(used, max(unit * 0.25, track.width() * max(0, row.grew) / capacity)) if row.grew else 0.0
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
    oracle, cached = pair
    if mono_width(f"{oracle} / {cached}") > rect.width() > 0:  # half of it would look like all of it
        draw_text(
            painter, rect, f"{oracle} / {cached}", theme.bad if is_mismatch else theme.text, mono_font()
        )
        return
    x = _write(painter, rect, rect.left(), oracle, theme.oracle)
    x = _write(painter, rect, x, " / ", theme.text)
    x = _write(painter, rect, x, cached, theme.bad if is_mismatch else theme.cached_ink)
    if is_mismatch:
        line = mono_height()
        draw_cross(
            painter, QPointF(x + line * 0.55, rect.center().y()), line * 0.17, theme.bad, line * CROSS_LINE
        )
