"""What part of a square map is looked at: shared by maps that zoom and pan together."""

from PySide6.QtCore import QObject, QPointF, QRectF, Signal

SMALLEST_SPAN = 4.0  # cells


class MapViewport(QObject):
    """A square window of `span` cells onto a map of `n` x `n` cells, with its upper left corner at `origin`."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.n = 1
        self.span = 1.0
        self.origin = QPointF(0, 0)

    @property
    def rect(self) -> QRectF:
        """The visible cells."""
        return QRectF(self.origin.x(), self.origin.y(), self.span, self.span)

    @property
    def is_fitted(self) -> bool:
        """Whether the whole map is visible."""
        return self.span >= self.n

    def set_size(self, n: int) -> None:
        """A map of another size; whoever had zoomed in stays where they were."""
        was_fitted = self.is_fitted
        self.n = max(1, n)
        self._move(float(self.n) if was_fitted else self.span, self.origin)

    def fit(self) -> None:
        """Show the whole map."""
        self._move(float(self.n), QPointF(0, 0))

    def zoom(self, factor: float, at: QPointF) -> None:
        """Show `factor` times as many cells; the cell `at` stays under the pointer."""
        span = min(float(self.n), max(min(SMALLEST_SPAN, float(self.n)), self.span * factor))
        share = span / self.span
        self._move(span, at + (self.origin - at) * share)

    def pan(self, cells: QPointF) -> None:
        """Move the window by a number of cells."""
        self._move(self.span, self.origin + cells)

    def _move(self, span: float, origin: QPointF) -> None:
        self.span = min(span, float(self.n))
        most = self.n - self.span
        self.origin = QPointF(min(most, max(0.0, origin.x())), min(most, max(0.0, origin.y())))
        self.changed.emit()
