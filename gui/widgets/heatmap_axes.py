"""The parts around a map: caption, token labels that never touch, and the colour bar."""

import math
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter

from core.views.numbers import scientific, short
from gui.colormaps import N_COLOURS, Lut
from gui.theme import Theme, mono_font, ui_font
from gui.token_text import visible
from gui.widgets.map_image import DECADES, Scale
from gui.widgets.painted import CENTRE, LEFT, RIGHT, draw_text

LONGEST = 6  # characters of a token beside an axis


@dataclass(frozen=True)
class MapGeometry:
    """Rectangles of the parts; the map's area is square and lies on whole pixels."""

    caption: QRectF
    area: QRectF
    left: QRectF
    below: QRectF
    bar: QRectF
    bar_labels: QRectF

    @staticmethod
    def fit(rect: QRectF, unit: float, labels: tuple[str, ...]) -> "MapGeometry":
        """The largest square that leaves room for labels at the left, below and at the right."""
        caption_height = unit * 1.35
        left_width = label_width(labels) + unit * 0.3
        below_height = unit * 1.75
        bar_width, labels_width = unit * 0.55, QFontMetricsF(ui_font(-1)).horizontalAdvance("+0.00")
        side = min(
            rect.width() - left_width - bar_width - labels_width - unit * 1.3,
            rect.height() - caption_height - below_height,
        )
        side = float(max(1, math.floor(side)))
        x, y = round(rect.left() + left_width), round(rect.top() + caption_height)
        area = QRectF(x, y, side, side)
        bar = QRectF(area.right() + unit * 0.55, area.top(), bar_width, side)
        right = bar.right() + unit * 0.3 + labels_width
        return MapGeometry(
            caption=QRectF(x, rect.top(), right - x, caption_height - unit * 0.15),
            area=area,
            left=QRectF(rect.left(), area.top(), left_width - unit * 0.2, side),
            below=QRectF(area.left(), area.bottom(), side, below_height),
            bar=bar,
            bar_labels=QRectF(bar.right() + unit * 0.3, area.top(), labels_width + unit * 0.3, side),
        )


def label_width(labels: tuple[str, ...]) -> float:
    """The room of the widest `index token` label at the left."""
    token = QFontMetricsF(mono_font(-1))
    # the longest text is close enough to the widest one, and one look a label is all that a repaint can afford
    longest = max(labels, key=len, default="0")
    texts = {visible(longest, LONGEST), "0"} | ({"年"} if _has_wide_letters(labels[:512]) else set())
    widest = max(token.horizontalAdvance(text) for text in texts)
    return widest + _index_width(len(labels)) + QFontMetricsF(ui_font(-3)).horizontalAdvance(" ") * 1.5


@lru_cache(maxsize=16)
def _has_wide_letters(labels: tuple[str, ...]) -> bool:
    """Whether a label is written in Chinese, say; asked at each repaint of the same labels."""
    return any(ord(letter) > 0x2E80 for letter in "".join(labels))


def _index_width(n: int) -> float:
    return QFontMetricsF(ui_font(-3)).horizontalAdvance(str(max(0, n - 1)))


def every(n_visible: float, length: float, needed: float) -> int:
    """Label every so many cells, so that each label has the room that it needs; 1, 2, 5, 10, 20 ..."""
    least = needed * n_visible / max(length, 1.0)
    step = 1
    while step < least:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def paint_axes(
    painter: QPainter, geometry: MapGeometry, labels: tuple[str, ...], view: QRectF, theme: Theme
) -> None:
    """Queries at the left, keys below: the token and its index."""
    _paint_left(painter, geometry, labels, view, theme)
    _paint_below(painter, geometry, labels, view, theme)


def _paint_left(
    painter: QPainter, geometry: MapGeometry, labels: tuple[str, ...], view: QRectF, theme: Theme
) -> None:
    token_font, index_font = mono_font(-1), ui_font(-3)
    line = QFontMetricsF(token_font).height()
    cell = geometry.area.height() / view.height()
    step = every(view.height(), geometry.area.height(), line * 1.05)
    gap = QFontMetricsF(index_font).horizontalAdvance(" ")
    ticks = _ticks(view.top(), view.bottom(), step, len(labels))
    metrics = QFontMetricsF(token_font)
    widest = max((metrics.horizontalAdvance(visible(labels[i], LONGEST)) for i in ticks), default=0.0)
    token_width = min(widest, geometry.left.width() - _index_width(len(labels)) - gap)
    for i in ticks:
        y = geometry.area.top() + (i + 0.5 - view.top()) * cell - line / 2
        if y < geometry.area.top() - line / 2 or y + line > geometry.area.bottom() + line / 2:
            continue
        token = QRectF(geometry.left.right() - token_width, y, token_width, line)
        index = QRectF(geometry.left.left(), y, geometry.left.width() - token_width - gap, line)
        draw_text(painter, index, str(i), theme.muted, index_font, RIGHT, False)
        draw_text(painter, token, visible(labels[i], LONGEST), theme.text, token_font, RIGHT)


def _paint_below(
    painter: QPainter, geometry: MapGeometry, labels: tuple[str, ...], view: QRectF, theme: Theme
) -> None:
    token_font, index_font = mono_font(-1), ui_font(-3)
    token_metrics, index_metrics = QFontMetricsF(token_font), QFontMetricsF(index_font)
    cell = geometry.area.width() / view.width()
    longest = visible(max(labels, key=len, default="0"), LONGEST)
    needed = (
        max(_index_width(len(labels)), token_metrics.horizontalAdvance(longest))
        + index_metrics.height() * 0.3
    )
    step = every(view.width(), geometry.area.width(), needed)
    top = geometry.below.top() + index_metrics.height() * 0.1
    for i in _ticks(view.left(), view.right(), step, len(labels)):
        middle = geometry.area.left() + (i + 0.5 - view.left()) * cell
        if not geometry.area.left() <= middle <= geometry.area.right():
            continue
        token = QRectF(middle - needed / 2, top, needed, token_metrics.height())
        index = QRectF(
            middle - needed / 2,
            token.bottom() - index_metrics.height() * 0.08,
            needed,
            index_metrics.height(),
        )
        draw_text(painter, token, visible(labels[i], LONGEST), theme.text, token_font, CENTRE, False)
        draw_text(painter, index, str(i), theme.muted, index_font, CENTRE, False)


def _ticks(low: float, high: float, step: int, n: int) -> range:
    first = math.ceil(max(0.0, math.floor(low)) / step) * step
    return range(first, min(n, math.ceil(high)), step)


def paint_bar(painter: QPainter, geometry: MapGeometry, lut: Lut, scale: Scale, theme: Theme) -> None:
    """The colour bar with its ends labelled."""
    gradient = QLinearGradient(QPointF(0, geometry.bar.bottom()), QPointF(0, geometry.bar.top()))
    for i in range(0, N_COLOURS, 15):
        gradient.setColorAt(i / (N_COLOURS - 1), QColor(int(lut[i]) & 0xFFFFFF))
    radius = geometry.bar.width() / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(gradient)
    painter.drawRoundedRect(geometry.bar, radius, radius)
    top, bottom = _end_labels(scale)
    font = ui_font(-1)
    line = QFontMetricsF(font).height()
    labels = geometry.bar_labels
    draw_text(
        painter,
        QRectF(labels.left(), labels.top() - 1, labels.width(), line),
        top,
        theme.muted,
        font,
        LEFT,
        False,
    )
    low = QRectF(labels.left(), labels.bottom() - line + 1, labels.width(), line)
    draw_text(painter, low, bottom, theme.muted, font, LEFT, False)


def _end_labels(scale: Scale) -> tuple[str, str]:
    top = "1" if scale.top == 1 else short(scale.top, 1) if scale.top >= 0.01 else scientific(scale.top, 0)
    if scale.is_signed:
        return f"+{top}", f"\u2212{top}"
    return top, scientific(scale.top * 10**-DECADES, 0) if scale.is_log else "0"
