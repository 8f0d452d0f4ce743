"""Both lanes of every attention call, compared by logical position: distances per token, and who sees whom."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.verdict.diagnosis.evidence import Attention, Evidence, Floats
from core.verdict.diagnosis.paired import Bools, Distances, PairedCall
from core.verdict.diagnosis.slot_map import LayerSlots, SlotMap, State, slot_map
from core.verdict.diagnosis.slot_match import row_distances

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class ComparedCall:
    """One attention call. Queries are the last Q tokens of the text; keys are in the order of the text, T of them."""

    layer: int
    evidence: Evidence
    pair: PairedCall
    slots: LayerSlots

    @property
    def tolerance(self) -> float:
        return self.pair.tolerance

    @property
    def n_tokens(self) -> int:
        return self.evidence.n_tokens

    @cached_property
    def query_token(self) -> NDArray[np.int64]:
        return np.arange(self.n_tokens - self.pair.q_len, self.n_tokens)

    @cached_property
    def is_query(self) -> Bools:
        """(B, Q): False at pads."""
        return self.evidence.is_token()[:, self.query_token]

    @cached_property
    def is_key(self) -> Bools:
        """(B, T): False at pads, and at tokens that the oracle's attention has no row for."""
        return self.evidence.is_token() & (np.arange(self.n_tokens) >= self.pair.first_token)

    @cached_property
    def q_distance(self) -> Distances:
        """(B, Q): how far the queries are apart, relative to their rms; 0 at pads."""
        return self._of_queries(self.pair.oracle.q, self.pair.cached.q)

    @cached_property
    def output_distance(self) -> Distances:
        """(B, Q): the same for what attention gives."""
        return self._of_queries(output(self.pair.oracle), output(self.pair.cached))

    @cached_property
    def weight_distance(self) -> Distances:
        """(B, Q): largest difference of a weight over the keys that both have."""
        oracle, cached = self.by_token(self.pair.oracle.weights, 0.0), self.weights_by_token
        found = np.abs(oracle - cached).max((1, 3), initial=0.0)
        return np.where(self.is_query, np.nan_to_num(found, nan=np.inf), 0.0)

    @cached_property
    def weights_by_token(self) -> Scores:
        return self.by_slot(self.pair.cached.weights, 0.0)

    def by_token(self, x: Floats, nowhere: float) -> Scores:
        """Return the oracle's (B, H, Q, S) as (B, H, Q, T)."""
        rows = x[:, :, -self.pair.q_len :].astype(np.float64)
        return np.pad(rows, ((0, 0),) * 3 + ((self.n_tokens - rows.shape[-1], 0),), constant_values=nowhere)

    def by_slot(self, x: Floats, nowhere: float) -> Scores:
        """Return the cached lane's (B, H, Q, S) as (B, H, Q, T): each token where it should lie."""
        rows = x[:, :, -self.pair.q_len :].astype(np.float64)
        found = np.full((*rows.shape[:3], self.n_tokens), nowhere)
        for b in range(len(rows)):
            slot = self.slots.slot_of(b, self.n_tokens)
            held = slot >= 0
            found[b][..., held] = rows[b][..., slot[held]]
        return found

    @cached_property
    def seen_oracle(self) -> Bools:
        """(B, Q, T): which tokens a query may see, in any head."""
        allowed = self.by_token(self.pair.oracle.allowed.astype(np.float32), 0.0) > 0
        return np.asarray(allowed.any(1) & self.is_query[..., None] & self.is_key[:, None])

    @cached_property
    def seen_cached(self) -> Bools:
        allowed = self.by_slot(self.pair.cached.allowed.astype(np.float32), 0.0) > 0
        return np.asarray(allowed.any(1) & self.is_query[..., None])

    @cached_property
    def seen_slots(self) -> Bools:
        """(B, Q, S): which slots a query may see in the cached lane, in any head."""
        allowed = self.pair.cached.allowed[:, :, -self.pair.q_len :].any(1)
        return np.asarray(allowed & self.is_query[..., None])

    @cached_property
    def hidden(self) -> Bools:
        """(B, Q, T): tokens that a slot holds, that the oracle's query sees, and the cached lane's does not."""
        return self.seen_oracle & ~self.seen_cached & self.is_held[:, None]

    @cached_property
    def lost(self) -> Bools:
        """(B, T): tokens that some query of the oracle sees, and that no slot holds."""
        return np.asarray(self.seen_oracle.any(1) & ~self.is_held)

    @cached_property
    def extra(self) -> Bools:
        """(B, Q, T): tokens (or pads) that only the cached lane's query sees."""
        return self.seen_cached & ~self.seen_oracle

    @cached_property
    def is_held(self) -> Bools:
        """(B, T): whether a slot should hold the token."""
        found = [self.slots.slot_of(b, self.n_tokens) >= 0 for b in range(self.evidence.batch)]
        return np.stack(found)

    @cached_property
    def rows_too_many(self) -> Bools:
        """(B, S): slots that hold no token of the text, and that a query sees all the same."""
        return np.asarray((self.slots.token < 0) & self.seen_slots.any(1))

    @cached_property
    def is_new(self) -> Bools:
        """(B, S): slots of this step's tokens."""
        return self.slots.token >= self.n_tokens - self.evidence.q_len

    @cached_property
    def differs(self) -> Bools:
        """(B, S): placed slots whose k or v is not the oracle's, and that somebody looks at."""
        is_looked_at = self.seen_slots.any(1) | self._wanted()
        return np.asarray((self.slots.token >= 0) & self._is_bad & is_looked_at)

    @cached_property
    def introduced(self) -> Bools:
        """(B, S): slots whose k or v went wrong here: an old row, or a new one whose query (so its input) agrees.

        Where queries are rotated wrongly, the values tell: a new row whose v agrees had the right input.
        """
        return np.asarray(self.differs & (~self.is_new | self.slot_has_right_input))

    @cached_property
    def slot_has_right_input(self) -> Bools:
        """(B, S): whether the query of the same new token agrees."""
        first = self.n_tokens - self.pair.q_len
        at = self.slots.token - first
        rows = np.arange(len(at))[:, None]
        agrees = self.q_distance[rows, np.clip(at, 0, None)] <= self.tolerance
        return np.asarray((at >= 0) & agrees)

    @property
    def _is_bad(self) -> Bools:
        bad = np.maximum(self.slots.k_distance, self.slots.v_distance) > self.tolerance
        is_known = self.slots.token >= self.pair.first_token
        return np.asarray(bad & is_known & (self.slots.state != State.PAD))

    def _wanted(self) -> Bools:
        """(B, S): slots of tokens that a query of the oracle sees."""
        rows = np.arange(len(self.slots.token))[:, None]
        is_seen = np.asarray(self.seen_oracle.any(1))
        return np.asarray(is_seen[rows, np.maximum(self.slots.token, 0)] & (self.slots.token >= 0))

    def _of_queries(self, oracle: Floats, cached: Floats) -> Distances:
        """Return (B, Q) of (B, H, Q, D): the largest distance of a head."""
        n = self.pair.q_len
        a, b = oracle[:, :, -n:].astype(np.float64), cached[:, :, -n:].astype(np.float64)
        is_query = self.is_query[:, None, :, None]
        scale = max(
            float(np.sqrt(np.mean(np.where(is_query, a, 0.0) ** 2) / max(is_query.mean(), 1e-9))), 1e-30
        )
        flat = [x.transpose(0, 2, 1, 3).reshape(len(x), n, -1) for x in (b, a)]
        return np.where(self.is_query, row_distances(flat[0], flat[1], scale), 0.0)


@dataclass(frozen=True)
class Compared:
    """A step: the evidence, the slot map, and all calls; no calls where the lanes' calls cannot be paired."""

    evidence: Evidence
    slots: SlotMap
    calls: tuple[ComparedCall, ...]

    @property
    def n_new(self) -> int:
        return self.evidence.q_len

    @cached_property
    def new_tokens(self) -> NDArray[np.int64]:
        return np.arange(self.evidence.n_tokens - self.evidence.q_len, self.evidence.n_tokens)


def compare(evidence: Evidence) -> Compared:
    """Map the slots of a step and set both lanes side by side."""
    slots = slot_map(evidence)
    calls = tuple(
        ComparedCall(layer, evidence, pair, layer_slots)
        for layer, (pair, layer_slots) in enumerate(zip(slots.calls, slots.layers, strict=True))
    )
    return Compared(evidence, slots, calls)


def output(call: Attention) -> Floats:
    """Return what attention gives, (B, H, Q, Dv)."""
    with np.errstate(invalid="ignore", over="ignore"):
        v = np.repeat(call.v, call.weights.shape[1] // call.v.shape[1], axis=1)
        return np.asarray(call.weights @ v)
