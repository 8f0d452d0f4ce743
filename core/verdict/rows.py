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
        layers = tuple(
            _gathered(trace, step, lane, layer, one, base)
            for layer, one in enumerate(sources)
            if one is not None
        )
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


def _gathered(
    trace: Trace, step: int, lane: str, layer: int, sources: Ints, base: tuple[Sources, tuple[LayerRows, ...]]
) -> LayerRows:
    base_sources = base[0][layer] if layer < len(base[0]) else None
    newest = [trace.tensor(step, f"{lane}/layer.{layer}/{name}") for name in "kv"]
    k, v = (
        _one_gathered(
            trace, f"{lane}/layer.{layer}/", name, sources, one.shape[1], base_sources, base[1][layer][which]
            if base_sources is not None else None,
        )
        for which, (name, one) in enumerate(zip("kv", newest, strict=True)) if one is not None
    )  # fmt: skip
    return k, v


def _one_gathered(
    trace: Trace, prefix: str, name: str, sources: Ints, n_heads: int, base_sources: Ints | None, base: Floats | None
) -> Floats:  # fmt: skip
    _, batch, n_slots = sources.shape
    found: Floats | None = None
    is_open = np.ones((batch, n_slots), np.bool_)
    if base_sources is not None and base is not None and base.shape[:2] == (batch, n_heads):
        n_common = min(n_slots, base.shape[2])
        same = (sources[:, :, :n_common] == base_sources[:, :, :n_common]).all(0)
        found = np.empty((batch, n_slots, n_heads, base.shape[3]), base.dtype)
        found[:, :n_common] = base.transpose(0, 2, 1, 3)[:, :n_common]
        is_open[:, :n_common] = ~same
    kinds = sources[STEP] * 2 + sources[IS_CHANGED]
    for kind in np.unique(kinds[is_open]).tolist():
        stored = trace.tensor(kind // 2, prefix + ("changed_" if kind % 2 else "") + name)
        assert stored is not None  # a source is a place where something is
        if found is None:
            found = np.empty((batch, n_slots, n_heads, stored.shape[3]), stored.dtype)
        at = is_open & (kinds == kind)
        found[at] = with_heads(stored, n_heads)[sources[BATCH_ROW][at], :, sources[PLACE][at]]
    assert found is not None
    return found.transpose(0, 2, 1, 3)


def with_heads(rows: Floats, n_heads: int) -> Floats:
    """Return rows (B, G, S, D) with so many heads: models repeat kv heads for every query head in some calls and not in others."""
    if rows.shape[1] > n_heads:
        return rows[:, :: rows.shape[1] // n_heads]
    return rows if rows.shape[1] == n_heads else rows.repeat(n_heads // rows.shape[1], 1)
