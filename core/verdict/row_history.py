"""What has happened to one cached row since it was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.verdict.row_journal import LayerStep, layer_step, length_after, row_before
from core.verdict.rows import with_heads

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Event:
    """Something that happened to a row: in `step`, or just before it where the row was moved.

    `origin` is the batch row ("reordered") or the slot ("shifted") that it was moved from.
    """

    kind: Literal["written", "changed", "reordered", "shifted"]
    step: int
    origin: int | None = None


@dataclass(frozen=True)
class _Stored:
    """A step that holds the row's numbers: k and v (G, D)."""

    step: int
    k: Floats
    v: Floats

    def equals(self, other: "_Stored") -> bool:
        n_heads = min(len(self.k), len(other.k))
        return all(
            np.array_equal(_heads(a, n_heads), _heads(b, n_heads), equal_nan=True)
            for a, b in ((self.k, other.k), (self.v, other.v))
        )


def _heads(row: Floats, n_heads: int) -> Floats:
    return with_heads(row[None, :, None], n_heads)


def history(trace: Trace, step: int, layer: int, batch_row: int, slot: int) -> list[Event]:
    """Return what happened to the row that a slot of the cached lane holds in a step, oldest first."""
    moves: list[Event] = []
    stored: list[_Stored] = []
    now = layer_step(trace, step, "cached", layer)
    while now is not None and slot < now.n_slots and batch_row < now.batch:
        facts = trace.facts(step)
        old = layer_step(trace, step - 1, "cached", layer) if step else None
        n_old = 0 if old is None else length_after(facts, old.n_slots)
        stored += _stored(trace, step, layer, now, batch_row, slot)
        if slot >= now.kept(n_old):
            break
        from_slot, from_row = slot + _shift(now, n_old), row_before(facts, batch_row)
        if from_slot != slot:
            moves.append(Event("shifted", step, from_slot))
        if from_row != batch_row:
            moves.append(Event("reordered", step, from_row))
        now, step, slot, batch_row = old, step - 1, from_slot, from_row
    return sorted([*_written(stored[::-1]), *_once(moves[::-1])], key=lambda event: event.step)


def _stored(
    trace: Trace, step: int, layer: int, now: LayerStep, batch_row: int, slot: int
) -> Iterator[_Stored]:
    """Yield the row's numbers where the step holds them: as a new row, or as a slot that has changed."""
    first_new = now.n_slots - now.n_new
    places = np.flatnonzero(now.changed == slot).tolist()
    name, at = ("", slot - first_new) if slot >= first_new else ("changed_", places[0] if places else -1)
    if at >= 0:
        k, v = (trace.tensor(step, f"cached/layer.{layer}/{name}{which}") for which in "kv")
        if k is not None and v is not None:
            yield _Stored(step, k[batch_row, :, at], v[batch_row, :, at])


def _shift(now: LayerStep, n_old: int) -> int:
    """A buffer that is read whole has as many rows in every step, as a full window has, and moves none of them."""
    shift, kept = now.shift(n_old), now.kept(n_old)
    stays = n_old == now.n_slots and int((now.changed < kept).sum()) == kept
    return 0 if stays else shift


def _written(stored: list[_Stored]) -> Iterator[Event]:
    """A slot is listed as changed for the whole batch; the first time a row is stored it was written."""
    for at, one in enumerate(stored):
        if at == 0:
            yield Event("written", one.step)
        elif not one.equals(stored[at - 1]):
            yield Event("changed", one.step)


def _once(moves: list[Event]) -> Iterator[Event]:
    """A full window moves on in every step: said once, from where to the newest step."""
    shifted = [event for event in moves if event.kind == "shifted"]
    yield from (event for event in moves if event.kind != "shifted")
    if shifted:
        yield Event("shifted", shifted[-1].step, shifted[0].origin)
