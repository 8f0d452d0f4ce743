"""Where the lanes part in a step: the first tensor, in the order in which a forward makes them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.verdict.pads import compared

RELATIVE = 1e-3  # of the tensor's own largest value: rounding in float32 stays near 1e-6, a bfloat16 cache is at 4e-3
WEIGHTS = 1e-3  # attention weights are at most 1


@dataclass(frozen=True)
class Place:
    """A tensor of the cached lane that differs from the oracle's; slots are token_index."""

    tensor: str
    difference: float
    layer: int | None = None
    batch_row: int | None = None
    slot: int | None = None
    head: int | None = None


def first_bad_tensor(trace: Trace, step_index: int) -> Place | None:
    """Return the first tensor of the step over its tolerance: position ids, then per layer k, v, q, attn_weights."""
    positions = _position_mismatch(trace, step_index)
    if positions is not None:
        return positions
    scale = trace.tensor(step_index, "diff/scale")
    if scale is None:
        return _first_module(trace, step_index)
    for layer in range(len(scale)):
        for name, limit in _limits(scale[layer]):
            diff = compared(trace, step_index, name)
            place = None if diff is None else _worst(name, layer, diff[layer], limit)
            if place is not None:
                return place
    return None


def _first_module(trace: Trace, step_index: int) -> Place | None:
    """Where nothing of attention is known, the outputs of modules tell, if their order is known."""
    for name in trace.info.modules:
        diff = trace.tensor(step_index, f"diff/module/{name}")
        rows = trace.tensor(step_index, f"oracle/module/{name}")
        if diff is None or rows is None or not diff.size:
            continue
        seen = np.nan_to_num(diff, nan=np.inf)
        if seen.max() > RELATIVE * float(np.nan_to_num(np.abs(rows)).max(initial=0.0)):
            batch_row, query = (int(at) for at in np.unravel_index(int(seen.argmax()), seen.shape))
            facts = trace.facts(step_index)
            token = facts.text_len - diff.shape[1] + query
            return Place(f"module/{name}", float(diff[batch_row, query]), None, batch_row, token)
    return None


def _limits(scale: NDArray[np.float32]) -> list[tuple[str, float]]:
    q, k, v = (float(value) * RELATIVE for value in scale)
    return [("k", k), ("v", v), ("q", q), ("attn_weights", WEIGHTS)]


def _worst(name: str, layer: int, diff: NDArray[np.float32], limit: float) -> Place | None:
    """diff is (B, heads, slots or queries); NaN counts as largest."""
    worst = int(np.nan_to_num(diff, nan=np.inf).argmax())
    batch_row, head, place = (int(index) for index in np.unravel_index(worst, diff.shape))
    largest = float(diff[batch_row, head, place])
    if largest <= limit:
        return None
    return Place(name, largest, layer, batch_row, place if name in ("k", "v") else None, head)


def _position_mismatch(trace: Trace, step_index: int) -> Place | None:
    oracle, cached = (
        trace.tensor(step_index, "oracle/position_ids"),
        trace.tensor(step_index, "cached/position_ids"),
    )
    if oracle is None or cached is None or oracle.shape != cached.shape:
        return None
    wrong = np.argwhere((oracle != cached) & (oracle >= 0))
    if not len(wrong):
        return None
    batch_row, query = (int(index) for index in wrong[0])
    facts = trace.facts(step_index)
    gap = float(abs(int(oracle[batch_row, query]) - int(cached[batch_row, query])))
    return Place("position_ids", gap, None, batch_row, facts.text_len - facts.q_len + query)
