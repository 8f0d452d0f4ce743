"""What nobody expected: one dialog with a report that can be copied, never two at once, never a flood."""

import logging
import platform
import sys
import threading
import time
import traceback
from types import TracebackType

import PySide6
from PySide6.QtCore import (
    QCoreApplication,
    QMessageLogContext,
    QObject,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from gui.theme import mono_font

MIN_INTERVAL_S = 10.0
log = logging.getLogger("kvscope")


class ErrorReporter(QObject):
    """Collects unexpected errors of all threads and shows them in the UI thread."""

    happened = Signal(str)  # the report

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._last_shown = -MIN_INTERVAL_S
        self._is_open = False
        self.happened.connect(self._show)

    def install(self) -> None:
        sys.excepthook = self.on_exception
        threading.excepthook = lambda args: self.on_exception(
            args.exc_type, args.exc_value, args.exc_traceback
        )
        qInstallMessageHandler(_on_qt_message)

    def on_exception(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QCoreApplication.quit()
            return
        report = "".join(traceback.format_exception(kind, error, trace))
        log.error("unexpected error\n%s", report)
        self.happened.emit(report)

    def _show(self, report: str) -> None:
        now = time.monotonic()
        if self._is_open or now - self._last_shown < MIN_INTERVAL_S:
            return
        self._last_shown, self._is_open = now, True
        try:
            headline = self.tr("Something went wrong inside KVScope. What was recorded so far stays usable.")
            show_report(headline, report, QApplication.activeWindow())
        finally:
            self._is_open = False


def show_report(headline: str, details: str, parent: QWidget | None) -> None:
    """A dialog with the whole report and a button that copies it."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(QCoreApplication.translate("ErrorReporter", "Report"))
    text = f"{headline}\n\n{details.rstrip()}\n\n{versions()}"
    label = QLabel(headline)
    label.setWordWrap(True)
    view = QPlainTextEdit(text)
    view.setReadOnly(True)
    view.setFont(mono_font())
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    copy = buttons.addButton(
        QCoreApplication.translate("ErrorReporter", "Copy"), QDialogButtonBox.ButtonRole.ActionRole
    )
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    for widget in (label, view, buttons):
        layout.addWidget(widget)
    unit = dialog.fontMetrics().height()
    dialog.resize(unit * 48, unit * 28)
    dialog.exec()


def versions() -> str:
    """What a report must say to be useful."""
    return f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, Qt {qVersion()}, {platform.platform()}"


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    level = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }.get(kind, logging.ERROR)
    log.log(level, "Qt: %s", message)
