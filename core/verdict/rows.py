"""K and V of a lane as attention read them in any step, put together again from what each step added or changed."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.trace.records import StepFacts

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]
LayerRows = tuple[Floats, Floats]  # k, v (B, G, S, D)
KEPT_STEPS = 4
STEP, BATCH_ROW, PLACE, IS_CHANGED = range(4)  # of a source: where in the trace a row's numbers are


@dataclass(frozen=True)
class Event:
    """Something that happened to a row: in `step`, or just before it where the row was moved.

    `origin` is the batch row ("reordered") or the slot ("shifted") that it was moved from.
    """

    kind: Literal["written", "changed", "reordered", "shifted"]
    step: int
    origin: int | None = None


@dataclass(frozen=True)
class _LayerStep:
    """What a step says of one layer: S keys of which the last n_new were fed, and older slots that were changed."""

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


@dataclass
class _Known:
    """What was worked out of one trace; the last few steps of each."""

    sources: OrderedDict[tuple[str, int], list[Ints | None]] = field(default_factory=OrderedDict)
    rows: OrderedDict[tuple[str, int], tuple[LayerRows, ...] | None] = field(default_factory=OrderedDict)


_known: WeakKeyDictionary[Trace, _Known] = WeakKeyDictionary()


def rows_at(trace: Trace, step: int, lane: str = "cached") -> tuple[LayerRows, ...] | None:
    """Return K and V (B, G, S, D) of each layer in a step; None where the trace does not hold them all.

    The cached lane's are those that attention read, bit for bit. The oracle's are those of the step in which each token
    was new: it computes old rows again, and a healthy one gets the same but for rounding.
    """
    known = _known.setdefault(trace, _Known())
    if (lane, step) not in known.rows:
        sources = _sources(trace, step, lane, known)
        layers = [_gathered(trace, step, lane, i, one) for i, one in enumerate(sources) if one is not None]
        complete = layers and len(layers) == len(sources)
        _keep(known.rows, (lane, step), tuple(layers) if complete else None)
    return known.rows[lane, step]


def history(trace: Trace, step: int, layer: int, batch_row: int, slot: int) -> list[Event]:
    """Return what happened to the row that a slot of the cached lane holds in a step, oldest first."""
    events: list[Event] = []
    while True:
        now = _layer_step(trace, step, "cached", layer)
        old = _layer_step(trace, step - 1, "cached", layer) if step else None
        if now is None or slot >= now.n_slots or batch_row >= now.batch:
            break
        facts = trace.facts(step)
        n_old = 0 if old is None else _length_after(facts, old.n_slots)
        if old is None or slot >= now.kept(n_old):
            events.append(Event("written", step))
            break
        from_slot, from_row = slot + now.shift(n_old), _row_before(facts, batch_row)
        if slot in now.changed and _differs(trace, step, layer, (batch_row, slot), (from_row, from_slot)):
            events.append(Event("changed", step))
        if from_slot != slot:
            events.append(Event("shifted", step, from_slot))
        if from_row != batch_row:
            events.append(Event("reordered", step, from_row))
        step, slot, batch_row = step - 1, from_slot, from_row
    return list(_without_repeats(reversed(events)))


def _without_repeats(events: Iterator[Event]) -> Iterator[Event]:
    """A full window moves on in every step: said once, from where to the newest step."""
    shifted: Event | None = None
    for event in events:
        if event.kind != "shifted":
            yield event
        elif shifted is None:
            shifted = event
    if shifted is not None:
        yield shifted


def _differs(trace: Trace, step: int, layer: int, now: tuple[int, int], old: tuple[int, int]) -> bool:
    """A slot is listed as changed for the whole batch; say whether this row of it was."""
    rows, before = rows_at(trace, step), rows_at(trace, step - 1)
    if rows is None or before is None or layer >= len(before):
        return True
    return any(
        not np.array_equal(a[now[0], :, now[1]], b[old[0], :, old[1]], equal_nan=True)
        for a, b in zip(rows[layer], before[layer], strict=True)
    )


def _sources(trace: Trace, step: int, lane: str, known: _Known) -> list[Ints | None]:
    """Return for each layer where its rows' numbers are, (4, B, S); None where that is not in the trace."""
    start = next((n for n in range(step, -1, -1) if (lane, n) in known.sources), -1)
    sources = known.sources[lane, start] if start >= 0 else []
    for at in range(start + 1, step + 1):
        facts, layers = trace.facts(at), list[Ints | None]()
        while (now := _layer_step(trace, at, lane, len(layers))) is not None:
            old = sources[len(layers)] if len(layers) < len(sources) else None
            layers.append(_followed(now, at, None if old is None else _changed_before(facts, old)))
        sources = layers
        _keep(known.sources, (lane, at), sources)
    return sources


def _followed(now: _LayerStep, step: int, old: Ints | None) -> Ints | None:
    """Return the sources after a step; None where a row is neither kept nor among those that the step shows."""
    found = np.full((4, now.batch, now.n_slots), -1, np.int64)
    if old is not None and old.shape[1] == now.batch:
        kept, shift = now.kept(old.shape[2]), now.shift(old.shape[2])
        found[:, :, :kept] = old[:, :, shift : shift + kept]
    first_new = now.n_slots - now.n_new
    for slots, is_changed in ((now.changed, 1), (np.arange(first_new, now.n_slots), 0)):
        found[STEP, :, slots] = step
        found[BATCH_ROW, :, slots] = np.arange(now.batch)
        found[PLACE, :, slots] = np.arange(len(slots))[:, None]
        found[IS_CHANGED, :, slots] = is_changed
    return None if (found[STEP] < 0).any() else found


def _gathered(trace: Trace, step: int, lane: str, layer: int, sources: Ints) -> LayerRows:
    k, v = (_one_gathered(trace, step, f"{lane}/layer.{layer}/", name, sources) for name in "kv")
    return k, v


def _one_gathered(trace: Trace, step: int, prefix: str, name: str, sources: Ints) -> Floats:
    newest = trace.tensor(step, prefix + name)
    assert newest is not None
    batch, n_heads, _, size = newest.shape
    rows = np.empty((batch, sources.shape[2], n_heads, size), newest.dtype)
    kinds = sources[STEP] * 2 + sources[IS_CHANGED]
    for kind in np.unique(kinds):
        stored = trace.tensor(int(kind) // 2, prefix + ("changed_" if kind % 2 else "") + name)
        assert stored is not None
        at = kinds == kind
        rows[at] = _with_heads(stored, n_heads)[sources[BATCH_ROW][at], :, sources[PLACE][at]]
    return rows.transpose(0, 2, 1, 3)


def _with_heads(rows: Floats, n_heads: int) -> Floats:
    """Models hand kv heads over as they are in one call and repeated for every query head in the next."""
    if rows.shape[1] > n_heads:
        return rows[:, :: rows.shape[1] // n_heads]
    return rows if rows.shape[1] == n_heads else rows.repeat(n_heads // rows.shape[1], 1)


def _layer_step(trace: Trace, step: int, lane: str, layer: int) -> _LayerStep | None:
    prefix = f"{lane}/layer.{layer}/"
    k, weights = trace.tensor(step, prefix + "k"), trace.tensor(step, prefix + "attn_weights")
    if k is None or weights is None or trace.tensor(step, prefix + "v") is None:
        return None
    changed = trace.tensor(step, prefix + "changed_slots")
    slots = np.empty(0, np.int64) if changed is None else changed.astype(np.int64)
    return _LayerStep(k.shape[0], weights.shape[-1], k.shape[2], trace.facts(step).q_len, slots)


def cropped_to(facts: StepFacts) -> int | None:
    """Return the tokens that were kept when the cache was rolled back just before the step, None where it was not."""
    before = facts.before or ""
    return int(before.removeprefix("crop ")) if before.startswith("crop ") else None


def reordered_by(facts: StepFacts) -> list[int] | None:
    """Return which batch row each row became a copy of just before the step, None where nothing was reordered."""
    before = facts.before or ""
    rows = before.removeprefix("reorder ").split(",")
    return [int(row) for row in rows] if before.startswith("reorder ") else None


def _row_before(facts: StepFacts, batch_row: int) -> int:
    order = reordered_by(facts)
    return batch_row if order is None else order[batch_row]


def _length_after(facts: StepFacts, n_slots: int) -> int:
    length = cropped_to(facts)
    return n_slots if length is None else min(n_slots, length)


def _changed_before(facts: StepFacts, old: Ints) -> Ints:
    order = reordered_by(facts)
    old = old if order is None else old[:, order]
    return old[:, :, : _length_after(facts, old.shape[2])]


def _keep(known: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    known[key] = value
    while len(known) > 2 * KEPT_STEPS:  # of both lanes
        known.popitem(last=False)
