"""Positions: the model is told that a token stands where it does not."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared
from core.verdict.diagnosis.hypothesis import Hypothesis, Repair
from core.verdict.diagnosis.rules.parts import slot_pairs
from core.verdict.diagnosis.rules.scores import scores_agree
from core.verdict.diagnosis.rules.told import Told, told_positions
from core.verdict.locate import Place

Ids = NDArray[np.int64]


def told_wrong(step: Compared) -> Iterator[Hypothesis]:
    """Position ids of the two lanes differ, and the scores with them."""
    told = told_positions(step.evidence)
    if told is None or not told.gap.any():
        return
    if step.calls and scores_agree(step.calls[0]) and _inputs_agree(step):
        return  # rotary positions that are shifted as a whole
    cause = cause_of_gap(step, told.gap, told.cached)
    b, query = (int(at) for at in np.argwhere(told.gap)[0])
    token = int(step.new_tokens[query])
    place = Place("position_ids", float(abs(told.gap[b, query])), None, b, token)
    values: Values = {
        "cached": int(told.cached[b, query]),
        "oracle": int(told.oracle[b, query]),
        "token": token,
    }
    sentence, evidence = Text(sentence_of(cause), values), _evidence(step, told)
    for repair in _repairs(step):
        yield Hypothesis(cause, sentence, evidence, place, repair, step.slots.placements)


def _repairs(step: Compared) -> Iterator[Repair]:
    """Tell the model the right positions; where that cannot be done, give it what it would make of them."""
    yield Repair(("positions",))
    if _inputs_agree(step):
        new = [slot_pairs(call.is_new) for call in step.calls]
        yield Repair(("q", "k"), None, tuple(sorted({pair for pairs in new for pair in pairs})))
    elif step.evidence.oracle.first_input is not None:
        yield Repair(("input",))


def cause_of_gap(step: Compared, gap: Ids, cached: Ids) -> str:
    """Return the cause id of positions (B, Q) that are wrong by a gap.

    Only rows with pads: pads are counted. A call that starts at 0: reset. Everything else drifts.
    """
    pads = np.array(step.evidence.pads)
    is_wrong = np.asarray(gap.any(1))
    if pads.any() and not is_wrong[pads == 0].any():
        return "pad-positions"
    if step.evidence.last is None:
        return "position-drift"
    n_pads = np.clip(pads - step.evidence.n_tokens + step.n_new, 0, None)
    is_reset = all(_counts_from_0(cached[b], int(n_pads[b])) for b in np.flatnonzero(is_wrong))
    return "position-reset" if is_reset else "position-drift"


def _counts_from_0(positions: Ids, n_pads: int) -> bool:
    return np.array_equal(positions[n_pads:], np.arange(len(positions) - n_pads))


def sentence_of(cause: str) -> str:
    return {
        "position-reset": QT_TRANSLATE_NOOP("core", "The cached lane counts the tokens of every call from 0: token {token} is told position {cached}, expected {oracle}."),
        "pad-positions": QT_TRANSLATE_NOOP("core", "Left pads are counted in the positions of padded rows: token {token} is told position {cached}, expected {oracle}."),
        "position-drift": QT_TRANSLATE_NOOP("core", "The offset of new tokens is wrong: token {token} is told position {cached}, expected {oracle}."),
    }[cause]  # fmt: skip


def gap_texts(step: Compared, gap: Ids, cached: Ids, last: Ids | None) -> list[Text]:
    """Say what a gap (B, Q) looks like: constant, off by one, the prompt once more, standing still."""
    wrong = np.unique(gap[gap != 0])
    found: list[Text] = []
    if len(wrong) == 1:
        found.append(
            Text(
                QT_TRANSLATE_NOOP("core", "All wrong positions are off by {gap}."),
                {"gap": f"{int(wrong[0]):+d}"},
            )
        )
    first = step.evidence.first_q_len
    if len(wrong) == 1 and first > 1 and int(wrong[0]) == first - 1:
        found.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core",
                    "That is the length of the first call, {n_tokens}, less one: the offset was advanced by it twice.",
                ),
                {"n_tokens": first},
            )
        )
    if last is not None and bool((cached[:, -1] == last).all()):
        found.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "The step before was told position {position} as well: the counter stands still."
                ),
                {"position": int(last[0])},
            )
        )
    pads = np.array(step.evidence.pads)
    rows = np.flatnonzero(gap.any(1))
    if (
        pads.any()
        and len(wrong)
        and all(abs(int(gap[b].max(initial=0, where=gap[b] != 0) or gap[b].min())) == pads[b] for b in rows)
    ):
        found.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "The gap of each row is its number of pads; rows without pads are right."
                )
            )
        )
    return found  # fmt: skip


def _evidence(step: Compared, told: Told) -> tuple[Text, ...]:
    b = int(np.argwhere(told.gap)[0][0])
    shown: Values = {"oracle": _shown(told.oracle[b]), "cached": _shown(told.cached[b])}
    first = Text(
        QT_TRANSLATE_NOOP(
            "core", "Position ids of this step: {oracle} in the oracle, {cached} in the cached lane."
        ),
        shown,
    )
    return (first, *gap_texts(step, told.gap, told.cached, told.last))


def _shown(ids: Ids) -> str:
    return ", ".join(map(str, ids[:6])) + (" ..." if len(ids) > 6 else "")


def _inputs_agree(step: Compared) -> bool:
    """Whether the first layer gets the same in both lanes, as far as values tell: those are not rotated."""
    if not step.calls:
        return False
    call = step.calls[0]
    is_new = call.is_new & (call.slots.token >= 0)
    return not bool((call.slots.v_distance[is_new] > call.tolerance).any())
