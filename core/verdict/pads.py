"""Pads are no tokens: what the lanes hold at them is not compared."""

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace

BY_SLOT = ("k", "v")  # the others have a place per new token


def n_pads(trace: Trace, step_index: int, batch_row: int) -> int:
    """Return how many left pads a row of the batch has."""
    pads = trace.facts(step_index).pads
    return pads[batch_row] if batch_row < len(pads) else 0


def compared(trace: Trace, step_index: int, name: str) -> NDArray[np.float32] | None:
    """Return the recorded differences (L, B, heads, slots or new tokens) of a tensor, -1 at pads; None where there are none."""
    diff = trace.tensor(step_index, f"diff/{name}")
    facts = trace.facts(step_index)
    if diff is None or not any(facts.pads):
        return diff
    first = 0 if name in BY_SLOT else facts.text_len - facts.q_len
    masked = diff.copy()
    for batch_row, pads in enumerate(facts.pads):
        masked[:, batch_row, :, : max(0, pads - first)] = -1
    return masked
