"""The pane of the lab: one page a step, beside the panels that it is about."""

from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.lab.code import Excerpt
from gui.icons import set_icon
from gui.key_guard import KeyGuard
from gui.lab.page import Page
from gui.lab.parts import Code, Fold, LabButton, PageScroll, clear, wrapped
from gui.theme import theme_events, ui_font
from gui.widgets.guard import guarded

LEAST_WIDTH, WIDTH = 17, 26  # in lines of text


class LabPane(QFrame):
    """Page Down and Page Up turn the pages, Tab goes through what can be done, Esc closes."""

    asked = Signal(str)  # the id of an action
    moved = Signal(int)
    left = Signal()
    notes_asked = Signal()
    retold = Signal()  # the language has changed

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("labPane")
        self._page: Page | None = None
        self._opened: set[tuple[int, int]] = set()  # answers that are unfolded, by page and place
        self._guard = KeyGuard(self)
        self.actions_: dict[str, LabButton] = {}
        self.folds: list[Fold] = []
        self.title, self.count = QLabel(), QLabel()
        self.close_button = QToolButton()
        self.back, self.next, self.notes = LabButton(), LabButton(), LabButton()
        self._body, self._results = QWidget(), QWidget()
        self._busy = QLabel()
        self._scroll = PageScroll()
        self._build()
        theme_events().changed.connect(self._on_theme_changed)
        self._fit()
        self.retranslate()

    def _build(self) -> None:
        self.close_button.setProperty("kind", "flat")
        self.close_button.clicked.connect(self.left)
        set_icon(self.close_button, "close")
        self.back.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        self.notes.clicked.connect(self.notes_asked)
        self.count.setProperty("tone", "muted")
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._body)
        self._body.setObjectName("labBody")
        QVBoxLayout(self._body)
        self._head, self._foot = QHBoxLayout(), QHBoxLayout()
        self._head.addWidget(self.count, 1)
        self._head.addWidget(self.close_button)
        for button in (self.notes, self.back, self.next):
            self._foot.addWidget(button)
            if button is self.notes:
                self._foot.addStretch(1)
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addWidget(self._scroll, 1)
        column.addLayout(self._foot)

    def sizeHint(self) -> QSize:
        """As wide as it may be; in a small window it gives way."""
        return QSize(QFontMetrics(ui_font()).height() * WIDTH, super().sizeHint().height())

    def show_page(self, page: Page) -> None:
        """Show a step; while it stays the same, only what was measured changes, and the keyboard stays where it is."""
        is_new = self._page is None or page.fixed != self._page.fixed
        is_other = self._page is None or page.index != self._page.index
        focused = self.window().focusWidget()
        has_keys = focused is not None and self.isAncestorOf(focused)
        before, self._page = self._page, page
        if is_new:
            self._fill(page)
            if has_keys:  # what had them is gone
                self.take_focus()
        if is_new or before is None or before.results != page.results:
            self._fill_results(page)
        self._guide(page)
        self._busy.setText(page.busy)
        self._busy.setVisible(bool(page.busy))
        if is_other:
            self._scroll.verticalScrollBar().setValue(0)

    def take_focus(self) -> None:
        """The keyboard to what there is to do."""
        first = next(iter(self.actions_.values()), self.next)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Lab"))
        self.close_button.setAccessibleName(self.tr("Close the lab"))
        self.close_button.setToolTip(self.tr("Close the lab") + "  (Esc)")
        self.back.setText(self.tr("Back"))
        self.back.setToolTip("PgUp")
        self.next.setText(self.tr("Next"))
        self.next.setToolTip("PgDown")
        self.notes.setText(self.tr("Save lab notes…"))

    def _fill(self, page: Page) -> None:
        clear(self._body)
        column = self._body.layout()
        assert isinstance(column, QVBoxLayout)
        self.count.setText(
            self.tr("Lab, step {number} of {count}").format(number=page.index + 1, count=page.count)
        )
        self.setAccessibleDescription(page.title)
        self.title = wrapped(page.title)
        self.title.setFont(ui_font(3, bold=True))
        column.addWidget(self.title)
        column.addWidget(wrapped(page.look))
        for lines in page.code:
            block = QWidget()
            inner = QVBoxLayout(block)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.setSpacing(2)
            inner.addWidget(wrapped(self._place_of(lines), "muted"))
            inner.addWidget(Code(lines))
            column.addWidget(block)
        column.addWidget(self._make_actions(page))
        self._busy, self._results = wrapped("", "muted"), QWidget()
        QGridLayout(self._results)
        column.addWidget(self._busy)
        column.addWidget(self._results)
        self._add_questions(page, column)
        column.addStretch(1)
        self._show_parts(self._body)
        self.back.setVisible(page.index > 0)
        self.next.setVisible(not page.is_last)
        self.notes.setVisible(page.is_last)
        self._order_keys()
        self._guard.guard(self)

    def _order_keys(self) -> None:
        """Tab goes down the page, then through its foot."""
        folds = (fold.button for fold in self.folds)
        stops = (*self.actions_.values(), *folds, self.notes, self.back, self.next, self.close_button)
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _place_of(self, lines: Excerpt) -> str:
        return self.tr("{file}, line {line}").format(file=lines.file, line=lines.line)

    def _make_actions(self, page: Page) -> QWidget:
        host = QWidget()
        row = QHBoxLayout(host)
        row.setContentsMargins(0, 0, 0, 0)
        self.actions_ = {}
        for name, words in page.actions:
            button = LabButton(words)
            button.clicked.connect(lambda checked=False, name=name: self.asked.emit(name))
            row.addWidget(button)
            self.actions_[name] = button
        row.addStretch(1)
        return host

    def _add_questions(self, page: Page, column: QVBoxLayout) -> None:
        self.folds = []
        for place, (question, answer) in enumerate(page.questions):
            key = (page.index, place)
            fold = Fold(question, answer)
            fold.button.setChecked(key in self._opened)
            fold.button.toggled.connect(lambda is_open, key=key, fold=fold: self._on_fold(key, fold, is_open))
            column.addWidget(fold)
            self.folds.append(fold)

    def _on_fold(self, key: tuple[int, int], fold: Fold, is_open: bool) -> None:
        """What was unfolded comes into sight, and stays unfolded when one comes back."""
        (self._opened.add if is_open else self._opened.discard)(key)
        QTimer.singleShot(0, fold, lambda: self._scroll.ensureWidgetVisible(fold, 0, 0))

    def _fill_results(self, page: Page) -> None:
        clear(self._results)
        grid = self._results.layout()
        assert isinstance(grid, QGridLayout)
        unit = QFontMetrics(ui_font()).height()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(unit // 2)
        grid.setVerticalSpacing(unit // 3)
        grid.setColumnStretch(1, 1)
        for row, one in enumerate(page.results):
            mark = wrapped(one.mark, one.tone, bold=True)
            grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(wrapped(one.text), row, 1)
        if not page.results:
            grid.addWidget(wrapped(self.tr("Nothing has been measured here yet."), "muted"), 0, 0, 1, 2)
        self._show_parts(self._results)

    @staticmethod
    def _show_parts(host: QWidget) -> None:
        """At once: Qt shows what is new in a layout later, and the keyboard cannot go to what is not shown."""
        layout = host.layout()
        assert layout is not None
        for place in range(layout.count()):
            item = layout.itemAt(place)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.show()

    def _guide(self, page: Page) -> None:
        """The button that comes next stands out: first the doing, then the going on."""
        onward = self.notes if page.is_last else self.next
        chosen = onward if page.next_action is None else self.actions_[page.next_action]
        for button in (*self.actions_.values(), self.next, self.notes):
            kind = "primary" if button is chosen else ""
            if button.property("kind") != kind:
                button.setProperty("kind", kind)
                button.style().unpolish(button)
                button.style().polish(button)

    def _on_theme_changed(self) -> None:
        self._fit()
        if self._page is not None:  # sizes of letters may have changed
            page, self._page = self._page, None
            self.show_page(page)

    def _fit(self) -> None:
        unit = QFontMetrics(ui_font()).height()
        self.setMinimumWidth(unit * LEAST_WIDTH)
        self.setMaximumWidth(unit * WIDTH)
        self._head.setContentsMargins(unit, unit * 2 // 3, unit // 2, unit // 3)
        self._head.setSpacing(unit // 2)
        self._foot.setContentsMargins(unit, unit // 2, unit, unit * 2 // 3)
        self._foot.setSpacing(unit // 2)
        column, body = self.layout(), self._body.layout()
        assert column is not None
        assert body is not None
        column.setContentsMargins(0, 0, 0, 0)
        body.setContentsMargins(unit, unit // 3, unit, unit // 2)
        body.setSpacing(unit * 3 // 4)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.retold.emit()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        turns = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in turns:
            self.moved.emit(turns[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)
