"""The two lanes in lock-step: the oracle recomputes the whole prefix, the cached lane feeds what is new and appends."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from core.errors import TargetError
from core.record.layer_facts import cache_layers
from core.record.probe import Frame, Observation
from core.record.probe_choice import LaneProbe
from core.targets.base import Cache, Target
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import LayerFacts

if TYPE_CHECKING:
    from core.record.one_pass import OnePass


@dataclass(frozen=True)
class LaneStep:
    """What one lane did in one step: logits of the new rows [B, Q, V], and what the probe saw."""

    logits: Tensor
    seen: Observation
    elapsed_ms: float
    layers: list[LayerFacts] | None = None  # of the cache; None where its kind is unknown


@dataclass(frozen=True)
class StepOutcome:
    """Both lanes of one step. `pads[b]` rows of batch row b are left pads, of which the first rows may lie in this step."""

    new_ids: Tensor
    text_len: int
    oracle: list[LaneStep]  # one for the whole batch, or one per row of a ragged batch
    cached: LaneStep
    pads: tuple[int, ...]


class TwoLanes:
    """One run: the text so far, the cached lane's cache, and what the oracle would say next."""

    def __init__(
        self,
        oracle: Target,
        tested: Target,
        one_pass: "OnePass | None" = None,
        is_watched: bool = True,
    ) -> None:
        self.oracle, self.tested, self._one_pass = oracle, tested, one_pass
        self.text = torch.empty(0, 0, dtype=torch.int64)
        self.cache: Cache = None
        self.pads: tuple[int, ...] = ()
        self.next_ids = torch.empty(0, 0, dtype=torch.int64)
        self._after_draft = self.next_ids
        self.notes: list[Text] = []
        self._oracle_probe, self._cached_probe = LaneProbe(not is_watched), LaneProbe(not is_watched)

    def feed_rows(self, rows: Sequence[Sequence[int]]) -> StepOutcome:
        """Feed given tokens; rows that are shorter than the longest are padded on the left."""
        longest = max(len(row) for row in rows)
        pads = tuple(longest - len(row) for row in rows)
        padded = [[0] * pad + list(row) for pad, row in zip(pads, rows, strict=True)]
        return self.feed(torch.tensor(padded, dtype=torch.int64), pads)

    def feed(self, new_ids: Tensor, pads: tuple[int, ...] = ()) -> StepOutcome:
        """Feed new tokens [B, Q] to both lanes; `pads` counts the left pads of the first call's rows."""
        if self.text.numel() == 0:
            self.text, self.pads = new_ids, pads
        else:
            self.text = torch.cat((self.text, new_ids), 1)
        q_len = new_ids.shape[1]
        oracle = self._ask_oracle(q_len)
        self.next_ids = torch.cat([step.logits[:, -1:].argmax(-1) for step in oracle])
        measured = self._one_pass.measured.get(self.text.shape[1]) if self._one_pass else None
        if measured is not None:
            return StepOutcome(new_ids, self.text.shape[1], oracle, measured, self.pads)
        cached = self._ask_cached(new_ids)
        if self._one_pass is not None and not self._one_pass.agrees(oracle[0].logits, cached.logits):
            self._one_pass = None  # a step that looks bad is judged by the real thing, and so is what follows
            oracle = self._ask_oracle(q_len)
            self.next_ids = oracle[0].logits[:, -1:].argmax(-1)
        return StepOutcome(new_ids, self.text.shape[1], oracle, cached, self.pads)

    def feed_cached(self, new_ids: Tensor) -> LaneStep:
        """Feed new tokens [B, Q] to the cached lane alone."""
        self.text = new_ids if self.text.numel() == 0 else torch.cat((self.text, new_ids), 1)
        return self._ask_cached(new_ids)

    def ask_oracle_once(self) -> LaneStep:
        """Ask the oracle for all rows of the text, [B, T, V]."""
        return self._run_oracle(self.text, self.text.shape[1])

    def draft_ids(self) -> Tensor:
        """Return the greedy token and two wrong guesses, [1, 3]: what a draft model might have proposed."""
        good = self.next_ids
        after = self.oracle.full(torch.cat((self.text, good), 1))[:, -1:].argmax(-1)
        self._after_draft = after
        wrong = (after + 1) % min(10, self.oracle.shape.vocab_size)
        return torch.cat((good, wrong, (wrong + 3) % min(10, self.oracle.shape.vocab_size)), 1)

    def crop(self, n_tokens: int) -> None:
        crop: Any = self.tested
        self.cache = crop.crop(self.cache, n_tokens)
        self.text = self.text[:, :n_tokens]
        self.next_ids = self._after_draft

    def reorder(self, batch_rows: Sequence[int]) -> None:
        rows = torch.tensor(batch_rows)
        reorder: Any = self.tested
        self.cache = reorder.reorder(self.cache, rows.clone())
        self.text, self.next_ids = self.text[rows], self.next_ids[rows]

    def _ask_oracle(self, q_len: int) -> list[LaneStep]:
        """The oracle sees no pads: in a ragged batch each row is computed alone."""
        if self._one_pass is not None and self._one_pass.covers(self.text):
            return [self._one_pass.step(self.text.shape[1], q_len)]
        if not any(self.pads):
            return [self._run_oracle(self.text, q_len)]
        rows = [self.text[b : b + 1, pad:] for b, pad in enumerate(self.pads)]
        return [self._run_oracle(row, min(q_len, row.shape[1])) for row in rows]

    def _run_oracle(self, ids: Tensor, n_rows: int) -> LaneStep:
        start = time.perf_counter()
        with self._oracle_probe.observe(
            self.oracle.module, Frame(ids.shape[0], ids.shape[1], n_rows)
        ) as seen:
            logits = self.oracle.full(fed := ids.clone())
        elapsed_ms = (time.perf_counter() - start) * 1e3
        self._check_ids_unchanged(fed, ids, "full")
        check_logits(logits, ids, self.oracle.shape.vocab_size)
        # a copy: a view of the last rows would keep those of the whole text
        kept = logits if n_rows == logits.shape[1] else logits[:, -n_rows:].clone()
        return LaneStep(kept, seen, elapsed_ms)

    def _ask_cached(self, new_ids: Tensor) -> LaneStep:
        mask, fed = self._attention_mask(), new_ids.clone()
        start = time.perf_counter()
        with self._cached_probe.observe(
            self.tested.module, Frame(new_ids.shape[0], new_ids.shape[1], new_ids.shape[1])
        ) as seen:
            if mask is None:
                logits, self.cache = self.tested.cached(fed, self.cache)
            else:
                logits, self.cache = self.tested.cached(fed, self.cache, attention_mask=mask)
        elapsed_ms = (time.perf_counter() - start) * 1e3
        self._check_ids_unchanged(fed, new_ids, "cached")
        check_logits(logits, new_ids, self.tested.shape.vocab_size)
        layers = self.tested.inspect(self.cache)
        return LaneStep(logits, seen, elapsed_ms, None if layers is None else cache_layers(layers))

    def _check_ids_unchanged(self, fed: Tensor, ids: Tensor, function: str) -> None:
        """The target got its own copy, so no harm is done; its users should know all the same."""
        if not torch.equal(fed, ids):
            note = Text(
                QT_TRANSLATE_NOOP("core", "{function}() changes its input ids in place"),
                {"function": function},
            )
            if note not in self.notes:
                self.notes.append(note)

    def _attention_mask(self) -> Tensor | None:
        if not any(self.pads):
            return None
        slots = torch.arange(self.text.shape[1])
        return (slots >= torch.tensor(self.pads).unsqueeze(1)).long()


def check_logits(logits: object, ids: Tensor, vocab_size: int) -> None:
    """Raise TargetError unless `logits` is a tensor [B, T, V] for ids [B, T]."""
    expected = (*ids.shape, vocab_size)
    shown = tuple(logits.shape) if isinstance(logits, Tensor) else type(logits).__name__
    if shown != expected:
        raise TargetError(
            QT_TRANSLATE_NOOP(
                "core",
                "the target returned logits {shown}, expected {expected} = [batch, tokens, vocabulary]",
            ),
            shown=str(shown),
            expected=str(expected),
        )
