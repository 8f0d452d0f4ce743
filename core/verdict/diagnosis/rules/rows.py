"""Rows and slots: the cache holds rows that belong to no token of this text, or lacks some that do."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.hypothesis import Hypothesis, Part, Repair
from core.verdict.diagnosis.paired import Bools
from core.verdict.diagnosis.rules.masks import window_of
from core.verdict.diagnosis.rules.parts import (
    layers_where,
    listed,
    percent,
    place_of_slot,
    slot_pairs,
    slots_repair,
)
from core.verdict.diagnosis.rules.told import told_positions
from core.verdict.diagnosis.slot_map import OWN_TEXT, State
from core.verdict.locate import Place

Chosen = list[tuple[ComparedCall, Bools]]


def rows_too_many(step: Compared) -> Iterator[Hypothesis]:
    """Queries see rows that hold no token of the text: fed twice, left over, or the unused end of a buffer."""
    chosen = [(call, call.rows_too_many) for call in step.calls if call.rows_too_many.any()]
    if not chosen:
        return
    drop = slots_repair(step, ("drop",), chosen)
    for_count = counted_by_slot(step, step.calls)
    for cause, sentence, mask in _named(step, *chosen[0], _is_of_other_text(chosen)):
        place, facts = place_of_slot(chosen[0][0], "k", mask), _facts(step, chosen)
        for repair in (drop, for_count):
            yield Hypothesis(cause, sentence, facts, place, repair, step.slots.placements)


def counted_by_slot(step: Compared, calls: Sequence[ComparedCall]) -> Repair:
    """Repair all that a wrong number of rows upsets: rows without a place are hidden, tokens without a slot are added.

    Bias, mask, and the positions of new tokens are often counted by slots, so they are the oracle's.
    """
    parts: list[Part] = ["mask", "bias", "scale"]
    told = told_positions(step.evidence)
    if told is not None and told.gap.any():
        parts.append("positions")
    elif told is None and step.evidence.oracle.first_input is not None:
        parts.append("input")
    if any(call.lost.any() for call in calls):
        parts.append("add")
    return Repair(tuple(parts))


def _is_of_other_text(chosen: Chosen) -> Bools:
    """(B, S): slots that some layer finds in another text; the first layer's rows may know the token id alone."""
    shape = chosen[0][1].shape
    found = [np.maximum(call.slots.k_origin.text, call.slots.v_origin.text) > OWN_TEXT for call, _ in chosen]
    return np.asarray(np.logical_or.reduce([one for one in found if one.shape == shape]))


def _named(
    step: Compared, call: ComparedCall, mask: Bools, is_other: Bools
) -> Iterator[tuple[str, Text, Bools]]:
    """Yield (cause, sentence, slots), the kind that most of the rows are first."""
    state = call.slots.state
    kinds = {"tail": mask & _is_tail(call) & np.isin(state, (State.EMPTY, State.NOT_FINITE))}
    rest = mask & ~kinds["tail"]
    kinds["refed"] = rest & ~is_other & ((state == State.DUPLICATE) | _is_written_too_much(step, call))
    kinds["aliased"] = rest & ~kinds["refed"] & (state == State.OTHER_LAYER)
    kinds["stale"] = rest & ~kinds["refed"] & ~kinds["aliased"]
    for kind in sorted(kinds, key=lambda name: -int(kinds[name].sum())):
        slots = kinds[kind]
        if slots.any():
            count = int(slots.sum(-1).max())
            text = _text_of(step, slots)
            yield _cause(step, text, kind), _sentence(step, slots, kind, text, count), slots


def _is_written_too_much(step: Compared, call: ComparedCall) -> Bools:
    """(B, S): filled slots of rows in which more was written in this step than was fed, beyond the length of the text."""
    if step.evidence.last is None:
        return np.zeros_like(call.slots.kept, dtype=bool)
    is_filled = ~np.isin(call.slots.state, (State.EMPTY, State.ZERO))
    written = is_filled & (call.slots.kept < 0)
    too_long = is_filled.sum(-1) > step.evidence.n_tokens
    return np.asarray(written & ((written.sum(-1) > step.n_new) & too_long)[:, None])


def _cause(step: Compared, text: str | None, kind: str) -> str:
    if kind == "tail":
        return "tail-unmasked"
    if kind == "refed":
        return "prefix-refed"
    if kind == "aliased":
        return "layer-aliased"
    return "shared-state" if text == "beside" and step.evidence.step_index > 0 else "stale-rows"


def _text_of(step: Compared, slots: Bools) -> str | None:
    """Return of which other text most of the rows are, by all layers."""
    found = [
        text for call in step.calls if call.slots.token.shape == slots.shape
        for origin in (call.slots.k_origin, call.slots.v_origin) for text in origin.text[slots] if text > OWN_TEXT
    ]  # fmt: skip
    return step.evidence.others[int(np.bincount(found).argmax()) - 1].what if found else None


def _sentence(step: Compared, slots: Bools, kind: str, text: str | None, count: int) -> Text:
    values: Values = {"count": count, "slots": listed(np.flatnonzero(slots.any(0)))}
    is_draft = text == "draft" or (text is None and (step.evidence.before or "").startswith("crop"))
    if kind == "tail":
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "Unused slots behind the text take part in attention: {count} slots ({slots}) that hold no token.",
            ),
            values,
        )
    if kind == "refed":
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "Tokens were fed twice: {count} rows (slots {slots}) belong to tokens that the cache already holds.",
            ),
            values,
        )
    if kind == "aliased":
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "Layers share one cache: {count} rows too many (slots {slots}) are those of another layer.",
            ),
            values,
        )
    if text == "before":
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "The cache still holds rows of the run before: {count} rows (slots {slots})."
            ),
            values,
        )
    if text == "beside":
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "The cache holds rows of another run that is alive at the same time: {count} rows (slots {slots}).",
            ),
            values,
        )
    if is_draft:
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "Rows of rejected draft tokens are still in the cache: {count} rows (slots {slots})."
            ),
            values,
        )
    return Text(QT_TRANSLATE_NOOP("core", "The cache holds {count} rows (slots {slots}) that no token of this text explains: they were left over."), values)  # fmt: skip


def _facts(step: Compared, chosen: Chosen) -> tuple[Text, ...]:
    call, mask = chosen[0]
    n_rows = int((call.slots.token >= 0).sum(-1).max() + mask.sum(-1).max())
    facts = [
        Text(
            QT_TRANSLATE_NOOP(
                "core", "Layer {layer} attends to {n_rows} rows; the text has {n_tokens} tokens."
            ),
            {"layer": call.layer, "n_rows": n_rows, "n_tokens": step.evidence.n_tokens},
        )
    ]
    if len(chosen) < len(step.calls):
        facts.append(
            Text(
                QT_TRANSLATE_NOOP("core", "Only layers {layers} have rows too many."),
                {"layers": listed(one.layer for one, _ in chosen)},
            )
        )
    origin = call.slots.k_origin
    own = mask & (origin.text == OWN_TEXT)
    if own.any():
        b, slot = (int(at) for at in np.argwhere(own)[0])
        facts.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "Slot {slot} equals the row of token {token}, which another slot holds as well."
                ),
                {"slot": slot, "token": int(origin.token[b, slot])},
            )
        )
    if (
        step.evidence.last is not None
        and (written := int((mask & (call.slots.kept < 0)).sum(-1).max())) > 0
        and not (call.slots.state[mask] == State.EMPTY).all()
    ):
        facts.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "{written} of them were written in this step, in which {q_len} tokens were fed."
                ),
                {"written": written, "q_len": step.n_new},
            )
        )
    weights = call.pair.cached.weights[:, :, -call.pair.q_len :]
    share = float(np.nan_to_num(weights * mask[:, None, None]).sum(-1).max())
    facts.append(
        Text(
            QT_TRANSLATE_NOOP("core", "Up to {share} of a head's attention goes to them."),
            {"share": percent(share)},
        )
    )
    return tuple(facts)  # fmt: skip


def _is_tail(call: ComparedCall) -> Bools:
    """(B, S): slots behind the last one that holds a token."""
    slots = np.arange(call.slots.token.shape[1])
    last = np.where(call.slots.token >= 0, slots, -1).max(-1, keepdims=True)
    return np.asarray(slots > last)


def not_finite_tail(step: Compared) -> Iterator[Hypothesis]:
    """Slots that nobody may see hold NaN, and 0 * NaN is NaN."""
    for call in step.calls:
        hidden = (call.slots.state == State.NOT_FINITE) & (call.slots.token < 0)
        if hidden.any():
            values: Values = {"layer": call.layer, "slots": listed(np.flatnonzero(hidden.any(0)))}
            yield Hypothesis(
                "tail-unmasked",
                Text(QT_TRANSLATE_NOOP("core", "Unused slots hold numbers that are not finite, and reach the output although their weight is 0: 0 * NaN is NaN."), values),
                (Text(QT_TRANSLATE_NOOP("core", "Layer {layer}, slots {slots}: not finite, and outside the text."), values),),
                place_of_slot(call, "v", hidden), Repair(("drop",), None, slot_pairs(hidden)), step.slots.placements,
            )  # fmt: skip
            return


def rows_missing(step: Compared) -> Iterator[Hypothesis]:
    """Tokens that the oracle's queries see lie in no slot: never written, overwritten, evicted."""
    suspects = [call for call in step.calls if call.lost.any()]
    if not suspects:
        return
    call = suspects[0]
    lost = call.lost
    b, token = (int(at) for at in np.argwhere(lost)[0])
    is_oldest, window = _is_oldest(call, lost), window_of(call) or step.evidence.window
    layers = layers_where(suspects, len(step.calls))
    place = Place("k", float("inf"), call.layer, b, token)
    causes = ["slot-lost"]
    is_short = window is not None and step.evidence.n_tokens - 1 - token == window - 1
    is_cut = call.slots.token.shape[1] == window and not (call.seen_oracle[:, -1] & lost).any()
    if is_oldest and (is_short or is_cut):
        causes = ["window-boundary", "slot-lost"]
    elif is_oldest:
        causes = ["slot-lost", "window-boundary"]
    for cause in causes:
        sentence = _lost_sentence(step, call, lost) if cause == "slot-lost" else Text(
            QT_TRANSLATE_NOOP("core", "The cached lane keeps fewer rows than the window: token {token}, the oldest that the oracle sees, is gone."), {"token": token},
        )  # fmt: skip
        facts = _lost_facts(step, call, lost)
        for repair in (Repair(("add",), layers), counted_by_slot(step, suspects)):
            yield Hypothesis(cause, sentence, facts, place, repair, step.slots.placements)


def _is_oldest(call: ComparedCall, lost: Bools) -> bool:
    """Whether all lost tokens are older than those that are held and seen."""
    held = call.seen_oracle.any(1) & call.is_held
    first = np.where(held.any(-1), held.argmax(-1), call.n_tokens)
    return bool((np.where(lost, np.arange(call.n_tokens), -1) < first[:, None]).all())


def _lost_sentence(step: Compared, call: ComparedCall, lost: Bools) -> Text:
    tokens = np.flatnonzero(lost.any(0))
    values: Values = {"tokens": listed(tokens)}
    if tokens[-1] >= step.new_tokens[0]:
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "New tokens are not among the rows that attention reads: no slot holds token {tokens}.",
            ),
            values,
        )
    if _is_oldest(call, lost):
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "Rows were evicted that are still to be seen: no slot holds token {tokens}."
            ),
            values,
        )
    if tokens[-1] == step.new_tokens[0] - 1:
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "A new row was written over the one before it: no slot holds token {tokens}."
            ),
            values,
        )
    return Text(QT_TRANSLATE_NOOP("core", "Rows were overwritten or never kept: no slot holds token {tokens}."), values)  # fmt: skip


def _lost_facts(step: Compared, call: ComparedCall, lost: Bools) -> tuple[Text, ...]:
    tokens = int(lost.any(0).sum())
    facts = [
        Text(
            QT_TRANSLATE_NOOP("core", "Layer {layer} holds {n_rows} of {n_tokens} tokens."),
            {"layer": call.layer, "n_rows": int(call.is_held[0].sum()), "n_tokens": step.evidence.n_tokens},
        )
    ]
    rows = np.argwhere(call.is_new)
    if len(rows) and step.evidence.last is not None and tokens == 1:
        b, slot = (int(at) for at in rows[0])
        facts.append(
            Text(
                QT_TRANSLATE_NOOP("core", "Token {token} was written to slot {slot}."),
                {"token": int(call.slots.token[b, slot]), "slot": slot},
            )
        )
    return tuple(facts)  # fmt: skip


def rows_zero(step: Compared) -> Iterator[Hypothesis]:
    """Slots of the text hold zeros or numbers that are not finite: never written, or wiped."""
    for states, sentence in (
        ((State.ZERO,), QT_TRANSLATE_NOOP("core", "The row of token {tokens} holds zeros: it was never written, or wiped.")),
        ((State.NOT_FINITE,), QT_TRANSLATE_NOOP("core", "The row of token {tokens} holds numbers that are not finite.")),
    ):  # fmt: skip
        chosen = [(call, call.introduced & np.isin(call.slots.state, states)) for call in step.calls]
        chosen = [(call, mask) for call, mask in chosen if mask.any()]
        if not chosen:
            continue
        call, mask = chosen[0]
        values: Values = {
            "tokens": listed(call.slots.token[mask]),
            "layers": listed(one.layer for one, _ in chosen),
        }
        evidence = (
            Text(
                QT_TRANSLATE_NOOP("core", "Layers {layers} hold such rows at places that queries see."),
                values,
            ),
        )
        repair = slots_repair(step, ("k", "v"), chosen)
        yield Hypothesis(
            "slot-lost",
            Text(sentence, values),
            evidence,
            place_of_slot(call, "k", mask),
            repair,
            step.slots.placements,
        )
