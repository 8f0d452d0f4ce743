"""Wakes the UI thread when something has come through a pipe. Windows has no notifier for pipes: a short timer asks."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier, QTimer

POLL_INTERVAL_MS = 10


class PipeWatch(QObject):
    """Watches one pipe at a time; `call` is called in the UI thread."""

    def __init__(self, call: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._call = call
        self._notifier: QSocketNotifier | None = None
        self._timer: QTimer | None = None

    def watch(self, fileno: int) -> None:
        """Begin, unless it watches already."""
        if self._notifier is not None or self._timer is not None:
            return
        if sys.platform == "win32":
            self._timer = QTimer(self, interval=POLL_INTERVAL_MS)
            self._timer.timeout.connect(self._call)
            self._timer.start()
        else:
            self._notifier = QSocketNotifier(fileno, QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self._call)

    def stop(self) -> None:
        """Before the pipe is closed."""
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        if self._timer is not None:
            self._timer.stop()
            self._timer.deleteLater()
            self._timer = None
