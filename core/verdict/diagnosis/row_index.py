"""Which rows are equal, without comparing each with each."""

from typing import overload

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
Ids = NDArray[np.int64]
N_SHADOWS = 8
CHUNK = 256  # rows that are looked up together
ROUNDING = 1e-9  # of the limit: a shadow is as long as its row but for that


class RowIndex:
    """Rows (m, D) by the length of their shadows on a few directions: rows that are near have shadows that are near."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        directions = np.random.default_rng(0).normal(size=(rows.shape[-1], N_SHADOWS))
        self._directions = directions / np.linalg.norm(directions, axis=0)
        finite = np.flatnonzero(np.isfinite(rows).all(-1))
        shadows = rows[finite] @ self._directions
        order = np.argsort(shadows[:, 0], kind="stable")
        self._ids, self._shadows = finite[order], shadows[order]

    @overload
    def near(self, wanted: Rows, limit: float) -> tuple[Ids, Ids]: ...

    @overload
    def near(self, wanted: Rows, limit: float, most: int) -> tuple[Ids, Ids] | None: ...

    def near(self, wanted: Rows, limit: float, most: int | None = None) -> tuple[Ids, Ids] | None:
        """Return the pairs (place in `wanted`, place in the rows) of rows whose rms difference is at most `limit`.

        What is not finite is near to nothing. None where more than `most` pairs would have to be compared.
        """
        reach, found = limit * np.sqrt(wanted.shape[-1]), []
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            at, row = self._candidates(chunk, reach)
            if most is not None and len(at) > most:
                return None
            keep = np.square(self._rows[row] - chunk[at]).sum(-1) <= reach**2
            found.append(((at[keep] + start).astype(np.int64), row[keep].astype(np.int64)))
        places, ids = zip(*found, strict=True) if found else ([], [])
        none = np.zeros(0, np.int64)
        return np.concatenate([none, *places]), np.concatenate([none, *ids])

    def _candidates(self, wanted: Rows, reach: float) -> tuple[Ids, Ids]:
        """Return the pairs whose shadows are near."""
        finite = np.flatnonzero(np.isfinite(wanted).all(-1))
        shadows = wanted[finite] @ self._directions
        far = reach * (1 + ROUNDING) + ROUNDING * np.abs(shadows).max(initial=0.0)
        first = np.searchsorted(self._shadows[:, 0], shadows[:, 0] - far, "left")
        last = np.searchsorted(self._shadows[:, 0], shadows[:, 0] + far, "right")
        count = last - first
        at = np.repeat(np.arange(len(finite)), count)
        row = np.arange(len(at)) + np.repeat(first - (np.cumsum(count) - count), count)
        for direction in range(1, N_SHADOWS):
            keep = np.abs(self._shadows[row, direction] - shadows[at, direction]) <= far
            at, row = at[keep], row[keep]
        return finite[at], self._ids[row]
