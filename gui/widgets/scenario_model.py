"""The scenario table as a model: one row a scenario, plain text; results have a sign and a word beside their colour."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QFont

from gui.theme import current_theme, mono_font, ui_font

Index = QModelIndex | QPersistentModelIndex
Result = Literal["waiting", "running", "pass", "fail", "skipped", "error", "cancelled"]
TONES: dict[Result, str] = {
    "pass": "good",
    "fail": "bad",
    "error": "text",
}  # red is only ever over the tolerance
SIGNS: dict[Result, str] = {
    "pass": "✓",
    "fail": "✗",
    "error": "!",
    "skipped": "–",
    "running": "…",
    "cancelled": "–",
}


class Column(IntEnum):
    """The columns, left to right."""

    SCENARIO = 0
    RESULT = 1
    STEPS = 2
    LARGEST = 3
    FIRST_BAD = 4
    CAUSE = 5
    WHERE = 6


@dataclass(frozen=True)
class Line:
    """What a row shows, in the language of the window; empty where there is nothing to say."""

    scenario: str
    result: Result
    steps: str = ""
    largest: str = ""
    first_bad: str = ""
    cause: str = ""
    where: str = ""
    can_open: bool = False


class ScenarioModel(QAbstractTableModel):
    """Lines in, text, colour and face out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: tuple[Line, ...] = ()

    def set_lines(self, lines: tuple[Line, ...]) -> None:
        """Show other lines; the table keeps its place when their number stays."""
        if len(lines) != len(self.lines):
            self.beginResetModel()
            self.lines = lines
            self.endResetModel()
        elif lines:
            self.lines = lines
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, len(Column) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | int | None:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return self._header(Column(section)) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | QBrush | QFont | None:
        if not index.isValid():
            return None
        line, column = self.lines[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(line, column)
        if role == Qt.ItemDataRole.ToolTipRole and column is Column.WHERE:
            return line.where
        if role == Qt.ItemDataRole.ForegroundRole:
            return QBrush(getattr(current_theme(), _tone(line, column)))
        if role == Qt.ItemDataRole.FontRole:
            return _font(line, column)
        return None

    def text(self, line: Line, column: Column) -> str:
        """One cell."""
        if column is Column.RESULT:
            return f"{SIGNS.get(line.result, '')} {self._word(line.result)}".strip()
        return (line.scenario, "", line.steps, line.largest, line.first_bad, line.cause, line.where)[column]

    def retranslate(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def _header(self, column: Column) -> str:
        return {
            Column.SCENARIO: self.tr("scenario"),
            Column.RESULT: self.tr("result"),
            Column.STEPS: self.tr("steps"),
            Column.LARGEST: self.tr("max |Δ|"),
            Column.FIRST_BAD: self.tr("first bad"),
            Column.CAUSE: self.tr("cause"),
            Column.WHERE: self.tr("where it begins, or why not run"),
        }[column]

    def _word(self, result: Result) -> str:
        return {
            "waiting": "",
            "running": self.tr("running"),
            "pass": self.tr("PASS"),
            "fail": self.tr("FAIL"),
            "skipped": self.tr("skipped"),
            "error": self.tr("error"),
            "cancelled": self.tr("not run"),
        }[result]


def _tone(line: Line, column: Column) -> str:
    if column is Column.RESULT:
        return TONES.get(line.result, "muted")
    if column is Column.FIRST_BAD:
        return "bad"
    if column is Column.WHERE or not line.can_open:
        return "muted"
    return "text"


def _font(line: Line, column: Column) -> QFont:
    if column is Column.WHERE:
        return ui_font()
    return ui_font(bold=True) if column is Column.RESULT and line.result in TONES else mono_font()
