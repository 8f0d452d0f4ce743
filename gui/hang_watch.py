"""How long the engine has been silent while something is expected of it."""

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

TICK_MS = 500
BUSY_AFTER_S = 3  # before that nobody wonders


class HangWatch(QObject):
    """Counts from the last sign of life; says now and then how long it has been, and once when it is too long."""

    ticked = Signal()
    busy = Signal(int)  # seconds of silence, 0 when it is over
    overdue = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = QElapsedTimer()
        self._allowance_ms = 0.0
        self._is_busy = False
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    def expect(self, allowance_s: float) -> None:
        """A sign of life came, and the next one is due within `allowance_s`."""
        self._allowance_ms = allowance_s * 1000
        self._clock.start()
        self._timer.start()
        self._be_busy(0)

    def rest(self) -> None:
        """Nothing is expected."""
        self._timer.stop()
        self._be_busy(0)

    def _on_tick(self) -> None:
        self.ticked.emit()  # whoever listens looks for a sign of life first
        if not self._timer.isActive():
            return
        silent_ms = self._clock.elapsed()
        if silent_ms >= self._allowance_ms:
            self.rest()
            self.overdue.emit()
        elif silent_ms >= BUSY_AFTER_S * 1000:
            self._be_busy(silent_ms // 1000)

    def _be_busy(self, seconds: int) -> None:
        if seconds or self._is_busy:
            self._is_busy = seconds > 0
            self.busy.emit(seconds)
