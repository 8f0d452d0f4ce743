"""One lane of one step as plain batch tensors: rows of a ragged batch are put back side by side, left-padded."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from core.record.lanes import LaneStep
from core.record.probe import AttentionCall, allowed, attention_weights

NO_POSITION = -1  # the position id of a pad


@dataclass(frozen=True)
class LayerData:
    """One attention call: the last Q queries, all S keys that they could read."""

    q: Tensor  # (B, H, Q, D)
    k: Tensor  # (B, G, S, D)
    v: Tensor  # (B, G, S, D)
    attn_weights: Tensor  # (B, H, Q, S)
    allowed: Tensor | None  # (B or 1, Q, S) bool, None = all


@dataclass(frozen=True)
class LaneData:
    """Logits (B, Q, V), position ids (B, Q) where the target passes them, and the layers."""

    logits: Tensor
    position_ids: Tensor | None
    layers: list[LayerData]
    elapsed_ms: float


def lane_data(steps: Sequence[LaneStep], q_len: int) -> LaneData:
    """Collect a lane's step; several LaneSteps are the rows of a ragged batch, each without its pads."""
    rows = [_one_lane(step, min(q_len, step.logits.shape[1])) for step in steps]
    if len(rows) == 1:
        return rows[0]
    kv_len = max((row.layers[0].k.shape[2] for row in rows if row.layers), default=0)
    positions = [row.position_ids for row in rows if row.position_ids is not None]
    return LaneData(
        torch.cat([_left_pad(row.logits, 1, q_len) for row in rows]),
        torch.cat([_left_pad(ids, 1, q_len, NO_POSITION) for ids in positions])
        if len(positions) == len(rows)
        else None,
        [_stack([row.layers[layer] for row in rows], q_len, kv_len) for layer in range(len(rows[0].layers))],
        sum(row.elapsed_ms for row in rows),
    )


def lane_logits(steps: Sequence[LaneStep], q_len: int) -> Tensor:
    """Return the logits (B, Q, V) alone."""
    return torch.cat([_left_pad(step.logits[:, -q_len:], 1, q_len) for step in steps])


def matched_heads(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Return (B, G, S, D) tensors with as many heads as the one with fewer.

    Models hand kv heads to attention as they are in one call and repeated for every query head in the next.
    """
    if a.shape[1] > b.shape[1]:
        b, a = matched_heads(b, a)
        return a, b
    repeats, rest = divmod(b.shape[1], a.shape[1])
    return a, b[:, ::repeats] if rest == 0 else b


def _one_lane(step: LaneStep, n_rows: int) -> LaneData:
    ids = step.seen.position_ids
    if ids is not None:
        ids = (ids if ids.dim() == 2 else ids.unsqueeze(0))[:, -n_rows:].expand(step.logits.shape[0], -1)
    return LaneData(
        step.logits.detach(), ids, [_layer(call, n_rows) for call in step.seen.attention], step.elapsed_ms
    )


def _layer(call: AttentionCall, n_rows: int) -> LayerData:
    return LayerData(
        call.q[:, :, -n_rows:], call.k, call.v, attention_weights(call, n_rows), allowed(call, n_rows)
    )


def _stack(layers: Sequence[LayerData], q_len: int, kv_len: int) -> LayerData:
    weights = [_left_pad(_left_pad(layer.attn_weights, 2, q_len), 3, kv_len) for layer in layers]
    return LayerData(
        torch.cat([_left_pad(layer.q, 2, q_len) for layer in layers]),
        torch.cat([_left_pad(layer.k, 2, kv_len) for layer in layers]),
        torch.cat([_left_pad(layer.v, 2, kv_len) for layer in layers]),
        torch.cat(weights),
        torch.cat([(one > 0).any(1) for one in weights]),
    )


def _left_pad(tensor: Tensor, dim: int, length: int, value: float = 0) -> Tensor:
    missing = length - tensor.shape[dim]
    if missing == 0:
        return tensor
    after = tensor.dim() - 1 - dim
    return F.pad(tensor, (0, 0) * after + (missing, 0), value=value)
