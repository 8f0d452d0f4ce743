"""One cached slot: what it holds now, who wrote it at which step, and whether it ever changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.row_history import Event, history
from core.views.physical import physical
from core.views.selection import Selection
from core.views.slot_states import HEALTHY, SlotStatesView

_KINDS = {
    "prefill": QT_TRANSLATE_NOOP("core", "written in step {step} (prefill)"),
    "decode": QT_TRANSLATE_NOOP("core", "written in step {step} (decode)"),
    "chunk": QT_TRANSLATE_NOOP("core", "written in step {step} (chunk)"),
    "turn": QT_TRANSLATE_NOOP("core", "written in step {step} (turn)"),
    "draft": QT_TRANSLATE_NOOP("core", "written in step {step} (draft)"),
}


@dataclass(frozen=True)
class SlotCardView:
    """The selected slot: a title, what it holds, and its history, oldest first."""

    title: Text
    holds: tuple[Text, ...]
    is_healthy: bool
    events: tuple[Text, ...]
    place: Text | None  # in memory, where that is another one


def slot_card(trace: Trace, selection: Selection, states: SlotStatesView) -> SlotCardView | None:
    """Return what is known of the selected slot; None where none is selected, or the layer has no such slot."""
    layer, slot = selection.layer, selection.slot
    if slot is None:
        return None
    holds = states.read_out(layer, slot)
    if not holds:
        return None
    events = history(trace, selection.step, layer, selection.batch_row, slot)
    where = physical(trace, selection, states.states.shape[1])
    return SlotCardView(
        Text(QT_TRANSLATE_NOOP("core", "layer {layer}, slot {slot}"), {"layer": layer, "slot": slot}), holds,
        bool(states.states[layer, slot] in HEALTHY), tuple(_told(trace, events)), where.place(slot) if where else None,
    )  # fmt: skip


def _told(trace: Trace, events: list[Event]) -> Iterator[Text]:
    changed = [event.step for event in events if event.kind == "changed"]
    for event in events:
        values: dict[str, str | int | float] = {"step": event.step, "origin": event.origin or 0}
        if event.kind == "written":
            yield Text(_KINDS[trace.facts(event.step).kind], values)
        elif event.kind == "reordered":
            template = QT_TRANSLATE_NOOP("core", "moved by the reorder before step {step}, from row {origin}")
            yield Text(template, values)
        elif event.kind == "shifted":
            template = QT_TRANSLATE_NOOP(
                "core", "moved on with the window, from slot {origin}, up to step {step}"
            )
            yield Text(template, values)
        elif event.step == changed[0]:
            yield from _changes(changed)
    if events and not changed:
        yield Text(QT_TRANSLATE_NOOP("core", "never changed since"))


def _changes(steps: list[int]) -> Iterator[Text]:
    """A row that changes in every step says so once."""
    for first, last in _runs(steps):
        if first == last:
            yield Text(QT_TRANSLATE_NOOP("core", "changed in step {step}"), {"step": first})
        else:
            template = QT_TRANSLATE_NOOP("core", "changed in each of the steps {first} to {last}")
            yield Text(template, {"first": first, "last": last})


def _runs(steps: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for step in steps:
        if runs and runs[-1][1] == step - 1:
            runs[-1] = runs[-1][0], step
        else:
            runs.append((step, step))
    return runs
