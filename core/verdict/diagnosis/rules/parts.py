"""What rules share: which slots a repair is for, and how a place and a list of tokens are said."""

from collections.abc import Iterable, Sequence

import numpy as np

from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.hypothesis import Part, Repair
from core.verdict.diagnosis.paired import Bools
from core.verdict.locate import Place


def slot_pairs(chosen: Bools) -> tuple[tuple[int, int], ...]:
    """Return (batch_row, slot) of a mask (B, S)."""
    return tuple((int(b), int(s)) for b, s in np.argwhere(chosen))


def layers_where(calls: Iterable[ComparedCall], n_layers: int) -> tuple[int, ...] | None:
    """Return the layers of the calls, None for all."""
    layers = tuple(call.layer for call in calls)
    return None if len(layers) == n_layers else layers


def slots_repair(
    step: Compared, parts: tuple[Part, ...], chosen: Sequence[tuple[ComparedCall, Bools]]
) -> Repair:
    """Repair the chosen slots (B, S) of some calls; where the calls' slots are not the same, all that any has.

    What goes wrong with a row as it is written shows in the first layer alone, since the input of the others is wrong
    then: such a repair is for all layers from there on.
    """
    pairs: dict[tuple[int, int], None] = {}
    for _, mask in chosen:
        pairs.update(dict.fromkeys(slot_pairs(mask)))
    is_new = any((mask & call.is_new).any() for call, mask in chosen)
    first = chosen[0][0].layer
    layers = (
        layers_from(step, first) if is_new else layers_where((call for call, _ in chosen), len(step.calls))
    )
    return Repair(parts, layers, tuple(sorted(pairs)))


def layers_from(step: Compared, first: int) -> tuple[int, ...] | None:
    """Return all layers from one on, None for all."""
    return None if first == 0 else tuple(range(first, len(step.calls)))


def place_of_slot(call: ComparedCall, tensor: str, chosen: Bools) -> Place:
    """Return the first chosen slot (B, S) as a place; its slot is the token that it should hold, or its own number."""
    b, slot = (int(at) for at in np.argwhere(chosen)[0])
    distance = call.slots.k_distance if tensor == "k" else call.slots.v_distance
    token = int(call.slots.token[b, slot])
    return Place(tensor, _finite(float(distance[b, slot])), call.layer, b, token if token >= 0 else slot)


def place_of_query(call: ComparedCall, tensor: str, chosen: Bools, difference: float) -> Place:
    """Return the first chosen query (B, Q) as a place."""
    b, query = (int(at) for at in np.argwhere(chosen)[0])
    return Place(tensor, _finite(difference), call.layer, b, int(call.query_token[query]))


def listed(numbers: Iterable[int], at_most: int = 6) -> str:
    """Return "3, 4, 5 ..." of some numbers; runs are written 3-9."""
    ordered = sorted({int(number) for number in numbers})
    runs: list[list[int]] = []
    for number in ordered:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a}-{b}" for a, b in runs]
    return ", ".join(shown[:at_most]) + (" ..." if len(shown) > at_most else "")


def percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _finite(number: float) -> float:
    return number if np.isfinite(number) else float("inf")
