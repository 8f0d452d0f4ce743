"""RoPE: by how many positions a vector was turned too far, solved from the tensors of both lanes.

A rotated vector consists of pairs, and pair i turns by theta_i a position. Both lanes rotate the same vector, so pairs
keep their norm, and the angle between the lanes is (difference of positions) * theta_i.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.floating]
Complex = NDArray[np.complex128]
SAME_NORM = 1e-3  # of the vector's rms, per pair
FITS = 2e-2  # mean of 1 - cos between the angles found and those of a position
GOOD = 1e-4  # of the same, ends the search for a base
BASES = (1e4, 5e5, 1e6, 1e3, 1e5, 100.0, 8e6, *np.geomspace(10.0, 1e8, 281))


@dataclass(frozen=True)
class Pairing:
    """Which numbers of a head turn together: of `size` from `start` on, the halves or neighbours."""

    style: Literal["halves", "neighbours"]
    start: int
    size: int

    def pairs(self, x: Vectors) -> Complex:
        """Return (..., D) as (..., size / 2) complex numbers."""
        part = x[..., self.start : self.start + self.size].astype(np.float64)
        half = self.size // 2
        a, b = (
            (part[..., :half], part[..., half:])
            if self.style == "halves"
            else (part[..., 0::2], part[..., 1::2])
        )
        return np.asarray(a + 1j * b)


@dataclass(frozen=True)
class Rotation:
    """How a model rotates: its pairs, and the angle of each a position."""

    pairing: Pairing
    theta: NDArray[np.float64]

    def turned_by(self, cached: Vectors, oracle: Vectors, reach: int) -> list[int | None]:
        """Return by how many positions vectors `cached` (n, heads, D) are turned beyond `oracle`, None for no such rotation."""
        angle = self.pairing.pairs(cached) * self.pairing.pairs(oracle).conj()
        turn, weight = angle.sum(1), np.abs(angle).sum((1, 2))
        shifts = np.arange(-reach, reach + 1)
        misfit = 1 - _fit(turn, weight, shifts, self.theta)
        best = (misfit + 1e-9 * np.abs(shifts)).argmin(-1)
        return [int(shifts[at]) if row[at] < FITS else None for at, row in zip(best, misfit, strict=True)]


def _fit(
    turn: Complex, weight: NDArray[np.float64], shifts: NDArray[np.int64], theta: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return (n, shifts): mean cosine between the angles (n, pairs) and those of a shift."""
    angle = shifts[:, None] * theta
    cosines = turn.real @ np.cos(angle).T + turn.imag @ np.sin(angle).T
    return np.asarray(cosines / np.maximum(weight[:, None], 1e-30))


def pairing_of(cached: Vectors, oracle: Vectors, tolerance: float = 0.0) -> Pairing | None:
    """Return the pairs in which all vectors (n, heads, D) keep their norms and nothing else changes, None if there are none."""
    limit = max(SAME_NORM, tolerance)
    size = cached.shape[-1]
    scale = max(float(np.sqrt(np.mean(oracle.astype(np.float64) ** 2))), 1e-30)
    for pairing in _candidates(size):
        a, b = pairing.pairs(cached), pairing.pairs(oracle)
        if np.abs(np.abs(a) - np.abs(b)).max() > 3 * limit * scale:
            continue
        rest = np.ones(size, dtype=bool)
        rest[pairing.start : pairing.start + pairing.size] = False
        if not rest.any() or np.abs(cached[..., rest] - oracle[..., rest]).max() <= 3 * limit * scale:
            return pairing
    return None


def _candidates(size: int) -> list[Pairing]:
    """Whole heads first; then parts of a head, at its start or its end."""
    found = []
    for part in range(size - size % 2, 1, -2):
        for start in dict.fromkeys((0, size - part)):
            found.append(Pairing("halves", start, part))
            if part == size - size % 2:  # in smaller parts the neighbours that do not turn are pairs as well
                found.append(Pairing("neighbours", start, part))
    return found


def rotation_of(cached: Vectors, oracle: Vectors, reach: int, tolerance: float = 0.0) -> Rotation | None:
    """Fit how a model rotates from vectors (n, heads, D) of both lanes that differ by a rotation, None where none fits.

    `reach` is the largest difference of positions that is considered.
    """
    pairing = pairing_of(cached, oracle, tolerance)
    if pairing is None:
        return None
    turns = (pairing.pairs(cached) * pairing.pairs(oracle).conj()).sum(1)  # (n, pairs)
    sizes = np.abs(pairing.pairs(cached) * pairing.pairs(oracle)).sum(1)
    moved = np.abs(np.angle(turns)).max(-1) > 1e-3
    if not moved.any():
        return None
    turns, weight = turns[moved], sizes[moved].sum(-1)
    shifts = np.concatenate((np.arange(1, reach + 1), -np.arange(1, reach + 1)))
    best: tuple[float, NDArray[np.float64]] | None = None
    for theta in _angles(pairing):
        misfit = float(1 - _fit(turns, weight, shifts, theta).max(-1).mean())
        if best is None or misfit < best[0]:
            best = misfit, theta
        if misfit < GOOD:
            break
    assert best is not None
    return Rotation(pairing, best[1]) if best[0] < FITS else None


def _angles(pairing: Pairing) -> Iterator[NDArray[np.float64]]:
    """Yield the angles that the pairs may have a position: powers of a base, usual ones first; of neighbours, some may not turn."""
    n_pairs = pairing.size // 2
    for n_turning in (n_pairs,) if pairing.style == "halves" else (n_pairs, n_pairs // 2, n_pairs // 4):
        for base in BASES if n_turning else ():
            theta = np.zeros(n_pairs)
            theta[:n_turning] = base ** (-np.arange(n_turning) / n_turning)
            yield theta
