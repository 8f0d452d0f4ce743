"""One lane of one step as plain batch tensors: rows of a ragged batch are put back side by side, left-padded."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec
import torch
from torch import Tensor
from torch.nn import functional as F

from core.record.batches import batches, joined
from core.record.lanes import LaneStep
from core.record.probe import AttentionCall, allowed, attention_weights, output_error

NO_POSITION = -1  # the position id of a pad
OUTPUT_ERROR = 1e-3  # of the output's largest value: recomputing in float32 stays near 1e-6


@dataclass(frozen=True)
class LayerData:
    """One attention call: the last Q queries, all S keys that they could read."""

    q: Tensor  # (B, H, Q, D)
    k: Tensor  # (B, G, S, D)
    v: Tensor  # (B, G, S, D)
    attn_weights: Tensor  # (B, H, Q, S)
    allowed: Tensor | None  # (B or 1, Q, S) bool, None = all
    capacity: int | None = None  # slots that were handed over, where some of them hold no token


@dataclass(frozen=True)
class LaneData:
    """Logits (B, Q, V), position ids (B, Q) where the target passes them, the layers, and outputs of modules (B, Q, ...).

    `output_errors` holds the layers whose weights do not give the output that the model got: there it computes
    something else than the probe can tell.
    """

    logits: Tensor
    position_ids: Tensor | None
    layers: list[LayerData]
    elapsed_ms: float
    modules: dict[str, Tensor] = field(default_factory=dict)
    output_errors: dict[int, float] = field(default_factory=dict)


def lane_data(steps: Sequence[LaneStep], q_len: int, text_len: int) -> LaneData:
    """Collect a lane's step; several LaneSteps are the rows of a ragged batch, each without its pads."""
    if len(steps) == 1:
        return _one_lane(steps[0], q_len, text_len)
    rows = [_one_lane(step, min(q_len, step.logits.shape[1]), None) for step in steps]
    positions = [row.position_ids for row in rows if row.position_ids is not None]
    layers = (
        list(zip(*(row.layers for row in rows), strict=False))
        if len({len(row.layers) for row in rows}) == 1
        else []
    )
    names = set(rows[0].modules).intersection(*(row.modules for row in rows))
    return LaneData(
        torch.cat([_left_pad(row.logits, 1, q_len) for row in rows]),
        torch.cat([_left_pad(ids, 1, q_len, NO_POSITION) for ids in positions])
        if len(positions) == len(rows)
        else None,
        [_stack(layer, q_len) for layer in layers],
        sum(row.elapsed_ms for row in rows),
        {
            name: torch.cat([_left_pad(row.modules[name], 1, q_len) for row in rows])
            for name in rows[0].modules
            if name in names
        },
        {layer: error for row in rows for layer, error in row.output_errors.items()},
    )


def _last_rows(x: Tensor, n_rows: int, dim: int) -> Tensor:
    """Return the last `n_rows` along `dim`: the tensor itself where it has no more, as making a view takes its time."""
    return x if x.shape[dim] <= n_rows else x.narrow(dim, x.shape[dim] - n_rows, n_rows)


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


def _one_lane(step: LaneStep, n_rows: int, text_len: int | None) -> LaneData:
    calls = step.seen.attention
    layers = _layers(calls, n_rows)
    return LaneData(
        step.logits.detach(), _positions(step, n_rows),
        layers if text_len is None else [_without_tail(layer, text_len) for layer in layers], step.elapsed_ms,
        {name: _last_rows(rows, n_rows, 1) for name, rows in step.seen.module_outputs.items()},
        _output_errors(calls, layers, n_rows),
    )  # fmt: skip


def _positions(step: LaneStep, n_rows: int) -> Tensor | None:
    """Return position ids (B, Q); of several sets (text, height, width) the first is that of the text."""
    ids = step.seen.position_ids
    if ids is None or ids.dim() not in (1, 2, 3):
        return None
    ids = ids[0] if ids.dim() == 3 else ids
    ids = ids if ids.dim() == 2 else ids.unsqueeze(0)
    batch = step.logits.shape[0]
    return (
        ids[:, -n_rows:].expand(batch, -1) if ids.shape[0] in (1, batch) and ids.shape[1] >= n_rows else None
    )


def _layers(calls: Sequence[AttentionCall], n_rows: int) -> list[LayerData]:
    layers: list[LayerData] = []
    for alike in batches(calls, _kind, _n_values):
        weights = attention_weights(_as_one(alike), n_rows).chunk(len(alike))
        may_see = allowed(alike[0], n_rows)
        layers += [_layer(call, rows, may_see, n_rows) for call, rows in zip(alike, weights, strict=True)]
    return layers


def _kind(call: AttentionCall) -> object:
    """What must be the same for calls to be computed as one; those that bring their weights are left alone."""
    if call.weights is not None:
        return id(call)
    mask = call.mask
    seen = None if mask is None else (mask.data_ptr(), mask.shape, mask.stride(), mask.dtype)
    return (
        call.q.shape,
        call.k.shape,
        call.q.device,
        call.q.dtype,
        call.k.dtype,
        seen,
        call.is_causal,
        call.scale,
        call.first_row,
    )


def _n_values(call: AttentionCall) -> int:
    return call.k.numel() + call.q.shape[:3].numel() * call.k.shape[2]


def _as_one(calls: Sequence[AttentionCall]) -> AttentionCall:
    """Return calls of one kind as one with a batch of L * B."""
    if len(calls) == 1:
        return calls[0]
    mask = calls[0].mask
    if mask is not None and mask.dim() == 4 and mask.shape[0] > 1:
        mask = mask.repeat(len(calls), 1, 1, 1)
    return msgspec.structs.replace(
        calls[0], q=joined([call.q for call in calls]), k=joined([call.k for call in calls]), mask=mask
    )


def _layer(call: AttentionCall, weights: Tensor, may_see: Tensor | None, n_rows: int) -> LayerData:
    q = _last_rows(call.q, n_rows, 2)
    if q.shape[2] < n_rows:  # the model asks for the newest tokens alone
        q, weights = _left_pad(q, 2, n_rows), _left_pad(weights, 2, n_rows)
        return LayerData(q, call.k, call.v, weights, (weights > 0).any(1))
    return LayerData(q, call.k, call.v, weights, may_see)


def _without_tail(layer: LayerData, text_len: int) -> LayerData:
    """Drop slots behind the newest token: a preallocated cache may be handed over whole, with a mask or without.

    The tail is what no query may read, or what is zero. A cache that holds more rows than there are tokens keeps them.
    """
    capacity = layer.k.shape[2]
    if capacity <= text_len:
        return layer
    is_used = (
        torch.ones(capacity, dtype=torch.bool)
        if layer.allowed is None
        else layer.allowed.flatten(0, 1).any(0)
    )
    if bool(is_used[-1]):
        is_used = (layer.k != 0).any(-1).flatten(0, 1).any(0)
    end = max(text_len, int(is_used.nonzero().max()) + 1 if bool(is_used.any()) else 0)
    return replace(
        layer, k=layer.k[:, :, :end], v=layer.v[:, :, :end], attn_weights=layer.attn_weights[..., :end],
        allowed=None if layer.allowed is None else layer.allowed[..., :end], capacity=capacity,
    )  # fmt: skip


def _output_errors(calls: list[AttentionCall], layers: list[LayerData], n_rows: int) -> dict[int, float]:
    """Return the relative errors that are no rounding. Decoding checks one layer a step in turn, to keep its pace."""
    indices = range(len(calls))
    if n_rows == 1 and calls:
        turn = calls[0].k.shape[2] % len(calls)
        indices = range(turn, turn + 1)
    errors = {index: output_error(calls[index], layers[index].attn_weights) for index in indices}
    return {
        index: error for index, error in errors.items()
        if error is not None and error > max(OUTPUT_ERROR, 8 * torch.finfo(calls[index].q.dtype).eps)
    }  # fmt: skip


def _stack(layers: Sequence[LayerData], q_len: int) -> LayerData:
    kv_len = max(layer.k.shape[2] for layer in layers)
    weights = [_left_pad(_left_pad(layer.attn_weights, 2, q_len), 3, kv_len) for layer in layers]
    return LayerData(
        torch.cat([_left_pad(layer.q, 2, q_len) for layer in layers]),
        torch.cat([_left_pad(k, 2, kv_len) for k in _fewest_heads([layer.k for layer in layers])]),
        torch.cat([_left_pad(v, 2, kv_len) for v in _fewest_heads([layer.v for layer in layers])]),
        torch.cat(weights),
        torch.cat([(one > 0).any(1) for one in weights]),
    )


def _fewest_heads(rows: list[Tensor]) -> list[Tensor]:
    """A row that fills its window gets a mask and repeated kv heads, a shorter one beside it neither."""
    fewest = min(rows, key=lambda row: row.shape[1])
    return [matched_heads(fewest, row)[1] for row in rows]


def _left_pad(tensor: Tensor, dim: int, length: int, value: float = 0) -> Tensor:
    missing = length - tensor.shape[dim]
    if missing == 0:
        return tensor
    after = tensor.dim() - 1 - dim
    return F.pad(tensor, (0, 0) * after + (missing, 0), value=value)
