"""Who may see whom: where the lanes' masks differ, as a map, and the name of the pattern."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.pads import n_pads
from core.verdict.recorded_slots import slot_map_at
from core.views.attention import MAX_TOKENS
from core.views.selection import Selection

Bools = NDArray[np.bool_]
NOTHING = 1e-30  # a weight that may as well have vanished
LOST = {"float64": 1e-3, "float32": 1e-3}  # of a query's weight, that went to keys which are not in the trace
LOST_OF_16_BITS = 5e-2  # their weights do not add up to 1 anyway

_NAMES = {
    "future": QT_TRANSLATE_NOOP("core", "future visible"),
    "pads": QT_TRANSLATE_NOOP("core", "pads visible"),
    "edge": QT_TRANSLATE_NOOP("core", "window edge"),
    "older": QT_TRANSLATE_NOOP("core", "older than the window visible"),
    "past": QT_TRANSLATE_NOOP("core", "past hidden"),
    "tail": QT_TRANSLATE_NOOP("core", "tail visible"),
    "extra": QT_TRANSLATE_NOOP("core", "rows too many visible"),
}


@dataclass(frozen=True)
class MaskDifferenceView:
    """The exclusive or of both lanes' masks, [queries, keys] by token_index up to the selected step.

    1: only the cached lane may look there; -1: only the oracle may. `names` are those of the selected step.
    """

    cells: NDArray[np.int8]
    seen: Bools  # by either lane
    names: tuple[Text, ...]
    n_cells: int  # of the selected step

    @property
    def is_same(self) -> bool:
        """Whether the selected step's queries may see the same in both lanes."""
        return not self.names


@dataclass(frozen=True)
class _Rows:
    """What one lane's queries of a step may see (Q, T), and what is beside the tokens."""

    allowed: Bools
    weights: NDArray[np.float32]
    n_extra: int = 0  # keys that hold no token, and can be seen
    lost: float = 0.0  # of a query's weight


def mask_difference(trace: Trace, selection: Selection, is_whole: bool = True) -> MaskDifferenceView | None:
    """Return where the masks of the selected layer differ; None where the trace has no attention of it.

    Unless `is_whole`, cells are those of the selected step alone, which is enough for the names.
    """
    if not len(trace) or _rows(trace, selection.step, "oracle", selection) is None:
        return None
    text_len = trace.facts(selection.step).text_len
    if text_len > MAX_TOKENS:
        return None
    cells, seen = np.zeros((text_len, text_len), np.int8), np.zeros((text_len, text_len), np.bool_)
    pads = n_pads(trace, selection.step, selection.batch_row)
    names: tuple[Text, ...] = ()
    n_cells = 0
    for step in range(0 if is_whole else selection.step, selection.step + 1):
        facts = trace.facts(step)
        start = facts.text_len - facts.q_len
        oracle, cached = (_rows(trace, step, lane, selection) for lane in ("oracle", "cached"))
        if oracle is None or cached is None or start >= text_len:
            continue
        is_query = np.arange(start, facts.text_len) >= pads
        differs = (oracle.allowed != cached.allowed) & is_query[:, None]
        differs &= np.maximum(oracle.weights, cached.weights) > NOTHING
        rows = differs * np.where(cached.allowed, 1, -1)
        fitting = slice(start, min(facts.text_len, text_len))
        cells[fitting] = 0
        cells[fitting, : facts.text_len] = rows[: text_len - start, :text_len]
        seen[fitting, : facts.text_len] = (oracle.allowed | cached.allowed)[: text_len - start, :text_len]
        if step == selection.step:
            names = tuple(Text(_NAMES[name]) for name in _named(trace, rows, start, pads, oracle, cached))
            n_cells = int(differs.sum())
    return MaskDifferenceView(cells, seen, names, n_cells)


def _rows(trace: Trace, step: int, lane: str, selection: Selection) -> _Rows | None:
    prefix = f"{lane}/layer.{selection.layer}/"
    shape = trace.shape(step, prefix + "attn_weights")
    if shape is None or len(shape) != 4 or selection.batch_row >= shape[0]:
        return None
    weights = trace.rows(step, prefix + "attn_weights", (selection.batch_row,))  # (H, Q, S)
    mask = trace.rows(step, prefix + "mask")
    assert weights is not None
    largest = weights.max(0)  # (Q, S)
    allowed = largest > 0 if mask is None else mask[selection.batch_row % len(mask)].astype(np.bool_)
    lost = float((1 - weights.sum(-1)).max()) if largest.any() else 0.0
    text_len, n_slots = trace.facts(step).text_len, largest.shape[1]
    token = token_of_keys(trace, step, lane, selection, n_slots)
    placed = token >= 0
    on_tokens = np.zeros((len(largest), text_len), np.bool_), np.zeros((len(largest), text_len), np.float32)
    for out, rows in zip(on_tokens, (allowed, largest), strict=True):
        out[:, token[placed]] = rows[:, placed]
    return _Rows(*on_tokens, int((allowed & (largest > NOTHING)).any(0)[~placed].sum()), lost)


def token_of_keys(
    trace: Trace, step: int, lane: str, selection: Selection, n_slots: int
) -> NDArray[np.integer]:
    """Return which token each key of a lane's step is of, by token_index (S); below 0 where it is of none."""
    text_len = trace.facts(step).text_len
    if n_slots > text_len and lane == "cached":
        found = slot_map_at(trace, step)
        if found is not None and found.layers[selection.layer].token.shape[1] == n_slots:
            tokens: NDArray[np.integer] = found.layers[selection.layer].token[selection.batch_row]
            return tokens
    return np.arange(n_slots) + text_len - n_slots  # the newest key is the newest token


def _named(
    trace: Trace, rows: NDArray[np.int8], start: int, pads: int, oracle: _Rows, cached: _Rows
) -> Iterator[str]:
    """Yield the names of the patterns that are there, what is seen too much first."""
    query, key = np.arange(start, start + len(rows))[:, None], np.arange(rows.shape[1])
    extra, hidden = rows > 0, rows < 0
    window = trace.info.model.window
    distance = query - key
    if (extra & (key > query)).any():
        yield "future"
    if (extra & (key < pads)).any():
        yield "pads"
    older = extra & (key <= query) & (key >= pads)
    if older.any():
        yield "edge" if window is None or (distance[older] <= window + 1).all() else "older"
    if hidden.any():
        is_edge = window is not None and bool((distance[hidden] >= window - 2).all())
        yield "edge" if is_edge and not older.any() else "past"
    if cached.lost > max(LOST.get(trace.info.model.dtype, LOST_OF_16_BITS), 2 * oracle.lost):
        yield "tail"
    if cached.n_extra > oracle.n_extra:
        yield "extra"
