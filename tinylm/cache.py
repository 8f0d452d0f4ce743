"""Four layouts of the KV cache behind one small interface: concat, static, paged, sliding.

past_kv is a tuple with one LayerKV per layer. K and V are (B, G, S, D) = [batch, n_kv_heads, kv_len, head_dim],
and new rows are appended on dim 2. `append` returns what attention reads now, and the layer's next state.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from tinylm.config import DEFAULT_WINDOW, LAYOUTS

APPEND_DIM = 2


class LayerKV(ABC):
    """K and V of one layer."""

    @abstractmethod
    def append(self, k_new: Tensor, v_new: Tensor) -> tuple[Tensor, Tensor, "LayerKV"]:
        """Append (B, G, T, D) rows; return (k, v) that the T queries may read, (B, G, S, D), and the next state."""

    @abstractmethod
    def rows(self) -> tuple[Tensor, Tensor]:
        """Return the valid rows in the order of the text, each (B, G, kv_len, D)."""

    @abstractmethod
    def truncate(self, length: int) -> Self:
        """Forget every row from `length` on (rollback of rejected tokens)."""

    @abstractmethod
    def reorder(self, batch_rows: Tensor) -> Self:
        """Make row b of the batch a copy of row batch_rows[b] (beam search)."""

    @abstractmethod
    def overwrite(self, k: Tensor, v: Tensor) -> Self:
        """Put (k, v), each (B, G, kv_len, D), in the place of the valid rows: for planting and repairing faults."""

    @abstractmethod
    def buffers(self) -> tuple[Tensor, ...]:
        """Return the tensors that hold the rows, unused space included: what the cache really costs."""

    @property
    @abstractmethod
    def kv_len(self) -> int:
        """The number of valid rows."""

    @property
    def past_len(self) -> int:
        """How many old rows the next append returns before the new ones."""
        return self.kv_len


PastKV = tuple[LayerKV, ...]


@dataclass(frozen=True)
class ConcatKV(LayerKV):
    """An immutable value: each append makes new tensors, so an older one is a branch to go back to."""

    k: Tensor
    v: Tensor

    def append(self, k_new: Tensor, v_new: Tensor) -> tuple[Tensor, Tensor, "ConcatKV"]:
        k = torch.cat((self.k, k_new), APPEND_DIM)
        v = torch.cat((self.v, v_new), APPEND_DIM)
        return k, v, ConcatKV(k, v)

    def rows(self) -> tuple[Tensor, Tensor]:
        return self.k, self.v

    def truncate(self, length: int) -> "ConcatKV":
        return ConcatKV(self.k[:, :, :length], self.v[:, :, :length])

    def reorder(self, batch_rows: Tensor) -> "ConcatKV":
        return ConcatKV(self.k[batch_rows], self.v[batch_rows])

    def overwrite(self, k: Tensor, v: Tensor) -> "ConcatKV":
        return ConcatKV(k, v)

    def buffers(self) -> tuple[Tensor, ...]:
        return self.k, self.v

    @property
    def kv_len(self) -> int:
        return self.k.shape[APPEND_DIM]


class StaticKV(LayerKV):
    """One buffer of `capacity` rows, allocated at the first append and written in place."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.length = 0
        self.k_buffer = self.v_buffer = torch.empty(0)

    def append(self, k_new: Tensor, v_new: Tensor) -> tuple[Tensor, Tensor, "StaticKV"]:
        start, end = self.length, self.length + k_new.shape[APPEND_DIM]
        if end > self.capacity:
            raise ValueError(
                f"the static cache holds {self.capacity} rows, row {end} does not fit; give it more capacity"
            )
        if start == 0:
            self._allocate(k_new)
        self.k_buffer[:, :, start:end] = k_new
        self.v_buffer[:, :, start:end] = v_new
        self.length = end
        return *self.rows(), self

    def _allocate(self, like: Tensor) -> None:
        batch, n_kv_heads, _, head_dim = like.shape
        self.k_buffer = like.new_zeros(batch, n_kv_heads, self.capacity, head_dim)
        self.v_buffer = torch.zeros_like(self.k_buffer)

    def rows(self) -> tuple[Tensor, Tensor]:
        return self.k_buffer[:, :, : self.length], self.v_buffer[:, :, : self.length]

    def truncate(self, length: int) -> Self:
        self.length = min(length, self.length)
        return self

    def reorder(self, batch_rows: Tensor) -> Self:
        self.k_buffer, self.v_buffer = self.k_buffer[batch_rows], self.v_buffer[batch_rows]
        return self

    def overwrite(self, k: Tensor, v: Tensor) -> Self:
        self.k_buffer[:, :, : self.length] = k
        self.v_buffer[:, :, : self.length] = v
        return self

    def buffers(self) -> tuple[Tensor, ...]:
        return self.k_buffer, self.v_buffer

    @property
    def kv_len(self) -> int:
        return self.length


class PagedKV(LayerKV):
    """A pool of blocks, and for every batch row a table that says which block holds which part of its text."""

    def __init__(self, capacity: int, block_size: int = 16) -> None:
        self.capacity = capacity
        self.block_size = block_size
        self.length = 0
        self.k_pool = self.v_pool = torch.empty(0)
        self.block_table = torch.empty(0, 0, dtype=torch.int64)
        self.free_blocks: list[int] = []

    def append(self, k_new: Tensor, v_new: Tensor) -> tuple[Tensor, Tensor, "PagedKV"]:
        start, end = self.length, self.length + k_new.shape[APPEND_DIM]
        if end > self.capacity:
            raise ValueError(
                f"the paged cache holds {self.capacity} rows, row {end} does not fit; give it more capacity"
            )
        if self.block_table.shape[0] == 0:
            self._allocate(k_new)
        while self.block_table.shape[1] * self.block_size < end:
            self._take_blocks()
        self._write(start, k_new, v_new)
        self.length = end
        return *self.rows(), self

    def _write(self, start: int, k: Tensor, v: Tensor) -> None:
        logical = torch.arange(start, start + k.shape[APPEND_DIM])
        block = self.block_table[:, logical // self.block_size]  # (B, T) physical block of every row
        offset = (logical % self.block_size).expand_as(block)
        self.k_pool[block, :, offset] = k.transpose(1, 2)
        self.v_pool[block, :, offset] = v.transpose(1, 2)

    def _allocate(self, like: Tensor) -> None:
        batch, n_kv_heads, _, head_dim = like.shape
        n_blocks = batch * -(-self.capacity // self.block_size)
        self.k_pool = like.new_zeros(n_blocks, n_kv_heads, self.block_size, head_dim)
        self.v_pool = torch.zeros_like(self.k_pool)
        self.block_table = torch.empty(batch, 0, dtype=torch.int64)
        self.free_blocks = list(range(n_blocks))

    def _take_blocks(self) -> None:
        """Give every batch row one more block, from the end of the pool: physical order is not logical order."""
        taken = [self.free_blocks.pop() for _ in range(self.block_table.shape[0])]
        self.block_table = torch.cat((self.block_table, torch.tensor(taken).unsqueeze(1)), 1)

    def rows(self) -> tuple[Tensor, Tensor]:
        return self._gather(self.k_pool), self._gather(self.v_pool)

    def _gather(self, pool: Tensor) -> Tensor:
        blocks = pool[self.block_table]  # (B, blocks, G, block_size, D)
        return blocks.transpose(1, 2).flatten(2, 3)[:, :, : self.length]

    def truncate(self, length: int) -> Self:
        self.length = min(length, self.length)
        needed = -(-self.length // self.block_size)
        self.free_blocks += self.block_table[:, needed:].flatten().tolist()
        self.block_table = self.block_table[:, :needed]
        return self

    def reorder(self, batch_rows: Tensor) -> Self:
        """Copy the rows' blocks, so that no two batch rows write into one block."""
        k, v = self.rows()
        length, self.length = self.length, 0
        self.free_blocks += self.block_table.flatten().tolist()
        self.block_table = self.block_table[:, :0]
        if length:
            self.append(k[batch_rows], v[batch_rows])
        return self

    def overwrite(self, k: Tensor, v: Tensor) -> Self:
        self._write(0, k, v)
        return self

    def buffers(self) -> tuple[Tensor, ...]:
        return self.k_pool, self.v_pool

    @property
    def kv_len(self) -> int:
        return self.length


class SlidingKV(LayerKV):
    """A ring of the last `window` rows: the token at token_index t is written to slot t % window."""

    def __init__(self, window: int) -> None:
        self.window = window
        self.n_seen = 0
        self.k_ring = self.v_ring = torch.empty(0)

    def append(self, k_new: Tensor, v_new: Tensor) -> tuple[Tensor, Tensor, "SlidingKV"]:
        if self.n_seen == 0:
            self._allocate(k_new)
            k_seen, v_seen = k_new, v_new
        else:  # the first of the new queries still reaches back window - 1 rows: read them before they are overwritten
            k_old, v_old = self._last(self.past_len)
            k_seen, v_seen = torch.cat((k_old, k_new), APPEND_DIM), torch.cat((v_old, v_new), APPEND_DIM)
        end = self.n_seen + k_new.shape[APPEND_DIM]
        n_kept = min(k_new.shape[APPEND_DIM], self.window)
        self.n_seen = end
        self._write_last(k_new[:, :, -n_kept:], v_new[:, :, -n_kept:])
        return k_seen, v_seen, self

    def _allocate(self, like: Tensor) -> None:
        batch, n_kv_heads, _, head_dim = like.shape
        self.k_ring = like.new_zeros(batch, n_kv_heads, self.window, head_dim)
        self.v_ring = torch.zeros_like(self.k_ring)

    def _slots(self, count: int) -> Tensor:
        """Return the slots of the last `count` tokens, oldest first."""
        return torch.arange(self.n_seen - count, self.n_seen) % self.window

    def _last(self, count: int) -> tuple[Tensor, Tensor]:
        slots = self._slots(count)
        return self.k_ring[:, :, slots], self.v_ring[:, :, slots]

    def _write_last(self, k: Tensor, v: Tensor) -> None:
        slots = self._slots(k.shape[APPEND_DIM])
        self.k_ring[:, :, slots] = k
        self.v_ring[:, :, slots] = v

    def rows(self) -> tuple[Tensor, Tensor]:
        return self._last(self.kv_len)

    def truncate(self, length: int) -> Self:
        """Forget the newest tokens, `length` counted in tokens seen; rows that they overwrote cannot come back."""
        if length < self.n_seen and self.n_seen > self.window:
            raise ValueError(
                f"a ring of {self.window} rows that has wrapped cannot be rolled back to {length} tokens"
            )
        self.n_seen = min(length, self.n_seen)
        return self

    def reorder(self, batch_rows: Tensor) -> Self:
        self.k_ring, self.v_ring = self.k_ring[batch_rows], self.v_ring[batch_rows]
        return self

    def overwrite(self, k: Tensor, v: Tensor) -> Self:
        self._write_last(k, v)
        return self

    def buffers(self) -> tuple[Tensor, ...]:
        return self.k_ring, self.v_ring

    @property
    def kv_len(self) -> int:
        return min(self.n_seen, self.window)

    @property
    def past_len(self) -> int:
        return min(self.n_seen, self.window - 1)


def truncate(past_kv: PastKV, length: int) -> PastKV:
    """Roll every layer back to `length` tokens."""
    return tuple(layer.truncate(length) for layer in past_kv)


def reorder(past_kv: PastKV, batch_rows: Tensor) -> PastKV:
    """Let every layer follow a permutation of the batch."""
    return tuple(layer.reorder(batch_rows) for layer in past_kv)


def empty_past_kv(layout: str, n_layers: int, capacity: int, window: int = DEFAULT_WINDOW) -> PastKV | None:
    """Return an empty cache of the given layout; None is the empty concat cache."""
    if layout == "concat":
        return None
    makers: dict[str, Callable[[], LayerKV]] = {
        "static": lambda: StaticKV(capacity),
        "paged": lambda: PagedKV(capacity),
        "sliding": lambda: SlidingKV(window),
    }
    if layout not in makers:
        raise ValueError(f"unknown cache layout {layout!r}; choose one of {', '.join(LAYOUTS)}")
    return tuple(makers[layout]() for _ in range(n_layers))
