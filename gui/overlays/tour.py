"""The tour: four stops on the demo, each beside what it is about."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from gui.overlays.overlay import DIM, Overlay
from gui.theme import current_theme, ui_font
from gui.widgets.guard import guarded

WIDTH = 27  # lines of text


@dataclass(frozen=True)
class Stop:
    """What it is about, what is said, and what happens when one comes there."""

    widget: QWidget
    title: str
    text: str
    on_arrival: Callable[[], object] = lambda: None


class Tour(Overlay):
    """Everything but the widget of the stop is dimmed; arrow keys and Enter go on, Esc ends it."""

    def __init__(self, window: QWidget, stops: Sequence[Stop]) -> None:
        super().__init__(window, width_units=WIDTH)
        self._stops = stops
        self.index = 0
        self._title, self._text, self._count = QLabel(), QLabel(), QLabel()
        self._back, self.next = QPushButton(self.tr("Back")), QPushButton()
        self._end = QPushButton(self.tr("End the tour"))
        self._build()
        self._show_stop()

    def start(self) -> None:
        self.open(self.next)

    def takes_key(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self._go(1 if event.key() == Qt.Key.Key_Right else -1)
            return True
        return super().takes_key(event)

    def place(self) -> None:
        """Below the stop, above it, or inside where it is large."""
        self.setGeometry(self._window.rect())
        unit = self.fontMetrics().height()
        width = min(unit * WIDTH, self.width() - 2 * unit)
        height = max(self.column.heightForWidth(width), self.card.minimumSizeHint().height())
        spot = self._spot()
        x = min(max(unit, spot.center().x() - width // 2), self.width() - width - unit)
        below, above = spot.bottom() + unit, spot.top() - unit - height
        y = below if below + height < self.height() - unit else above
        if y < unit:
            x, y = spot.center().x() - width // 2, spot.center().y() - height // 2
        self.card.setGeometry(x, y, width, height)

    def _build(self) -> None:
        unit = self.fontMetrics().height()
        self._title.setFont(ui_font(2, bold=True))
        self._text.setWordWrap(True)
        self._count.setProperty("tone", "muted")
        self.next.setProperty("kind", "primary")
        self._end.setProperty("kind", "flat")
        self._back.clicked.connect(lambda: self._go(-1))
        self.next.clicked.connect(lambda: self._go(1))
        self._end.clicked.connect(self.dismiss)
        foot = QHBoxLayout()
        foot.setSpacing(unit // 2)
        foot.addWidget(self._count)
        foot.addStretch(1)
        for button in (self._end, self._back, self.next):
            foot.addWidget(button)
        self.column.setContentsMargins(unit, unit, unit, unit)
        self.column.setSpacing(unit * 2 // 3)
        self.column.addWidget(self._title)
        self.column.addWidget(self._text)
        self.column.addLayout(foot)

    def _go(self, by: int) -> None:
        if self.index + by >= len(self._stops):
            self.dismiss()
        elif self.index + by >= 0:
            self.index += by
            self._show_stop()
            self.place()
            self.update()

    def _show_stop(self) -> None:
        stop, is_last = self._stops[self.index], self.index == len(self._stops) - 1
        stop.on_arrival()
        self._title.setText(stop.title)
        self._text.setText(stop.text)
        self._count.setText(
            self.tr("{number} of {count}").format(number=self.index + 1, count=len(self._stops))
        )
        self._back.setVisible(self.index > 0)
        self._end.setVisible(not is_last)
        self.next.setText(self.tr("Done") if is_last else self.tr("Next"))
        self.setAccessibleName(stop.title)
        self.setAccessibleDescription(stop.text)

    def _spot(self) -> QRect:
        widget = self._stops[self.index].widget
        if not widget.isVisible():
            return QRect(self.rect().center(), self.rect().center())
        return QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size()).adjusted(-4, -4, 4, 4)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click beside the card does not end the tour: it has buttons for that."""

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dimmed, spot = QPainterPath(), QPainterPath()
        dimmed.addRect(QRectF(self.rect()))
        radius = self.fontMetrics().height() * 0.6
        spot.addRoundedRect(QRectF(self._spot()), radius, radius)
        painter.fillPath(dimmed.subtracted(spot), QColor(0, 0, 0, DIM[current_theme().name]))
        painter.setPen(QPen(current_theme().accent, 2))
        painter.drawPath(spot)
        painter.end()
