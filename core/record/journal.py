"""Which rows of the cached lane's K and V were written or changed since the step before."""

from dataclasses import dataclass, field

import torch
from torch import Tensor

from core.record.lane_data import LayerData, matched_heads


@dataclass
class Journal:
    """Remembers the rows that each layer's attention read last; a row that was written must never change."""

    _last: list[tuple[Tensor, Tensor]] = field(default_factory=list)

    def changed_slots(self, layers: list[LayerData], q_len: int) -> list[Tensor]:
        """Return per layer the old slots (by their place among the S keys of this step) whose K or V changed."""
        changed = [self._changed(layer, index, q_len) for index, layer in enumerate(layers)]
        self._last = [(layer.k.clone(), layer.v.clone()) for layer in layers]
        return changed

    def crop(self, n_rows: int) -> None:
        self._last = [(k[:, :, :n_rows], v[:, :, :n_rows]) for k, v in self._last]

    def reorder(self, batch_rows: tuple[int, ...]) -> None:
        self._last = [(k[list(batch_rows)], v[list(batch_rows)]) for k, v in self._last]

    def _changed(self, layer: LayerData, index: int, q_len: int) -> Tensor:
        nothing = torch.empty(0, dtype=torch.int64)
        if index >= len(self._last) or self._last[index][0].shape[0] != layer.k.shape[0]:
            return nothing
        k_now, k_old = matched_heads(layer.k, self._last[index][0])
        v_now, v_old = matched_heads(layer.v, self._last[index][1])
        if k_now.shape[1] != k_old.shape[1] or k_now.shape[3] != k_old.shape[3]:
            return nothing
        n_now = k_now.shape[2]
        # rows that were appended leave the old slots in place; a window that is full has moved on by q_len
        shift = 0 if n_now >= k_old.shape[2] + q_len else k_old.shape[2] + q_len - n_now
        kept = min(k_old.shape[2] - shift, n_now)
        if kept <= 0:
            return nothing
        k_same = (k_now[:, :, :kept] == k_old[:, :, shift : shift + kept]).all(-1)
        v_same = (v_now[:, :, :kept] == v_old[:, :, shift : shift + kept]).all(-1)
        return (~(k_same & v_same)).flatten(0, 1).any(0).nonzero().flatten()
