"""Attention weights of one layer and head, stacked step by step. The stack is kept: a move reads what is new alone."""

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.trace.reader import Trace
from core.trace.records import LANES, StepFacts

Floats = NDArray[np.float32]
Key = tuple[int, int, int]  # layer, head, batch row


@dataclass
class _Stack:
    """The rows of all steps up to `step`, both lanes' arrays larger than that where there are more to come."""

    key: Key
    step: int = -1
    text_len: int = 0
    maps: dict[str, Floats] = field(
        default_factory=lambda: {lane: np.zeros((0, 0), np.float32) for lane in LANES}
    )


_known: WeakKeyDictionary[Trace, _Stack] = WeakKeyDictionary()


def stacked(trace: Trace, step: int, key: Key) -> dict[str, Floats]:
    """Return per lane the weights (T, T) up to a step, 0 where a lane has none; the arrays are shared: read only."""
    stack = _known.get(trace)
    text_len = trace.facts(step).text_len
    if stack is None or stack.key != key or not _holds(trace, stack, step, text_len):
        stack = _known[trace] = _Stack(key)
    for at in range(stack.step + 1, step + 1):
        _add(trace, stack, at)
    return {lane: weights[:text_len, :text_len] for lane, weights in stack.maps.items()}


def _holds(trace: Trace, stack: _Stack, step: int, text_len: int) -> bool:
    """Whether the rows up to a step are there as it left them: no later one has replaced any."""
    return all(_start(trace.facts(at)) >= text_len for at in range(step + 1, stack.step + 1))


def _start(facts: StepFacts) -> int:
    return facts.text_len - facts.q_len


def _add(trace: Trace, stack: _Stack, step: int) -> None:
    facts = trace.facts(step)
    start = _start(facts)
    if start < stack.text_len or facts.text_len > len(stack.maps["oracle"]):
        _make_room(trace, stack, facts.text_len)
    for lane, weights in stack.maps.items():
        layer, head, batch_row = stack.key
        rows = trace.rows(step, f"{lane}/layer.{layer}/attn_weights", (batch_row, head))
        if rows is not None:
            rows = on_tokens(rows, facts.text_len)
            weights[start : start + len(rows)] = 0  # a rolled back row is replaced
            weights[start : start + len(rows), : rows.shape[1]] = rows
    stack.step, stack.text_len = step, facts.text_len


def _make_room(trace: Trace, stack: _Stack, text_len: int) -> None:
    """Go on with arrays that nobody has seen yet, and room for more steps: others may look at rows that are replaced."""
    last = trace.facts(len(trace) - 1).text_len
    for lane, old in stack.maps.items():
        room = max(text_len, len(old), min(last, 2 * text_len))
        made = np.zeros((room, room), np.float32)
        made[: len(old), : len(old)] = old
        stack.maps[lane] = made


def on_tokens(rows: Floats, text_len: int) -> Floats:
    """Put the S keys of (Q, S) onto T tokens: the newest key is the newest token."""
    if rows.shape[1] >= text_len:
        return rows[:, rows.shape[1] - text_len :]
    return np.pad(rows, ((0, 0), (text_len - rows.shape[1], 0)))
