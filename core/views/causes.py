"""A cause as the findings panel shows it: place, proof, evidence, what to look at, and what its repair leaves."""

import math
from dataclasses import dataclass

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.trace.records import FindingFacts
from core.trace.texts import text_of
from core.verdict.diagnosis.advice import advice
from core.views.numbers import percent, scientific, short

# a trace may come from anywhere
MOST = 8
MOST_EVIDENCE = 24
LONGEST_ID = 40


@dataclass(frozen=True)
class CauseView:
    """`healed` and `null_control` are shares 0..1, `healed` None where the cause is inferred.

    `place` is said part by part, from the step inwards; `remains` is what there is to say once the repair stands.
    """

    id: str
    place: tuple[Text, ...]
    evidence: tuple[Text, ...]
    healed: float | None = None
    null_control: float | None = None
    also: tuple[str, ...] = ()
    suggestion: Text | None = None
    remains: Text | None = None

    @property
    def is_inferred(self) -> bool:
        return self.healed is None


def causes_of(
    trace: Trace, step: int, findings: tuple[FindingFacts, ...] | None = None
) -> list[FindingFacts]:
    """Return what was found about a step: as told, else as the trace says."""
    known = findings if findings is not None else tuple(trace.end.findings) if trace.end is not None else ()
    return [one for one in known if one.step == step][:MOST]


def cause_view(one: FindingFacts, tolerance: float, is_last: bool) -> CauseView:
    """Return how a finding is shown; `is_last`: no other cause of its step was found after it."""
    return CauseView(
        id=one.cause[:LONGEST_ID], place=_place(one), evidence=tuple(text_of(text) for text in one.evidence[:MOST_EVIDENCE]),
        healed=_share(one.healed), null_control=_share(one.null_control),
        also=tuple(cause[:LONGEST_ID] for cause in one.also[:MOST]), suggestion=advice(one.cause),
        remains=None if one.healed is None else _remains(one, tolerance, is_last),
    )  # fmt: skip


def _share(value: float | None) -> float | None:
    """A repair that makes things worse heals nothing."""
    return None if value is None or not math.isfinite(value) else min(1.0, max(0.0, value))


def _place(one: FindingFacts) -> tuple[Text, ...]:
    parts = [Text(QT_TRANSLATE_NOOP("core", "step {step}"), {"step": one.step})]
    if one.layer is not None:
        parts.append(Text(QT_TRANSLATE_NOOP("core", "layer {layer}"), {"layer": one.layer}))
    if one.tensor:
        parts.append(Text("{tensor}", {"tensor": one.tensor[:LONGEST_ID]}))
    if one.slot is not None:
        parts.append(Text(QT_TRANSLATE_NOOP("core", "slot {slot}"), {"slot": one.slot}))
    if one.head is not None:
        parts.append(Text(QT_TRANSLATE_NOOP("core", "head {head}"), {"head": one.head}))
    if one.batch_row is not None:
        parts.append(Text(QT_TRANSLATE_NOOP("core", "row {row}"), {"row": one.batch_row}))
    return tuple(parts)


def _remains(one: FindingFacts, tolerance: float, is_last: bool) -> Text | None:
    if one.after is None:
        return None
    if one.after <= tolerance:
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "Nothing remains: with this repair the step agrees; its largest logit difference is {after}, the tolerance {tolerance}.",
            ),
            {"after": short(one.after), "tolerance": scientific(tolerance)},
        )
    if one.before is None or one.before <= 0:
        template = QT_TRANSLATE_NOOP("core", "With this repair the step still differs by {after}.")
        if is_last:
            template = QT_TRANSLATE_NOOP(
                "core", "With this repair the step still differs by {after}; no other cause was found."
            )
        return Text(template, {"after": short(one.after)})
    template = QT_TRANSLATE_NOOP(
        "core", "With this repair the step still differs by {after}, {share} of {before} before."
    )
    if is_last:
        template = QT_TRANSLATE_NOOP(
            "core",
            "With this repair the step still differs by {after}, {share} of {before} before; no other cause was found.",
        )
    return Text(
        template,
        {"after": short(one.after), "share": percent(one.after / one.before), "before": short(one.before)},
    )
