"""The window without a mouse: Tab reaches every control, each has a name, and it shows which one has the focus."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow

CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)
MOST_STOPS = 200


def test_that_tab_reaches_every_control(window: MainWindow, qtbot: QtBot) -> None:
    reached = list(_stops(window))
    left_out = [
        control
        for kind in CONTROLS
        for control in window.findChildren(kind)
        if _can_be_reached(control) and control not in reached
    ]
    assert [_named(control) for control in left_out] == []


def test_that_what_tab_reaches_has_a_name(window: MainWindow, qtbot: QtBot) -> None:
    nameless = [
        stop
        for stop in _stops(window)
        if not (stop.accessibleName() or getattr(stop, "text", str)() or isinstance(stop, QTabBar))
    ]
    assert [_named(stop) for stop in nameless] == []


def test_that_the_focus_can_be_seen(window: MainWindow, qtbot: QtBot) -> None:
    unseen = []
    for stop in _stops(window):
        with_focus = _picture(stop)
        stop.clearFocus()
        QApplication.processEvents()
        if _picture(stop) == with_focus:
            unseen.append(_named(stop))
        stop.setFocus(Qt.FocusReason.OtherFocusReason)
    assert unseen == []


def _stops(window: MainWindow) -> Iterator[QWidget]:
    """What has the focus, press by press, until it comes round."""
    window.activateWindow()
    seen: list[QWidget] = []
    for _ in range(MOST_STOPS):
        window.focusNextChild()
        QApplication.processEvents()
        stop = window.focusWidget()
        if stop in seen:
            return
        seen.append(stop)
        yield stop


def _can_be_reached(control: QWidget) -> bool:
    """Qt's own parts of a control belong to their owner, as the header does to its table."""
    if isinstance(control, QHeaderView):
        return False
    return control.isVisible() and control.isEnabled() and not control.objectName().startswith("qt_")


def _picture(widget: QWidget) -> QImage:
    """With what surrounds it: a field is outlined by its frame."""
    return (widget.parentWidget() or widget).grab().toImage()


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}"
