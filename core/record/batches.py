"""Layers that are alike are worked on together: one call of torch for many small tensors costs what one of them does."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import torch
from torch import Tensor

MAX_VALUES = 1 << 18  # of a batch: larger ones gain nothing, and their copies would count

T = TypeVar("T")


def batches(
    items: Sequence[T], kind: Callable[[T], object], n_values: Callable[[T], int]
) -> Iterator[Sequence[T]]:
    """Cut items into runs of neighbours of one kind, of at most MAX_VALUES values together."""
    start = 0
    kinds = [kind(item) for item in items]
    while start < len(items):
        most = start + max(1, MAX_VALUES // max(1, n_values(items[start])))
        stop = start + 1
        while stop < min(most, len(items)) and kinds[stop] == kinds[start]:
            stop += 1
        yield items[start:stop]
        start = stop


def joined(tensors: Sequence[Tensor]) -> Tensor:
    """Put batches (B, ...) behind each other: (L * B, ...)."""
    return torch.cat(list(tensors)) if len(tensors) > 1 else tensors[0]
