"""Number formats that leave their mark: what cached numbers must have been stored as."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text

Rows = NDArray[np.float64]
SAME = 2e-2  # of the oracle's rms: the bits of rounded numbers may differ in the last place


def format_of(cached: Rows, oracle: Rows) -> Text | None:
    """Return a sentence if all cached numbers are of a narrower format and the oracle's are not."""
    if not np.isfinite(oracle).all():
        return None
    for misread, template in (
        (bfloat16_as_float16(oracle), QT_TRANSLATE_NOOP("core", "The numbers are the oracle's bits in bfloat16, read as float16.")),
        (float16_as_bfloat16(oracle), QT_TRANSLATE_NOOP("core", "The numbers are the oracle's bits in float16, read as bfloat16.")),
    ):  # fmt: skip
        if _mostly_equal(cached, misread):
            return Text(template)
    if not np.isfinite(cached).all():
        return None
    if _is_only(cached, oracle, np.round):
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "All numbers are whole: codes of a quantised cache that nobody multiplied by their scale.",
            )
        )
    if _is_only(cached, oracle, bfloat16):
        return Text(
            QT_TRANSLATE_NOOP("core", "All numbers are representable in bfloat16, and the oracle's are not.")
        )
    if _is_only(cached, oracle, float16):
        return Text(
            QT_TRANSLATE_NOOP("core", "All numbers are representable in float16, and the oracle's are not.")
        )
    levels = len(np.unique(np.round(cached, 6)))
    if levels <= 256 < 4 * levels and levels < 0.5 * cached.size:
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "There are only {levels} different numbers among {count}: a quantised cache."
            ),
            {"levels": levels, "count": cached.size},
        )
    return None  # fmt: skip


def bfloat16(x: Rows) -> Rows:
    """Round to bfloat16, to nearest even."""
    return _float32_of(_bfloat16_bits(x))


def float16(x: Rows) -> Rows:
    with np.errstate(over="ignore"):
        return x.astype(np.float16).astype(np.float64)


def bfloat16_as_float16(x: Rows) -> Rows:
    """Return what the bits of x in bfloat16 mean in float16."""
    return _bfloat16_bits(x).view(np.float16).astype(np.float64)


def float16_as_bfloat16(x: Rows) -> Rows:
    with np.errstate(over="ignore"):
        return _float32_of(x.astype(np.float16).view(np.uint16))


def _bfloat16_bits(x: Rows) -> NDArray[np.uint16]:
    bits = np.ascontiguousarray(x.astype(np.float32)).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def _float32_of(bits: NDArray[np.uint16]) -> Rows:
    return np.left_shift(bits.astype(np.uint32), np.uint32(16)).view(np.float32).astype(np.float64)


def _mostly_equal(cached: Rows, wanted: Rows) -> bool:
    """Whether nine in ten numbers are the same: rounding before may change a last bit."""
    with np.errstate(invalid="ignore", over="ignore"):
        same = np.abs(cached - wanted) <= SAME * np.abs(wanted)
    return bool((same | (np.isnan(cached) & np.isnan(wanted))).mean() > 0.9)


def _is_only(cached: Rows, oracle: Rows, rounded: Callable[[Rows], Rows]) -> bool:
    return (
        np.array_equal(rounded(cached), cached)
        and not np.array_equal(rounded(oracle), oracle)
        and bool(cached.any())
    )
