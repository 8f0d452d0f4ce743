"""Whether the logits of a run depend on what was fed: where they do not, a cache could hold anything."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text

_KEPT = ("oracle/logits", "oracle/top_ids", "oracle/top_logits")


class Dependence:
    """Sees the tensors of each step and remembers the first row that the oracle gave."""

    def __init__(self) -> None:
        self._first: dict[str, np.ndarray[Any, Any]] = {}
        self._n_rows = 0
        self._is_constant = True

    def see(self, tensors: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Look at the newest row of every batch row; those are no pads."""
        if not self._is_constant:
            return
        for name in _KEPT:
            if name not in tensors:
                continue
            rows = tensors[name][:, -1]
            first = self._first.setdefault(name, rows[0].copy())
            self._is_constant &= bool(np.array_equal(rows, np.broadcast_to(first, rows.shape)))
            self._n_rows += len(rows)

    @property
    def note(self) -> Text | None:
        """What is to be said of it, None where the logits depend on the input or one row alone was seen."""
        if not self._is_constant or self._n_rows < 2:
            return None
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "the logits are the same whatever is fed, so this run proves nothing about the cache"
            )
        )
