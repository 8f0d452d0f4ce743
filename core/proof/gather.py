"""Turns what the probe saw of a step into evidence: whole K and V of both lanes, as arrays."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.record.attention import AttentionCall, attention_scores, attention_weights
from core.record.lanes import LaneStep
from core.targets.base import CacheLayer
from core.verdict.diagnosis.evidence import Attention, Floats, Ints, Lane, StoredLayer

HIDDEN = float("-inf")


def lane_evidence(steps: Sequence[LaneStep], q_len: int, stored: Sequence[CacheLayer] | None = None) -> Lane:
    """Collect a lane's step; several LaneSteps are the rows of a ragged batch, each without its pads.

    `stored` are the layers of its cache, where their kind is known.
    """
    rows = [_calls(step, min(q_len, step.logits.shape[1])) for step in steps]
    is_even = len({len(calls) for calls in rows}) == 1
    calls = [_stacked(layer, q_len) for layer in zip(*rows, strict=False)] if is_even else []
    positions = [_positions(step, min(q_len, step.logits.shape[1])) for step in steps]
    logits = np.concatenate([_left(array(step.logits[:, -q_len:]), 1, q_len) for step in steps])
    found = [ids for ids in positions if ids is not None]
    return Lane(
        logits, tuple(calls),
        np.concatenate([_left(ids, 1, q_len, -1) for ids in found]) if len(found) == len(steps) else None,
        _named([step.seen.module_outputs for step in steps], q_len), _stored(stored),
        _named([step.seen.embedded for step in steps], q_len), _first_input(steps, q_len), dict(steps[0].seen.calls_by_then),
    )  # fmt: skip


def array(x: Tensor) -> NDArray[Any]:
    """Copy a tensor to numpy; 16-bit floats become float32, which numpy has."""
    x = x.detach().cpu()
    return (x.float() if x.dtype in (torch.bfloat16, torch.float16) else x).contiguous().numpy().copy()


def _calls(step: LaneStep, n_rows: int) -> list[Attention]:
    return [_attention(call, min(n_rows, call.q.shape[2])) for call in step.seen.attention]


def _attention(call: AttentionCall, n_rows: int) -> Attention:
    dtypes = [str(x.dtype).removeprefix("torch.") for x in (call.q, call.k)]
    return Attention(
        array(call.q[:, :, -n_rows:]), array(call.k), array(call.v), array(attention_scores(call, n_rows)),
        array(attention_weights(call, n_rows)), None if call.weights is not None else call.scale, *dtypes,
    )  # fmt: skip


def _stacked(rows: Sequence[Attention], q_len: int) -> Attention:
    """Put the rows of a ragged batch side by side; a row that has fewer kv heads than another sets their number."""
    n_heads, kv_len = min(row.k.shape[1] for row in rows), max(row.k.shape[2] for row in rows)
    if len(rows) == 1 and rows[0].q.shape[2] == q_len:
        return rows[0]

    def side_by_side(name: str) -> Any:
        parts = []
        for row in rows:
            x: Floats = getattr(row, name)
            if name in ("k", "v"):
                parts.append(_left(x[:, :: x.shape[1] // n_heads], 2, kv_len))
                continue
            fill = HIDDEN if name == "scores" else 0.0
            x = _left(x, 2, q_len, fill)
            parts.append(x if name == "q" else _left(x, 3, kv_len, fill))
        return np.concatenate(parts)

    changed: dict[str, Any] = {name: side_by_side(name) for name in ("q", "k", "v", "scores", "weights")}
    return replace(rows[0], **changed)


def _left(x: NDArray[Any], axis: int, length: int, value: float = 0.0) -> NDArray[Any]:
    """Fill up with `value` on the left."""
    missing = [(0, 0)] * x.ndim
    missing[axis] = (length - x.shape[axis], 0)
    return np.pad(x, missing, constant_values=value)


def _positions(step: LaneStep, n_rows: int) -> Ints | None:
    ids = step.seen.position_ids
    if ids is None or ids.dim() not in (1, 2, 3):
        return None
    ids = ids[0] if ids.dim() == 3 else ids
    ids = ids if ids.dim() == 2 else ids.unsqueeze(0)
    batch = step.logits.shape[0]
    if ids.shape[0] not in (1, batch) or ids.shape[1] < n_rows:
        return None
    return array(ids[:, -n_rows:].expand(batch, -1))


def _named(rows: Sequence[dict[str, Tensor]], q_len: int) -> dict[str, NDArray[Any]]:
    """Put the tensors (B, Q, ...) that all rows have side by side, by name."""
    names = [name for name in rows[0] if all(name in row for row in rows)]
    return {
        name: np.concatenate([_left(array(row[name][:, -q_len:]), 1, q_len) for row in rows])
        for name in names
    }


def _first_input(steps: Sequence[LaneStep], q_len: int) -> Floats | None:
    found = [step.seen.first_input for step in steps]
    rows = [_left(array(one[:, -q_len:]), 1, q_len) for one in found if one is not None]
    return np.concatenate(rows) if len(rows) == len(steps) else None


def _stored(layers: Sequence[CacheLayer] | None) -> tuple[StoredLayer, ...]:
    return tuple(
        StoredLayer(array(one.k), array(one.v), str(one.k.dtype).removeprefix("torch."), one.buffers[0].untyped_storage().data_ptr())
        for one in layers or ()
    )  # fmt: skip
