"""A matrix at half, a quarter, ... of its size, so that a large map is drawn from few cells and never loses a large one."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from gui.colormaps import Lut
from gui.widgets.map_image import Scale, image, pooled, pooled_any

WHOLE = 1024  # cells across: a smaller level is one picture, of a larger one only what is in sight is drawn


@dataclass(frozen=True)
class Piece:
    """A picture, and which part of it shows what is in sight."""

    picture: QImage
    source: QRectF


class MapPyramid:
    """Levels are made when they are first needed, each from the one before; the last picture is kept."""

    def __init__(self, values: NDArray[np.float32], seen: NDArray[np.bool_]) -> None:
        self._levels = [(values, seen)]
        self._kept: tuple[tuple[int, ...], QImage] | None = None

    def piece(self, view: QRectF, pixels: float, scale: Scale, lut: Lut, unseen: QColor) -> Piece:
        """What to draw of the cells in `view` onto so many pixels across: at most one cell a pixel."""
        level = max(0, math.ceil(math.log2(max(1.0, view.width() / max(1.0, pixels)))))
        values, seen = self._level(level)
        factor = 1 << level
        if max(values.shape) <= WHOLE:
            left, top, right, bottom = 0, 0, values.shape[1], values.shape[0]
        else:
            left, top = math.floor(view.left() / factor), math.floor(view.top() / factor)
            right = min(values.shape[1], math.ceil(view.right() / factor) + 1)
            bottom = min(values.shape[0], math.ceil(view.bottom() / factor) + 1)
        key = (level, left, top, right, bottom)
        if self._kept is None or self._kept[0] != key:
            part = slice(top, bottom), slice(left, right)
            self._kept = key, image(values[part], seen[part], scale, lut, unseen)
        source = QRectF(
            view.left() / factor - left,
            view.top() / factor - top,
            view.width() / factor,
            view.height() / factor,
        )
        return Piece(self._kept[1], source)

    def _level(self, level: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        while len(self._levels) <= level:
            values, seen = self._levels[-1]
            self._levels.append((pooled(values, 2), pooled_any(seen, 2)))
        return self._levels[level]
