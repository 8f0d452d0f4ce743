"""Attention of one layer and head: each step contributes the rows of its new tokens."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.verdict.locate import WEIGHTS
from core.verdict.pads import compared, n_pads
from core.views.selection import Selection
from core.views.stacked import stacked
from core.views.tokens import text_labels

MAX_TOKENS = 8192  # a map of all tokens has their square of cells


@dataclass(frozen=True)
class AttentionView:
    """Weights [queries, keys] of both lanes up to the selected step, rows and columns by token_index.

    `seen` is False where a lane has no weight (the future, or outside the window); the arrays hold 0 there, never NaN.
    """

    oracle: NDArray[np.float32]
    cached: NDArray[np.float32]
    difference: NDArray[np.float32]  # cached - oracle
    seen: NDArray[np.bool_]
    labels: tuple[str, ...]  # token texts, one per row and column
    layer: int
    head: int
    prompt_len: int
    max_abs_diff: float
    worst_cell: tuple[int, int] | None  # (query, key)
    cell: tuple[int, int] | None  # the selected one
    cell_positions: tuple[int | None, int | None] = (None, None)  # position id of the query: oracle, cached


@dataclass(frozen=True)
class LayerGridView:
    """Largest |difference| of the attention weights in the selected step, [layers, heads]."""

    values: NDArray[np.float32]
    is_bad: NDArray[np.bool_]  # over the display threshold: this head attends differently
    selected: tuple[int, int]


def attention(trace: Trace, selection: Selection) -> AttentionView | None:
    """Stack the rows of every step up to the selected one; None where the trace has no attention for it."""
    if not len(trace) or trace.shape(selection.step, _name("oracle", selection.layer)) is None:
        return None
    text_len = trace.facts(selection.step).text_len
    if text_len > MAX_TOKENS:
        return None
    maps = stacked(trace, selection.step, (selection.layer, selection.head, selection.batch_row))
    pads = n_pads(trace, selection.step, selection.batch_row)
    if pads:  # a pad may look at whatever it likes
        maps = {lane: weights.copy() for lane, weights in maps.items()}
        for weights in maps.values():
            weights[:pads] = 0
    difference = maps["cached"] - maps["oracle"]
    sizes = np.abs(difference)
    worst = int(sizes.argmax())
    return AttentionView(
        oracle=maps["oracle"], cached=maps["cached"], difference=difference,
        seen=(maps["oracle"] != 0) | (maps["cached"] != 0), labels=text_labels(trace, selection.step, selection.batch_row),
        layer=selection.layer, head=selection.head, prompt_len=max(len(row) for row in trace.info.prompt_ids),
        max_abs_diff=float(sizes.max()),
        worst_cell=(worst // text_len, worst % text_len) if difference.any() else None,
        cell=_cell(selection, text_len), cell_positions=_positions_told(trace, selection),
    )  # fmt: skip


def _name(lane: str, layer: int) -> str:
    return f"{lane}/layer.{layer}/attn_weights"


def _cell(selection: Selection, text_len: int) -> tuple[int, int] | None:
    if selection.query is None or selection.key is None:
        return None
    return (selection.query, selection.key) if max(selection.query, selection.key) < text_len else None


def _positions_told(trace: Trace, selection: Selection) -> tuple[int | None, int | None]:
    """Return what both lanes were told of the selected query, or of the step's newest token."""
    query = selection.query
    for step_index in range(selection.step, -1, -1):
        facts = trace.facts(step_index)
        place = facts.q_len - 1 if query is None else query - (facts.text_len - facts.q_len)
        if not 0 <= place < facts.q_len:
            continue
        told = [trace.rows(step_index, f"{lane}/position_ids") for lane in ("oracle", "cached")]
        oracle, cached = (None if ids is None else int(ids[selection.batch_row, place]) for ids in told)
        return oracle, cached
    return None, None


def layer_grid(trace: Trace, selection: Selection) -> LayerGridView | None:
    """Return how much every head of the selected step differs; None where the trace has no attention for it."""
    if not len(trace):
        return None
    diff = compared(trace, selection.step, "attn_weights")  # (L, B, H, Q)
    if diff is None:
        return None
    values = np.maximum(0, np.nan_to_num(diff[:, selection.batch_row].max(-1), nan=1.0, posinf=1.0))
    return LayerGridView(values, values > WEIGHTS, (selection.layer, selection.head))
