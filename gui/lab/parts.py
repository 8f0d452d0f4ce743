"""The small parts of the lab's pane: buttons that Enter presses, lines of code, an answer to unfold."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.lab.code import Excerpt
from gui.theme import mono_font, ui_font
from gui.widgets.guard import guarded

LEAST_COLUMNS = 32
_PAGE_KEYS = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Escape)


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


class Code(QLabel):
    """Lines of source; what is too long goes on in the next line, further in."""

    def __init__(self, excerpt: Excerpt) -> None:
        super().__init__()
        self.setObjectName("labCode")
        self.setFont(mono_font(-1))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(f"{excerpt.file}:{excerpt.line}")
        self._lines = excerpt.text.splitlines()
        self._fold(LEAST_COLUMNS)

    def _fold(self, columns: int) -> None:
        self.setText("\n".join(part for line in self._lines for part in _folded(line, columns)))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics = QFontMetrics(self.font())
        room = self.contentsRect().width() - metrics.height() // 4
        self._fold(max(LEAST_COLUMNS, room // metrics.horizontalAdvance("m")))


def _folded(line: str, columns: int) -> list[str]:
    """Broken after a blank or a bracket; the rest stands further in than the line."""
    indent, parts = " " * (len(line) - len(line.lstrip()) + 4), []
    while len(line) > columns:
        text_start = len(line) - len(line.lstrip())
        at = max(line.rfind(" ", text_start, columns), line.rfind("(", text_start, columns - 1) + 1)
        at = at if at > text_start else columns
        parts.append(line[:at].rstrip())
        line = indent + line[at:].lstrip()
    return [*parts, line]


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
