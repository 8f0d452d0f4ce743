"""What each step of a trace says of a lane's cached rows: which are new, which have changed, what moved them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.trace.records import StepFacts

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class LayerStep:
    """One layer of a step: S keys of which the last n_new are stored as new, and other slots that are stored too."""

    batch: int
    n_slots: int
    n_new: int
    q_len: int
    changed: Ints

    def shift(self, n_old: int) -> int:
        """Return how far a full window has moved on, as the journal counts it."""
        return max(0, n_old + self.q_len - self.n_slots)

    def kept(self, n_old: int) -> int:
        """Return how many of the first slots hold rows of the step before."""
        return max(0, min(n_old - self.shift(n_old), self.n_slots))

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for layers that say the same."""
        return self.batch, self.n_slots, self.n_new, self.q_len, self.changed.tobytes()


def layer_step(trace: Trace, step: int, lane: str, layer: int) -> LayerStep | None:
    """Return what a step says of a layer, None where it has no K and V of it."""
    prefix = f"{lane}/layer.{layer}/"
    k, weights = trace.shape(step, prefix + "k"), trace.shape(step, prefix + "attn_weights")
    if k is None or weights is None or trace.shape(step, prefix + "v") is None:
        return None
    changed = trace.rows(step, prefix + "changed_slots")
    slots = np.empty(0, np.int64) if changed is None else changed.astype(np.int64)
    return LayerStep(k[0], weights[-1], k[2], trace.facts(step).q_len, slots)


def cropped_to(facts: StepFacts) -> int | None:
    """Return the tokens that were kept when the cache was rolled back just before the step, None where it was not."""
    before = facts.before or ""
    return int(before.removeprefix("crop ")) if before.startswith("crop ") else None


def reordered_by(facts: StepFacts) -> list[int] | None:
    """Return which batch row each row became a copy of just before the step, None where nothing was reordered."""
    before = facts.before or ""
    rows = before.removeprefix("reorder ").split(",")
    return [int(row) for row in rows] if before.startswith("reorder ") else None


def row_before(facts: StepFacts, batch_row: int) -> int:
    """Return where a batch row was before the step."""
    order = reordered_by(facts)
    return batch_row if order is None else order[batch_row]


def length_after(facts: StepFacts, n_slots: int) -> int:
    """Return how many of the rows were left when the step began."""
    length = cropped_to(facts)
    return n_slots if length is None else min(n_slots, length)
