"""Repair is the proof: which hypothesis heals the step, alone or together with others, and what heals nothing."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from core.proof.repair import Placements, changes
from core.proof.replay import Changes
from core.verdict.diagnosis.evidence import Evidence, Floats
from core.verdict.diagnosis.hypothesis import Hypothesis, Part, Repair

HEALED = 0.99
HELPS = 0.05  # a repair that heals less is no part of the cause
MAX_CAUSES = 3
TOO_MANY = (
    "stale-rows",
    "prefix-refed",
    "shared-state",
)  # rows that stay shift the positions of a lane that counts them
SHIFTED = ("position-drift", "position-reset")
N_PAIRED = (
    6  # hypotheses that are tried two by two where none heals all alone: a fault may hide behind another
)
Again = Callable[[Changes], Floats]  # logits of the step with these changes
Tell = Callable[[int, int], None]  # (repairs tried, repairs to try)


@dataclass(frozen=True)
class Proven:
    """A cause: its share of the difference that the repair heals, beside that of an equally large repair elsewhere.

    `healed` is None where the cause is inferred from its signature: no repair was possible. `before` and `after` are the
    difference without and with the repair, those of the causes before it standing.
    """

    hypothesis: Hypothesis
    healed: float | None
    null_control: float | None = None
    also: tuple[str, ...] = ()  # other causes whose repair heals as much
    before: float | None = None
    after: float | None = None


class Prover:
    """Tries repairs on one step."""

    def __init__(self, evidence: Evidence, again: Again, tell: Tell | None = None) -> None:
        self._evidence, self._again, self._tell = evidence, again, tell
        self.before = difference(evidence, evidence.cached.logits)
        self.n_tried = 0

    def prove(self, hypotheses: Sequence[Hypothesis]) -> list[Proven]:
        """Return the causes of the step, those that heal most first; the first hypothesis, inferred, where nothing heals."""
        repairable = [one for one in hypotheses if one.repair is not None]
        # fallbacks repair all at once, so they wait until no causes with a name heal the step together
        left = [one for one in repairable if one.cause != "unknown"]
        fallbacks = [one for one in repairable if one.cause == "unknown"]
        found: list[Proven] = []
        while (left or fallbacks) and len(found) < MAX_CAUSES:
            if not left:
                left, fallbacks = fallbacks, []
            base = [one.hypothesis for one in found]
            before = self.before if not found else found[-1].after
            left_over = self._tried(base, left)
            shares = [self._share(after) for after in left_over]
            so_far = sum(one.healed or 0.0 for one in found)
            best = _best(left, shares, so_far)
            heals_alone = best is not None and shares[best] >= HEALED
            if not heals_alone and not found and (pair := self._pair(left)):
                return pair
            if best is None:
                if not fallbacks:
                    break
                left, fallbacks = fallbacks, []
                continue
            share = shares[best]
            also = _also(left, shares, best)
            null = self._null_control(left[best])
            found.append(Proven(left[best], share - so_far, null, also, before, left_over[best]))
            if share >= HEALED:
                return found
            left = [one for index, one in enumerate(left) if index != best]
        return _with_inferred(found, hypotheses)

    def healed(self, repairs: Sequence[tuple[Repair, Placements]]) -> float:
        """Return 1 - after/before of a call with these repairs; below 0 where it makes things worse."""
        return self._share(self._after(repairs))

    def _after(self, repairs: Sequence[tuple[Repair, Placements]]) -> float:
        self.n_tried += 1
        return difference(self._evidence, self._again(changes(self._evidence, repairs)))

    def _share(self, after: float) -> float:
        if math.isinf(after):
            return 0.0
        return 1.0 if math.isinf(self.before) else 1 - after / self.before

    def _tried(self, base: Sequence[Hypothesis], left: Sequence[Hypothesis]) -> list[float]:
        """Return the difference that each leaves, on top of the base; one that heals all ends the search among those behind it."""
        left_over: list[float] = []
        for index, one in enumerate(left):
            if self._tell is not None:
                self._tell(index, len(left))
            together = [(h.repair, h.placements) for h in (*base, one) if h.repair is not None]
            left_over.append(self._after(together))
            if self._share(left_over[-1]) >= HEALED:
                break
        return left_over

    def _pair(self, left: Sequence[Hypothesis]) -> list[Proven]:
        """Return the first two causes, by rank, whose repairs heal the step together; first the one that heals more alone.

        Unless the other explains it.
        """
        for one, other in combinations(left[:N_PAIRED], 2):
            if one.cause == other.cause:
                continue
            both = self._tried([one], [other])[0]
            if self._share(both) < HEALED:
                continue
            alone = {id(each): self._tried([], [each])[0] for each in (one, other)}
            first, second = sorted((one, other), key=lambda each: alone[id(each)])
            if first.cause in SHIFTED and second.cause in TOO_MANY:
                first, second = second, first
            left_over = alone[id(first)]
            share = max(0.0, self._share(left_over))
            return [
                Proven(first, share, self._null_control(first), (), self.before, left_over),
                Proven(second, self._share(both) - share, self._null_control(second), (), left_over, both),
            ]
        return []

    def _null_control(self, hypothesis: Hypothesis) -> float | None:
        """Return what an equally large repair elsewhere heals."""
        assert hypothesis.repair is not None
        elsewhere = _elsewhere(hypothesis.repair, self._evidence)
        return None if elsewhere is None else self.healed([(elsewhere, hypothesis.placements)])


def difference(evidence: Evidence, logits: Floats) -> float:
    """Return max |difference| to the oracle's logits over rows that are no pads, infinite where one is not finite."""
    q_len = evidence.q_len
    diff = np.abs(logits.astype(np.float64) - evidence.oracle.logits.astype(np.float64))
    same = logits == evidence.oracle.logits
    is_token = evidence.is_token()[:, -q_len:]
    diff = np.where(same | ~is_token[..., None], 0.0, diff)
    return float(np.nan_to_num(diff, nan=np.inf).max())


def _best(left: Sequence[Hypothesis], shares: Sequence[float], so_far: float) -> int | None:
    """Return the first that heals all, by rank; else the one that heals most, if it helps."""
    for index, share in enumerate(shares):
        if share >= HEALED:
            return index
    if not shares:
        return None
    named = [index for index in range(len(shares)) if left[index].cause != "unknown"]
    most = max(named or range(len(shares)), key=lambda index: shares[index])
    return most if shares[most] - so_far > HELPS else None


def _also(left: Sequence[Hypothesis], shares: Sequence[float], best: int) -> tuple[str, ...]:
    """Return other causes whose repair, of the same size, heals as much: they cannot be told apart by repair."""
    if shares[best] < HEALED:
        return ()
    causes = [
        one.cause
        for one in left
        if one.repair == left[best].repair and one.cause not in (left[best].cause, "unknown")
    ]
    return tuple(dict.fromkeys(causes))


def _with_inferred(found: list[Proven], hypotheses: Sequence[Hypothesis]) -> list[Proven]:
    """Put what can only be inferred first, where repairs do not explain the step."""
    named = next((one for one in hypotheses if one.repair is None and one.cause != "unknown"), None)
    too_many = next((one for one in hypotheses if one.cause in TOO_MANY), None)
    if named is not None and named.cause in SHIFTED and too_many is not None:
        return [Proven(too_many, None), Proven(named, None)]
    if named is not None and (not found or hypotheses.index(named) < hypotheses.index(found[0].hypothesis)):
        return [Proven(named, None), *found]
    if found or not hypotheses:
        return found
    return [Proven(next((one for one in hypotheses if one.cause == "unknown"), hypotheses[0]), 0.0)]


def _elsewhere(repair: Repair, evidence: Evidence) -> Repair | None:
    """Return a repair of the same size at another place: other slots, layers or rows, else another tensor."""
    n_layers = len(evidence.oracle.calls)
    if repair.slots is not None and (slots := _other_slots(repair.slots, evidence)):
        return replace(repair, slots=slots)
    if repair.batch_rows is not None and len(repair.batch_rows) < evidence.batch:
        others = [row for row in range(evidence.batch) if row not in repair.batch_rows]
        return replace(repair, batch_rows=tuple(others[: len(repair.batch_rows)]))
    if repair.layers is not None and len(repair.layers) < n_layers:
        before = [layer for layer in range(n_layers) if layer not in repair.layers]
        return replace(repair, layers=tuple(before[: len(repair.layers)]))
    other: list[Part] = [part for part in ("v", "mask", "k", "q") if part not in repair.parts]
    return replace(repair, parts=tuple(other[:1]), layers=(0,)) if n_layers and other else None


def _other_slots(slots: tuple[tuple[int, int], ...], evidence: Evidence) -> tuple[tuple[int, int], ...]:
    n_slots = min((call.k.shape[2] for call in evidence.cached.calls), default=0)
    free = [
        (row, slot)
        for row in range(evidence.batch)
        for slot in range(n_slots)
        if (row, slot) not in set(slots)
    ]
    return tuple(free[: len(slots)])
