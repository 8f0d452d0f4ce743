"""The token strip: the text of both lanes, one chip a token."""

from dataclasses import dataclass, replace

from core.trace.kept import kept
from core.trace.reader import Trace
from core.trace.records import StepFacts
from core.verdict.steps import first_bad_step, is_bad
from core.views.selection import Selection
from core.views.sensitive import sensitive_flags


@dataclass(frozen=True)
class TokenChip:
    """One token. A generated token belongs to the step whose logits chose it, a prompt token to the step that fed it."""

    text: str
    token_index: int
    token_id: int
    step_index: int
    is_prompt: bool
    is_selected: bool = False
    is_bad: bool = False
    is_first_bad: bool = False
    is_sensitive: bool = False
    is_guess: bool = False  # fed, but neither given by the user nor chosen by the logits of a step
    is_pad: bool = False  # left of a shorter row; no token of the text
    cached_text: str | None = None  # what the cached lane would have chosen, where that differs

    @property
    def is_chosen(self) -> bool:
        """Whether the oracle's logits of its step chose it."""
        return not self.is_prompt and not self.is_guess


GIVEN = ("prefill", "chunk", "turn")  # steps that feed what a user wrote; a draft is a guess of the machine's


@dataclass(frozen=True)
class TokenStripView:
    """The chips of one batch row, in the order of the text."""

    chips: tuple[TokenChip, ...]
    n_batch_rows: int = 1


def token_text(facts: StepFacts, token_id: int) -> str:
    """Return the text of a token that the step fed or had among its top logits; its number where that is unknown."""
    return facts.token_texts.get(str(token_id), f"#{token_id}")


def token_strip(
    trace: Trace, selection: Selection, tolerance: float, sensitive: tuple[str, ...] = ()
) -> TokenStripView:
    """Return the chips of the selected batch row: what was fed, and what each step's oracle chose next.

    Args:
        sensitive: patterns of the reader's own, beside those that are known.
    """
    batch_row, step = selection.batch_row, selection.step
    chips = tuple(
        replace(chip, is_selected=True) if chip.is_chosen and chip.step_index == step else chip
        for chip in _chips(trace, batch_row, tolerance, sensitive)
    )
    return TokenStripView(chips, len(trace.info.prompt_ids))


@kept
def _chips(
    trace: Trace, batch_row: int, tolerance: float, sensitive: tuple[str, ...]
) -> tuple[TokenChip, ...]:
    """Return the chips of a batch row, none of them selected."""
    first_bad = first_bad_step(trace, tolerance)
    chips: list[TokenChip] = []
    for step_index in range(len(trace)):
        facts = trace.facts(step_index)
        start = facts.text_len - facts.q_len
        if facts.before is not None and facts.before.startswith("crop"):
            chips = chips[:start]
        guess = chips[
            start:
        ]  # what the step before chose; the same token is fed now, unless a turn replaced it
        chips[start:] = _fed_chips(facts, batch_row)
        if facts.kind in ("decode", "draft") and guess:
            chips[start] = guess[0]
        is_chip_bad = is_bad(trace, step_index, tolerance)
        chips.append(_chosen_chip(facts, batch_row, is_chip_bad, step_index == first_bad))
    return _mark_sensitive(chips, sensitive)


def _fed_chips(facts: StepFacts, row: int) -> list[TokenChip]:
    start = facts.text_len - facts.q_len
    pads = facts.pads[row] if facts.pads else 0
    return [
        TokenChip(
            text=token_text(facts, token_id) if start + place >= pads else "", token_index=start + place, token_id=token_id,
            step_index=facts.step_index, is_prompt=facts.kind in GIVEN,
            is_guess=facts.kind not in GIVEN, is_pad=start + place < pads,
        )
        for place, token_id in enumerate(facts.tokens[row])
    ]  # fmt: skip


def _chosen_chip(facts: StepFacts, batch_row: int, is_bad: bool, is_first_bad: bool) -> TokenChip:
    oracle, cached = facts.argmax_oracle[batch_row], facts.argmax_cached[batch_row]
    return TokenChip(
        token_text(facts, oracle), facts.text_len, oracle, facts.step_index, is_prompt=False,
        is_bad=is_bad, is_first_bad=is_first_bad,
        cached_text=token_text(facts, cached) if cached != oracle else None,
    )  # fmt: skip


def _mark_sensitive(chips: list[TokenChip], extra: tuple[str, ...]) -> tuple[TokenChip, ...]:
    # a token without a text of its own, shown by its number, has no digits that matter
    texts = [None if chip.text == f"#{chip.token_id}" else chip.text for chip in chips]
    flags = sensitive_flags(texts, extra)
    return tuple(
        replace(chip, is_sensitive=True) if flag else chip for chip, flag in zip(chips, flags, strict=True)
    )


@kept
def text_labels(trace: Trace, step_index: int, row: int) -> tuple[str, ...]:
    """Return the texts of the tokens in the cache after a step, by token_index."""
    labels: list[str] = []
    for index in range(step_index + 1):
        facts = trace.facts(index)
        labels[facts.text_len - facts.q_len :] = (
            _first_labels(trace, row) if index == 0 else _labels(facts, row)
        )
    return tuple(labels)


@kept
def _first_labels(trace: Trace, row: int) -> list[str]:
    """Return those of the prompt, which every step looks for again."""
    return _labels(trace.facts(0), row)


def _labels(facts: StepFacts, row: int) -> list[str]:
    start, pads = facts.text_len - facts.q_len, facts.pads[row] if facts.pads else 0
    texts = (token_text(facts, token_id) for token_id in facts.tokens[row])
    return [text if place >= pads else "" for place, text in enumerate(texts, start)]
