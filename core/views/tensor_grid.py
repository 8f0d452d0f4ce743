"""Layers x tensors of a step: what agrees, what went wrong there, and what came in wrong."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.verdict.diagnosis.introduced import TENSORS
from core.verdict.recorded_parts import differences_at
from core.views.selection import Selection

SAME, INHERITED, INTRODUCED = range(3)
_STATUS = {"same": SAME, "inherited": INHERITED, "introduced": INTRODUCED}


@dataclass(frozen=True)
class TensorGridView:
    """`status` [layers, tensors] is SAME, INHERITED or INTRODUCED; `difference` is rms, of the tensor's own rms.

    The mask's difference counts cells. `positions` is the status of what the model was told, None where that is not seen.
    """

    tensors: tuple[str, ...]
    status: NDArray[np.int8]
    difference: NDArray[np.float64]
    positions: int | None
    layer: int  # the selected one

    @property
    def first(self) -> tuple[int, int] | None:
        """Layer and tensor of the first that went wrong by itself."""
        found = np.argwhere(self.status == INTRODUCED)
        return (int(found[0][0]), int(found[0][1])) if len(found) else None


def tensor_grid(trace: Trace, selection: Selection) -> TensorGridView | None:
    """Return the grid of the selected step; None where the trace does not hold attention of both lanes."""
    found = differences_at(trace, selection.step) if len(trace) else None
    n_layers = max((one.layer + 1 for one in found or () if one.layer is not None), default=0)
    if not found or not n_layers:
        return None
    status = np.full((n_layers, len(TENSORS)), SAME, np.int8)
    difference = np.zeros((n_layers, len(TENSORS)))
    positions: int | None = None
    for one in found:
        if one.layer is not None:
            at = one.layer, TENSORS.index(one.tensor)
            status[at], difference[at] = _STATUS[one.status], one.difference
        elif one.tensor == "position_ids":
            positions = _STATUS[one.status]
    return TensorGridView(TENSORS, status, difference, positions, selection.layer)
