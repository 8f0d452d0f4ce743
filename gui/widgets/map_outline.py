"""The outline of what the masks allow, over the attention maps."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from core.views.allowed import AllowedView, only_in, outline
from gui.theme import current_theme

MOST_LINES = 40_000  # a mask more ragged than this has no outline that could be seen
Tone = Literal["oracle", "cached", "text"]


@dataclass(frozen=True, eq=False)
class Outline:
    """Lines between corners of cells, in the colour of whose mask it is."""

    tone: Tone
    lines: tuple[QLineF, ...]
    is_dashed: bool = False


@dataclass(frozen=True, eq=False)
class Outlines:
    """What lies over each of the three maps."""

    oracle: tuple[Outline, ...] = ()
    cached: tuple[Outline, ...] = ()
    difference: tuple[Outline, ...] = ()


def outlines_of(view: AllowedView | None) -> Outlines:
    """Each lane's own; over the difference both, where they part in their lane's colour and the cached one dashed."""
    if view is None:
        return Outlines()
    oracle, cached = outline(view.oracle)[:MOST_LINES], outline(view.cached)[:MOST_LINES]
    alone = only_in(oracle, cached), only_in(cached, oracle)
    parts = (
        Outline("text", _lines(only_in(oracle, alone[0]))),
        Outline("oracle", _lines(alone[0])),
        Outline("cached", _lines(alone[1]), is_dashed=True),
    )
    return Outlines(
        (Outline("oracle", _lines(oracle)),),
        (Outline("cached", _lines(cached)),),
        tuple(part for part in parts if part.lines),
    )


def paint_outline(painter: QPainter, outline: Outline, origin: QPointF, cell: float) -> None:
    """Two tones, so that it shows on every colour of the map. `origin` is the corner of the first cell."""
    theme, width = current_theme(), 1.6 if cell > 8 else 1.1  # the weights beside it stay in sight
    lines = [QLineF(origin + line.p1() * cell, origin + line.p2() * cell) for line in outline.lines]
    if not outline.is_dashed:
        painter.setPen(QPen(theme.panel, width + 1.4))
        painter.drawLines(lines)
    pen = QPen(getattr(theme, outline.tone), width)
    if outline.is_dashed:
        pen.setDashPattern([3, 2])
    painter.setPen(pen)
    painter.drawLines(lines)


def _lines(found: NDArray[np.integer[Any]]) -> tuple[QLineF, ...]:
    return tuple(QLineF(*line) for line in found.tolist())
