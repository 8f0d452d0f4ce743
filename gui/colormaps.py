"""Colour maps as look-up tables: viridis for weights, blue - panel - orange for differences.

Blue against orange stays apart for red-green-blind eyes, and red stays free for "over tolerance".
"""

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

N_COLOURS = 256

# Eighteen colours of matplotlib's viridis (CC0), evenly spaced; linear in between.
_VIRIDIS = (
    "#440154", "#481769", "#472a7a", "#433d84", "#3d4e8a", "#355e8d", "#2e6d8e", "#297b8e", "#23898e",
    "#1f978b", "#21a585", "#2eb37c", "#46c06f", "#65cb5e", "#89d548", "#b0dd2f", "#d8e219", "#fde725",
)  # fmt: skip
_DIFFERENCE = {
    "light": ("#1d4fc4", "#5b86e0", "#a9c1f2", "#ffffff", "#f8cf9f", "#e0913a", "#b85606"),
    "dark": ("#7fb0ff", "#4470c4", "#28406f", "#1a1e25", "#6b4313", "#b8741f", "#ffb64d"),
}

Lut = NDArray[np.uint32]


@lru_cache(maxsize=1)
def sequential_lut() -> Lut:
    """[256] colours 0xAARRGGBB from small to large."""
    return _gradient(_VIRIDIS)


@lru_cache(maxsize=2)
def difference_lut(theme_name: Literal["light", "dark"]) -> Lut:
    """[256] colours 0xAARRGGBB from negative over none (the panel itself) to positive."""
    return _gradient(_DIFFERENCE[theme_name])


def _gradient(stops: tuple[str, ...]) -> Lut:
    known = np.array([[int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in stops], dtype=np.float64)
    at = np.linspace(0.0, 1.0, N_COLOURS)
    stops_at = np.linspace(0.0, 1.0, len(stops))
    red, green, blue = (np.rint(np.interp(at, stops_at, known[:, i])).astype(np.uint32) for i in range(3))
    return np.uint32(0xFF000000) | (red << np.uint32(16)) | (green << np.uint32(8)) | blue
