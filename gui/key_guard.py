"""Keys that move the cursor in the run are not stolen from text fields, lists, tables and buttons.

Qt asks the focused widget first (ShortcutOverride): a widget that says yes gets the key as a plain key press.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QWidget,
)

_MOVES = frozenset(
    {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_Down}
)
_SPACE = frozenset({Qt.Key.Key_Space})
_NO_MODIFIER = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.KeypadModifier,
)


class KeyGuard(QObject):
    """An event filter for the widgets that have their own use for such keys."""

    def guard(self, root: QWidget) -> None:
        """Watch every such widget below `root`."""
        for widget in root.findChildren(QWidget):
            if _own_keys(widget):
                widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if not (is_asked and self._is_own(watched, event)):
            return False
        event.accept()
        return True

    @staticmethod
    def _is_own(watched: QObject, event: QEvent) -> bool:
        assert isinstance(event, QKeyEvent)
        if event.modifiers() not in _NO_MODIFIER:
            return False
        if isinstance(watched, QLineEdit | QAbstractSpinBox) and event.text().isprintable() and event.text():
            return True  # a letter is text here, not a command
        return event.key() in _own_keys(watched)


def _own_keys(widget: QObject) -> frozenset[Qt.Key]:
    if isinstance(widget, QLineEdit | QAbstractItemView | QAbstractSpinBox | QComboBox):
        return _MOVES | _SPACE
    if isinstance(widget, QAbstractButton):
        return _SPACE
    return frozenset()
