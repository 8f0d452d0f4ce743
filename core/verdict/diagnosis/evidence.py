"""All that both lanes had in hand in one step, as plain arrays: what a cause is named from."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Attention:
    """One attention call: the step's Q queries, and all S keys that they were given, the unread ones too.

    Query head h reads kv head h // (H / G). `scores` are those before softmax, scaled, with bias, -inf where hidden.
    """

    q: Floats  # (B, H, Q, D)
    k: Floats  # (B, G, S, D)
    v: Floats  # (B, G, S, Dv)
    scores: Floats  # (B, H, Q, S)
    weights: Floats  # (B, H, Q, S)
    scale: float | None = None  # as handed to the fused call; None where attention is written by hand
    dtype: str = "float32"  # of q, k and v in the model; the arrays are at least float32
    kv_dtype: str = "float32"

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Who may see whom, (B, H, Q, S)."""
        return np.isfinite(self.scores) | np.isnan(self.scores) | (self.scores > 0)


@dataclass(frozen=True)
class StoredLayer:
    """One layer of the cache itself, where its kind is known: valid rows in the order of the text (B, G, S, D)."""

    k: Floats
    v: Floats
    dtype: str
    storage: int  # equal numbers share memory


@dataclass(frozen=True)
class Lane:
    """One lane of the step; rows of a ragged batch stand side by side, left-padded."""

    logits: Floats  # (B, Q, V)
    calls: tuple[Attention, ...]
    position_ids: Ints | None = None  # (B, Q), what the model was told, -1 for pads
    modules: dict[str, Floats] = field(default_factory=dict)  # outputs (B, Q, ...) in the order of the model
    stored: tuple[StoredLayer, ...] = ()
    embedded: dict[str, Ints] = field(default_factory=dict)  # what each nn.Embedding was asked for, (B, Q)
    first_input: Floats | None = None  # what the first layer got, (B, Q, E)
    calls_by_then: dict[str, int] = field(default_factory=dict)  # attention calls made when a module returned


@dataclass(frozen=True)
class OtherText:
    """Keys and values that the oracle has for a text which is none of this run's: the run before it, or beside it."""

    what: str  # "before" | "beside" | "draft"
    layers: tuple[tuple[Floats, Floats], ...]  # k, v per call, (B, G, T, D)


@dataclass(frozen=True)
class Evidence:
    """One step of both lanes; `text` (B, T) is all that was fed so far, of which the last `q_len` in this step."""

    step_index: int
    kind: str  # prefill | decode | chunk | turn | draft
    scenario: str
    text: Ints
    q_len: int
    pads: tuple[int, ...]  # left pads per row
    oracle: Lane
    cached: Lane
    last: Lane | None = None  # the cached lane one step earlier
    last_q_len: int = 0
    before: str | None = None  # "crop 11" or "reorder 1,1", when the cache was changed just before the step
    others: tuple[OtherText, ...] = ()
    first_q_len: int = 0  # of the run's first call
    is_prefix_invariant: bool = True  # the oracle's old rows stay when tokens are added
    is_invariant_when_short: bool = True  # the same for the first few tokens, where no context ends
    calls_at: tuple[int, ...] = ()  # which calls of the cached lane these are, where some are left out
    is_row_by_row: bool = False  # each attention call is of one batch row: call i of row i % batch
    max_length: int | None = None
    window: int | None = None

    @property
    def n_tokens(self) -> int:
        return int(self.text.shape[1])

    @property
    def batch(self) -> int:
        return int(self.text.shape[0])

    def is_token(self) -> NDArray[np.bool_]:
        """Return (B, T): False at left pads."""
        pads = np.array(self.pads or (0,) * self.batch)
        return np.arange(self.n_tokens)[None] >= pads[:, None]
