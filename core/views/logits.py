"""The top of both lanes' logits in the selected step."""

from dataclasses import dataclass

import numpy as np

from core.trace.kept import kept
from core.trace.reader import Trace
from core.views.selection import Selection
from core.views.tokens import token_text


@dataclass(frozen=True)
class LogitRow:
    """One token; `oracle` and `cached` are logits."""

    text: str
    token_id: int
    oracle: float
    cached: float
    is_bad: bool
    is_oracle_choice: bool = False
    is_cached_choice: bool = False

    @property
    def delta(self) -> float:
        return self.cached - self.oracle


@dataclass(frozen=True)
class LogitsView:
    """The union of both lanes' top tokens, the oracle's order first."""

    rows: tuple[LogitRow, ...]
    max_abs_diff: float | None
    worst_text: str
    kl: float | None
    margin: float | None
    top1_differs: bool


def logits(trace: Trace, selection: Selection, tolerance: float, k: int = 8) -> LogitsView | None:
    """Return the top `k` tokens of the step's newest row; None where the trace has no logits for it."""
    return _logits(trace, selection.step, selection.batch_row, tolerance, k) if len(trace) else None


@kept
def _logits(trace: Trace, step: int, batch_row: int, tolerance: float, k: int) -> LogitsView | None:
    selection = Selection(step=step, batch_row=batch_row)
    lanes = [_lane(trace, lane, selection) for lane in ("oracle", "cached")]
    if lanes[0] is None or lanes[1] is None:
        return None
    ids, oracle, cached = _in_both(*lanes[0], *lanes[1])
    if not len(ids):
        return None
    facts = trace.facts(selection.step)
    choices = int(oracle.argmax()), int(cached.argmax())
    rows = tuple(
        LogitRow(
            token_text(facts, int(ids[place])), int(ids[place]), float(oracle[place]), float(cached[place]),
            not abs(cached[place] - oracle[place]) <= tolerance, place == choices[0], place == choices[1],
        )
        for place in _top_of_both(oracle, cached, k)
    )  # fmt: skip
    worst = facts.worst_at[2] if facts.worst_at else int(ids[np.abs(cached - oracle).argmax()])
    return LogitsView(
        rows, facts.max_abs_diff, token_text(facts, worst), facts.kl, facts.margin, choices[0] != choices[1]
    )


def _lane(trace: Trace, lane: str, selection: Selection) -> tuple[np.ndarray, np.ndarray] | None:
    """Return token ids and logits of the newest row: of a large vocabulary a trace keeps the top only."""
    logits = trace.tensor(selection.step, f"{lane}/logits")
    ids = trace.tensor(selection.step, f"{lane}/top_ids")
    if logits is None:
        logits = trace.tensor(selection.step, f"{lane}/top_logits")
        if logits is None or ids is None or ids.shape != logits.shape:
            return None
        row_ids = ids[selection.batch_row, -1]
    else:
        row_ids = np.arange(logits.shape[-1])
    return row_ids, np.nan_to_num(logits[selection.batch_row, -1].astype(np.float64))


def _in_both(
    ids: np.ndarray, oracle: np.ndarray, other_ids: np.ndarray, cached: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ids that both lanes kept, and their logits."""
    if np.array_equal(ids, other_ids):
        return ids, oracle, cached
    common, here, there = np.intersect1d(ids, other_ids, return_indices=True)
    return common, oracle[here], cached[there]


def _top_of_both(oracle: np.ndarray, cached: np.ndarray, k: int) -> list[int]:
    """Return the places of k tokens: the oracle's best, and the cached lane's first choices among them in any case."""
    by_oracle, by_cached = (np.argsort(-lane, kind="stable") for lane in (oracle, cached))
    picked = list(dict.fromkeys([*by_cached[: k // 4], *by_oracle[:k]]))[:k]
    return sorted((int(place) for place in picked), key=lambda place: -oracle[place])


def margin(trace: Trace, step: int, batch_row: int) -> float | None:
    """Return top1 - top2 of the oracle's newest row; None where the trace has no logits for it."""
    lane = _lane(trace, "oracle", Selection(step=step, batch_row=batch_row))
    if lane is None or len(lane[1]) < 2:
        return None
    second, first = np.partition(lane[1], -2)[-2:]
    return float(first - second)
