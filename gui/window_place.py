"""Where the window opens: where it was, if a screen is there to see it."""

from PySide6.QtCore import QByteArray, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

FIRST_SIZE = QSize(1500, 950)
LEAST_SEEN = 0.25  # of the window, so that it can be found and moved


def place_window(window: QWidget, geometry: QByteArray) -> None:
    """Restore the place of an earlier session; otherwise the middle of the screen, no larger than that."""
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if (
        not geometry.isEmpty()
        and window.restoreGeometry(geometry)
        and is_seen(window.frameGeometry(), screens)
    ):
        return
    room = QGuiApplication.primaryScreen().availableGeometry()
    window.resize(FIRST_SIZE.boundedTo(room.size()) if is_real(room) else FIRST_SIZE)
    window.move(room.center() - window.rect().center())


def is_seen(frame: QRect, screens: list[QRect]) -> bool:
    """Whether enough of a window lies on screens."""
    seen = [frame.intersected(screen).size() for screen in screens]
    area = sum(size.width() * size.height() for size in seen if not size.isEmpty())
    return area >= LEAST_SEEN * frame.width() * frame.height()


def is_real(room: QRect) -> bool:
    """An offscreen platform has a small make-believe screen; a picture may be larger."""
    return QGuiApplication.platformName() != "offscreen" and not room.isEmpty()
