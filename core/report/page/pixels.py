"""Arrays as pictures: an RGBA PNG in a data address. Cells are see-through where there is nothing, so any background fits."""

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from core.report.page.markup import Html, el

MOST_CELLS = 512  # along an edge; what is larger keeps the largest of each block
Colour = tuple[int, int, int]
ORACLE: Colour = (61, 125, 245)  # in between those of the light and the dark palette
CACHED: Colour = (226, 136, 24)
BAD: Colour = (226, 60, 70)
QUIET: Colour = (128, 138, 155)


def shrunk(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the array with at most MOST_CELLS along an edge: of each block the value that is farthest from 0."""
    for axis in (0, 1):
        n_cells = values.shape[axis]
        if n_cells > MOST_CELLS:
            starts = np.unique(np.linspace(0, n_cells, MOST_CELLS, endpoint=False).astype(np.intp))
            most = np.maximum.reduceat(values, starts, axis)
            least = np.minimum.reduceat(values, starts, axis)
            values = np.where(np.abs(least) > np.abs(most), least, most)
    return values


def tinted(alpha: NDArray[np.float32], colour: Colour) -> NDArray[np.uint8]:
    """Return (H, W, 4) of one colour, as strong as alpha says, 0..1."""
    pixels = np.zeros((*alpha.shape, 4), np.uint8)
    pixels[..., :3] = colour
    pixels[..., 3] = np.clip(np.nan_to_num(alpha, nan=1.0), 0, 1) * 255
    return pixels


def image(pixels: NDArray[np.uint8], x: float, y: float, width: float, height: float) -> Html:
    """Return the picture as an element of an SVG, stretched to the given box, one sharp rectangle a cell."""
    return el(
        "image", x=x, y=y, width=width, height=height, preserveAspectRatio="none", class_="pixels", href=data_address(pixels),
    )  # fmt: skip


def data_address(pixels: NDArray[np.uint8]) -> str:
    return "data:image/png;base64," + base64.b64encode(png(pixels)).decode()


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return (H, W, 4) as a PNG file."""
    height, width, _ = pixels.shape
    rows = np.concatenate(
        (np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)), 1
    )  # filter 0 in front
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
