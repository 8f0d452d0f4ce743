"""The contract of a target: logits of the whole text, and logits of new tokens with a cache."""

from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn

from core.text import Text
from core.trace.records import ModelShape

Cache = Any  # a target's own business


class Target(Protocol):
    """One lane's instance of a model. `full` and `cached` must mean the same; that is what is tested."""

    name: str
    shape: ModelShape
    takes_mask: bool

    @property
    def module(self) -> nn.Module | None:
        """The module whose calls are watched, None where there is none."""
        ...

    def full(self, ids: Tensor) -> Tensor:
        """Return logits [B, T, V] of the whole text ids [B, T], without a cache."""
        ...

    def cached(self, ids: Tensor, cache: Cache, attention_mask: Tensor | None = None) -> tuple[Tensor, Cache]:
        """Return logits [B, Q, V] of the new tokens ids [B, Q], and the cache for the next call; None at first.

        Args:
            attention_mask: [B, S], 1 token, 0 left pad, S all tokens so far.
        """
        ...

    def inspect(self, cache: Cache) -> "list[CacheLayer] | None":
        """Return the layers of a cache, None where its kind is unknown."""
        ...

    def why_not(self, scenario: str) -> Text | None:
        """Say why the target cannot do a scenario, None where it can."""
        ...

    @property
    def has_text(self) -> bool:
        """Whether `encode` takes text; a target without a tokenizer takes ids only."""
        ...

    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: list[int]) -> str: ...


@dataclass(frozen=True)
class CacheLayer:
    """One layer of a cache: the valid rows in the order of the text [B, G, S, D], and the memory behind them."""

    k: Tensor
    v: Tensor
    buffers: tuple[Tensor, ...]
    capacity: int
    block_table: list[list[int]] | None = None
    block_size: int | None = None
