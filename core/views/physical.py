"""Where the rows of a cache really lie: the block table of a paged one, the ring of a sliding one."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.trace.reader import Trace
from core.trace.records import LayerFacts
from core.views.selection import Selection

RING_LAYOUT = "sliding"


@dataclass(frozen=True)
class Segment:
    """Slots first..stop - 1, in the order of the text, lie side by side in memory, from row `start` on."""

    first: int
    stop: int
    label: str
    start: int
    place: Text  # with a gap for the row


@dataclass(frozen=True)
class PhysicalView:
    """The selected layer and batch row; `next_slot` is the one that a ring writes over next, None where there is room."""

    segments: tuple[Segment, ...]
    remark: Text
    next_slot: int | None = None

    def place(self, slot: int) -> Text | None:
        """Say where a slot lies."""
        for one in self.segments:
            if one.first <= slot < one.stop:
                values: Values = {**one.place.values, "place": one.start + slot - one.first}
                return Text(one.place.template, values)
        return None


def physical(trace: Trace, selection: Selection, n_slots: int) -> PhysicalView | None:
    """Return where the slots lie; None where they lie in the order of the text, or that is not known."""
    lane = trace.facts(selection.step).cached
    layers = lane.layers if lane is not None else []
    facts = layers[selection.layer] if selection.layer < len(layers) else None
    if facts is None:
        return None
    if facts.block_table is not None and facts.block_size:
        return _paged(facts, facts.block_table, facts.block_size, selection.batch_row)
    if trace.info.layout == RING_LAYOUT and facts.capacity:
        return _ring(trace.facts(selection.step).text_len, facts.capacity, n_slots)
    return None


def _paged(
    facts: LayerFacts, tables: list[list[int]], block_size: int, batch_row: int
) -> PhysicalView | None:
    if batch_row >= len(tables):
        return None
    kv_len = facts.k_shape[2]
    place = QT_TRANSLATE_NOOP("core", "logical block {logical}, physical block {physical}, row {place} of it")
    segments = tuple(
        Segment(
            logical * block_size, min((logical + 1) * block_size, kv_len), f"{logical}\u2192{block}", 0,
            Text(place, {"logical": logical, "physical": block}),
        )
        for logical, block in enumerate(tables[batch_row])
    )  # fmt: skip
    remark = QT_TRANSLATE_NOOP("core", "blocks of {n} rows, logical \u2192 physical")
    return PhysicalView(segments, Text(remark, {"n": block_size}))


def _ring(n_seen: int, size: int, n_slots: int) -> PhysicalView:
    """The token at token_index t lies in ring slot t % size; attention reads the ring in the order of the text."""
    first = n_seen - n_slots
    segments = tuple(_turns(first, n_seen, size))
    next_place = n_seen % size
    remark = QT_TRANSLATE_NOOP("core", "ring of {size}, the next token is written to {place}")
    return PhysicalView(
        segments,
        Text(remark, {"size": size, "place": next_place}),
        n_slots - size if n_seen >= size else None,
    )


def _turns(first: int, stop: int, size: int) -> Iterator[Segment]:
    """Yield the runs of slots that lie side by side in the ring."""
    at = first
    while at < stop:
        end = min(stop, (at // size + 1) * size)
        low, high = at % size, (end - 1) % size
        label = f"{low}\u2013{high}" if high > low else str(low)
        place = QT_TRANSLATE_NOOP("core", "in the ring at {place}")
        yield Segment(at - first, end - first, label, low, Text(place))
        at = end
