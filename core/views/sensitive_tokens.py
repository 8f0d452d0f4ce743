"""What the cached lane does to tokens that matter: how many were compared, how near a change is, how many change."""

from dataclasses import dataclass

from core.trace.reader import Trace
from core.views.logits import margin
from core.views.selection import Selection
from core.views.tokens import TokenChip, token_strip

MOST_CHANGED = 24


@dataclass(frozen=True)
class ChangedToken:
    """A token that the cached lane would have written otherwise."""

    step: int
    batch_row: int
    oracle: str
    cached: str


@dataclass(frozen=True)
class SensitiveView:
    """Generated tokens that belong to such texts. `smallest_margin` is the least top1 - top2 of the oracle among them."""

    n_compared: int
    n_changed: int
    smallest_margin: float | None
    smallest_at: int | None  # step
    n_generated: int
    changed: tuple[ChangedToken, ...] = ()

    @property
    def share_changed(self) -> float | None:
        return self.n_changed / self.n_compared if self.n_compared else None


def sensitive_tokens(trace: Trace, tolerance: float, extra: tuple[str, ...] = ()) -> SensitiveView:
    """Count the generated tokens of all batch rows that belong to texts that matter."""
    margins: list[tuple[float, int]] = []
    changed: list[ChangedToken] = []
    n_compared = n_generated = 0
    for row in range(len(trace.info.prompt_ids)):
        chips = [
            chip
            for chip in token_strip(trace, Selection(batch_row=row), tolerance, extra).chips
            if chip.is_chosen
        ]
        n_generated += len(chips)
        for chip in chips:
            if chip.is_sensitive:
                n_compared += 1
                margins += [(found, chip.step_index) for found in _margin(trace, chip, row)]
                if chip.cached_text is not None:
                    changed.append(ChangedToken(chip.step_index, row, chip.text, chip.cached_text))
    smallest, at = min(margins, default=(None, None))
    return SensitiveView(n_compared, len(changed), smallest, at, n_generated, tuple(changed[:MOST_CHANGED]))


def _margin(trace: Trace, chip: TokenChip, row: int) -> list[float]:
    found = margin(trace, chip.step_index, row)
    return [] if found is None else [found]
