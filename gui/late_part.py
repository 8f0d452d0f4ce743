"""A part of a refresh that may take long: it waits until the eye rests, so that moving stays fluid."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

QUICK_MS = 25  # what takes less is done at once
PAUSE_MS = 120  # without a change
PATIENCE_MS = 1200  # who moves on and on sees it so often all the same


class LatePart(QObject):
    """Measures how long the part takes, and decides by that."""

    def __init__(self, part: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._part = part
        self._cost_ms = 0
        self._waits_since = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self.run)

    @property
    def is_waiting(self) -> bool:
        return self._timer.isActive()

    def ask(self) -> None:
        """The part is due: now if it is quick, else after a pause. Asking again begins the pause anew."""
        if self._cost_ms <= QUICK_MS:
            self.run()
            return
        if not self._waits_since.isValid():
            self._waits_since.start()
        if not self._timer.isActive() or self._waits_since.elapsed() < PATIENCE_MS:
            self._timer.start()

    def run(self) -> None:
        """Now."""
        self.stop()
        clock = QElapsedTimer()
        clock.start()
        self._part()
        self._cost_ms = clock.elapsed()

    def stop(self) -> None:
        self._timer.stop()
        self._waits_since.invalidate()
