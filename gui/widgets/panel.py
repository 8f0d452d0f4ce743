"""A card with a title row and a body: the frame around every panel."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.theme import theme_events, ui_font
from gui.widgets.guard import guarded


class ElidedLabel(QLabel):
    """A label of one line that gives way: what does not fit is cut off, and the tool tip keeps all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._full = ""

    def set_full_text(self, text: str) -> None:
        """`text` may be rich, and keeps its colours where it is cut."""
        self._full = text
        self._elide()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._full)
        return QSize(width, super().sizeHint().height())

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        if "<" in self._full and ">" in self._full:
            self.setText(self._elided_markup())
            return
        shown = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown)
        self.setToolTip(self._full if shown != self._full else "")

    def _elided_markup(self) -> str:
        plain = QTextDocumentFragment.fromHtml(self._full).toPlainText()
        shown = self.fontMetrics().elidedText(plain, Qt.TextElideMode.ElideRight, self.width())
        if shown == plain or self.width() <= 0:
            return self._full
        document = QTextDocument()
        document.setDefaultFont(self.font())
        document.setHtml(self._full)
        cursor = QTextCursor(document)
        cursor.setPosition(max(0, len(shown) - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText("…" if shown else "")
        return document.toHtml()


class TitleRow(QFrame):
    """Of one height, which is all that it hints at: a dock asks for nothing else, and hundreds of times a step."""

    def sizeHint(self) -> QSize:
        return QSize(0, self.maximumHeight())


class PanelFrame(QFrame):
    """Title row (name, explanation, figures) above a body that can be replaced by an empty state."""

    empty_action = Signal()

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._title = QLabel()
        self._explanation = ElidedLabel()
        self._figures = QLabel()
        self._title_row = self._make_title_row()
        self._has_menu = False
        self._body_host = QWidget()
        self._body_layout = QVBoxLayout(self._body_host)
        self._body_layout.setContentsMargins(0, 0, 0, 0)
        self._empty_label = QLabel()
        self._hint_label = QLabel()
        self._empty_button = QPushButton()
        self._stack = QStackedLayout()
        self._stack.addWidget(self._body_host)
        self._stack.addWidget(self._make_empty())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)  # inside the border
        outer.setSpacing(0)
        outer.addWidget(self._title_row)
        outer.addLayout(self._stack, 1)
        theme_events().changed.connect(self._apply_fonts)
        self._apply_fonts()
        self.set_title(title)
        self.set_figures("")

    def give_title_row(self) -> QWidget:
        """The title row for somebody else's use: a dock has it as the handle to move the panel by."""
        outer = self.layout()
        assert outer is not None
        outer.removeWidget(self._title_row)
        outer.setContentsMargins(1, 0, 1, 1)
        for part in (self, self._title_row):
            part.setProperty("docked", True)
        return self._title_row

    @property
    def is_out_of_sight(self) -> bool:
        """Whether it is closed or behind another panel, so that it need not be kept up to date."""
        dock = self.parentWidget()
        if self.isHidden() or dock is None:
            return self.isHidden()
        return dock.isHidden() or (dock.isVisible() and self.visibleRegion().isEmpty())

    def set_title(self, text: str) -> None:
        """The name of the panel, also for screen readers."""
        self._title.setText(text)
        self.setAccessibleName(text)

    def set_title_tip(self, text: str) -> None:
        """What the words of the panel mean, when the pointer rests on its name."""
        self._title.setToolTip(text)

    def set_explanation(self, text: str) -> None:
        """What the panel shows, in muted words; rich text is allowed."""
        self._explanation.set_full_text(text)

    def set_figures(self, text: str) -> None:
        """Figures at the right; rich text is allowed."""
        self._figures.setText(text)
        self._figures.setToolTip("")
        self._figures.setVisible(bool(text))

    def set_figures_tip(self, text: str) -> None:
        """What is behind the figures that were just set."""
        self._figures.setToolTip(text)

    def set_body(self, widget: QWidget) -> None:
        """The widget that is the panel's content, replacing an earlier one; its `tools` go to the title row."""
        while (item := self._body_layout.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.setParent(None)
        self._body_layout.addWidget(widget)
        tools = getattr(widget, "tools", None)
        if isinstance(tools, QWidget):
            self.add_title_widget(tools)
        self.show_body()

    def add_title_widget(self, widget: QWidget) -> None:
        """A small control at the right of the title row, before the panel's menu."""
        layout = self._title_row.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.insertWidget(layout.count() - (1 if self._has_menu else 0), widget)

    def set_title_menu(self, button: QWidget) -> None:
        """The control that stays at the far right."""
        self.add_title_widget(button)
        self._has_menu = True

    def show_empty(self, message: str, button_text: str | None = None, hint: str = "") -> None:
        """Say what is missing and how to give it, and offer the button that fixes it."""
        self._empty_label.setText(message)
        self._empty_label.setProperty("tone", "" if hint else "muted")
        self._empty_label.style().polish(self._empty_label)
        self._hint_label.setText(hint)
        self._hint_label.setVisible(bool(hint))
        self._empty_button.setText(button_text or "")
        self._empty_button.setVisible(button_text is not None)
        self.set_figures("")
        self._stack.setCurrentIndex(1)

    def show_body(self) -> None:
        """Back to the content."""
        self._stack.setCurrentIndex(0)

    @property
    def is_empty(self) -> bool:
        """Whether the empty state is shown."""
        return self._stack.currentIndex() == 1

    def _make_title_row(self) -> QFrame:
        row = TitleRow()
        row.setObjectName("panelTitle")
        layout = QHBoxLayout(row)
        for label, tone in ((self._title, ""), (self._explanation, "muted"), (self._figures, "muted")):
            label.setProperty("tone", tone)
            layout.addWidget(label, 1 if label is self._explanation else 0)
        return row

    def _make_empty(self) -> QWidget:
        host = QWidget()
        layout = QVBoxLayout(host)
        unit = self.fontMetrics().height()
        layout.setContentsMargins(unit, unit // 2, unit, unit // 2)
        self._empty_button.clicked.connect(self.empty_action)
        layout.addStretch(1)
        for label in (self._empty_label, self._hint_label):
            label.setProperty("tone", "muted")
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setMaximumWidth(unit * 40)
            row = QHBoxLayout()
            row.addWidget(label)
            layout.addLayout(row)
        layout.addWidget(self._empty_button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(1)
        return host

    def _apply_fonts(self) -> None:
        self._title.setFont(ui_font(bold=True))
        unit = QFontMetrics(ui_font()).height()
        layout = self._title_row.layout()
        assert layout is not None
        layout.setContentsMargins(unit * 10 // 15, 0, unit * 10 // 15, 0)
        layout.setSpacing(unit * 8 // 15)
        self._title_row.setFixedHeight(unit * 27 // 15)


def action_button(action: QAction) -> QWidget:
    """A command of the table as a small button with words, for a title row."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    return tool_row(button)


def tool_row(*buttons: QToolButton) -> QWidget:
    """Small flat buttons in a row, for a title row."""
    host = QWidget()
    layout = QHBoxLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2)
    for button in buttons:
        button.setProperty("kind", "flat")
        button.setProperty("density", "mini")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        layout.addWidget(button)
    return host
