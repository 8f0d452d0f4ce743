"""Rows of a trace by token_index: what a step calls its new rows may have come in other steps there."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.compare.align import does_not_fit
from core.trace.reader import Trace
from core.views.stacked import on_tokens

Array = NDArray[Any]
BY_HEAD = ("q", "k", "v", "attn_weights")  # their rows are on axis 2, those of all others on axis 1


def row_axis(name: str) -> int:
    return 2 if name.startswith("layer.") and name.rsplit("/", 1)[-1] in BY_HEAD else 1


def steps_of(trace: Trace, begin: int, end: int) -> list[int]:
    """Return the steps that fed the tokens [begin, end), in order."""
    found = []
    for step in range(len(trace)):
        facts = trace.facts(step)
        if facts.text_len > begin and facts.text_len - facts.q_len < end:
            found.append(step)
    return found


def rows_of_tokens(
    trace: Trace, lane: str, name: str, begin: int, end: int, meaning: str | None = None
) -> tuple[int, Array] | None:
    """Return the newest rows of [begin, end) that the trace has of a tensor, and the token that they begin with.

    Attention weights are (B, H, Q, end), by token; None where not even the last row is there. `meaning` is the usual
    name of the tensor, where the trace has a name of its own for it.

    Raises:
        UnreadableError: a tensor by head has not four axes.
    """
    meaning = meaning or name
    axis, parts, first = row_axis(meaning), list[Array](), end
    for step in reversed(steps_of(trace, begin, end)):
        found = trace.rows(step, f"{lane}/{name}")
        if found is None or found.ndim <= axis:
            break
        if axis == 2 and found.ndim != 4:
            raise does_not_fit(
                f"{lane}/{name} of step {step} has the shape {list(found.shape)}, not four axes"
            )
        text_len = trace.facts(step).text_len
        start = text_len - found.shape[axis]
        if min(text_len, first) != first or start >= first:
            break  # the newest rows of that step are not there
        if meaning.endswith("/attn_weights"):
            found = _by_token(found, text_len, end)
        cut = slice(max(begin, start) - start, first - start)
        parts.append(found[(slice(None),) * axis + (cut,)])
        first = max(begin, start)
    if not parts:
        return None
    return first, np.concatenate(parts[::-1], axis) if len(parts) > 1 else parts[0]


def _by_token(weights: Array, text_len: int, end: int) -> Array:
    batch, n_heads, q_len, _ = weights.shape
    rows = on_tokens(weights.reshape(-1, weights.shape[-1]), text_len)
    rows = rows[:, :end] if text_len >= end else np.pad(rows, ((0, 0), (0, end - text_len)))
    return rows.reshape(batch, n_heads, q_len, end)
