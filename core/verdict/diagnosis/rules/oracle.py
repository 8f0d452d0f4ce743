"""The oracle: the lane without a cache is itself wrong, or no legal oracle beyond some length."""

from collections.abc import Iterator

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared
from core.verdict.diagnosis.hypothesis import Hypothesis
from core.verdict.diagnosis.rules.parts import place_of_query
from core.verdict.locate import Place


def broken_oracle(step: Compared) -> Iterator[Hypothesis]:
    """The oracle's old rows change when tokens are added, it crops its text, or its tokens see the future."""
    evidence = step.evidence
    crop = _cropped(step)
    if crop is not None or (not evidence.is_prefix_invariant and evidence.is_invariant_when_short):
        yield _overflow(step, crop)
    elif not evidence.is_prefix_invariant:
        yield _broken(
            step,
            Text(
                QT_TRANSLATE_NOOP(
                    "core",
                    "The oracle's logits of earlier tokens change when tokens are added, which a causal model's never do.",
                )
            ),
        )
    else:
        yield from _sees_future(step)


def _overflow(step: Compared, crop: int | None) -> Hypothesis:
    values: Values = {"n_tokens": step.evidence.n_tokens, "kept": crop or 0}
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core",
            "The text of {n_tokens} tokens is longer than the model's context: recomputing it is no longer the same function as going on with the cache.",
        ),
        values,
    )
    facts = [
        Text(
            QT_TRANSLATE_NOOP(
                "core", "For short texts the oracle's old rows stay when tokens are added; here they change."
            )
        )
    ]
    if crop is not None:
        facts = [
            Text(
                QT_TRANSLATE_NOOP("core", "The oracle computed only the last {kept} of {n_tokens} tokens."),
                values,
            )
        ]
    return Hypothesis(
        "context-overflow", sentence, tuple(facts), Place("oracle", float("inf")), None, step.slots.placements
    )


def _broken(step: Compared, evidence: Text) -> Hypothesis:
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core", "The lane without a cache is the wrong one, so the cached lane cannot be judged by it."
        )
    )
    return Hypothesis(
        "oracle-broken", sentence, (evidence,), Place("oracle", float("inf")), None, step.slots.placements
    )


def _cropped(step: Compared) -> int | None:
    """Return how many tokens the oracle computed where its attention had fewer keys than the text has tokens."""
    calls = step.evidence.oracle.calls
    longest = max((call.k.shape[2] for call in calls), default=step.evidence.n_tokens)
    return longest if longest < step.evidence.n_tokens - max(step.evidence.pads, default=0) else None


def _sees_future(step: Compared) -> Iterator[Hypothesis]:
    for call in step.calls:
        future = call.seen_oracle & ~call.seen_cached & (np.arange(call.n_tokens) > call.query_token[:, None])
        if future.any():
            one = _broken(
                step,
                Text(
                    QT_TRANSLATE_NOOP(
                        "core", "In the oracle, tokens see the future: its attention lacks the causal mask."
                    )
                ),
            )
            place = place_of_query(call, "mask", np.asarray(future.any(-1)), float(future.sum()))
            yield Hypothesis(one.cause, one.sentence, one.evidence, place, None, one.placements)
            return
