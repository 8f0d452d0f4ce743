"""The faults that can be planted: what is said of them, and where each can show. No torch, so that the window can ask."""

from core.fault_catalog import harmless, masks, oracle, positions, rows, sharing, values
from core.fault_catalog.info import GROUPS as GROUPS
from core.fault_catalog.info import FaultInfo as FaultInfo
from core.fault_catalog.info import what_is_missing
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS: tuple[FaultInfo, ...] = (
    *positions.FAULTS, *masks.FAULTS, *rows.FAULTS, *sharing.FAULTS, *values.FAULTS, *oracle.FAULTS, *harmless.FAULTS,
)  # fmt: skip
FAULT_IDS = tuple(fault.id for fault in FAULTS)
_BY_ID = {fault.id: fault for fault in FAULTS}


def fault_info(fault_id: str) -> FaultInfo:
    """Return the fault of that id; KeyError if there is none."""
    return _BY_ID[fault_id]


def why_invisible(fault_id: str, target: str, scenario: str, layout: str | None = None) -> Text | None:
    """Say why a planted fault cannot show in this run, None where it can (or where it is harmless and does nothing else)."""
    return what_is_missing(fault_info(fault_id), target, layout or "concat", scenario)


def why_not_yet(fault_id: str, n_tokens: int) -> Text | None:
    """Say that a fault begins beyond a text of n_tokens, None where it begins before."""
    fault = fault_info(fault_id)
    if n_tokens >= fault.from_tokens:
        return None
    return Text(
        QT_TRANSLATE_NOOP(
            "core",
            "{fault} begins when the text has {n_tokens} tokens, and this run ends before; give a longer prompt or more steps",
        ),
        {"fault": fault_id, "n_tokens": fault.from_tokens},
    )


def why_harmless(fault_id: str) -> Text | None:
    """Say that what is planted is no fault, None for a real one."""
    if not fault_info(fault_id).is_harmless:
        return None
    return Text(
        QT_TRANSLATE_NOOP(
            "core", "{fault} is harmless: it looks like a fault, and the run must stay equivalent"
        ),
        {"fault": fault_id},
    )


def notes_of(
    fault_id: str, target: str, scenario: str, layout: str | None, n_tokens: int, n_in_chunk: int
) -> list[Text]:
    """Return what a run with a planted fault has to say of it: why nothing will be seen.

    Args:
        n_tokens: length of the whole text; n_in_chunk: of the text up to the last call of several tokens on a warm cache.
    """
    invisible = why_invisible(fault_id, target, scenario, layout)
    length = n_in_chunk if "chunk" in fault_info(fault_id).needs else n_tokens
    notes = [invisible] if invisible else [why_not_yet(fault_id, length), why_harmless(fault_id)]
    return [note for note in notes if note is not None]
