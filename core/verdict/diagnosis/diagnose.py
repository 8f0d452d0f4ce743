"""From the evidence of a bad step to a ranked list of what may have caused it."""

from collections.abc import Callable, Iterator

from core.verdict.diagnosis.compared import Compared
from core.verdict.diagnosis.hypothesis import Hypothesis
from core.verdict.diagnosis.rules import (
    heads,
    inputs,
    masks,
    oracle,
    positions,
    rotated,
    rows,
    scores,
    sharing,
    state,
    unknown,
    values,
)

Rule = Callable[[Compared], Iterator[Hypothesis]]

# The order of rank: what a cache holds (rows too many explain wrong positions, not the other way round),
# what is told, what a layer before all differing attention carries on, what the rows' numbers are, who sees whom, and what is made of q and k. Fallbacks last.
RULES: tuple[Rule, ...] = (
    rows.rows_too_many,
    positions.told_wrong,
    state.recurrent_state,
    sharing.batch_rows_mixed,
    sharing.texts_mixed,
    sharing.layers_mixed,
    values.values_from_keys,
    heads.head_map,
    heads.query_heads,
    heads.scrambled,
    rotated.wrongly_rotated,
    values.scaled,
    values.degraded,
    scores.scaled_queries,
    rows.rows_missing,
    rows.rows_zero,
    rows.not_finite_tail,
    masks.wrong_mask,
    scores.wrong_scores,
    inputs.wrong_input,
)


def hypotheses(step: Compared) -> list[Hypothesis]:
    """Return what may have caused the step, best first; the last ones are honest fallbacks of cause "unknown".

    Where the oracle is the broken lane nothing else is suggested: any repair would only make the cached lane as wrong.
    """
    broken = list(oracle.broken_oracle(step))
    if broken:
        return broken
    found = [one for rule in RULES for one in rule(step)]
    return [*found, *unknown.begins_at(step)]
