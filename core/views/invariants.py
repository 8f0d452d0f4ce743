"""What the cached lane's cache breaks by itself in a step, told once for all layers that break it alike."""

from dataclasses import dataclass

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.recorded_parts import broken_at


@dataclass(frozen=True)
class BrokenView:
    """One invariant: its name, the sentence of the first layer that breaks it, and all layers that do."""

    name: str
    sentence: Text
    layers: tuple[int, ...]


RULES = (
    Text(QT_TRANSLATE_NOOP("core", "A cached row never changes.")),
    Text(QT_TRANSLATE_NOOP("core", "A layer holds one row for each token.")),
    Text(QT_TRANSLATE_NOOP("core", "No row that is attended to is zero or not finite.")),
    Text(QT_TRANSLATE_NOOP("core", "No query has nothing to attend to.")),
    Text(QT_TRANSLATE_NOOP("core", "Layers and batch rows do not share memory.")),
    Text(QT_TRANSLATE_NOOP("core", "Positions go on from the history.")),
)


def broken_invariants_of(trace: Trace, step: int) -> tuple[BrokenView, ...] | None:
    """Return what a step breaks; None where the trace does not hold the cached lane's keys and values."""
    found = broken_at(trace, step) if len(trace) else None
    if found is None:
        return None
    views = []
    for name in dict.fromkeys(one.name for one in found):
        alike = [one for one in found if one.name == name]
        layers = {one.place.layer for one in alike if one.place.layer is not None}
        views.append(BrokenView(name, alike[0].sentence, tuple(sorted(layers))))
    return tuple(views)
