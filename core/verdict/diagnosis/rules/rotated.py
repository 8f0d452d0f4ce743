"""RoPE: values agree, and queries or keys are turned by another position than their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.hypothesis import Hypothesis, Part, Repair
from core.verdict.diagnosis.paired import Bools
from core.verdict.diagnosis.rotation import Rotation, rotation_of
from core.verdict.diagnosis.rules.parts import place_of_query, place_of_slot, slot_pairs
from core.verdict.diagnosis.rules.positions import cause_of_gap, gap_texts
from core.verdict.diagnosis.rules.told import Told, told_positions

Ids = NDArray[np.int64]
UNSOLVED = np.iinfo(np.int64).min
MAX_VECTORS = 8  # enough to fit how a model rotates


@dataclass(frozen=True)
class Turned:
    """By how many positions vectors of a call are turned too far; 0 where they agree, UNSOLVED where it is no rotation."""

    call: ComparedCall
    rotation: Rotation
    q: Ids  # (B, Q)
    k: Ids  # (B, S)

    @cached_property
    def k_new(self) -> Ids:
        """(B, Q): the keys of the step's tokens."""
        found = np.zeros_like(self.q)
        for b in range(len(found)):
            slot = self.call.slots.slot_of(b, self.call.n_tokens)[self.call.query_token]
            found[b, slot >= 0] = self.k[b, slot[slot >= 0]]
        return found

    @cached_property
    def k_old(self) -> Ids:
        """(B, S): the keys of earlier steps, 0 elsewhere."""
        return np.where(self.call.is_new, 0, self.k)


def turned_in(call: ComparedCall, reach: int) -> Turned | None:
    """Solve the rotations of a call whose values agree, None where queries and keys do not differ by rotations."""
    bad_k = call.differs & (call.slots.k_distance > call.tolerance)
    bad_q = call.q_distance > call.tolerance
    bad_v = call.differs & (call.slots.v_distance > call.tolerance)
    if not (bad_k.any() or bad_q.any()) or bad_v.any():
        return None
    vectors = {"k": _pairs_of_keys(call, bad_k), "q": _pairs_of_queries(call, bad_q)}
    rotation = next(
        (found for cached, oracle in vectors.values() if len(cached)
         and (found := rotation_of(cached[:MAX_VECTORS], oracle[:MAX_VECTORS], reach, call.tolerance)) is not None), None,
    )  # fmt: skip
    if rotation is None:
        return None
    shifts = {"k": np.zeros(bad_k.shape, dtype=np.int64), "q": np.zeros(bad_q.shape, dtype=np.int64)}
    for name, mask in (("k", bad_k), ("q", bad_q)):
        solved = rotation.turned_by(*vectors[name], reach) if mask.any() else []
        shifts[name][mask] = [UNSOLVED if shift is None else shift for shift in solved]
    is_solved = [shifts[name] != UNSOLVED for name in shifts]
    return Turned(call, rotation, shifts["q"], shifts["k"]) if all(one.all() for one in is_solved) else None


def _pairs_of_keys(call: ComparedCall, mask: Bools) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    b, token = np.argwhere(mask)[:, 0], call.slots.token[mask] - call.pair.first_token
    return call.pair.k_cached.transpose(0, 2, 1, 3)[mask], call.pair.k_oracle.transpose(0, 2, 1, 3)[b, token]


def _pairs_of_queries(call: ComparedCall, mask: Bools) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    n = call.pair.q_len
    a, b = (lane.q[:, :, -n:].transpose(0, 2, 1, 3)[mask] for lane in (call.pair.cached, call.pair.oracle))
    return a, b


def first_turned(step: Compared) -> Turned | None:
    """Return the rotations of the first call in which queries or keys differ, None if that is no matter of rotation."""
    reach = 2 * step.evidence.n_tokens + 8
    for call in step.calls:
        if call.differs.any() or (call.q_distance > call.tolerance).any():
            return turned_in(call, reach)
    return None


def wrongly_rotated(step: Compared) -> Iterator[Hypothesis]:
    """Name rotations by which of queries, new keys and old keys they concern, and by what the model was told."""
    turned = first_turned(step)
    if turned is None or _is_shift_of_all(turned):
        return
    told = told_positions(step.evidence)
    is_alike = np.array_equal(turned.q, turned.k_new)
    if (
        told is not None
        and is_alike
        and np.array_equal(np.where(told.is_token, turned.q, 0), told.gap)
        and not turned.k_old.any()
    ):
        return  # it is rotated as it was told: the positions are the cause
    if turned.k_old.any() or not turned.q.any():
        yield _keys(step, turned)
    elif is_alike:
        yield from _both(step, turned, told)
    else:
        yield _one_of_them(step, turned)


def _is_shift_of_all(turned: Turned) -> bool:
    """Whether everything in a row of the batch is turned alike: rotary attention sees differences only."""
    looked_at = turned.call.seen_slots.any(1) & (turned.call.slots.token >= 0)
    for b in range(len(turned.q)):
        shifts = {*turned.q[b][turned.call.is_query[b]].tolist(), *turned.k[b][looked_at[b]].tolist()}
        if len(shifts) > 1:
            return False
    return True


def _both(step: Compared, turned: Turned, told: Told | None) -> Iterator[Hypothesis]:
    """Queries and new keys are turned alike: another position, whether told or looked up."""
    call = turned.call
    positions = _true_positions(step)
    rotated = positions + turned.q
    wrong = turned.q != 0
    b, query = (int(at) for at in np.argwhere(wrong)[0])
    token = int(call.query_token[query])
    values: Values = {
        "token": token,
        "oracle": int(positions[b, query]),
        "cached": int(rotated[b, query]),
    }
    place = place_of_query(call, "q", wrong, float(call.q_distance[wrong].max()))
    repair = Repair(("q", "k"), None, slot_pairs(call.is_new))
    evidence = (_rotation_text(turned), *gap_texts(step, turned.q, rotated, None))
    mismatch = Text(
        QT_TRANSLATE_NOOP(
            "core",
            "The rotation does not follow the position: token {token} stands at {oracle} and is rotated as {cached}.",
        ),
        values,
    )
    if told is not None:
        at = {**values, "told": int(told.cached[b, query])}
        mismatch = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "The rotation does not follow the position: token {token} is told {told} and is rotated as {cached}.",
            ),
            at,
        )
        yield Hypothesis("rope-mismatch", mismatch, evidence, place, repair, step.slots.placements)
        return
    cause = cause_of_gap(step, turned.q, rotated)
    drift = Text(_INFERRED[cause], values)
    named = [("rope-mismatch", mismatch), (cause, drift)]
    for name, sentence in named if _is_replayed(step, turned) else reversed(named):
        yield Hypothesis(name, sentence, evidence, place, repair, step.slots.placements)


_INFERRED = {
    "position-reset": QT_TRANSLATE_NOOP("core", "The cached lane counts the tokens of every call from 0: token {token} is rotated as position {cached}, expected {oracle}."),
    "pad-positions": QT_TRANSLATE_NOOP("core", "Left pads are counted in the positions of padded rows: token {token} is rotated as position {cached}, expected {oracle}."),
    "position-drift": QT_TRANSLATE_NOOP("core", "The offset of new tokens is wrong: token {token} is rotated as position {cached}, expected {oracle}."),
}  # fmt: skip


def _is_replayed(step: Compared, turned: Turned) -> bool:
    """Whether the second call of a length is rotated as the first was: rotations remembered by length do so."""
    evidence = step.evidence
    is_last = evidence.last_q_len == step.n_new and bool(
        (turned.q[turned.call.is_query] == -step.n_new).all()
    )
    return is_last and evidence.step_index == 2


def _keys(step: Compared, turned: Turned) -> Hypothesis:
    call, wrong = turned.call, turned.k != 0
    pads = np.array(step.evidence.pads)[:, None]
    position = np.where(call.slots.token >= 0, call.slots.token - pads, 0)
    rotated = position + turned.k
    b, slot = (int(at) for at in np.argwhere(wrong)[0])
    values: Values = {
        "token": int(call.slots.token[b, slot]), "oracle": int(position[b, slot]), "cached": int(rotated[b, slot]),
    }  # fmt: skip
    if (rotated[wrong] == 0).all() and wrong.sum() > 1:
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "Keys are cached before they are rotated, and read as they are: all are rotated as position 0.",
            ),
            values,
        )
    elif (rotated[wrong] == 2 * position[wrong]).all() and turned.k_old.any():
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "Cached keys are rotated twice: that of token {token} is turned as position {cached}, expected {oracle}.",
            ),
            values,
        )
    elif not turned.k_old.any() and rotated[wrong].min() == 0:
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "The keys of this piece of text are rotated as if it stood alone: that of token {token} as position {cached}, expected {oracle}.",
            ),
            values,
        )
    else:
        sentence = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "Cached keys are not rotated as they were written: that of token {token} is turned as position {cached}, expected {oracle}.",
            ),
            values,
        )
    parts: tuple[Part, ...] = ("q", "k") if turned.q.any() else ("k",)
    repair = Repair(parts, None, slot_pairs(wrong))
    place = place_of_slot(call, "k", wrong)
    return Hypothesis(
        "rope-mismatch", sentence, (_rotation_text(turned),), place, repair, step.slots.placements
    )


def _one_of_them(step: Compared, turned: Turned) -> Hypothesis:
    """Queries and new keys are turned by different positions."""
    call, positions = turned.call, _true_positions(step)
    wrong = turned.q != turned.k_new
    b, query = (int(at) for at in np.argwhere(wrong)[0])
    at = int(positions[b, query])
    values: Values = {
        "token": int(call.query_token[query]), "oracle": at, "q": at + int(turned.q[b, query]), "k": at + int(turned.k_new[b, query]),
    }  # fmt: skip
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core",
            "Queries and keys are not rotated alike: of token {token}, at position {oracle}, q is rotated as {q} and k as {k}.",
        ),
        values,
    )
    parts: tuple[Part, ...] = tuple(name for name, shift in (("q", turned.q), ("k", turned.k)) if shift.any())  # type: ignore[misc]
    repair = Repair(parts, None, slot_pairs(turned.k != 0) if turned.k.any() else None)
    place = place_of_query(
        call, parts[0], wrong, float(call.q_distance[wrong].max()) if turned.q.any() else 0.0
    )
    return Hypothesis(
        "rope-mismatch", sentence, (_rotation_text(turned),), place, repair, step.slots.placements
    )


def _true_positions(step: Compared) -> Ids:
    """(B, Q): where the step's tokens stand in their own text."""
    pads = np.array(step.evidence.pads)[:, None]
    return np.asarray(step.calls[0].query_token[None] - pads)


def _rotation_text(turned: Turned) -> Text:
    values: Values = {
        "layer": turned.call.layer,
        "q": _span(turned.q),
        "new": _span(turned.k_new),
        "old": _span(turned.k_old),
    }
    return Text(
        QT_TRANSLATE_NOOP(
            "core",
            "Values agree; solved from layer {layer}, queries are turned by {q} positions too far, new keys by {new}, older keys by {old}.",
        ),
        values,
    )


def _span(shifts: Ids) -> str:
    found = np.unique(shifts)
    return f"{int(found[0]):+d}" if len(found) == 1 else f"{int(found[0]):+d} .. {int(found[-1]):+d}"
