"""The KV cache as a table model: one row a layer, plain text for copying and readers; the delegate paints it."""

import html
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.views.cache import KvRow, KvTableView, PositionsView
from core.views.numbers import data_size, short
from gui.glossary import tip
from gui.lanes import lanes

Index = QModelIndex | QPersistentModelIndex
POSITIONS_SHOWN = 3  # of a prefill's many new tokens


class Column(IntEnum):
    """The columns, left to right."""

    LAYER = 0
    ORACLE = 1
    CACHED = 2
    GREW = 3
    SLOTS = 4
    DTYPE = 5
    STORAGE = 6
    NBYTES = 7
    MAX_DK = 8
    MAX_DV = 9
    POSITIONS = 10


WORDS_OF = {
    Column.LAYER: "layer",
    Column.ORACLE: "oracle",
    Column.CACHED: "cached",
    Column.GREW: "append_dim",
    Column.SLOTS: "cache_slot",
    Column.STORAGE: "storage",
    Column.POSITIONS: "position_id",
}


@dataclass(frozen=True)
class Cell:
    """What the delegate needs: the text, and whether it is over the tolerance."""

    text: str
    is_bad: bool = False


class KvModel(QAbstractTableModel):
    """`cell(index)` gives the typed content; Qt's roles give text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view = KvTableView(rows=(), positions=None, nbytes_total=0)
        self._cells: dict[tuple[int, int], Cell] = {}  # of the view, as far as they were asked for
        self._headers: dict[Column, str] = {}
        lanes().changed.connect(self.retranslate)
        self.retranslate()

    def set_view(self, view: KvTableView) -> None:
        """Other figures; the table keeps its place when the number of layers stays."""
        if view == self.view:
            return
        self._cells.clear()
        if len(view.rows) != len(self.view.rows):
            self.beginResetModel()
            self.view = view
            self.endResetModel()
            return
        self.view = view
        if view.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(view.rows) - 1, len(Column) - 1))

    def retranslate(self) -> None:
        """Words in the language of now."""
        self._headers = {
            Column.LAYER: self.tr("layer"),
            Column.ORACLE: lanes().oracle(self.tr("oracle K, V")),
            Column.CACHED: lanes().cached(self.tr("cached K, V")),
            Column.GREW: self.tr("grew"),
            Column.SLOTS: self.tr("slots"),
            Column.DTYPE: self.tr("dtype"),
            Column.STORAGE: self.tr("storage"),
            Column.NBYTES: self.tr("bytes"),
            Column.MAX_DK: self.tr("max |ΔK|"),
            Column.MAX_DV: self.tr("max |ΔV|"),
            Column.POSITIONS: self.tr("position ids"),
        }
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() else len(self.view.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tool_tip(index)
        return self.cell(index).text

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        shown = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)  # a narrow header is cut off
        if orientation != Qt.Orientation.Horizontal or role not in shown:
            return None
        name, word = self._headers[Column(section)], WORDS_OF.get(Column(section))
        return f"{html.escape(name)}<br>{tip(word)}" if word and role == Qt.ItemDataRole.ToolTipRole else name

    def cell(self, index: Index) -> Cell:
        """The content of a cell."""
        return self.cell_at(index.row(), index.column())

    def cell_at(self, row: int, column: int) -> Cell:
        """The content of a cell by its place."""
        place = row, column
        if place not in self._cells:
            self._cells[place] = CELLS[column](self.view.rows[row], self.view.positions)
        return self._cells[place]

    def row(self, index: Index) -> KvRow:
        """The layer of an index."""
        return self.view.rows[index.row()]

    def tsv(self, indexes: list[QModelIndex]) -> str:
        """Rows of the indexes as tab separated text with a header, for spreadsheets."""
        rows = sorted({index.row() for index in indexes})
        lines = ["\t".join(self._headers[column] for column in Column)]
        lines += ["\t".join(self.cell(self.index(row, column)).text for column in Column) for row in rows]
        return "\n".join(lines)

    def _tool_tip(self, index: Index) -> str | None:
        row = self.row(index)
        if index.column() == Column.SLOTS:
            return self.tr("{used} of {capacity} slots hold tokens").format(
                used=row.kv_len, capacity=row.capacity
            )
        if index.column() == Column.GREW and row.length_is_bad:
            return self.tr("expected to grow by {rows}").format(rows=row.expected_growth)
        if index.column() == Column.STORAGE and row.shares_with:
            layers = ", ".join(map(str, row.shares_with))
            return self.tr("in the same storage as layer {layers}").format(layers=layers)
        if index.column() == Column.STORAGE and row.oracle_storage is None:
            return self.tr("the oracle keeps nothing; equal names are one storage")
        return None


def shape_text(shape: tuple[int, ...] | None) -> str:
    """[1, 2, 42, 32], or a dash."""
    return "\u2013" if shape is None else "[" + ", ".join(map(str, shape)) + "]"


def positions_text(ids: tuple[int, ...]) -> str:
    """0, 1, 2 ... or a range where the ids run on."""
    if len(ids) > POSITIONS_SHOWN and ids == tuple(range(ids[0], ids[0] + len(ids))):
        return f"{ids[0]}\u2013{ids[-1]}"
    shown = ", ".join(map(str, ids[:POSITIONS_SHOWN]))
    return shown + " \u2026" if len(ids) > POSITIONS_SHOWN else shown or "\u2013"


def _difference(value: float | None, is_bad: bool) -> Cell:
    return Cell("\u2013" if value is None else short(value, 1), is_bad)


def _positions(positions: PositionsView | None) -> Cell:
    if positions is None:
        return Cell("\u2013")
    text = f"{positions_text(positions.oracle)} / {positions_text(positions.cached)}"
    return Cell(text + (" \u00d7" if positions.is_mismatch else ""), positions.is_mismatch)


def _grew(row: KvRow) -> Cell:
    return Cell("\u2013" if row.grew is None else f"{row.grew:+d}", row.length_is_bad)


CELLS: dict[int, Callable[[KvRow, PositionsView | None], Cell]] = {
    Column.LAYER: lambda row, _: Cell(str(row.layer)),
    Column.ORACLE: lambda row, _: Cell(shape_text(row.oracle_shape)),
    Column.CACHED: lambda row, _: Cell(shape_text(row.cached_shape), row.length_is_bad),
    Column.GREW: lambda row, _: _grew(row),
    Column.SLOTS: lambda row, _: Cell(f"{row.kv_len}/{row.capacity}"),
    Column.DTYPE: lambda row, _: _pair_cell(dtype_pair(row), row.dtype_differs),
    Column.STORAGE: lambda row, _: _pair_cell(storage_pair(row), False),
    Column.NBYTES: lambda row, _: Cell(data_size(row.nbytes)),
    Column.MAX_DK: lambda row, _: _difference(row.max_dk, row.dk_is_bad),
    Column.MAX_DV: lambda row, _: _difference(row.max_dv, row.dv_is_bad),
    Column.POSITIONS: lambda _, positions: _positions(positions),
}


def dtype_pair(row: KvRow) -> tuple[str, str]:
    """The dtypes of the oracle and of the cached lane."""
    return _short_dtype(row.oracle_dtype or "\u2013"), _short_dtype(row.dtype)


def storage_pair(row: KvRow) -> tuple[str, str]:
    """The storages of the oracle, which usually keeps nothing, and of the cached lane."""
    return row.oracle_storage or "\u2013", row.storage or "\u2013"


def _pair_cell(pair: tuple[str, str], is_bad: bool) -> Cell:
    return Cell(" / ".join(pair) + (" \u00d7" if is_bad else ""), is_bad)


def _short_dtype(dtype: str) -> str:
    name = dtype.removeprefix("torch.")
    for long, brief in (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i")):
        if name.startswith(long):
            return brief + name.removeprefix(long)
    return name
