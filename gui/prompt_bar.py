"""A small question over the panels: a step to go to, a token to find."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from gui.icons import set_icon
from gui.theme import mono_font

Answer = Callable[[str, int], str]  # what was typed, which way (0 typed, 1 next, -1 before) -> a remark


class PromptBar(QFrame):
    """Answers while one types; Enter goes on, Shift+Enter back, Esc closes it and gives the keyboard back."""

    def __init__(self, host: QWidget, on_closed: Callable[[], object]) -> None:
        super().__init__(host)
        self._host = host
        self.setObjectName("promptBar")
        self._on_closed = on_closed
        self._answer: Answer = lambda text, way: ""
        self._is_closing_on_enter = False
        self._caption, self._remark = QLabel(), QLabel()
        self._remark.setProperty("tone", "muted")
        self.edit = QLineEdit()
        self.edit.textEdited.connect(lambda text: self._tell(0))
        self._close = QToolButton()
        self._close.setProperty("kind", "flat")
        self._close.setProperty("density", "mini")
        self._close.clicked.connect(self.dismiss)
        set_icon(self._close, "close")
        row = QHBoxLayout(self)
        unit = self.fontMetrics().height() // 2
        row.setContentsMargins(unit * 3 // 2, unit, unit, unit)
        row.setSpacing(unit)
        for widget in (self._caption, self.edit, self._remark, self._close):
            row.addWidget(widget)
        self.edit.installEventFilter(self)
        host.installEventFilter(self)
        self.hide()

    @property
    def remark(self) -> str:
        return self._remark.text()

    def ask(self, caption: str, hint: str, answer: Answer, closes_on_enter: bool = False) -> None:
        """Show the question; `answer` is told what is typed and says what came of it."""
        self._answer, self._is_closing_on_enter = answer, closes_on_enter
        self._caption.setText(caption)
        self._close.setAccessibleName(self.tr("Close"))
        self._close.setToolTip(self.tr("Close"))
        self.setAccessibleName(caption)
        self.edit.setAccessibleName(caption)
        self.edit.setPlaceholderText(hint)
        self.edit.setFont(mono_font())
        self.edit.setFixedWidth(QFontMetrics(mono_font()).horizontalAdvance("m") * 24)
        self.edit.clear()
        self._remark.clear()
        self._remark.hide()
        self._place()
        self.show()
        self.raise_()
        self.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        if not self.isHidden():
            self.hide()
            self._on_closed()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and isinstance(event, QKeyEvent):
            return self._takes(event)
        if watched is self._host and event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _takes(self, event: QKeyEvent) -> bool:
        is_ours = event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.type() == QEvent.Type.ShortcutOverride and (is_ours or event.text().isprintable()):
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress or not is_ours:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            self._tell(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            if self._is_closing_on_enter:
                self.dismiss()
        return True

    def _tell(self, way: int) -> None:
        self._remark.setText(self._answer(self.edit.text(), way))
        self._remark.setVisible(bool(self._remark.text()))
        self.edit.setAccessibleDescription(self._remark.text())
        self._place()

    def _place(self) -> None:
        """At the upper right, as in editors."""
        self.adjustSize()
        unit = self.fontMetrics().height()
        self.move(max(0, self._host.width() - self.width() - unit), unit // 2)
