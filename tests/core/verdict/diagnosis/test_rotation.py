"""Positions are solved from rotated vectors alone, for every way of pairing their numbers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from core.verdict.diagnosis.rotation import pairing_of, rotation_of


def turned(
    x: NDArray[np.float64], positions: NDArray[np.int64], style: str, size: int, base: float, start: int = 0
) -> NDArray[np.float64]:
    """Turn (n, heads, D), each row by its own position."""
    angle = positions[:, None, None] * base ** (-np.arange(size // 2) / (size // 2))
    out, part = x.copy(), x[..., start : start + size]
    halves = slice(start, start + size // 2), slice(start + size // 2, start + size)
    a, b = halves if style == "halves" else (slice(start, start + size, 2), slice(start + 1, start + size, 2))
    z = (out[..., a] + 1j * out[..., b]) * np.exp(1j * angle)
    out[..., a], out[..., b] = z.real, z.imag
    assert part.shape[-1] == size
    return out


@pytest.mark.parametrize(
    ("style", "size", "base", "start"),
    [("halves", 16, 1e4, 0), ("neighbours", 16, 1e4, 0), ("halves", 8, 1e4, 0), ("neighbours", 8, 1e4, 0), ("halves", 8, 1e4, 8),
     ("halves", 16, 1e3, 0), ("halves", 16, 5e5, 0), ("neighbours", 16, 1e6, 0)],
)  # fmt: skip
def test_that_the_difference_of_positions_is_solved(style: str, size: int, base: float, start: int) -> None:
    raw = np.random.default_rng(3).normal(size=(4, 2, 16))
    right, wrong = np.array([6, 7, 8, 9]), np.array([7, 0, 8, 22])
    oracle, cached = (turned(raw, at, style, size, base, start) for at in (right, wrong))
    found = rotation_of(cached, oracle, 30)
    assert found is not None
    assert found.turned_by(cached, oracle, 30) == [1, -7, 0, 13]


def test_that_other_vectors_are_no_rotation() -> None:
    rng = np.random.default_rng(4)
    oracle = rng.normal(size=(4, 2, 16))
    assert pairing_of(rng.normal(size=(4, 2, 16)), oracle) is None
    assert rotation_of(1.01 * oracle, oracle, 30) is None


def test_that_a_rotation_by_no_position_is_told() -> None:
    """Pairs keep their norm, and the angles are those of no position."""
    raw = np.random.default_rng(5).normal(size=(4, 2, 16))
    z = raw[..., :8] + 1j * raw[..., 8:]
    z = z * np.exp(1j * np.random.default_rng(6).uniform(-3, 3, size=(4, 1, 8)))
    assert rotation_of(np.concatenate((z.real, z.imag), -1), raw, 30) is None
