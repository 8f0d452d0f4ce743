"""Showing the selection everywhere, part by part, so that keys and clicks come in between."""

from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from gui.plotting import plotting

REFRESH_BUSY_MS = 30  # while steps come in, the eye needs no more than this
TURN_MS = 20  # of refreshing, then the event loop has its turn
LEVELS = 9  # of layouts, from a label in a title row to the window
REST = 5  # and between two refreshes at least so many times as long as one took

Part = Callable[[], object]


class Refresher(QObject):
    """`parts` are what a refresh consists of; each shows what there is when its turn comes."""

    def __init__(
        self, parts: Callable[[], Iterable[Part]], is_busy: Callable[[], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._parts = parts
        self._is_busy = is_busy
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._go_on)
        self._cost_ms = 0
        self._left: Iterator[Part] | None = None  # of a refresh that has begun
        self._is_outdated = False

    @property
    def is_settled(self) -> bool:
        """Whether everything that happened has been shown."""
        return not (self._timer.isActive() or plotting().is_loading)

    def stop(self) -> None:
        self._timer.stop()

    def now(self) -> None:
        """At once, all of it."""
        for part in self._parts():
            part()

    def soon(self) -> None:
        """Many changes in a row are painted once."""
        self._is_outdated = self._left is not None
        if self._timer.isActive() or self._is_outdated:
            return
        pause_ms = max(REFRESH_BUSY_MS, REST * self._cost_ms)  # the run waits while we paint
        self._timer.start(pause_ms if self._is_busy() else 0)

    def _go_on(self) -> None:
        """For a while; then keys and clicks come first."""
        clock = QElapsedTimer()
        clock.start()
        if self._left is None:
            self._left, self._cost_ms = iter(self._parts()), 0
        for part in self._left:
            part()
            if clock.elapsed() >= TURN_MS:
                break
        else:
            self._left = None
        # a layout settles level by level, and Qt would paint the whole window between two levels
        for _level in range(LEVELS):
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self._cost_ms += clock.elapsed()
        if self._left is not None:
            self._timer.start(0)
        elif self._is_outdated:
            self._is_outdated = False
            self.soon()
