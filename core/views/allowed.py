"""Who may see whom, lane by lane: the masks of the trace put together, and the outline of what they allow."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.verdict.pads import n_pads
from core.views.attention import MAX_TOKENS
from core.views.mask_difference import token_of_keys
from core.views.selection import Selection

Bools = NDArray[np.bool_]
Lines = NDArray[np.int32]  # (N, 4): x1, y1, x2, y2 at corners of cells


@dataclass(frozen=True, eq=False)
class AllowedView:
    """What each lane's queries may see, [queries, keys] by token_index up to the selected step.

    `is_recorded` is False where the trace has no mask of the layer in either lane: then it is causal by position.
    """

    oracle: Bools
    cached: Bools
    is_recorded: bool


def allowed(trace: Trace, selection: Selection) -> AllowedView | None:
    """Return what the masks of the selected layer allow; None where the trace has no attention of it."""
    prefix = f"oracle/layer.{selection.layer}/attn_weights"
    if not len(trace) or trace.shape(selection.step, prefix) is None:
        return None
    text_len = trace.facts(selection.step).text_len
    if text_len > MAX_TOKENS:
        return None
    pads = n_pads(trace, selection.step, selection.batch_row)
    lanes = [_recorded(trace, selection, lane, text_len) for lane in ("oracle", "cached")]
    is_recorded = any(has_mask for _, has_mask in lanes)
    maps = [cells if is_recorded else np.tril(np.ones_like(cells)) for cells, _ in lanes]
    for cells in maps:
        cells[:pads] = False  # a pad may look at whatever it likes
        if not is_recorded:
            cells[:, :pads] = False
    return AllowedView(maps[0], maps[1], is_recorded)


def _recorded(trace: Trace, selection: Selection, lane: str, text_len: int) -> tuple[Bools, bool]:
    """Put the rows of all steps together, and say whether there was a mask at all; no mask hides nothing."""
    cells, has_mask = np.zeros((text_len, text_len), np.bool_), False
    prefix = f"{lane}/layer.{selection.layer}/"
    for step in range(selection.step + 1):
        facts = trace.facts(step)
        start, shape = facts.text_len - facts.q_len, trace.shape(step, prefix + "attn_weights")
        if shape is None or len(shape) != 4 or shape[2] != facts.q_len or start >= text_len:
            continue
        mask = trace.rows(step, prefix + "mask")
        fits = mask is not None and mask.ndim == 3 and len(mask) > 0 and mask.shape[1:] == tuple(shape[2:])
        rows = mask[selection.batch_row % len(mask)] if mask is not None and fits else np.ones(shape[2:])
        has_mask |= fits
        on_tokens = np.zeros((facts.q_len, facts.text_len), np.bool_)
        token = token_of_keys(trace, step, lane, selection, shape[3])
        on_tokens[:, token[token >= 0]] = rows[:, token >= 0].astype(np.bool_)
        fitting = slice(start, min(facts.text_len, text_len))
        cells[fitting] = False  # a rolled back row is replaced
        cells[fitting, : facts.text_len] = on_tokens[: text_len - start, :text_len]
    return cells, has_mask


def outline(cells: Bools) -> Lines:
    """Return the borders between what is allowed and what is not, as long lines, the outer border among them."""
    padded = np.pad(cells, 1)
    across, down = padded[1:] != padded[:-1], padded[:, 1:] != padded[:, :-1]
    y, x1, x2 = _runs(across[:, 1:-1])
    x, y1, y2 = _runs(down[1:-1].T)
    return np.concatenate([np.stack([x1, y, x2, y], 1), np.stack([x, y1, x, y2], 1)]).astype(np.int32)


def only_in(cells: Lines, others: Lines) -> Lines:
    """Return the lines that the other outline does not have."""
    known = {tuple(line) for line in others.tolist()}
    kept = [line for line in cells.tolist() if tuple(line) not in known]
    return np.array(kept, np.int32).reshape(-1, 4)


def _runs(flags: Bools) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return row, first and end of each run of true cells within a row."""
    edges = np.diff(np.pad(flags, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, first = np.nonzero(edges == 1)
    _, end = np.nonzero(edges == -1)
    return rows, first, end
