"""K and V of a lane as attention read them in any step, put together again from what each step added or changed.

For each row it is worked out which step holds its numbers, and where: its source. Rows whose source is that of a step
which was put together before are taken from there, so walking through a run reads what is new in each step alone.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.trace.records import StepFacts
from core.verdict.row_journal import Ints, LayerStep, layer_step, length_after, reordered_by

Floats = NDArray[np.floating[Any]]
LayerRows = tuple[Floats, Floats]  # k, v (B, G, S, D)
Sources = list[Ints | None]  # of each layer (4, B, S); None where a row is not in the trace
Key = tuple[str, int]  # lane, step

STEP, BATCH_ROW, PLACE, IS_CHANGED = range(4)
KEPT_ROWS = 4  # both lanes of a step, and of the one before
KEPT_SOURCES = 8
MILESTONE = 64  # every so many steps the sources stay, so that going back does not begin at the first step


@dataclass
class _Known:
    """What was worked out of one trace: the last few steps."""

    milestones: dict[Key, Sources] = field(default_factory=dict)
    sources: OrderedDict[Key, Sources] = field(default_factory=OrderedDict)
    rows: OrderedDict[Key, tuple[Sources, tuple[LayerRows, ...]]] = field(default_factory=OrderedDict)

    def nearest(self, lane: str, step: int) -> tuple[int, Sources]:
        """Return the last step up to `step` whose sources are known; -1 and nothing where there is none."""
        steps = [at for name, at in (*self.sources, *self.milestones) if name == lane and at <= step]
        if not steps:
            return -1, []
        key = lane, max(steps)
        return key[1], self.sources[key] if key in self.sources else self.milestones[key]


_known: WeakKeyDictionary[Trace, _Known] = WeakKeyDictionary()


def rows_at(trace: Trace, step: int, lane: str = "cached") -> tuple[LayerRows, ...] | None:
    """Return K and V (B, G, S, D) of each layer in a step; None where the trace does not hold them all.

    The cached lane's are those that attention read, bit for bit. The oracle's are those of the step in which each token
    was new: it computes old rows again, and a healthy one gets the same but for rounding. The arrays are shared: read only.
    """
    known = _known.setdefault(trace, _Known())
    if (lane, step) not in known.rows:
        sources = _sources(trace, step, lane, known)
        if not sources or any(one is None for one in sources):
            return None
        base = next((known.rows[key] for key in reversed(known.rows) if key[0] == lane), ([], ()))
        layers = _gathered(trace, step, lane, [one for one in sources if one is not None], base)
        _keep(known.rows, (lane, step), (sources, layers), KEPT_ROWS)
    known.rows.move_to_end((lane, step))
    return known.rows[lane, step][1]


def _keep(known: OrderedDict[Key, Any], key: Key, value: Any, most: int) -> None:
    known[key] = value
    while len(known) > most:
        known.popitem(last=False)


def _sources(trace: Trace, step: int, lane: str, known: _Known) -> Sources:
    start, sources = known.nearest(lane, step)
    for at in range(start + 1, step + 1):
        sources = _followed(trace, at, lane, sources)
        _keep(known.sources, (lane, at), sources, KEPT_SOURCES)
        if at % MILESTONE == 0:
            known.milestones[lane, at] = sources
    return sources


def _followed(trace: Trace, step: int, lane: str, before: Sources) -> Sources:
    """Return the sources after a step; layers of which the same can be said share an array."""
    facts, layers = trace.facts(step), list[LayerStep]()
    while (now := layer_step(trace, step, lane, len(layers))) is not None:
        layers.append(now)
    old: Sources = [*before, *[None] * (len(layers) - len(before))]
    made: dict[object, Ints | None] = {}
    for now, one in zip(layers, old, strict=False):
        key = id(one), now.key
        if key not in made:
            made[key] = _of_layer(now, step, None if one is None else _moved(facts, one))
    return [made[id(one), now.key] for now, one in zip(layers, old, strict=False)]


def _moved(facts: StepFacts, sources: Ints) -> Ints:
    """Return the sources as a crop or a reorder just before the step has left them."""
    order = reordered_by(facts)
    sources = sources if order is None else sources[:, order]
    return sources[:, :, : length_after(facts, sources.shape[2])]


def _of_layer(now: LayerStep, step: int, old: Ints | None) -> Ints | None:
    """Return the sources of a layer; None where a row is neither kept nor among those that the step stores."""
    found = np.full((4, now.batch, now.n_slots), -1, np.int64)
    if old is not None and old.shape[1] == now.batch:
        kept, shift = now.kept(old.shape[2]), now.shift(old.shape[2])
        found[:, :, :kept] = old[:, :, shift : shift + kept]
    new = np.arange(max(0, now.n_slots - now.n_new), now.n_slots)
    for slots, is_changed in ((now.changed, 1), (new, 0)):
        found[STEP, :, slots] = step
        found[BATCH_ROW, :, slots] = np.arange(now.batch)
        found[PLACE, :, slots] = np.arange(len(slots))[:, None]
        found[IS_CHANGED, :, slots] = is_changed
    return None if (found[STEP] < 0).any() else found


class _Gathering:
    """The rows of one layer, K or V, as they are being put together: what is open must still be read."""

    def __init__(self, sources: Ints, newest: Floats) -> None:
        _, batch, n_slots = sources.shape
        self.sources = sources
        self.rows = np.empty((batch, n_slots, newest.shape[1], newest.shape[3]), newest.dtype)
        self.kinds = sources[STEP] * 2 + sources[IS_CHANGED]
        self.is_open = np.ones((batch, n_slots), np.bool_)

    def take_from(self, sources: Ints, rows: Floats) -> None:
        """Take rows (B, G, S, D) of another step whose sources are the same."""
        if (*rows.shape[:2], rows.shape[3]) != (len(self.rows), *self.rows.shape[2:]):
            return
        n_common = min(self.sources.shape[2], rows.shape[2])
        same = (self.sources[:, :, :n_common] == sources[:, :, :n_common]).all(0)
        self.rows[:, :n_common][same] = rows.transpose(0, 2, 1, 3)[:, :n_common][same]
        self.is_open[:, :n_common] = ~same

    def fill(self, kind: int, stored: Floats) -> None:
        """Fill in what a step stores."""
        at = self.is_open & (self.kinds == kind)
        stored = with_heads(stored, self.rows.shape[2])
        self.rows[at] = stored[self.sources[BATCH_ROW][at], :, self.sources[PLACE][at]]


def _gathered(
    trace: Trace, step: int, lane: str, sources: list[Ints], base: tuple[Sources, tuple[LayerRows, ...]]
) -> tuple[LayerRows, ...]:
    """Read each step once, for all layers: a long trace is larger than what is kept of it in memory."""
    open_of: dict[int, list[tuple[str, _Gathering]]] = {}
    made: list[_Gathering] = []
    for layer, one in enumerate(sources):
        for which, name in enumerate("kv"):
            newest = trace.tensor(step, f"{lane}/layer.{layer}/{name}")
            assert newest is not None  # else there were no sources
            rows = _Gathering(one, newest)
            made.append(rows)
            base_sources = base[0][layer] if layer < len(base[0]) else None
            if base_sources is not None:
                rows.take_from(base_sources, base[1][layer][which])
            for kind in np.unique(rows.kinds[rows.is_open]).tolist():
                stored_as = f"{lane}/layer.{layer}/{'changed_' if kind % 2 else ''}{name}"
                open_of.setdefault(kind, []).append((stored_as, rows))
    for kind in sorted(open_of):
        for stored_as, rows in open_of[kind]:
            stored = trace.rows(kind // 2, stored_as)  # of a large step no more than this
            assert stored is not None  # a source is a place where something is
            rows.fill(kind, stored)
    whole = [rows.rows.transpose(0, 2, 1, 3) for rows in made]
    return tuple(zip(whole[::2], whole[1::2], strict=True))


def with_heads(rows: Floats, n_heads: int) -> Floats:
    """Return rows (B, G, S, D) with so many heads: models repeat kv heads for every query head in some calls and not in others."""
    if rows.shape[1] > n_heads:
        return rows[:, :: rows.shape[1] // n_heads]
    return rows if rows.shape[1] == n_heads else rows.repeat(n_heads // rows.shape[1], 1)
