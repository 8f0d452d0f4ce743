"""The figures of a profile: one row a layout and length, with the parts of a step as a bar."""

from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
)
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from core.report.profile import Timing
from core.views.numbers import data_size
from core.views.profile_table import ProfileRow
from gui.theme import current_theme, mono_font, theme_events, ui_font
from gui.widgets.guard import guarded

Index = QModelIndex | QPersistentModelIndex
NONE = "–"


class Column(IntEnum):
    """Left to right."""

    LAYOUT = 0
    LENGTH = 1
    CACHED = 2
    SPLIT = 3
    APPEND = 4
    ATTENTION = 5
    REST = 6
    ORACLE = 7
    SAVES = 8
    VALID = 9
    ALLOCATED = 10
    PEAK = 11


class ProfileModel(QAbstractTableModel):
    """Rows in, text out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ProfileRow, ...] = ()

    def set_rows(self, rows: tuple[ProfileRow, ...]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | int | None:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_side(Column(section)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._meaning(Column(section))
        return self._header(Column(section)) if role == Qt.ItemDataRole.DisplayRole else None

    def data(
        self, index: Index, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | int | QBrush | QFont | None:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(index.row(), column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return int(_side(column))
            case Qt.ItemDataRole.FontRole:
                return mono_font()
            case Qt.ItemDataRole.ForegroundRole:
                return QBrush(_tone(row, column))
            case Qt.ItemDataRole.ToolTipRole:
                return self._tip(row, column)
        return None

    def text(self, place: int, column: Column) -> str:
        """One cell; a layout is named once."""
        row = self.rows[place]
        is_first = place == 0 or self.rows[place - 1].layout != row.layout
        cache = row.cache
        match column:
            case Column.LAYOUT:
                return (row.layout or self.tr("own")) if is_first else ""
            case Column.LENGTH:
                return str(row.length)
            case Column.CACHED:
                return _ms(row.cached)
            case Column.APPEND:
                return _ms(row.append)
            case Column.ATTENTION:
                return _ms(row.attention)
            case Column.REST:
                return _ms(row.rest)
            case Column.ORACLE:
                return _ms(row.oracle)
            case Column.SAVES:
                return f"{row.ratio:.1f}×" if row.pays else f"{self.tr('no gain')} {row.ratio:.1f}×"
            case Column.VALID:
                return NONE if cache is None else data_size(cache.valid)
            case Column.ALLOCATED:
                return NONE if cache is None else data_size(cache.allocated)
            case Column.PEAK:
                return NONE if cache is None else data_size(cache.peak)
            case _:
                return ""

    def retranslate(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def _header(self, column: Column) -> str:
        return {
            Column.LAYOUT: self.tr("cache"),
            Column.LENGTH: self.tr("length"),
            Column.CACHED: self.tr("cached"),
            Column.SPLIT: self.tr("parts"),
            Column.APPEND: self.tr("append"),
            Column.ATTENTION: self.tr("attention"),
            Column.REST: self.tr("rest"),
            Column.ORACLE: self.tr("oracle"),
            Column.SAVES: self.tr("saves"),
            Column.VALID: self.tr("valid"),
            Column.ALLOCATED: self.tr("allocated"),
            Column.PEAK: self.tr("peak"),
        }[column]

    def _meaning(self, column: Column) -> str:
        return {
            Column.LENGTH: self.tr("Tokens in the cache before the timed step"),
            Column.SPLIT: self.tr("append, attention, rest"),
            Column.APPEND: self.tr("Writing into the cache, with all copies that it makes"),
            Column.REST: self.tr("Everything else: products, norms, embedding, logits"),
            Column.SAVES: self.tr("How many times longer the oracle takes; below 1.05 caching does not pay"),
            Column.VALID: self.tr("Bytes of the rows that attention may read"),
            Column.ALLOCATED: self.tr("Bytes that the cache holds, unused room included"),
            Column.PEAK: self.tr("Bytes while the step holds the old cache and the new one"),
        }.get(column, "")

    def _tip(self, row: ProfileRow, column: Column) -> str:
        if column in (Column.CACHED, Column.ORACLE):
            one = row.cached if column is Column.CACHED else row.oracle
            return self.tr("half of the repeats lie between {low} and {high} ms").format(
                low=f"{one.low:.3f}", high=f"{one.high:.3f}"
            )
        if column is Column.APPEND and row.gather is not None:
            return self.tr("of it {gather} ms gather the blocks").format(gather=f"{row.gather.median:.3f}")
        return ""


class PartsDelegate(QStyledItemDelegate):
    """A bar of three parts, all of them as long as the longest step of the table."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, ProfileModel):
            return
        longest = max(_whole(row) for row in model.rows)
        rect = QRectF(option.rect)
        height = rect.height() * 0.42
        x, room = rect.left() + rect.height() * 0.2, rect.width() - rect.height() * 0.4
        for value, colour in _parts(model.rows[index.row()]):
            width = room * value / longest if longest else 0.0
            painter.fillRect(QRectF(x, rect.center().y() - height / 2, width, height), colour)
            x += width


class ProfileTable(QTableView):
    """Reads with arrow keys; scrolls sideways where it must."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = ProfileModel(self)
        self.setModel(self.lines)
        self.setItemDelegateForColumn(Column.SPLIT, PartsDelegate(self))
        self.verticalHeader().hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setMinimumSectionSize(10)
        theme_events().changed.connect(self._fit)
        self.retranslate()

    def set_rows(self, rows: tuple[ProfileRow, ...]) -> None:
        if rows != self.lines.rows:
            self.lines.set_rows(rows)
            self._fit()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Time and memory of a step"))
        self.lines.retranslate()
        self._fit()

    @property
    def wanted_width(self) -> int:
        """What all columns take, beside a scroll bar."""
        return self.horizontalHeader().length() + self.verticalScrollBar().sizeHint().width()

    def _fit(self) -> None:
        unit, header = QFontMetricsF(ui_font()).height(), self.horizontalHeader()
        for column in Column:
            width = max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
            self.setColumnWidth(column, round(unit * 4 if column is Column.SPLIT else width))
        self.verticalHeader().setDefaultSectionSize(round(unit * 1.36))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()


def part_colours() -> tuple[QColor, QColor, QColor]:
    """Of append, attention and rest: shades of the cached lane, and a quiet one."""
    theme = current_theme()
    light = QColor(theme.cached)
    light.setAlphaF(0.5)
    return theme.cached, light, theme.line


def _parts(row: ProfileRow) -> tuple[tuple[float, QColor], ...]:
    values = (row.append, row.attention, row.rest)
    return tuple(
        (one.median, colour) for one, colour in zip(values, part_colours(), strict=True) if one is not None
    )


def _whole(row: ProfileRow) -> float:
    return sum(value for value, _ in _parts(row))


def _ms(one: Timing | None) -> str:
    return NONE if one is None else f"{one.median:.2f}"


def _side(column: Column) -> Qt.AlignmentFlag:
    is_word = column in (Column.LAYOUT, Column.SPLIT)
    side = Qt.AlignmentFlag.AlignLeft if is_word else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


def _tone(row: ProfileRow, column: Column) -> QColor:
    theme = current_theme()
    quiet = (Column.APPEND, Column.ATTENTION, Column.REST)
    if column in quiet or (column is Column.SAVES and not row.pays):
        return theme.muted
    return {Column.CACHED: theme.cached_ink, Column.ORACLE: theme.oracle}.get(column, theme.text)
