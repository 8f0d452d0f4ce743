"""Differences inside the layers of two traces, as the recorder takes them of two lanes; here of arrays."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.compare.align import does_not_fit

NOT_THERE = -1.0
Array = NDArray[Any]
Layers = Mapping[int, Mapping[str, tuple[Array, Array]]]  # layer -> name -> of A, of B
SCALED = ("q", "k", "v")


def layer_differences(layers: Layers, text_len: int) -> dict[str, Array]:
    """Return diff/k, diff/v (L, B, G, T), diff/q, diff/attn_weights (L, B, H, Q) and diff/scale (L, 3).

    A tensor that no layer has is left out; a layer without it, or with fewer heads, is filled up with -1.
    """
    if not layers:
        return {}
    n_layers = max(layers) + 1
    found: dict[str, Array] = {}
    for name in ("k", "v", "q", "attn_weights"):
        diffs = {
            layer: _difference(f"layer.{layer}/{name}", *pairs[name], text_len)
            for layer, pairs in layers.items()
            if name in pairs
        }
        if diffs:
            found[f"diff/{name}"] = _stacked(diffs, n_layers)
    scale = np.zeros((n_layers, 3), np.float32)
    for layer, pairs in layers.items():
        for at, name in enumerate(SCALED):
            if name in pairs:
                scale[layer, at] = np.nan_to_num(np.abs(pairs[name][0]).max(initial=0.0))
    return {**found, "diff/scale": scale}


def same_heads(a: Array, b: Array, name: str) -> tuple[Array, Array]:
    """Return (B, G, ..., D) of both with as many heads as the one with fewer: some programs repeat kv heads for each query head."""
    if a.shape[1] < b.shape[1]:
        other, one = same_heads(b, a, name)
        return one, other
    repeats, rest = divmod(a.shape[1], max(1, b.shape[1]))
    if rest:
        raise does_not_fit(f"{name} has shape {list(a.shape)} in one and {list(b.shape)} in the other")
    return a[:, ::repeats], b


def _difference(name: str, a: Array, b: Array, text_len: int) -> Array:
    kind = name.rsplit("/", 1)[-1]
    if kind in ("k", "v"):
        a, b = same_heads(a, b, name)
        n_rows = min(a.shape[2], b.shape[2], text_len)
        a, b = a[:, :, a.shape[2] - n_rows :], b[:, :, b.shape[2] - n_rows :]
    if kind == "attn_weights":
        n_keys = max(a.shape[-1], b.shape[-1])
        a, b = (np.pad(x, ((0, 0),) * 3 + ((n_keys - x.shape[-1], 0),)) for x in (a, b))
    if a.shape != b.shape:
        raise does_not_fit(f"{name} has shape {list(a.shape)} in A and {list(b.shape)} in B")
    largest = largest_difference(a, b)
    if kind in ("k", "v"):
        missing = text_len - largest.shape[2]
        return np.pad(largest, ((0, 0), (0, 0), (missing, 0)), constant_values=NOT_THERE)
    return largest


def largest_difference(a: Array, b: Array) -> Array:
    """Return max |a - b| over the last axis; equal infinities agree, NaN stays."""
    with np.errstate(invalid="ignore", over="ignore"):
        diff = np.abs(a.astype(np.float32) - b.astype(np.float32))
        diff[a == b] = 0.0
    return np.asarray(diff.max(-1, initial=0.0), np.float32)


def _stacked(diffs: Mapping[int, Array], n_layers: int) -> Array:
    n_heads = max(diff.shape[1] for diff in diffs.values())
    batch, _, width = next(iter(diffs.values())).shape
    whole = np.full((n_layers, batch, n_heads, width), NOT_THERE, np.float32)
    for layer, diff in diffs.items():
        whole[layer, :, : diff.shape[1]] = diff
    return whole
