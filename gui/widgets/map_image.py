"""From a matrix to pixels: levels, colour map, and pooling that never hides the largest cell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from gui.colormaps import N_COLOURS, Lut

T = TypeVar("T", bound=np.generic)
DECADES = 4.0  # that a log scale shows below its top


@dataclass(frozen=True)
class Scale:
    """How values become colours: 0..top, or -top..top when `is_signed`; linear or logarithmic."""

    top: float
    is_signed: bool = False
    is_log: bool = False

    def shares(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Values as places 0..1 on the colour map."""
        size = np.abs(values) / np.float32(max(self.top, 1e-30))
        if self.is_log:
            size = 1 + np.log10(np.maximum(size, 10.0**-DECADES)) / np.float32(DECADES)
        size = np.clip(np.nan_to_num(size, nan=1.0), 0, 1)
        share = 0.5 + 0.5 * np.where(values < 0, -1, 1) * size if self.is_signed else size
        return np.asarray(share, dtype=np.float32)


def pooled(values: NDArray[np.float32], factor: int) -> NDArray[np.float32]:
    """[rows, columns] -> one value for each factor x factor block: the one with the largest size, its sign kept."""
    if factor <= 1:
        return values
    high = _reduced(np.maximum, values, factor)
    if values.min(initial=0) >= 0:  # attention weights: nothing lies below
        return high
    low = _reduced(np.minimum, values, factor)
    return np.asarray(np.where(high >= -low, high, low), dtype=np.float32)


def pooled_any(mask: NDArray[np.bool_], factor: int) -> NDArray[np.bool_]:
    """[rows, columns] -> whether any cell of each block is True."""
    return mask if factor <= 1 else _reduced(np.logical_or, mask, factor)


def _reduced(combine: np.ufunc, values: NDArray[T], factor: int) -> NDArray[T]:
    """Combine blocks slice by slice, rows first: several times faster than reducing a four-dimensional view."""
    for rows_or_columns in (lambda i: np.s_[i::factor], lambda i: np.s_[:, i::factor]):
        reduced = values[rows_or_columns(0)].copy()
        for i in range(1, factor):
            part = values[rows_or_columns(i)]
            whole = reduced[: part.shape[0], : part.shape[1]]  # the last block may be smaller
            combine(whole, part, out=whole)
        values = reduced
    return values


def image(
    values: NDArray[np.float32], seen: NDArray[np.bool_], scale: Scale, lut: Lut, unseen: QColor
) -> QImage:
    """The picture of a matrix, one pixel a cell; unseen cells in their quiet tone."""
    index = np.rint(scale.shares(values) * (N_COLOURS - 1)).astype(np.uint8)
    pixels = np.ascontiguousarray(np.where(seen, lut[index], np.uint32(unseen.rgb())), dtype=np.uint32)
    rows, columns = pixels.shape
    made = QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGB32)
    return made.copy()  # the copy owns its pixels; the array may go


def colours_image(values: NDArray[np.float32], colours: Mapping[int, QColor]) -> QImage:
    """The picture of a matrix of whole numbers, each with a colour of its own."""
    pixels = np.zeros(values.shape, dtype=np.uint32)
    for value, colour in colours.items():
        pixels[values == value] = colour.rgb()
    rows, columns = values.shape
    return QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGB32).copy()
