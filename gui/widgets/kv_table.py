"""The KV cache of the selected step, one row a layer."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from core.views.cache import KvTableView
from gui.theme import current_theme, theme_events, ui_font
from gui.widgets.guard import guarded
from gui.widgets.kv_delegate import KvDelegate, cell_width
from gui.widgets.kv_model import Column, KvModel
from gui.widgets.painted import LEFT, draw_text

# what is left out first where the window is narrow: a part of a cell says less than nothing
GIVE_WAY = (Column.STORAGE, Column.NBYTES, Column.DTYPE)
ROW_HEIGHTS = (1.4, 1.8)  # of a line of text: a few layers have room to breathe


def shared_widths(
    wanted: list[int], least: Mapping[Column, float], room: int, most_spare: float
) -> list[int]:
    """Widths that fit into the room: spare room goes to all columns, missing room is taken from `least`, in its order."""
    missing = sum(wanted) - room
    if missing <= 0:
        spare = min(most_spare, -missing / len(wanted))
        return [int(width + spare) for width in wanted]
    widths = list(wanted)
    for column, least_width in least.items():
        given = min(missing, max(0, widths[column] - round(least_width)))
        widths[column] -= given
        missing -= given
    return widths


class KvTable(QTableView):
    """A click or the arrow keys choose a layer; Ctrl+C copies the chosen rows as tab separated text."""

    layer_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = KvModel(self)
        self._is_filling = False
        self._widths: list[int] = []
        self._is_brief = False
        self.setModel(self._model)
        self.setItemDelegate(KvDelegate(self))
        self.setHorizontalHeader(_Header(self))
        self.verticalHeader().hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.selectionModel().currentRowChanged.connect(self._on_row_changed)
        theme_events().changed.connect(self._on_theme_changed)
        self.setAccessibleName(self.tr("KV cache by layer"))

    def set_view(self, view: KvTableView, layer: int = 0) -> None:
        """Show all layers and mark the chosen one."""
        self._is_filling = True
        try:
            if view != self._model.view:
                self._model.set_view(view)
                self._fit()
            if 0 <= layer < len(view.rows):
                flags = QItemSelectionModel.SelectionFlag
                self.selectionModel().setCurrentIndex(
                    self._model.index(layer, 0), flags.ClearAndSelect | flags.Rows
                )
        finally:
            self._is_filling = False

    def set_brief(self, is_brief: bool) -> None:
        """Leave out what is least needed, where there is less room."""
        self._is_brief = is_brief
        self._fit()

    def copy_text(self) -> str:
        """The chosen rows as tab separated text; all rows where none is chosen."""
        chosen = self.selectionModel().selectedRows()
        rows = chosen or [self._model.index(row, 0) for row in range(self._model.rowCount())]
        return self._model.tsv(rows)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.copy_text())
            event.accept()
            return
        super().keyPressEvent(event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._model.retranslate()
            self.setAccessibleName(self.tr("KV cache by layer"))
            self._fit()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Columns as wide as their content and rows as high as is good to read; nothing scrolls sideways if it can be helped."""
        header, unit = self.horizontalHeader(), QFontMetricsF(ui_font()).height()
        rows = self._rows_in_sight()  # measuring every layer takes longer than painting
        contents = [self._width_of(column, rows) for column in Column]
        # not sectionSizeHint: it says 0 of what is left out now
        words = [header.sectionSizeFromContents(column).width() for column in Column]
        wanted = [max(pair) for pair in zip(contents, words, strict=True)]
        least = {Column.SLOTS: unit * 3, Column.POSITIONS: contents[Column.POSITIONS]}
        room = self.viewport().width() + sum(wanted[column] - least[column] for column in least)
        for given in GIVE_WAY:
            is_left_out = self._is_brief or sum(wanted) > room
            wanted[given] *= not is_left_out
            if self.isColumnHidden(given) != is_left_out:
                self.setColumnHidden(given, is_left_out)
        widths = shared_widths(wanted, least, self.viewport().width(), unit * 1.6)
        if (
            widths != self._widths
        ):  # the last column is stretched: setting its width again paints all of it again
            self._widths = widths
            for column, width in enumerate(widths):
                if not self.isColumnHidden(column):
                    self.setColumnWidth(column, width)
        n_rows = max(1, self._model.rowCount())
        high = (self.height() - header.sizeHint().height() - 2) / n_rows
        row_height = round(min(unit * ROW_HEIGHTS[1], max(unit * ROW_HEIGHTS[0], high)))
        if (
            row_height != self.verticalHeader().defaultSectionSize()
        ):  # Qt would lay out and paint all of it again
            self.verticalHeader().setDefaultSectionSize(row_height)

    def _rows_in_sight(self) -> range:
        first, last = self.rowAt(0), self.rowAt(self.viewport().height())
        return range(max(0, first), self._model.rowCount() if last < 0 else last + 1)

    def _width_of(self, column: Column, rows: range) -> int:
        texts = {self._model.cell_at(row, column).text for row in rows}
        return max((cell_width(column, text) for text in texts), default=0)

    def _on_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid() and not self._is_filling:
            self.layer_clicked.emit(self._model.row(current).layer)

    def _on_theme_changed(self) -> None:
        self._fit()
        self.viewport().update()


class _Header(QHeaderView):
    """A quiet header in which the lanes have their colours (a stylesheet knows one colour for all sections)."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHighlightSections(False)
        self.setStretchLastSection(True)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setMinimumSectionSize(10)
        self.setResizeContentsPrecision(0)  # the rows in sight

    @guarded
    def paintSection(self, painter: QPainter, rect: QRect, logical_index: int) -> None:
        theme = current_theme()
        tones = {Column.ORACLE: theme.oracle, Column.CACHED: theme.cached_ink}
        text = self.model().headerData(logical_index, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        unit = QFontMetricsF(ui_font()).height()
        painter.save()
        painter.fillRect(rect, theme.panel)
        painter.setPen(theme.line)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        inner = rect.toRectF().adjusted(unit * 0.65, 0, 0, 0)
        draw_text(
            painter, inner, str(text or ""), tones.get(Column(logical_index), theme.muted), ui_font(-1), LEFT
        )
        painter.restore()

    def sectionSizeFromContents(self, logical_index: int) -> QSize:
        text = self.model().headerData(logical_index, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        metrics, unit = QFontMetricsF(ui_font(-1)), QFontMetricsF(ui_font()).height()
        return QSize(int(metrics.horizontalAdvance(str(text or "")) + unit * 1.4), round(unit * 1.5))
