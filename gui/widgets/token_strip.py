"""The text of the run, one chip a token, with a border between prompt and decode."""

import html

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from core.views.tokens import TokenChip, TokenStripView
from gui.theme import theme_events
from gui.token_text import visible
from gui.widgets.guard import guarded
from gui.widgets.painted import PaintedWidget
from gui.widgets.stamps import Stamps
from gui.widgets.token_chips import ChipRow, paint_fades, paint_flags, paint_row

EMPTY = TokenStripView(chips=())


class TokenStrip(QScrollArea):
    """Scrolls sideways, also by the wheel, and keeps the selected chip in sight."""

    step_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = _Canvas()
        self._canvas.step_clicked.connect(self.step_clicked)
        self.setWidget(self._canvas)
        self.setWidgetResizable(True)
        self.horizontalScrollBar().valueChanged.connect(
            self._canvas.update
        )  # its edges fade where more follows
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # the wheel scrolls
        self.viewport().setAutoFillBackground(False)
        self._canvas.setAutoFillBackground(False)
        self.retranslate()
        theme_events().changed.connect(self._fit_height)
        self._fit_height()

    def set_view(self, view: TokenStripView) -> None:
        """Show the chips and scroll to the selected one."""
        if not self._canvas.move_to(view):
            self._canvas.set_view(view)
            self.setAccessibleDescription("".join(chip.text for chip in view.chips)[:2000])
        self._scroll_to_selected()

    def set_bookmarks(self, steps: frozenset[int]) -> None:
        """Flag the tokens that these steps chose."""
        self._canvas.bookmarks = steps
        self._canvas.update()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self._canvas.words = (self.tr("prompt"), self.tr("decode"))
        self.setAccessibleName(self.tr("Tokens of the text"))
        self._canvas.update()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() == QEvent.Type.FontChange:
            self._fit_height()

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().x() or event.angleDelta().y()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - delta)
        event.accept()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_to_selected()

    def _fit_height(self) -> None:
        self._canvas.relayout()
        self.setFixedHeight(self._canvas.minimumSizeHint().height())

    def _scroll_to_selected(self) -> None:
        span = self._canvas.row.selected_span()
        if span is not None:
            middle = int(sum(span) / 2)
            margin = min(self.viewport().width() // 2, 6 * int(self._canvas.unit))
            self.ensureVisible(middle, 0, margin, 0)


class _Canvas(PaintedWidget):
    step_clicked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.view = EMPTY
        self.words = ("prompt", "decode")
        self.bookmarks: frozenset[int] = frozenset()
        self.row = ChipRow((), self.unit)
        self._hovered: int | None = None
        self._stamps = Stamps()
        self.setMouseTracking(True)

    def set_view(self, view: TokenStripView) -> None:
        self.view = view
        self.relayout()

    def move_to(self, view: TokenStripView) -> bool:
        """Show the same chips with others selected; False where they are not the same."""
        if view == self.view:
            return True
        if not self.row.moved_to(view.chips):
            return False
        self.view = view
        self.update()
        return True

    def relayout(self) -> None:
        self.row = ChipRow(self.view.chips, self.unit)
        self.setMinimumSize(self.minimumSizeHint())
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(int(self.row.width) + 1, int(self.row.height) + 1)

    def paint(self, painter: QPainter) -> None:
        region = self.visibleRegion().boundingRect()
        paint_row(painter, self.row, self.words, self._hovered, region, self._stamps)
        paint_flags(painter, self.row, self.bookmarks)
        paint_fades(painter, self.row, region)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.row.chip_at(event.position().x()))

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.row.chip_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self.step_clicked.emit(self.view.chips[index].step_index)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.relayout()

    def _hover(self, index: int | None) -> None:
        if index == self._hovered:
            return
        self._hovered = index
        pointer = Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor
        self.setCursor(pointer)
        self.setToolTip("" if index is None else self._describe(self.view.chips[index]))
        self.update()

    def _describe(self, chip: TokenChip) -> str:
        if chip.is_pad:
            return html.escape(self.tr("a pad: this row of the batch is shorter"))
        lines = [
            self.tr("token {index} “{text}”, id {id}").format(
                index=chip.token_index, text=visible(chip.text, 60), id=chip.token_id
            ),
            self.tr("chosen by the oracle in step {step}").format(step=chip.step_index)
            if chip.is_chosen
            else self.tr("fed in step {step}").format(step=chip.step_index),
        ]
        if chip.cached_text is not None:
            lines.append(
                self.tr("the cached lane would choose “{text}”").format(text=visible(chip.cached_text, 60))
            )
        if chip.is_sensitive and chip.cached_text is not None:
            lines.append(
                self.tr("this token matters and would change: part of a number, a date, an address or an id")
            )
        elif chip.is_sensitive:
            lines.append(self.tr("this token matters: part of a number, a date, an address or an id"))
        if chip.is_first_bad:
            lines.append(self.tr("first step over the tolerance"))
        elif chip.is_bad:
            lines.append(self.tr("over the tolerance"))
        return "<br>".join(html.escape(line) for line in lines)
