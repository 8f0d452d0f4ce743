"""A card over the dimmed window. It has the keyboard while it is open; Esc or a click beside it closes it."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsDropShadowEffect, QVBoxLayout, QWidget

from gui.theme import current_theme
from gui.widgets.guard import guarded

DIM = {"light": 70, "dark": 120}  # of 255


class Overlay(QWidget):
    """Subclasses fill `card`; `width_units` and `top_units` are in lines of text."""

    closed = Signal()

    def __init__(self, window: QWidget, width_units: float, top_units: float | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._width_units = width_units
        self._top_units = top_units  # None: in the middle
        self._focus_before = window.focusWidget()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.card = QFrame(self)
        self.card.setObjectName("overlayCard")
        self.column = QVBoxLayout(self.card)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self._add_shadow()
        window.installEventFilter(self)

    def _add_shadow(self) -> None:
        shadow = QGraphicsDropShadowEffect(self.card)
        unit = self.fontMetrics().height()
        shadow.setBlurRadius(unit * 2.4)
        shadow.setOffset(0, unit * 0.5)
        shadow.setColor(QColor(0, 0, 0, 90))
        self.card.setGraphicsEffect(shadow)

    def open(self, first: QWidget | None = None) -> None:
        """Show it and give the keyboard to `first`."""
        for widget in (self, *self.findChildren(QWidget)):
            widget.installEventFilter(self)
        self.place()
        self.show()
        self.raise_()
        (first or self).setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Close it; the keyboard goes back to where it was."""
        if self.isHidden():
            return
        self.hide()
        try:
            if self._focus_before is not None:
                self._focus_before.setFocus()
        except RuntimeError:  # that widget has gone meanwhile
            pass
        self.closed.emit()
        self.deleteLater()

    def place(self) -> None:
        """Over the whole window, the card as high as its content."""
        window = self._window
        self.setGeometry(window.rect())
        unit = self.fontMetrics().height()
        width = min(round(unit * self._width_units), window.width() - 2 * unit)
        wanted = self.column.heightForWidth(width) if self.column.hasHeightForWidth() else -1
        height = min(max(wanted, self.card.sizeHint().height()), window.height() - 2 * unit)
        top = (window.height() - height) // 2 if self._top_units is None else round(unit * self._top_units)
        self.card.setGeometry((window.width() - width) // 2, max(unit, top), width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self.place()
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # no command of the window hears a key while this is open
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self.takes_key(event)
        return False

    def takes_key(self, event: QKeyEvent) -> bool:
        """Whether a key is for the overlay and not for the widget that has the focus."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return True
        return False

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays inside."""
        stops = [w for w in self.card.findChildren(QWidget) if _is_stop(w)]
        if not stops:
            return True
        now = self.window().focusWidget()
        index = stops.index(now) + (1 if forward else -1) if now in stops else 0
        stops[index % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.card.geometry().contains(event.position().toPoint()):
            self.dismiss()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0, DIM[current_theme().name]))
        painter.end()


def _is_stop(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisible() and widget.isEnabled()
