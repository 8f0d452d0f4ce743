"""Which rows of the cached lane's K and V were written or changed since the step before."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import torch
from torch import Tensor
from torch.nn import functional as F

from core.record.attention import AttentionCall
from core.record.batches import batches, joined
from core.record.lane_data import LayerData, matched_heads

Rows = tuple[int, Tensor]  # head_dim, and a number for each row (B, heads of K and of V, S)
_NOTHING = torch.empty(0, dtype=torch.int64)


@dataclass
class Journal:
    """Remembers the rows that each layer's attention read last; a row that was written must never change.

    A row is remembered by a number of 64 bits made of all its bits: a copy of K and V would double the cache.
    """

    _last: list[Rows] = field(default_factory=list)

    def changed_slots(self, layers: Sequence[LayerData | AttentionCall], q_len: int) -> list[Tensor]:
        """Return per layer the slots (by their place among the S keys of this step) that hold what no step has shown yet.

        These are old slots whose K or V changed, and new ones before the last q_len rows: a prefix that was fed again.
        """
        now = [rows for run in batches(layers, _kind, lambda layer: layer.k.numel()) for rows in _rows(run)]
        pairs = list(zip(now, self._last, strict=False))
        runs = batches(pairs, _shapes, lambda pair: pair[0][1].numel())
        changed = [slots for run in runs for slots in _changed(run, q_len)]
        changed += [_unseen(rows, 0, q_len) for rows in now[len(self._last) :]]
        self._last = now
        return changed

    def crop(self, n_rows: int) -> None:
        self._last = [(head_dim, rows[:, :, :n_rows]) for head_dim, rows in self._last]

    def reorder(self, batch_rows: tuple[int, ...]) -> None:
        self._last = [(head_dim, rows[list(batch_rows)]) for head_dim, rows in self._last]


def _kind(layer: LayerData | AttentionCall) -> object:
    return layer.k.shape, layer.k.dtype, layer.v.shape, layer.v.dtype


def _rows(layers: Sequence[LayerData | AttentionCall]) -> list[Rows]:
    """Return what is remembered of layers of one kind."""
    k, v = joined([layer.k for layer in layers]), joined([layer.v for layer in layers])
    rows = torch.cat((_fingerprints(k), _fingerprints(v)), 1)
    return [(k.shape[-1], layer) for layer in rows.chunk(len(layers))]


def _fingerprints(rows: Tensor) -> Tensor:
    """Return int64 (B, G, S) of rows (B, G, S, D): a changed row keeps its number in one case of 2^32 or fewer."""
    bits = rows.float() if rows.dtype in (torch.float16, torch.bfloat16) else rows
    words = bits.contiguous().view(torch.int32)
    if words.shape[-1] % 2:
        words = F.pad(words, (0, 1))
    # products of 32 bits, added up in pairs as 64 bits: what the processor does fastest
    return (words * _factors(words.shape[-1]).to(words.device)).view(torch.int64).sum(-1)


@cache
def _factors(n: int) -> Tensor:
    """Return n odd numbers: no change of a single value goes unseen."""
    generator = torch.Generator().manual_seed(0)
    return torch.randint(-(1 << 31), 1 << 31, (n,), generator=generator).to(torch.int32) | 1


def _shapes(pair: tuple[Rows, Rows]) -> object:
    return [(head_dim, rows.shape) for head_dim, rows in pair]


def _changed(pairs: Sequence[tuple[Rows, Rows]], q_len: int) -> list[Tensor]:
    """Return per layer the slots that changed; layers of one shape, each as it is and as it was."""
    (head_dim, now), (head_dim_before, old) = (
        (rows[0][0], joined([one for _, one in rows])) for rows in zip(*pairs, strict=True)
    )
    if now.shape[0] != old.shape[0] or head_dim != head_dim_before:
        return [_unseen(rows, 0, q_len) for rows, _ in pairs]
    now, old = matched_heads(now, old)
    if now.shape[1] != old.shape[1]:
        return [_unseen(rows, 0, q_len) for rows, _ in pairs]
    # rows that were appended leave the old slots in place; a window that is full has moved on by q_len
    n_now, n_old = now.shape[2], old.shape[2]
    shift = 0 if n_now >= n_old + q_len else n_old + q_len - n_now
    kept = min(n_old - shift, n_now)
    unseen = _unseen(pairs[0][0], max(0, kept), q_len)
    if kept <= 0:
        return [unseen] * len(pairs)
    is_changed = (now[:, :, :kept] != old[:, :, shift : shift + kept]).any(1)
    if not bool(is_changed.any()):
        return [unseen] * len(pairs)
    return [
        torch.cat((layer.any(0).nonzero().flatten().to(unseen.device), unseen))
        for layer in is_changed.chunk(len(pairs))
    ]


def _unseen(rows: Rows, first: int, q_len: int) -> Tensor:
    """Return the slots from `first` on that are not among the last q_len, which each step shows anyway."""
    end = rows[1].shape[2] - q_len
    return torch.arange(first, end) if end > first else _NOTHING
