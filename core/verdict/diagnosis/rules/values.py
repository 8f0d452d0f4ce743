"""Values: the rows are in their slots, and their numbers are not what was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.hypothesis import Hypothesis, Part
from core.verdict.diagnosis.paired import Bools
from core.verdict.diagnosis.rules.number_formats import format_of
from core.verdict.diagnosis.rules.parts import listed, place_of_slot, slots_repair
from core.verdict.diagnosis.rules.rotated import first_turned
from core.verdict.diagnosis.slot_map import State
from core.verdict.diagnosis.slot_match import NEAR, flat_rows

Rows = NDArray[np.float64]
EXACT, ROUGH = 1e-3, 0.3  # of a row's norm: what a factor leaves over
FACTOR = 0.02  # a factor nearer to 1 is none
KV: tuple[Part, ...] = ("k", "v")
MOSTLY = (
    0.6  # share of the numbers that must be near, where the others may be anything: an overflow, lost bits
)
ALIKE = 0.5  # mean cosine above which rows are the oracle's, damaged


@dataclass(frozen=True)
class WrongRows:
    """Rows of k or v of one call that went wrong, beside what they should be; (n, G * D) each."""

    call: ComparedCall
    name: Part
    mask: Bools  # (B, S)

    @cached_property
    def cached(self) -> Rows:
        x = self.call.pair.k_cached if self.name == "k" else self.call.pair.v_cached
        return flat_rows(x)[self.mask]

    @cached_property
    def oracle(self) -> Rows:
        pair = self.call.pair
        x = flat_rows(pair.k_oracle if self.name == "k" else pair.v_oracle)
        b = np.argwhere(self.mask)[:, 0]
        return np.asarray(x[b, self.call.slots.token[self.mask] - pair.first_token])

    @cached_property
    def factor(self) -> Rows:
        """(n,): what the row is multiplied by, in the least squares."""
        return np.asarray((self.cached * self.oracle).sum(-1) / np.maximum((self.oracle**2).sum(-1), 1e-30))

    @cached_property
    def rest(self) -> float:
        """Return what one factor for all rows leaves over, of the rows' norm."""
        factor = float(np.median(self.factor))
        left = np.sqrt(((self.cached - factor * self.oracle) ** 2).sum()) / max(
            float(np.sqrt((self.cached**2).sum())), 1e-30
        )
        return float(left)

    @property
    def is_alike(self) -> bool:
        """Whether the rows are the oracle's, number by number, damaged."""
        return self.cosine > ALIKE or self.share_near > MOSTLY

    @cached_property
    def share_near(self) -> float:
        """Return how many of the numbers are within a tenth of what they should be."""
        return float((np.abs(self.cached - self.oracle) <= NEAR * np.abs(self.oracle)).mean())

    @cached_property
    def cosine(self) -> float:
        norms = np.linalg.norm(self.cached, axis=-1) * np.linalg.norm(self.oracle, axis=-1)
        return float(np.mean((self.cached * self.oracle).sum(-1) / np.maximum(norms, 1e-30)))


def wrong_rows(
    step: Compared, name: Part, states: tuple[State, ...] = (State.DIFFERENT, State.NEAR)
) -> list[WrongRows]:
    """Return per call the rows of k or v that went wrong here; keys that are merely turned are another matter."""
    if name == "k" and first_turned(step) is not None:
        return []
    found = []
    for call in step.calls:
        distance = call.slots.k_distance if name == "k" else call.slots.v_distance
        mask = call.introduced & (distance > call.tolerance) & np.isin(call.slots.state, states)
        mask &= np.isfinite(distance)
        if mask.any():
            found.append(WrongRows(call, name, mask))
    return found


def values_from_keys(step: Compared) -> Iterator[Hypothesis]:
    """Values equal keys."""
    found = []
    for rows in wrong_rows(step, "v", tuple(State)):
        pair = rows.call.pair
        if pair.k_cached.shape == pair.v_cached.shape:
            keys = flat_rows(pair.k_cached)[rows.mask]
            is_key = (
                np.sqrt(((rows.cached - keys) ** 2).mean(-1)) <= rows.call.tolerance * pair.k_scale
            ) & keys.any(-1)
            mask = rows.mask.copy()
            mask[rows.mask] = is_key
            if mask.any():
                found.append((rows.call, mask))
    n_wrong = sum(int(rows.mask.sum()) for rows in wrong_rows(step, "v", tuple(State)))
    if not found or 2 * sum(int(mask.sum()) for _, mask in found) < n_wrong:
        return
    call, mask = found[0]
    values: Values = {"tokens": listed(call.slots.token[mask]), "layer": call.layer}
    yield Hypothesis(
        "kv-swapped",
        Text(QT_TRANSLATE_NOOP("core", "Values were filled from the keys: V equals K in the slots of tokens {tokens}."), values),
        (Text(QT_TRANSLATE_NOOP("core", "From layer {layer} on, K agrees with the oracle and V is the same numbers as K."), values),),
        place_of_slot(call, "v", mask), slots_repair(step, ("v",), found), step.slots.placements,
    )  # fmt: skip


def scaled(step: Compared) -> Iterator[Hypothesis]:
    """All wrong rows are the oracle's times one factor."""
    by_name: dict[Part, list[WrongRows]] = {name: wrong_rows(step, name) for name in KV}
    known = {name: rows[0] for name, rows in by_name.items() if rows and _is_scaled(rows[0], ROUGH)}
    if not known:
        return
    is_exact = all(_is_scaled(rows, EXACT) for rows in known.values())
    is_scale = is_exact and set(known) == {"k"} and not by_name["v"]
    parts = tuple(known)
    chosen = [(rows.call, rows.mask) for name in known for rows in by_name[name]]
    first = known[parts[0]]
    values: Values = {
        "tensors": ", ".join(name.upper() for name in parts),
        "factors": ", ".join(f"{float(np.median(rows.factor)):.4g}" for rows in known.values()),
    }  # fmt: skip
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core",
            "The cached rows of {tensors} are the oracle's times {factors}: a scale is missing or wrong.",
        ),
        values,
    )
    left = Text(
        QT_TRANSLATE_NOOP("core", "One factor for all rows explains them but for {rest} of their norm."),
        {"rest": f"{max(rows.rest for rows in known.values()):.1e}"},
    )
    more = [left, *_formats(first)]
    wrong_parts = tuple(name for name in by_name if by_name[name])
    repair = slots_repair(step, wrong_parts, chosen)
    cause = "scale-wrong" if is_scale else "value-degraded"
    yield Hypothesis(
        cause,
        sentence,
        tuple(more),
        place_of_slot(first.call, first.name, first.mask),
        repair,
        step.slots.placements,
    )


def _is_scaled(rows: WrongRows, rest: float) -> bool:
    return rows.rest < rest and abs(float(np.median(rows.factor)) - 1) > FACTOR


def degraded(step: Compared) -> Iterator[Hypothesis]:
    """The wrong rows are the oracle's, damaged: rounded to fewer bits, coded, read as another format."""
    states = (State.DIFFERENT, State.NEAR, State.NOT_FINITE)
    by_name: dict[Part, list[WrongRows]] = {name: wrong_rows(step, name, states) for name in KV}
    first = next((rows[0] for rows in by_name.values() if rows and _is_damaged(rows[0])), None)
    if first is None:
        return
    chosen = [(rows.call, rows.mask) for found in by_name.values() for rows in found]
    parts = tuple(name for name in by_name if by_name[name])
    with np.errstate(invalid="ignore", over="ignore"):
        error = float(
            np.sqrt(np.mean((first.cached - first.oracle) ** 2) / max(float(np.mean(first.oracle**2)), 1e-30))
        )
    values: Values = {"tensor": first.name.upper(), "error": f"{error:.2g}"}
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core",
            "Rows lose accuracy on their way through the cache: {tensor} comes back with a relative error of {error}.",
        ),
        values,
    )
    evidence = (*_formats(first), Text(
        QT_TRANSLATE_NOOP("core", "In layer {layer} the queries agree, so the rows had the right input when they were written."), {"layer": first.call.layer}),
    )  # fmt: skip
    repair = slots_repair(step, parts, chosen)
    yield Hypothesis(
        "value-degraded",
        sentence,
        evidence,
        place_of_slot(first.call, first.name, first.mask),
        repair,
        step.slots.placements,
    )


def _is_damaged(rows: WrongRows) -> bool:
    """Whether the rows are near the oracle's, alike, or the oracle's bits in another format."""
    return (
        bool((rows.call.slots.state[rows.mask] == State.NEAR).mean() > 0.5)
        or rows.is_alike
        or bool(_formats(rows))
    )


def _formats(rows: WrongRows) -> list[Text]:
    found = format_of(rows.cached, rows.oracle)
    return [] if found is None else [found]
