"""What is seen of a bad step whatever its cause: where the difference enters, and which invariants the cached lane breaks."""

from core.text import QT_TRANSLATE_NOOP, Text
from core.verdict.diagnosis.compared import Compared
from core.verdict.diagnosis.introduced import introduced
from core.verdict.diagnosis.invariants import broken_invariants

AT_MOST = 2  # broken invariants that are told: one fault breaks the same in every layer


def seen(step: Compared) -> list[Text]:
    """Return sentences for the evidence of the step's first cause."""
    broken = {one.name: one.sentence for one in reversed(broken_invariants(step.evidence))}
    return [*_entry(step), *list(broken.values())[::-1][:AT_MOST]]


def _entry(step: Compared) -> list[Text]:
    first = next(
        (one for one in introduced(step) if one.status == "introduced" and one.layer is not None), None
    )
    if first is None or first.layer is None:
        return []
    template = QT_TRANSLATE_NOOP(
        "core",
        "Introduced in layer {layer}, {tensor}: all that it is made of agrees there; differences after it are inherited.",
    )
    return [Text(template, {"layer": first.layer, "tensor": first.tensor})]
