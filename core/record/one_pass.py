"""The cheap oracle: one forward over the whole text gives the rows of every step, where the model is causal.

The tokens must be known first. The cached lane guesses them by decoding freely on an instance of its own; the forward
over its text then says up to where the oracle would have chosen the same. What the pass says is checked against the
stepwise oracle on sampled lengths, and a step that looks bad is always judged stepwise (core.record.lanes).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from core.record.lanes import LaneStep, check_logits
from core.record.probe import Frame, Observation
from core.record.probe_choice import LaneProbe
from core.record.scenarios import Action, Feed, FeedGreedy
from core.targets.base import Cache, Target
from core.text import QT_TRANSLATE_NOOP, Text

SAMPLES = 3
DOUBT = 0.25  # of the tolerance: rounding between one pass and single steps stays an order below it


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
    """Logits [B, T, V] of the whole text, and what the probe saw on the way."""

    text: Tensor
    logits: Tensor
    seen: Observation
    elapsed_ms: float
    doubt: float

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
    oracle: Target, guesser: Target, actions: tuple[Action, ...], tolerance: float, tell: Callable[[], None]
) -> OnePass:
    """Run the oracle once over the text that the cached lane writes; `tell` is called when the target has come back.

    Raises:
        NotCausal: the pass and the stepwise oracle differ.
    """
    text, fed = _guessed_text(guesser, actions, tell)
    start = time.perf_counter()
    with LaneProbe().observe(oracle.module, Frame(text.shape[0], text.shape[1])) as seen:
        logits = oracle.full(text.clone())
    elapsed_ms = (time.perf_counter() - start) * 1e3
    check_logits(logits, text, oracle.shape.vocab_size)
    n_right = _n_right(text, logits, fed)
    one_pass = OnePass(text[:, :n_right], logits[:, :n_right], seen, elapsed_ms, tolerance * DOUBT)
    tell()
    _check_samples(oracle, one_pass, tell)
    return one_pass


def _guessed_text(
    guesser: Target, actions: tuple[Action, ...], tell: Callable[[], None]
) -> tuple[Tensor, list[int]]:
    """Return the text [B, T] that the cached lane writes, and the places of the tokens that it chose."""
    cache: Cache = None
    pieces: list[Tensor] = []
    chosen: list[int] = []
    n_tokens = 0
    logits = torch.empty(0)
    for action in actions:
        if isinstance(action, Feed):
            new = torch.tensor(action.rows, dtype=torch.int64)
        else:
            new = logits[:, -1:].argmax(-1)
            chosen.append(n_tokens)
        n_tokens += new.shape[1]
        pieces.append(new)
        logits, cache = guesser.cached(new.clone(), cache)
        check_logits(logits, new, guesser.shape.vocab_size)
        tell()
    return torch.cat(pieces, 1), chosen


def _n_right(text: Tensor, logits: Tensor, chosen: list[int]) -> int:
    """Return up to where the text is the oracle's own: its greedy choice at every place that was chosen."""
    for place in chosen:
        if not torch.equal(logits[:, place - 1].argmax(-1), text[:, place]):
            return place
    return text.shape[1]


def _check_samples(oracle: Target, one_pass: OnePass, tell: Callable[[], None]) -> None:
    n_tokens = one_pass.text.shape[1]
    for sample in sorted({max(1, n_tokens * part // SAMPLES) for part in range(1, SAMPLES + 1)}):
        want = oracle.full(one_pass.text[:, :sample].clone())[:, -1]
        tell()
        difference = float((want.double() - one_pass.logits[:, sample - 1].double()).abs().max())
        if not difference <= one_pass.doubt:
            raise NotCausal(sample, difference)
