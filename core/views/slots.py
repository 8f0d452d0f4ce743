"""The slots of the selected step: differences and states by layer and slot, positions told and rotated as."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.trace.kept import kept
from core.trace.reader import Trace
from core.verdict.pads import compared
from core.views.physical import PhysicalView, physical
from core.views.rotated import rotated_positions
from core.views.selection import Selection
from core.views.slot_card import SlotCardView, slot_card
from core.views.slot_states import SlotStatesView, slot_states
from core.views.told import told_positions


@dataclass(frozen=True)
class SlotsView:
    """Differences per layer and slot, [layers, slots], and the position that each token was told.

    A negative difference: there is nothing to compare. Where the rows could be put together from the trace, slots are those
    of the cached lane and `states` says what they hold; else they are counted by token_index, and `states` is None.
    """

    dk: NDArray[np.float32]
    dv: NDArray[np.float32]
    is_new: NDArray[np.bool_]  # slots written by the selected step
    oracle_positions: NDArray[np.int64]  # one per token_index, below 0 where none was told
    cached_positions: NDArray[np.int64]
    rotated: NDArray[np.int64] | None = (
        None  # as which position each key is rotated; None where that is not known
    )
    states: SlotStatesView | None = None
    physical: PhysicalView | None = None
    card: SlotCardView | None = None  # of the selected slot
    selected: tuple[int, int] | None = None  # layer, slot


def slots(trace: Trace, selection: Selection) -> SlotsView | None:
    """Return the slots of the selected step and batch row, and the positions of its tokens; None where nothing is known."""
    if not len(trace):
        return None
    states = slot_states(trace, selection)
    dk, dv = (compared(trace, selection.step, name) for name in "kv")
    if states is None and (dk is None or dv is None):
        return None
    facts = trace.facts(selection.step)
    told = told_positions(trace, selection.step, selection.batch_row)
    rotated = _rotated(trace, selection.step, selection.batch_row)
    if states is not None:
        card = slot_card(trace, selection, states)
        return SlotsView(
            states.dk, states.dv, np.asarray(states.is_new.any(0)), told["oracle"], told["cached"], rotated, states,
            physical(trace, selection, states.states.shape[1]), card,
            None if card is None or selection.slot is None else (selection.layer, selection.slot),
        )  # fmt: skip
    assert dk is not None
    assert dv is not None
    is_new = np.arange(facts.text_len) >= facts.text_len - facts.q_len
    row = selection.batch_row
    return SlotsView(dk[:, row].max(1), dv[:, row].max(1), is_new, told["oracle"], told["cached"], rotated)


@kept
def _rotated(trace: Trace, step: int, batch_row: int) -> NDArray[np.int64] | None:
    expected = told_positions(trace, step, batch_row)["oracle"]
    return rotated_positions(trace, Selection(step=step, batch_row=batch_row), expected)
