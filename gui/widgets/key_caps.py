"""Keys drawn as keys."""

import re

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from gui.theme import current_theme, ui_font
from gui.widgets.painted import CENTRE, PaintedWidget, draw_text

SYMBOLS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


def caps_of(keys: str) -> list[str]:
    """Ctrl+Shift+P -> its three keys; the plus key itself is one, too."""
    return [SYMBOLS.get(part, part) for part in re.findall(r"[^+]+|\+$", keys)]


def caps_width(keys: str) -> float:
    """How wide the keys are."""
    metrics, unit = QFontMetricsF(ui_font(-1)), QFontMetricsF(ui_font()).height()
    return sum(_cap_width(metrics, unit, cap) + unit * 0.2 for cap in caps_of(keys))


def paint_caps(painter: QPainter, rect: QRectF, keys: str, is_quiet: bool = False) -> None:
    """Right-aligned in `rect`."""
    theme, font = current_theme(), ui_font(-1)
    metrics, unit = QFontMetricsF(font), QFontMetricsF(ui_font()).height()
    height = unit * 1.25
    x = rect.right() - caps_width(keys) + unit * 0.2
    for cap in caps_of(keys):
        key = QRectF(x, rect.center().y() - height / 2, _cap_width(metrics, unit, cap), height)
        painter.setPen(QPen(theme.line, 1))
        painter.setBrush(theme.background)
        painter.drawRoundedRect(key.adjusted(0.5, 0.5, -0.5, -0.5), unit * 0.25, unit * 0.25)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        draw_text(painter, key, cap, theme.muted if is_quiet else theme.text, font, CENTRE, False)
        x += key.width() + unit * 0.2


def _cap_width(metrics: QFontMetricsF, unit: float, cap: str) -> float:
    return max(unit * 1.3, metrics.horizontalAdvance(cap) + unit * 0.7)


class KeyCaps(PaintedWidget):
    """One or two keys that do the same."""

    def __init__(self, keys: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setAccessibleName(", ".join(keys))

    def sizeHint(self) -> QSize:
        gaps = self.unit * 0.6 * (len(self._keys) - 1)
        return QSize(round(sum(map(caps_width, self._keys)) + gaps), round(self.unit * 1.5))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paint(self, painter: QPainter) -> None:
        right = float(self.width())
        for keys in reversed(self._keys):
            paint_caps(painter, QRectF(0, 0, right, self.height()), keys)
            right -= caps_width(keys) + self.unit * 0.6
