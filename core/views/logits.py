"""The top of both lanes' logits in the selected step."""

from dataclasses import dataclass

import numpy as np

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
    if not len(trace):
        return None
    lanes = [trace.tensor(selection.step, f"{lane}/logits") for lane in ("oracle", "cached")]
    if lanes[0] is None or lanes[1] is None:
        return None
    oracle, cached = (
        np.nan_to_num(lane[selection.batch_row, -1].astype(np.float64)) for lane in lanes if lane is not None
    )
    facts = trace.facts(selection.step)
    choices = int(oracle.argmax()), int(cached.argmax())
    rows = tuple(
        LogitRow(
            token_text(facts, token_id), token_id, float(oracle[token_id]), float(cached[token_id]),
            not abs(cached[token_id] - oracle[token_id]) <= tolerance, token_id == choices[0], token_id == choices[1],
        )
        for token_id in _top_of_both(oracle, cached, k)
    )  # fmt: skip
    worst = facts.worst_at[2] if facts.worst_at else int(np.abs(cached - oracle).argmax())
    return LogitsView(
        rows, facts.max_abs_diff, token_text(facts, worst), facts.kl, facts.margin, choices[0] != choices[1]
    )


def _top_of_both(oracle: np.ndarray, cached: np.ndarray, k: int) -> list[int]:
    """Return k token ids: the oracle's best, and the cached lane's first choices among them in any case."""
    by_oracle, by_cached = (np.argsort(-lane, kind="stable") for lane in (oracle, cached))
    picked = list(dict.fromkeys([*by_cached[: k // 4], *by_oracle[:k]]))[:k]
    return sorted((int(token_id) for token_id in picked), key=lambda token_id: -oracle[token_id])
