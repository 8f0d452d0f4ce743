"""The small parts of the lab's pane: buttons that Enter presses, lines of code, an answer to unfold."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.lab.code import Excerpt
from gui.theme import mono_font, ui_font
from gui.widgets.guard import guarded

_PAGE_KEYS = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Escape)
MOST_LINES = 11


class LabButton(QPushButton):
    """Enter presses it as Space does: outside of a dialog Qt has no such key."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class PageScroll(QScrollArea):
    """Leaves the keys that turn pages to the pane."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PAGE_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)


class Code(QPlainTextEdit):
    """Lines of source, as wide as they are; arrow keys scroll."""

    def __init__(self, excerpt: Excerpt) -> None:
        super().__init__(excerpt.text)
        self.setObjectName("labCode")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(mono_font(-1))
        self.setAccessibleName(f"{excerpt.file}:{excerpt.line}")
        self.document().setDocumentMargin(QFontMetrics(self.font()).height() // 3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics, lines = QFontMetrics(self.font()), min(MOST_LINES, self.blockCount())
        bar = self.horizontalScrollBar().sizeHint().height()
        margins = 2 * round(self.document().documentMargin()) + 2 * self.frameWidth()
        return QSize(metrics.height() * 10, metrics.lineSpacing() * lines + margins + bar)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PAGE_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)


class Fold(QFrame):
    """A question, and its answer to unfold."""

    def __init__(self, question: str, answer: str) -> None:
        super().__init__()
        self.setObjectName("labFold")
        self.button = LabButton()
        self.button.setCheckable(True)
        self.button.setProperty("kind", "link")
        self.button.toggled.connect(self._on_toggled)
        self.answer = wrapped(answer)
        self._question = question
        unit = QFontMetrics(ui_font()).height()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(unit // 4)
        column.addWidget(wrapped(question, bold=True))
        column.addWidget(self.answer)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self._on_toggled(False)

    def _on_toggled(self, is_open: bool) -> None:
        self.answer.setVisible(is_open)
        words = self.tr("Hide the answer") if is_open else self.tr("Show the answer")
        self.button.setText(words)
        self.button.setAccessibleName(f"{words}: {self._question}")


def wrapped(text: str, tone: str = "", bold: bool = False) -> QLabel:
    """Plain text over as many lines as it takes, which can be selected with the mouse."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setProperty("tone", tone)
    if bold:
        label.setFont(ui_font(bold=True))
    return label


def clear(widget: QWidget) -> None:
    """Take everything out of its layout."""
    layout = widget.layout()
    while layout is not None and (item := layout.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            old.hide()
            old.deleteLater()
