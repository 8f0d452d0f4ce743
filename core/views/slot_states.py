"""What every cached slot holds, traced to the oracle's rows: states for the map, sentences for the read-out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text, Value
from core.trace.kept import kept
from core.trace.reader import Trace
from core.verdict.diagnosis.slot_map import OWN_TEXT, LayerSlots, Origin, SlotMap, State
from core.verdict.pads import n_pads
from core.verdict.recorded_slots import slot_map_at
from core.views.numbers import short
from core.views.selection import Selection

NO_SLOT = -1
HEALTHY = (State.OK, State.PAD, State.EMPTY)


@dataclass(frozen=True)
class SlotStatesView:
    """One batch row of the cached lane: states and what lies behind them, [layers, slots]; NO_SLOT where a layer has fewer."""

    states: NDArray[np.int8]
    dk: NDArray[
        np.float32
    ]  # largest |difference| from the row that the slot should hold, below 0 where it should hold none
    dv: NDArray[np.float32]
    missing: tuple[tuple[int, ...], ...]  # per layer, tokens that no slot holds and that no window has let go
    layers: tuple[LayerSlots, ...]
    batch_row: int
    pads: tuple[int, ...]  # of all batch rows
    is_new: NDArray[np.bool_]  # [layers, slots], of tokens of this step

    @property
    def is_healthy(self) -> bool:
        """Whether all slots hold what they should, and none is missing."""
        return not any(self.missing) and bool(np.isin(self.states, (NO_SLOT, *HEALTHY)).all())

    def read_out(self, layer: int, slot: int) -> tuple[Text, ...]:
        """Say what a slot holds, one remark after the other; none where there is no such slot."""
        if not (0 <= layer < len(self.layers) and 0 <= slot < self.layers[layer].state.shape[1]):
            return ()
        return tuple(_remarks(self, layer, slot))


def slot_states(trace: Trace, selection: Selection) -> SlotStatesView | None:
    """Return what the slots of the selected step and batch row hold; None where the trace does not hold all rows."""
    return _states(trace, selection.step, selection.batch_row) if len(trace) else None


@kept
def _states(trace: Trace, step: int, b: int) -> SlotStatesView | None:
    found = slot_map_at(trace, step)
    if found is None or not found.layers or b >= len(found.layers[0].state):
        return None
    n_slots = max(layer.state.shape[1] for layer in found.layers)
    states = np.full((len(found.layers), n_slots), NO_SLOT, np.int8)
    dk, dv = (np.full(states.shape, -1, np.float32) for _ in "kv")
    is_new = np.zeros(states.shape, np.bool_)
    facts = trace.facts(step)
    for index, layer in enumerate(found.layers):
        n = layer.state.shape[1]
        states[index, :n] = layer.state[b]
        dk[index, :n], dv[index, :n] = _differences(found, index, b)
        is_new[index, :n] = layer.token[b] >= facts.text_len - facts.q_len
    least = 0 if trace.info.model.window is None else facts.text_len - trace.info.model.window
    missing = tuple(tuple(token for token in layer.missing[b] if token >= least) for layer in found.layers)
    pads = tuple(n_pads(trace, step, row) for row in range(len(found.layers[0].state)))
    return SlotStatesView(states, dk, dv, missing, found.layers, b, pads, is_new)


def _differences(found: SlotMap, layer: int, b: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (S,) largest |ΔK| and |ΔV| of each slot from the row of the token that it should hold, -1 where none."""
    call, slots = found.calls[layer], found.layers[layer]
    token = slots.token[b]
    is_known = (token >= call.first_token) & (slots.state[b] != State.PAD)
    at = np.where(is_known, token - call.first_token, 0)
    k, v = (
        np.where(is_known, np.abs(cached[b] - oracle[b][:, at]).max((0, 2)), -1)
        for cached, oracle in ((call.k_cached, call.k_oracle), (call.v_cached, call.v_oracle))
    )
    return k.astype(np.float32), v.astype(np.float32)


def state_name(state: int) -> Text:
    """Return the word for a state, for legends."""
    return Text(_NAMES[State(state)])


_NAMES = {
    State.OK: QT_TRANSLATE_NOOP("core", "in place"),
    State.PAD: QT_TRANSLATE_NOOP("core", "pad"),
    State.EMPTY: QT_TRANSLATE_NOOP("core", "empty"),
    State.DIFFERENT: QT_TRANSLATE_NOOP("core", "different"),
    State.NEAR: QT_TRANSLATE_NOOP("core", "degraded"),
    State.ZERO: QT_TRANSLATE_NOOP("core", "zero"),
    State.NOT_FINITE: QT_TRANSLATE_NOOP("core", "not finite"),
    State.MISPLACED: QT_TRANSLATE_NOOP("core", "other token"),
    State.OTHER_ROW: QT_TRANSLATE_NOOP("core", "other row"),
    State.OTHER_LAYER: QT_TRANSLATE_NOOP("core", "other layer"),
    State.DUPLICATE: QT_TRANSLATE_NOOP("core", "duplicate"),
    State.STALE: QT_TRANSLATE_NOOP("core", "stale"),
}  # fmt: skip
_SENTENCES = {
    State.OK: QT_TRANSLATE_NOOP("core", "holds position {position}, as it should"),
    State.PAD: QT_TRANSLATE_NOOP("core", "a pad: what it holds does not matter"),
    State.EMPTY: QT_TRANSLATE_NOOP("core", "zeros, and no token belongs here"),
    State.DIFFERENT: QT_TRANSLATE_NOOP("core", "equals no row of the oracle"),
    State.NEAR: QT_TRANSLATE_NOOP("core", "holds position {position}, degraded"),
    State.ZERO: QT_TRANSLATE_NOOP("core", "zeros, where position {position} belongs"),
    State.NOT_FINITE: QT_TRANSLATE_NOOP("core", "holds numbers that are not finite"),
    State.STALE: QT_TRANSLATE_NOOP("core", "a row too many, that equals no row of the oracle"),
}  # fmt: skip
_EQUALS = {
    "K, V": QT_TRANSLATE_NOOP("core", "equals layer {layer}, row {row}, position {position}"),
    "K": QT_TRANSLATE_NOOP("core", "K equals layer {layer}, row {row}, position {position}"),
    "V": QT_TRANSLATE_NOOP("core", "V equals layer {layer}, row {row}, position {position}"),
}
_OF_A_DRAFT = QT_TRANSLATE_NOOP("core", "equals layer {layer}, row {row} of a draft that was rejected")


def _remarks(view: SlotStatesView, index: int, slot: int) -> Iterator[Text]:
    layer, b = view.layers[index], view.batch_row
    state, token = State(int(layer.state[b, slot])), int(layer.token[b, slot])
    position: dict[str, Value] = {"position": token - view.pads[b]}
    if state in (State.OK, State.PAD, State.EMPTY, State.ZERO, State.NOT_FINITE):
        yield Text(_SENTENCES[state], position)
        return
    equals = [] if state is State.NEAR else list(_equals(view, layer, slot))
    yield from equals or [Text(_SENTENCES.get(state, _SENTENCES[State.DIFFERENT]), position)]
    if token < 0:
        yield Text(QT_TRANSLATE_NOOP("core", "no token belongs here"))
        return
    if state is not State.NEAR:
        yield Text(QT_TRANSLATE_NOOP("core", "position {position} belongs here"), position)
    sizes = {name: short(float(of[index, slot])) for name, of in (("dk", view.dk), ("dv", view.dv))}
    yield Text("|\u0394K| {dk}, |\u0394V| {dv}", {**sizes})


def _equals(view: SlotStatesView, layer: LayerSlots, slot: int) -> Iterator[Text]:
    """Yield where K and V come from: once where it is the same place, nothing of one that equals no row."""
    places = {name: _place(view, of, slot) for name, of in (("K", layer.k_origin), ("V", layer.v_origin))}
    found = {name: place for name, place in places.items() if place is not None}
    if len(found) == 2 and places["K"] == places["V"]:
        found = {"K, V": found["K"]}
    for name, (text, values) in found.items():
        yield Text(_EQUALS[name] if text == OWN_TEXT else _OF_A_DRAFT, values)


def _place(view: SlotStatesView, origin: Origin, slot: int) -> tuple[int, dict[str, Value]] | None:
    text, layer, row, token = (
        int(of[view.batch_row, slot]) for of in (origin.text, origin.layer, origin.batch_row, origin.token)
    )
    if text < OWN_TEXT:
        return None
    return text, {"layer": layer, "row": row, "position": token - view.pads[row]}
