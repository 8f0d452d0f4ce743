"""What nobody expected: one dialog with a report that can be copied, never two at once, never a flood."""

import logging
import sys
import threading
import time
import traceback
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QApplication

from gui import qt_log

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
        qt_log.install()

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
        from gui.report_dialog import show_report  # dialogs are not needed for the first paint

        try:
            headline = self.tr("Something went wrong inside KVScope. What was recorded so far stays usable.")
            show_report(headline, report, QApplication.activeWindow())
        finally:
            self._is_open = False
