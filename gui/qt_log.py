"""What Qt says goes to Python's log, without the remarks that nobody can do anything about."""

import logging

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

# the offscreen platform says so for every window with a least size
NOISE = ("This plugin does not support propagateSizeHints()",)
LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
}
log = logging.getLogger("kvscope")


def install() -> None:
    """From now on, for the whole process."""
    qInstallMessageHandler(_on_qt_message)


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    if message not in NOISE:
        log.log(LEVELS.get(kind, logging.ERROR), "Qt: %s", message)
