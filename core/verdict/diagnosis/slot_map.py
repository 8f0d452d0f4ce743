"""The slot map: every cached row traced to the oracle row that it equals, by K and V together."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.verdict.diagnosis.evidence import Attention, Evidence, Floats
from core.verdict.diagnosis.hypothesis import NO_PLACE, Placement
from core.verdict.diagnosis.paired import Bools, Distances, PairedCall, one_per_kv_head, paired_calls
from core.verdict.diagnosis.row_index import RowIndex
from core.verdict.diagnosis.slot_match import (
    NEAR,
    MatchedRows,
    assigned,
    credible,
    distances,
    flat_rows,
    in_order,
    kept_since,
    row_distances,
    votes,
)

Ids = NDArray[np.int64]
Rows = NDArray[np.float64]
UNKNOWN = -1
NOT_WANTED = -2
OWN_TEXT = 0  # in Origin.text; the texts of evidence.others count from 1
NEW_PRIOR, PLACE_PRIOR, LATE_PRIOR = 1.0, 0.5, 0.1  # what decides between equal votes


class State(IntEnum):
    """What a slot holds, seen against what it should hold."""

    OK = 0
    PAD = 1
    EMPTY = 2  # zeros where no token belongs
    DIFFERENT = 3  # the right place, other numbers, found nowhere else
    NEAR = 4  # within a tenth of the right row
    ZERO = 5  # zeros where a token belongs
    NOT_FINITE = 6
    MISPLACED = 7  # the row of another token
    OTHER_ROW = 8  # the row of another sequence of the batch
    OTHER_LAYER = 9
    DUPLICATE = 10  # a token that another slot holds already
    STALE = 11  # a row of another text, or a row too many that no oracle row explains


@dataclass(frozen=True)
class Origin:
    """Where K or V of a slot was found, each (B, S): UNKNOWN where nowhere."""

    text: Ids  # OWN_TEXT, or 1 + index in evidence.others
    layer: Ids
    batch_row: Ids
    token: Ids


@dataclass(frozen=True)
class LayerSlots:
    """The slots of one attention call, each array (B, S); distances are rms, relative to the layer's rms."""

    token: Ids  # token_index that the slot should hold, NO_PLACE for a row too many
    state: NDArray[np.int64]
    k_distance: Distances
    v_distance: Distances
    k_origin: Origin
    v_origin: Origin
    kept: Ids  # slot of the call before that held the same row, -1 for one that was written in this step
    missing: tuple[tuple[int, ...], ...]  # per batch row, tokens that no slot holds

    @property
    def is_new(self) -> Bools:
        return self.kept < 0

    def slot_of(self, batch_row: int, n_tokens: int) -> Ids:
        """Return for each token the slot that should hold it, UNKNOWN where none."""
        found = np.full(n_tokens, UNKNOWN, dtype=np.int64)
        placed = np.flatnonzero(self.token[batch_row] >= 0)
        found[self.token[batch_row][placed]] = placed
        return found


@dataclass(frozen=True)
class SlotMap:
    """All calls of a step; no layers where the lanes' calls cannot be paired."""

    calls: tuple[PairedCall, ...]
    layers: tuple[LayerSlots, ...]

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        return tuple(Placement(layer.token) for layer in self.layers)


def slot_map(evidence: Evidence) -> SlotMap:
    """Trace every cached row of every attention call of the step."""
    calls = paired_calls(evidence)
    return SlotMap(calls, tuple(_Tracer(evidence, calls).layers()) if calls else ())


class _Tracer:
    """Works out the map once; holds the rows of both lanes as flat vectors."""

    def __init__(self, evidence: Evidence, calls: tuple[PairedCall, ...]) -> None:
        self.evidence, self.calls = evidence, calls
        self.k = [flat_rows(call.k_cached) for call in calls]
        self.v = [flat_rows(call.v_cached) for call in calls]
        self.k_oracle = [_whole(call.k_oracle, call.first_token) for call in calls]
        self.v_oracle = [_whole(call.v_oracle, call.first_token) for call in calls]
        self.is_token = evidence.is_token()

    def layers(self) -> list[LayerSlots]:
        kept = [self._kept(layer) for layer in range(len(self.calls))]
        token = [np.empty(0, dtype=np.int64)] * len(self.calls)
        for group in self._groups():
            placed = np.stack([self._placed(group, b, kept[group[0]][b]) for b in range(self.evidence.batch)])
            for layer in group:
                token[layer] = placed
        pool = _Pool(self)
        return [self._slots(layer, token[layer], kept[layer], pool) for layer in range(len(self.calls))]

    def _groups(self) -> list[list[int]]:
        """Layers whose caches have the same number of rows are taken to hold the same tokens."""
        groups: dict[tuple[int, int], list[int]] = {}
        for layer, call in enumerate(self.calls):
            groups.setdefault((self.k[layer].shape[1], call.first_token), []).append(layer)
        return list(groups.values())

    def _kept(self, layer: int) -> Ids:
        last = self.evidence.last
        k, v = self.k[layer], self.v[layer]
        unknown = np.full(v.shape[:2], UNKNOWN, dtype=np.int64)
        if last is None or layer >= len(last.calls):
            return unknown
        rows = _rows_of(last.calls[layer], self.calls[layer])
        if rows is None or rows[0].shape[-1] != k.shape[-1] or rows[1].shape[-1] != v.shape[-1]:
            return unknown
        tried = [
            np.stack(
                [kept_since(k[b], v[b], rows[0][order[b]], rows[1][order[b]]) for b in range(len(order))]
            )
            for order in self._row_orders(len(rows[0]))
        ]
        return max(tried, key=lambda kept: int((kept >= 0).sum())) if tried else unknown

    def _row_orders(self, n_rows: int) -> list[list[int]]:
        """The rows of the call before as they were, and as a reorder since then has put them."""
        orders = [list(range(self.evidence.batch))] if n_rows == self.evidence.batch else []
        before = self.evidence.before or ""
        if before.startswith("reorder"):
            orders.append([int(row) for row in before.removeprefix("reorder").split(",")])
        return [order for order in orders if all(row < n_rows for row in order)]

    def _placed(self, group: list[int], b: int, kept: Ids) -> Ids:
        """Return the token of each slot of one batch row: by votes of the layers, then by order."""
        n_slots, n_tokens, pads = len(kept), self.evidence.n_tokens, self._pads(b)
        weights = np.zeros((n_slots, n_tokens))
        for layer in group:
            call = self.calls[layer]
            weights += votes(
                MatchedRows(self.k[layer][b], self.k_oracle[layer][b], call.k_scale),
                MatchedRows(self.v[layer][b], self.v_oracle[layer][b], call.v_scale),
                call.tolerance,
            )
        weights[:, :pads] = 0
        is_filled = self._is_filled(group, b)
        is_new_token = np.arange(n_tokens) >= n_tokens - self.evidence.q_len
        is_new_slot = (kept < 0) & is_filled & (self.evidence.last is not None)
        n_filled = int(np.flatnonzero(is_filled).max(initial=-1)) + 1
        weights = credible(weights, len(group), is_new_slot[:, None] & is_new_token, n_filled)
        found: dict[int, int] = {}
        if is_new_slot.sum() == self.evidence.q_len:
            found = _new_in_new(weights, is_new_slot, is_new_token)
            weights = np.where(is_new_slot[:, None] | is_new_token[None], 0, weights)
        found |= assigned(weights, self._prior(n_slots, is_new_slot, is_new_token))
        pad_slots = _pad_slots(found, pads, n_slots, n_tokens)
        free = [slot for slot in range(n_slots) if slot not in found and slot not in pad_slots]
        missing = [token for token in range(pads, n_tokens) if token not in set(found.values())]
        if len(free) > len(
            missing
        ):  # there are rows too many, so one that equals a row that has its slot is one of them
            free = [slot for slot in free if not weights[slot].any()]
            found |= _newest_last(
                [slot for slot in free if is_new_slot[slot]], missing, n_tokens - self.evidence.q_len
            )
            free = [slot for slot in free if slot not in found]
            missing = [token for token in missing if token not in set(found.values())]
        found |= in_order(free, self._stale(group, b, free), missing, ~is_filled)
        placed = np.full(n_slots, NO_PLACE, dtype=np.int64)
        for slot, token in (pad_slots | found).items():
            placed[slot] = token
        return placed

    def _prior(self, n_slots: int, is_new_slot: Bools, is_new_token: Bools) -> Rows:
        n_tokens = len(is_new_token)
        slots = np.arange(n_slots)[:, None]
        place, is_late = slots == np.arange(n_tokens), is_new_slot[:, None] & is_new_token
        same_age = is_new_slot[:, None] == is_new_token
        return np.asarray(NEW_PRIOR * same_age + PLACE_PRIOR * place + LATE_PRIOR * is_late * slots / n_slots)

    def _pads(self, b: int) -> int:
        return int((~self.is_token[b]).sum())

    def _is_filled(self, group: list[int], b: int) -> Bools:
        filled = [self.k[layer][b].any(-1) | self.v[layer][b].any(-1) for layer in group]
        return np.asarray(np.logical_or.reduce(filled))

    def _stale(self, group: list[int], b: int, slots: list[int]) -> set[int]:
        """Return slots that hold what the oracle has for another text."""
        found: set[int] = set()
        for other in self.evidence.others:
            for layer in group[-1:]:  # a deep layer's rows know their whole text
                if layer >= len(other.layers) or not slots:
                    continue
                call = self.calls[layer]
                for name, rows, theirs in (
                    ("k", self.k, other.layers[layer][0]),
                    ("v", self.v, other.layers[layer][1]),
                ):
                    scale = call.k_scale if name == "k" else call.v_scale
                    theirs = one_per_kv_head(theirs, theirs)[0]
                    flat = flat_rows(theirs).reshape(-1, theirs.shape[1] * theirs.shape[3])
                    if flat.shape[-1] == rows[layer].shape[-1]:
                        nearest = distances(rows[layer][b][slots], flat, scale).min(-1, initial=np.inf)
                        found |= {
                            slot for slot, far in zip(slots, nearest, strict=True) if far <= call.tolerance
                        }
        return found

    def _slots(self, layer: int, token: Ids, kept: Ids, pool: "_Pool") -> LayerSlots:
        call, is_placed = self.calls[layer], token >= 0
        at = np.maximum(token, 0)
        rows = np.arange(len(token))[:, None]
        k_distance = row_distances(self.k[layer], self.k_oracle[layer][rows, at], call.k_scale)
        v_distance = row_distances(self.v[layer], self.v_oracle[layer][rows, at], call.v_scale)
        k_distance[~is_placed] = np.inf
        v_distance[~is_placed] = np.inf
        is_pad = is_placed & ~self.is_token[rows, at]
        wanted = (np.maximum(k_distance, v_distance) > call.tolerance) & ~is_pad
        k_origin = pool.origin("k", layer, self.k[layer], np.where(wanted, token, NOT_WANTED), call)
        v_origin = pool.origin("v", layer, self.v[layer], np.where(wanted, token, NOT_WANTED), call)
        state = self._state(layer, token, is_pad, np.maximum(k_distance, v_distance), (k_origin, v_origin))
        missing = tuple(
            tuple(sorted(set(range(self._pads(b), self.evidence.n_tokens)) - set(token[b].tolist())))
            for b in range(len(token))
        )
        return LayerSlots(token, state, k_distance, v_distance, k_origin, v_origin, kept, missing)

    def _state(
        self, layer: int, token: Ids, is_pad: Bools, distance: Distances, origins: tuple[Origin, Origin]
    ) -> NDArray[np.int64]:
        k, v, placed = self.k[layer], self.v[layer], token >= 0
        state = np.where(placed, State.DIFFERENT, State.STALE).astype(np.int64)
        own_row = np.arange(len(token))[:, None]
        for origin in reversed(origins):  # what k says goes before what v says
            found, own = origin.text > UNKNOWN, origin.text == OWN_TEXT
            here = own & (origin.layer == layer) & (origin.batch_row == own_row)
            state[here & placed & (origin.token != token)] = State.MISPLACED
            state[here & ~placed] = State.DUPLICATE
            state[own & (origin.layer == layer) & (origin.batch_row != own_row)] = State.OTHER_ROW
            state[own & (origin.layer != layer)] = State.OTHER_LAYER
            state[found & ~own] = State.STALE
        state[placed & (distance < NEAR)] = State.NEAR
        is_zero = ~(k.any(-1) | v.any(-1))
        state[is_zero] = np.where(placed, State.ZERO, State.EMPTY)[is_zero]
        state[~(np.isfinite(k).all(-1) & np.isfinite(v).all(-1))] = State.NOT_FINITE
        state[placed & (distance <= self.calls[layer].tolerance)] = State.OK
        state[is_pad] = State.PAD
        return state


class _Pool:
    """All rows that a cached row may have come from: the oracle's of this text, layer by layer, and of other texts."""

    def __init__(self, tracer: _Tracer) -> None:
        self.rows: dict[str, list[Rows]] = {"k": [], "v": []}
        labels: list[Ids] = []
        for layer in range(len(tracer.calls)):
            keep = tracer.is_token & (np.arange(tracer.evidence.n_tokens) >= tracer.calls[layer].first_token)
            labels.append(_labels(OWN_TEXT, layer, keep))
            self.rows["k"].append(tracer.k_oracle[layer][keep])
            self.rows["v"].append(tracer.v_oracle[layer][keep])
        for index, other in enumerate(tracer.evidence.others):
            for layer, (k, v) in enumerate(other.layers):
                labels.append(_labels(index + 1, layer, np.ones((k.shape[0], k.shape[2]), dtype=bool)))
                for name, x in (("k", k), ("v", v)):
                    rows = flat_rows(one_per_kv_head(x, x)[0])
                    self.rows[name].append(rows.reshape(-1, rows.shape[-1]))
        self.labels = labels
        self._indexes: dict[tuple[str, int], tuple[RowIndex, Ids]] = {}

    def _index(self, name: str, width: int) -> tuple[RowIndex, Ids]:
        """Return all rows of a width and their labels; layers may differ in heads."""
        if (name, width) not in self._indexes:
            fitting = [index for index, rows in enumerate(self.rows[name]) if rows.shape[-1] == width]
            rows = np.concatenate([np.zeros((0, width)), *(self.rows[name][index] for index in fitting)])
            labels = np.concatenate([np.zeros((0, 4), np.int64), *(self.labels[index] for index in fitting)])
            self._indexes[name, width] = RowIndex(rows), labels
        return self._indexes[name, width]

    def origin(self, name: str, layer: int, cached: Rows, token: Ids, call: PairedCall) -> Origin:
        """Look rows up: those of the wanted token (B, S) first, then of the same batch row and layer, other texts last."""
        found = np.full((4, *token.shape), UNKNOWN, dtype=np.int64)
        places = np.argwhere((token > NOT_WANTED) & cached.any(-1))
        index, labels = self._index(name, cached.shape[-1])
        if len(places) and len(labels):
            scale = call.k_scale if name == "k" else call.v_scale
            at, row = index.near(cached[places[:, 0], places[:, 1]], call.tolerance * scale)
            label, place = labels[row], places[at]
            cost = (label[:, 0] > 0) * 8 + (label[:, 1] != layer) * 4 + (label[:, 2] != place[:, 0]) * 2
            cost = cost + (label[:, 3] != token[place[:, 0], place[:, 1]])
            order = np.lexsort((row, cost, at))
            _, first = np.unique(at[order], return_index=True)
            best = order[first]
            found[:, place[best, 0], place[best, 1]] = label[best].T
        return Origin(*found)


def _labels(text: int, layer: int, keep: Bools) -> Ids:
    where = np.argwhere(keep)
    return np.column_stack((np.full(len(where), text), np.full(len(where), layer), where)).astype(np.int64)


def _whole(x: Floats, first_token: int) -> Rows:
    """Return rows (B, T, G * D) by token; tokens before the oracle's first key are not a number."""
    return np.pad(flat_rows(x), ((0, 0), (first_token, 0), (0, 0)), constant_values=np.nan)


def _rows_of(last: Attention, call: PairedCall) -> tuple[Rows, Rows] | None:
    n_heads = call.k_cached.shape[1], call.v_cached.shape[1]
    if last.k.shape[1] % n_heads[0] or last.v.shape[1] % n_heads[1]:
        return None
    k = last.k[:, :: last.k.shape[1] // n_heads[0]]
    v = last.v[:, :: last.v.shape[1] // n_heads[1]]
    return flat_rows(k), flat_rows(v)


def _pad_slots(found: dict[int, int], pads: int, n_slots: int, n_tokens: int) -> dict[int, int]:
    """Return the slots of left pads: those before the slot of the first token, where that is known."""
    first = next((slot for slot, token in found.items() if token == pads), None)
    if first is None or first > pads or any(slot < first for slot in found):
        first = pads if n_slots >= n_tokens else 0
    return {slot: pads - first + slot for slot in range(first) if slot not in found}


def _newest_last(new_slots: list[int], missing: list[int], first_new: int) -> dict[int, int]:
    """Where more rows were written than tokens fed, the new tokens are the last of them: the others came before."""
    new = [token for token in missing if token >= first_new]
    return dict(zip(new_slots[-len(new) :], new, strict=True)) if 0 < len(new) < len(new_slots) else {}


def _new_in_new(weights: Rows, is_new_slot: Bools, is_new_token: Bools) -> dict[int, int]:
    """The rows written in this step hold the tokens of this step: those that match first, the rest in order."""
    slots, tokens = np.flatnonzero(is_new_slot), np.flatnonzero(is_new_token)
    part = assigned(weights[np.ix_(slots, tokens)], np.eye(len(slots), len(tokens)))
    found = {int(slots[slot]): int(tokens[token]) for slot, token in part.items()}
    rest = [int(token) for token in tokens if token not in set(found.values())]
    return found | dict(zip([int(slot) for slot in slots if slot not in found], rest, strict=False))
