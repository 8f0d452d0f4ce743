"""How far the lanes are apart in one step: figures of the logits, and differences inside the layers."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional as F

from core.record.batches import batches, joined
from core.record.lane_data import LaneData, LayerData, matched_heads

NOT_THERE = -1.0  # a difference that cannot be taken: the cached lane does not hold that token


@dataclass(frozen=True)
class LogitFigures:
    """Over all compared rows of the step; None where a number is not finite."""

    max_abs_diff: float | None
    worst_at: list[int]  # batch row, row of the step, token id
    n_nonfinite: int
    rel_l2: float | None
    kl: float | None  # KL(oracle || cached) of the newest token, the largest of the batch, in nats
    margin: float | None  # top1 - top2 of the oracle's newest row, the smallest of the batch
    argmax_oracle: list[int]
    argmax_cached: list[int]


def logit_figures(oracle: Tensor, cached: Tensor, is_compared: Tensor) -> LogitFigures:
    """Compare logits [B, Q, V]; rows where is_compared [B, Q] is False hold pads and are left out."""
    want, got = oracle.double(), cached.double()
    diff = (got - want).abs_()
    if not bool(is_compared.all()):
        diff.masked_fill_(~is_compared.unsqueeze(-1), 0.0)
    worst, n_nonfinite = _largest_at(diff), 0
    if not _is_finite(diff, worst):
        diff.masked_fill_(want == got, 0.0)  # inf - inf is NaN
        worst = _largest_at(diff)
    if not _is_finite(diff, worst):
        n_nonfinite = int((~torch.isfinite(diff)).sum())
        worst = _largest_at(diff.nan_to_num(nan=float("inf")))
    row, query, token = _unravel(worst, diff.shape)
    last_want, last_got = want[:, -1], got[:, -1]
    return LogitFigures(
        max_abs_diff=None if n_nonfinite else float(diff.flatten()[worst]),
        worst_at=[row, query, token],
        n_nonfinite=n_nonfinite,
        rel_l2=_finite(diff.norm() / want.norm().clamp_min(1e-30)),
        kl=_finite(_kl(last_want, last_got).max().clamp_min(0)),
        margin=_finite(_margin(last_want).min()),
        argmax_oracle=_argmax(last_want),
        argmax_cached=_argmax(last_got),
    )


def _largest_at(diff: Tensor) -> int:
    """Return where the largest is, NaN above all: numpy takes a tenth of torch's time."""
    return int(diff.numpy(force=True).argmax())


def _is_finite(diff: Tensor, index: int) -> bool:
    return math.isfinite(diff.view(-1)[index].item())


def _argmax(rows: Tensor) -> list[int]:
    found: list[int] = rows.numpy(force=True).argmax(-1).tolist()
    return found


def _margin(rows: Tensor) -> Tensor:
    """Return top1 - top2 of each row, 0 where there is one token alone."""
    first = torch.tensor(_argmax(rows), device=rows.device).unsqueeze(-1)
    top = rows.gather(-1, first).squeeze(-1)
    return top - (rows.scatter(-1, first, float("-inf")).amax(-1) if rows.shape[-1] > 1 else top)


def _kl(want: Tensor, got: Tensor) -> Tensor:
    log_p, log_q = want.log_softmax(-1), got.log_softmax(-1)
    return (log_p.exp() * (log_p - log_q)).sum(-1)


def _unravel(index: int, shape: torch.Size) -> tuple[int, int, int]:
    _, n_queries, n_tokens = shape
    return index // (n_queries * n_tokens), index // n_tokens % n_queries, index % n_tokens


def _finite(value: Tensor) -> float | None:
    return float(value) if bool(torch.isfinite(value)) else None


def layer_differences(oracle: LaneData, cached: LaneData, text_len: int) -> dict[str, Tensor]:
    """Return |differences| of all layers, slots by token_index of the text (T tokens), NOT_THERE where there is no slot.

    diff/k, diff/v (L, B, G, T); diff/q, diff/attn_weights (L, B, H, Q); diff/scale (L, 3): largest |q|, |k|, |v| of the
    oracle. A layer with fewer heads than others is filled up with NOT_THERE, as is one whose shapes differ between the
    lanes. Empty where the lanes attend a different number of times, so that layers cannot be told.
    """
    if not oracle.layers or len(oracle.layers) != len(cached.layers):
        return {}
    pairs = list(zip(oracle.layers, cached.layers, strict=True))
    runs = [_differences(run, text_len) for run in batches(pairs, _kind, lambda pair: pair[0].k.numel())]
    if not any(run.is_comparable for run in runs):
        return {}
    return {
        **{f"diff/{name}": _stacked([run.layers[name] for run in runs]) for name in runs[0].layers},
        "diff/scale": torch.cat([run.scale for run in runs]),
    }


@dataclass(frozen=True)
class _Differences:
    """Of L layers that are alike: each (L, B, heads, X), and the oracle's scale (L, 3)."""

    layers: dict[str, Tensor]
    scale: Tensor
    is_comparable: bool


def _kind(pair: tuple[LayerData, LayerData]) -> object:
    """What must be the same for layers to be compared in one go."""
    return [(x.shape, x.dtype) for one in pair for x in (one.q, one.k, one.v, one.attn_weights)]


def _differences(pairs: Sequence[tuple[LayerData, LayerData]], text_len: int) -> _Differences:
    a, b = _with_matched_heads(*(_joined(lane) for lane in zip(*pairs, strict=True)))
    scale = [_largest_of_layers(x, len(pairs)) for x in (a.q, a.k, a.v)]
    return _Differences(
        {name: x.view(len(pairs), -1, *x.shape[1:]) for name, x in _one_layer(a, b, text_len).items()},
        torch.stack(scale, 1), _comparable(a, b),
    )  # fmt: skip


def _largest_of_layers(x: Tensor, n_layers: int) -> Tensor:
    """Return max |x| of each layer (L), without a copy of |x|."""
    lowest, highest = torch.aminmax(x.reshape(n_layers, -1), dim=1)
    return torch.maximum(highest, -lowest)


def _joined(layers: Sequence[LayerData]) -> LayerData:
    """Return layers of one kind as one with a batch of L * B."""
    return LayerData(
        joined([layer.q for layer in layers]), joined([layer.k for layer in layers]), joined([layer.v for layer in layers]),
        joined([layer.attn_weights for layer in layers]), allowed=None,
    )  # fmt: skip


def _one_layer(a: LayerData, b: LayerData, text_len: int) -> dict[str, Tensor]:
    if not _comparable(a, b):
        slots, queries = (
            a.q.new_full((*a.k.shape[:2], text_len), NOT_THERE),
            a.q.new_full(a.q.shape[:3], NOT_THERE),
        )
        return {"q": queries, "k": slots, "v": slots, "attn_weights": queries}
    weights = aligned(b.attn_weights, a.attn_weights.shape[-1], -1)
    return {
        "q": _largest(a.q - b.q, -1), "k": _row_difference(a.k, b.k, text_len), "v": _row_difference(a.v, b.v, text_len),
        "attn_weights": _largest(a.attn_weights - weights, -1),
    }  # fmt: skip


def _stacked(runs: list[Tensor]) -> Tensor:
    """Put (L, B, heads, X) of all layers together, with as many heads as the layer that has most."""
    n_heads = max(run.shape[2] for run in runs)
    return torch.cat([F.pad(run, (0, 0, 0, n_heads - run.shape[2]), value=NOT_THERE) for run in runs])


def module_differences(oracle: LaneData, cached: LaneData) -> dict[str, Tensor]:
    """Return diff/module/NAME (B, Q): the largest |difference| of each token, for modules that both lanes called alike."""
    alike: dict[object, list[str]] = defaultdict(list)
    for name, rows in oracle.modules.items():
        if name in cached.modules and rows.shape == cached.modules[name].shape:
            alike[rows.shape, rows.dtype].append(name)
    found: dict[str, Tensor] = {}
    for names in alike.values():
        a, b = (torch.stack([lane.modules[name] for name in names]) for lane in (oracle, cached))
        found.update(zip(names, _largest((a - b).flatten(3), -1), strict=True))
    return {f"diff/module/{name}": found[name] for name in oracle.modules if name in found}


def aligned(rows: Tensor, text_len: int, dim: int) -> Tensor:
    """Put S cached keys onto T tokens along `dim`: the newest key is the newest token; missing ones are zero."""
    held = rows.shape[dim]
    if held >= text_len:
        return rows.narrow(dim, held - text_len, text_len)
    missing = list(rows.shape)
    missing[dim] = text_len - held
    return torch.cat((rows.new_zeros(missing), rows), dim)


def _with_matched_heads(a: LayerData, b: LayerData) -> tuple[LayerData, LayerData]:
    (k_a, k_b), (v_a, v_b) = matched_heads(a.k, b.k), matched_heads(a.v, b.v)
    return replace(a, k=k_a, v=v_a), replace(b, k=k_b, v=v_b)


def _comparable(a: LayerData, b: LayerData) -> bool:
    return a.q.shape == b.q.shape and all(
        one.shape[:2] == other.shape[:2] and one.shape[3] == other.shape[3]
        for one, other in ((a.k, b.k), (a.v, b.v))
    )


def _largest(diff: Tensor, dim: int) -> Tensor:
    return diff.abs_().amax(dim)  # every difference is made for this alone


def _row_difference(oracle: Tensor, cached: Tensor, text_len: int) -> Tensor:
    """Return (B, G, T): the largest |difference| of each row; the newest row of both lanes is the newest token."""
    held = min(oracle.shape[2], cached.shape[2], text_len)
    newest = [rows[:, :, rows.shape[2] - held :] for rows in (oracle, cached)]
    return F.pad(_largest(newest[0] - newest[1], -1), (text_len - held, 0), value=NOT_THERE)
