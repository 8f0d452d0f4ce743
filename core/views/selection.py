"""What is looked at: one value that rules all panels."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Selection:
    """A step, a layer and head in it, a batch row, a cell (query and key as token_index) of its attention map, and a cache slot."""

    step: int = 0
    layer: int = 0
    head: int = 0
    batch_row: int = 0
    query: int | None = None
    key: int | None = None
    slot: int | None = None
