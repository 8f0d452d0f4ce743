"""The cheap oracle: one forward over the whole text gives the rows of every step, where the model is causal.

The tokens must be known first: the cached lane writes them, decoding freely, and the forward over its text then says up
to where the oracle would have chosen the same. Where it would have everywhere and agrees with the cached lane, that free
run was the measured run, since being forced would have changed nothing. Else it was a guess, and the lanes run again.

What the pass says is checked against the oracle on a part of the text, and a step that looks bad is always judged stepwise
(core.record.lanes).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from core.record.attention import AttentionCall
from core.record.journal import Journal
from core.record.lanes import LaneStep, TwoLanes
from core.record.probe import Observation
from core.record.scenarios import Action, Feed, FeedGreedy
from core.targets.base import Target
from core.text import QT_TRANSLATE_NOOP, Text

DOUBT = 0.25  # of the tolerance: rounding between one pass and single steps stays an order below it
CHECKED_PART = 4  # a quarter is recomputed: the rows of any part must not see what comes behind it


class NotCausal(Exception):
    """Rows of the pass are not those of the stepwise oracle."""

    def __init__(self, n_tokens: int, difference: float) -> None:
        self.text = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "the oracle was run stepwise: one pass over the whole text differs from it by {difference} at {n_tokens} tokens, so the model is not causal in that sense",
            ),
            {"difference": f"{difference:.1e}", "n_tokens": n_tokens},
        )
        super().__init__(str(self.text))


@dataclass(frozen=True)
class OnePass:
    """Logits [B, T, V] of the whole text, and what the probe saw on the way.

    `measured` holds the cached lane's steps by their number of tokens, where the free run was the measured run.
    """

    text: Tensor
    logits: Tensor
    seen: Observation
    elapsed_ms: float
    doubt: float
    measured: dict[int, LaneStep] = field(default_factory=dict)

    def text_alone(self) -> "OnePass":
        """Return the oracle's part: the cached lane runs again."""
        return replace(self, measured={})

    def covers(self, ids: Tensor) -> bool:
        """Whether ids [B, n] are the beginning of the text."""
        return ids.shape[1] <= self.text.shape[1] and torch.equal(self.text[:, : ids.shape[1]], ids)

    def agrees(self, oracle: Tensor, cached: Tensor) -> bool:
        """Whether two lanes' logits are near enough to be believed without the stepwise oracle."""
        return bool(((oracle.double() - cached.double()).abs() <= self.doubt).all())

    def step(self, n_tokens: int, n_rows: int) -> LaneStep:
        """Return what the oracle says of the last `n_rows` of the first `n_tokens` tokens."""
        rows = slice(n_tokens - n_rows, n_tokens)
        positions = self.seen.position_ids
        seen = Observation(
            [call.part(rows.start, rows.stop) for call in self.seen.attention],
            None if positions is None else positions[..., rows],
            {name: output[:, rows] for name, output in self.seen.module_outputs.items()},
        )
        return LaneStep(self.logits[:, rows], seen, self.elapsed_ms * n_rows / self.text.shape[1])


def can_look_ahead(actions: tuple[Action, ...]) -> bool:
    """Whether the plan only feeds: given tokens in rows of one length, and greedy ones."""
    return all(
        isinstance(action, FeedGreedy)
        or (isinstance(action, Feed) and len({len(row) for row in action.rows}) == 1)
        for action in actions
    )


def look_ahead(
    lanes: TwoLanes, actions: tuple[Action, ...], tolerance: float, tell: Callable[[], None]
) -> OnePass:
    """Let the cached lane decode freely, and run the oracle once over its text. The lanes are new, and used up by it.

    `tell` is called whenever the target has come back.

    Raises:
        NotCausal: the pass and the stepwise oracle differ.
    """
    run = _FreeRun(lanes, actions, tell)
    text = lanes.text
    whole = lanes.ask_oracle_once()
    tell()
    n_right = _n_right(text, whole.logits, run.chosen)
    one_pass = OnePass(
        text[:, :n_right], whole.logits[:, :n_right], whole.seen, whole.elapsed_ms, tolerance * DOUBT
    )
    _check_causal(lanes.oracle, one_pass)
    tell()
    steps = run.steps()
    agrees = n_right == text.shape[1] and all(
        one_pass.agrees(one_pass.logits[:, n_tokens - step.logits.shape[1] : n_tokens], step.logits)
        for n_tokens, step in steps.items()
    )
    return replace(one_pass, measured=steps) if agrees else one_pass


class _FreeRun:
    """The cached lane on the tokens that it chooses itself.

    What attention read is kept without K and V, which would grow with the square of the text: where no row ever changes,
    those of a step are the first rows of what the last step read.
    """

    def __init__(self, lanes: TwoLanes, actions: tuple[Action, ...], tell: Callable[[], None]) -> None:
        self.chosen: list[int] = []  # places of the tokens that the lane chose
        self._steps: dict[int, LaneStep] = {}
        self._journal = Journal()
        self._last: list[AttentionCall] = []
        self._rows_stay = True
        logits = torch.empty(0)
        for action in actions:
            if isinstance(action, Feed):
                new = torch.tensor(action.rows, dtype=torch.int64)
            else:
                new = logits[:, -1:].argmax(-1)
                self.chosen.append(lanes.text.shape[1])
            step = lanes.feed_cached(new)
            logits = step.logits
            self._keep(step, lanes.text.shape[1])
            tell()

    def steps(self) -> dict[int, LaneStep]:
        """Return the steps by their number of tokens; none where K and V of a step cannot be told any more."""
        if not self._rows_stay:
            return {}
        return {n_tokens: _with_rows(step, self._last, n_tokens) for n_tokens, step in self._steps.items()}

    def _keep(self, step: LaneStep, n_tokens: int) -> None:
        calls = step.seen.attention
        changed = self._journal.changed_slots(calls, step.logits.shape[1])
        self._rows_stay = (
            self._rows_stay
            and not any(len(slots) for slots in changed)
            and all(call.k.shape[2] == n_tokens for call in calls)
            and (not self._steps or _kinds(calls) == _kinds(self._last))
        )
        self._last = calls
        self._steps[n_tokens] = _with_rows(step, calls, 0)


def _kinds(calls: Sequence[AttentionCall]) -> list[object]:
    return [(x.shape[:2], x.shape[3], x.dtype) for call in calls for x in (call.k, call.v)]


def _with_rows(step: LaneStep, calls: Sequence[AttentionCall], n_tokens: int) -> LaneStep:
    """Return the step with the first rows of what these calls read; without rows, K and V are let go."""
    attention = [
        call.with_rows(_first_rows(rows.k, n_tokens), _first_rows(rows.v, n_tokens))
        for call, rows in zip(step.seen.attention, calls, strict=True)
    ]
    return replace(step, seen=replace(step.seen, attention=attention))


def _first_rows(rows: Tensor, n_tokens: int) -> Tensor:
    return rows[:, :, :n_tokens] if n_tokens else rows.new_empty(0)


def _n_right(text: Tensor, logits: Tensor, chosen: list[int]) -> int:
    """Return up to where the text is the oracle's own: its greedy choice at every place that was chosen."""
    for place in chosen:
        if not torch.equal(logits[:, place - 1].argmax(-1), text[:, place]):
            return place
    return text.shape[1]


def _check_causal(oracle: Target, one_pass: OnePass) -> None:
    """Later tokens must not change earlier rows: those of the first part are computed without the rest."""
    n_tokens = -(-one_pass.text.shape[1] // CHECKED_PART)
    want = oracle.full(one_pass.text[:, :n_tokens].clone())
    difference = float((want.double() - one_pass.logits[:, :n_tokens].double()).abs().max())
    if not difference <= one_pass.doubt:
        raise NotCausal(n_tokens, difference)
