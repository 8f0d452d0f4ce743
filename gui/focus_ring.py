"""A ring around what Tab has led to, for the widgets whose own look does not say that they have the focus."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QTabBar,
    QWidget,
)

from gui.widgets.guard import guarded
from gui.widgets.painted import paint_focus

STYLED = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)  # the stylesheet gives these a border


class FocusRing(QWidget):
    """Lies over the widget that has the focus, takes no events, and goes with the focus."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(widget.size())
        widget.installEventFilter(self)
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            watched.removeEventFilter(self)
            self.hide()
            self.deleteLater()
        elif event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.resize(watched.size())
        return False

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_focus(self)


class RingedWindow(QMainWindow):
    """Shows where Tab has led to; what a click has given the focus needs no ring."""

    def focusNextPrevChild(self, forward: bool) -> bool:
        has_moved = super().focusNextPrevChild(forward)
        widget = self.focusWidget()
        if isinstance(widget, QTabBar) and widget.visibleRegion().isEmpty():
            # Qt keeps one out of sight where no tabs are left
            return super().focusNextPrevChild(forward)
        if widget is not None and not isinstance(widget, STYLED):
            FocusRing(widget)
        return has_moved
