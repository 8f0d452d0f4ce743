"""The start page: what one can do first, and the files of the last days."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.icons import pixmap
from gui.overlays.overlay import Overlay
from gui.theme import current_theme, ui_font
from gui.widgets.panel import ElidedLabel

MOST_RECENT = 6
MOVES = {Qt.Key.Key_Down: True, Qt.Key.Key_Right: True, Qt.Key.Key_Up: False, Qt.Key.Key_Left: False}


@dataclass(frozen=True)
class Offer:
    """Something to do: icon, name, a sentence, and what it does."""

    icon: str
    name: str
    remark: str
    action: Callable[[], object]


class StartPage(Overlay):
    """Offers at the left, recent files at the right; one click or Enter, and the page is gone."""

    def __init__(
        self,
        window: QWidget,
        offers: Sequence[Offer],
        recent: Sequence[str],
        open_path: Callable[[str], object],
    ) -> None:
        super().__init__(window, width_units=62)
        unit = self.fontMetrics().height()
        self.rows = [self._row(offer) for offer in offers]
        files = [
            Offer("open", Path(path).name, str(Path(path).parent), partial(open_path, path))
            for path in recent[:MOST_RECENT]
        ]
        self.files = [self._row(offer, is_small=True) for offer in files]
        self.column.setContentsMargins(unit * 2, unit * 2, unit * 2, unit * 2)
        self.column.setSpacing(unit)
        self.column.addLayout(self._head(unit))
        body = QHBoxLayout()
        body.setSpacing(unit * 2)
        body.addLayout(self._column(self.tr("Start"), self.rows), 1)
        body.addLayout(self._column(self.tr("Recent"), self.files or [self._none()]), 1)
        self.column.addLayout(body)
        self.setAccessibleName(self.tr("Start page"))

    def start(self) -> None:
        self.open(self.rows[0])

    def takes_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in MOVES:
            return self.focusNextPrevChild(MOVES[key])
        return super().takes_key(event)

    def _head(self, unit: int) -> QHBoxLayout:
        name, purpose = (
            QLabel("KVScope"),
            QLabel(self.tr("Does decoding with a KV cache mean the same as without?")),
        )
        name.setFont(ui_font(8, bold=True))
        purpose.setProperty("tone", "muted")
        words = QVBoxLayout()
        words.setSpacing(unit // 6)
        words.addWidget(name)
        words.addWidget(purpose)
        sign = QLabel()
        scale = self.devicePixelRatioF()
        picture = pixmap("kvscope", current_theme().accent, round(unit * 3 * scale))
        picture.setDevicePixelRatio(scale)
        sign.setPixmap(picture)
        row = QHBoxLayout()
        row.setSpacing(unit)
        row.addWidget(sign)
        row.addLayout(words, 1)
        return row

    def _column(self, title: str, rows: Sequence[QWidget]) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(self.fontMetrics().height() // 3)
        label = QLabel(title)
        label.setFont(ui_font(bold=True))
        column.addWidget(label)
        for row in rows:
            column.addWidget(row)
        column.addStretch(1)
        return column

    def _none(self) -> QLabel:
        label = QLabel(self.tr("Traces and models that you open are listed here."))
        label.setProperty("tone", "muted")
        label.setWordWrap(True)
        return label

    def _row(self, offer: Offer, is_small: bool = False) -> QPushButton:
        button = _Row(offer, is_small)
        button.clicked.connect(lambda: self._choose(offer))
        return button

    def _choose(self, offer: Offer) -> None:
        self.dismiss()
        offer.action()


class _Row(QPushButton):
    """Icon, name, remark."""

    def __init__(self, offer: Offer, is_small: bool) -> None:
        super().__init__()
        self.setObjectName("startRow")
        self.setAccessibleName(offer.name)
        self.setAccessibleDescription(offer.remark)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        unit = self.fontMetrics().height()
        self._height = round(unit * (3.0 if is_small else 3.4))
        sign, scale = QLabel(), self.devicePixelRatioF()
        picture = pixmap(offer.icon, current_theme().accent, round(unit * 1.3 * scale))
        picture.setDevicePixelRatio(scale)
        sign.setPixmap(picture)
        name, remark = ElidedLabel(), ElidedLabel()
        name.set_full_text(offer.name)
        remark.set_full_text(offer.remark)
        name.setFont(ui_font(bold=not is_small))
        remark.setProperty("tone", "muted")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(name)
        words.addWidget(remark)
        row = QHBoxLayout(self)
        row.setContentsMargins(unit * 3 // 4, unit // 3, unit * 3 // 4, unit // 3)
        row.setSpacing(unit * 3 // 4)
        row.addWidget(sign)
        row.addLayout(words, 1)
        for part in self.findChildren(QFrame):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        return QSize(self._height * 5, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._height * 2, self._height)
