"""A part of a refresh that may take long: it waits until the eye rests and is worked out beside the window's thread."""

from collections.abc import Callable
from concurrent.futures import Future

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

QUICK_MS = 25  # what takes less is done at once
PAUSE_MS = 120  # without a change
PATIENCE_MS = 1200  # who moves on and on sees it so often all the same
REST = 10  # and then so many times as long as it took: what works beside the window holds it up

Show = Callable[[], object]


class LatePart(QObject):
    """Decides by how long the part took before whether it is done at once.

    `part` does all of it here. `elsewhere` begins the work in another thread, and what comes of it is called here; it
    returns None where that cannot be. `is_large` says beforehand that the first time will take long.
    """

    _done = Signal(object)

    def __init__(
        self,
        part: Show,
        parent: QObject,
        elsewhere: Callable[[], "Future[Show] | None"] = lambda: None,
        is_large: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(parent)
        self._part, self._elsewhere, self._is_large = part, elsewhere, is_large
        self._cost_ms = 0
        self._waits_since = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._begin)
        self._work: Future[Show] | None = None
        self._is_outdated = False  # what is being worked out
        self._began = QElapsedTimer()
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    @property
    def is_waiting(self) -> bool:
        return self._timer.isActive() or self._work is not None

    def ask(self) -> None:
        """The part is due: now if it is quick, else after a pause. Asking again begins the pause anew."""
        if self._cost_ms <= QUICK_MS and not self._is_large():
            self.run()
            return
        if not self._waits_since.isValid():
            self._waits_since.start()
        if not self._timer.isActive() or self._waits_since.elapsed() < max(PATIENCE_MS, REST * self._cost_ms):
            self._timer.start()

    def run(self) -> None:
        """Now, and here."""
        self.stop()
        clock = QElapsedTimer()
        clock.start()
        self._part()
        self._cost_ms = clock.elapsed()

    def stop(self) -> None:
        """Whatever is on its way is not shown."""
        self._timer.stop()
        self._waits_since.invalidate()
        self._work, self._is_outdated = None, False

    def _begin(self) -> None:
        self._is_outdated = self._work is not None
        if self._is_outdated:
            return
        self._waits_since.invalidate()
        work = self._elsewhere()
        if work is None:
            self.run()
            return
        self._work = work
        self._began.start()
        work.add_done_callback(self._done.emit)

    def _on_done(self, work: "Future[Show]") -> None:
        if work is not self._work:
            return
        self._work, self._cost_ms = None, self._began.elapsed()
        if self._is_outdated:
            self._begin()
        elif not self._timer.isActive():
            work.result()()
