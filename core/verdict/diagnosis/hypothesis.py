"""What a signature suggests: a cause, where it sits, and the repair that would prove it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.text import Text
from core.verdict.locate import Place

NO_PLACE = -1

Part = Literal[
    "positions",  # the model is told the oracle's position ids
    "input",  # what the first layer gets is the oracle's
    "q", "k", "v",  # the oracle's, k and v at the chosen slots
    "mask",  # who may see whom is the oracle's; slots without a place are hidden
    "bias",  # what is added to q.k is the oracle's, mask included
    "scale",  # what q.k is multiplied by is the oracle's
    "heads",  # query head h reads kv head h // (H / G) of the lane's own rows
    "scores",  # scores before softmax are the oracle's, on the lane's own values
    "drop",  # the chosen slots are hidden
    "add",  # tokens that no slot holds are read from the oracle's rows
    "output",  # the attention output is the oracle's
]  # fmt: skip


@dataclass(frozen=True)
class Placement:
    """Which token each slot of a layer's keys should hold: (B, S) token_index, NO_PLACE for a row too many."""

    token: NDArray[np.int64]


@dataclass(frozen=True)
class Repair:
    """Parts of the cached lane's attention that are replaced while the step runs again.

    `layers` None means all; `slots` None means all that have a place, else pairs (batch_row, slot) per repair.
    """

    parts: tuple[Part, ...]
    layers: tuple[int, ...] | None = None
    slots: tuple[tuple[int, int], ...] | None = None
    batch_rows: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Hypothesis:
    """A cause id of the taxonomy with its reasons, best first in a list of them.

    A hypothesis without repair can only be inferred.
    """

    cause: str
    sentence: Text
    evidence: tuple[Text, ...]
    place: Place
    repair: Repair | None
    placements: tuple[Placement, ...] = ()  # per call; empty = slot s holds token s, or the last S tokens
