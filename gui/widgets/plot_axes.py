"""Axes with whole numbers: decades, steps, slots."""

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from gui.widgets.painted import caption_font


class DecadeAxis(pg.AxisItem):  # type: ignore[misc]
    """Ticks at whole powers of ten, thinned so that the labels do not touch."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        line = QFontMetricsF(caption_font()).height() * 1.15
        room = max(1, int(size / max(line, 1.0)))
        every = next((n for n in (1, 2, 3, 4, 6, 12) if (high - low) / n <= room), 24)
        first = math.ceil(low / every) * every
        return [(float(every), [float(v) for v in range(first, math.floor(high) + 1, every)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [f"1e{round(value)}" for value in values]


class WholeAxis(pg.AxisItem):  # type: ignore[misc]
    """Ticks at whole numbers from 0, as many as there is room for."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        metrics = QFontMetricsF(caption_font())
        widest = metrics.horizontalAdvance(str(max(0, int(high)))) * 2.2
        needed = widest if self.orientation in ("bottom", "top") else metrics.height() * 1.8
        every = _nice((high - low) / max(1.0, size / max(needed, 1.0)))
        first = math.ceil(low / every) * every
        return [(float(every), [float(v) for v in range(max(0, first), math.floor(high) + 1, every)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [str(round(value)) for value in values]


class StepAxis(WholeAxis):
    """Ticks at whole steps; the first one, and those that are special, say what they are where there is room."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.zero_word = ""
        self.words: dict[int, str] = {}
        self.last = 0

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        ticks: list[tuple[float, list[float]]] = super().tickValues(low, min(high, self.last), size)
        return ticks  # beyond is room for a label

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [self._text(round(value), spacing) for value in values]

    def _text(self, step: int, spacing: float) -> str:
        if step == 0:
            return f"0 {self.zero_word}".strip()
        text = f"{step} {self.words.get(step, '')}".strip()
        low, high = self.range
        room = self.width() * spacing / max(high - low, 1e-9)
        return text if QFontMetricsF(caption_font()).horizontalAdvance(text) < room * 0.95 else str(step)


def _nice(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20 ... that is not below `least`."""
    step = 1
    while step < least:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    return step
