"""The result of every scenario; a click opens the run of one."""

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from gui.theme import theme_events, ui_font
from gui.widgets.guard import guarded
from gui.widgets.scenario_model import Column, Line, ScenarioModel


class ScenarioTable(QTableView):
    """A click or Return opens a row that has a run."""

    opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = ScenarioModel(self)
        self.setModel(self.lines)
        self.verticalHeader().hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setMinimumSectionSize(10)
        self.clicked.connect(self._open)
        self.entered.connect(self._on_entered)
        theme_events().changed.connect(self._fit)
        self.retranslate()
        self._fit()

    def set_lines(self, lines: tuple[Line, ...]) -> None:
        """Show the results as far as they are there."""
        self.lines.set_lines(lines)
        self._fit()

    def retranslate(self) -> None:
        """Words in the language of now; the lines come with the next refresh."""
        self.setAccessibleName(self.tr("Results of the scenarios"))
        self.lines.retranslate()
        self._fit()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
            return
        super().keyPressEvent(event)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _fit(self) -> None:
        """Columns as wide as their content, the words get what is left."""
        unit, header = QFontMetricsF(ui_font()).height(), self.horizontalHeader()
        for column in Column:
            if column is not Column.WHERE:
                width = max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
                self.setColumnWidth(column, round(width + unit * 0.4))
        self.verticalHeader().setDefaultSectionSize(round(unit * 1.36))

    def _open(self, index: QModelIndex) -> None:
        if index.isValid() and self.lines.lines[index.row()].can_open:
            self.opened.emit(index.row())

    def _on_entered(self, index: QModelIndex) -> None:
        can_open = index.isValid() and self.lines.lines[index.row()].can_open
        shape = Qt.CursorShape.PointingHandCursor if can_open else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
