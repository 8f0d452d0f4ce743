"""What the panel of slots shows: states, read-outs, history, places in memory, positions rotated as."""

from pathlib import Path

import numpy as np
import pytest

from core.trace.reader import Trace
from core.verdict import recorded_slots
from core.verdict.diagnosis.slot_map import State
from core.views.selection import Selection
from core.views.slots import SlotsView, slots
from tests.core.support import record_trace

PROMPT = "Pay 0x12 in May"  # 15 tokens


def record(path: Path, *faults: str, **spec: object) -> Trace:
    return record_trace(path / "a.kvtrace", **({"steps": 6, "prompt": PROMPT, "faults": faults} | spec))


def shown(trace: Trace, step: int, **selection: int) -> SlotsView:
    view = slots(trace, Selection(step=step, **selection))
    assert view is not None
    assert view.states is not None
    return view


def read_out(view: SlotsView, layer: int, slot: int) -> str:
    assert view.states is not None
    return " \u00b7 ".join(map(str, view.states.read_out(layer, slot)))


def card(view: SlotsView) -> list[str]:
    assert view.card is not None
    return [str(text) for text in (*view.card.events, view.card.place) if text is not None]


def test_that_a_healthy_cache_is_in_place_and_compared_slot_by_slot(tmp_path: Path) -> None:
    view = shown(record(tmp_path), 3)
    assert view.states.is_healthy
    assert view.dk.shape == (4, 18)
    assert 0 <= view.dk.min() <= view.dk.max() < 1e-4
    assert np.flatnonzero(view.is_new).tolist() == [17]
    assert read_out(view, 2, 5) == "holds position 5, as it should"
    assert view.states.read_out(2, 18) == ()
    assert view.card is None


def test_that_a_row_of_another_layer_is_told_by_layer_and_position(tmp_path: Path) -> None:
    view = shown(record(tmp_path, "layer-aliased"), 1)
    assert view.states.states[0, 3] == State.OTHER_LAYER
    assert read_out(view, 0, 3).startswith("equals layer 3, row 0, position 3 \u00b7 position 3 belongs here")


def test_that_a_row_of_another_sequence_is_told_by_row(tmp_path: Path) -> None:
    view = shown(record(tmp_path, "row-mixed", scenario="batch"), 1, batch_row=1)
    assert view.states.states[1, 3] == State.OTHER_ROW
    assert read_out(view, 1, 3).startswith("equals layer 1, row 0, position 3")


def test_that_a_prefix_that_was_fed_again_has_no_place_and_leaves_the_rest_in_place(tmp_path: Path) -> None:
    view = shown(record(tmp_path, "prefix-refed"), 1)
    assert (view.states.states[0] == [State.OK] * 15 + [State.DUPLICATE] * 15 + [State.OK]).all()
    assert (view.dk[0, 15:30] < 0).all()
    assert read_out(view, 0, 16) == "equals layer 0, row 0, position 1 \u00b7 no token belongs here"


def test_that_a_row_that_was_never_written_is_zero(tmp_path: Path) -> None:
    view = shown(record(tmp_path, "slot-lost"), 1)
    assert view.states.states[0, 14] == State.ZERO
    assert read_out(view, 0, 14) == "zeros, where position 14 belongs"
    assert not view.states.is_healthy


def test_that_a_row_that_is_gone_is_missing_and_one_out_of_the_window_is_not(tmp_path: Path) -> None:
    evicted = record(tmp_path, "slot-evicted", scenario="long")
    step = next(at for at in range(len(evicted)) if any(shown(evicted, at).states.missing))
    assert shown(evicted, step).states.missing[0] == (0,)
    window = record_trace(tmp_path / "b.kvtrace", layout="sliding", scenario="long", prompt=PROMPT)
    assert shown(window, len(window) - 1).dk.shape[1] < window.facts(len(window) - 1).text_len
    assert shown(window, len(window) - 1).states.is_healthy


def test_that_a_slot_tells_its_history(tmp_path: Path) -> None:
    healthy = record(tmp_path)
    assert card(shown(healthy, 4, layer=2, slot=5)) == [
        "written in step 0 (prefill)",
        "never changed since",
    ]
    assert card(shown(healthy, 4, layer=2, slot=18)) == [
        "written in step 4 (decode)",
        "never changed since",
    ]
    assert slots(healthy, Selection(step=4, slot=19)).card is None
    turned = record_trace(tmp_path / "b.kvtrace", faults=("rope-compounding",), prompt=PROMPT, steps=4)
    assert card(shown(turned, 3, layer=0, slot=4)) == [
        "written in step 0 (prefill)", "changed in each of the steps 1 to 3",
    ]  # fmt: skip


def test_that_a_reorder_is_part_of_a_slots_history(tmp_path: Path) -> None:
    trace = record(tmp_path, scenario="beam-reorder")
    step = next(at for at in range(len(trace)) if trace.facts(at).before)
    lines = card(shown(trace, step, slot=2))
    assert lines[1] == f"moved by the reorder before step {step}, from row 1"


def test_that_a_paged_cache_tells_block_and_row(tmp_path: Path) -> None:
    trace = record(tmp_path, layout="paged")
    view = shown(trace, 3, slot=17)
    table = trace.facts(3).cached.layers[0].block_table[0]
    assert [(one.first, one.stop, one.label) for one in view.physical.segments] == [
        (0, 16, f"0\u2192{table[0]}"), (16, 18, f"1\u2192{table[1]}"),
    ]  # fmt: skip
    assert card(view)[-1] == f"logical block 1, physical block {table[1]}, row 1 of it"


def test_that_a_ring_tells_where_it_writes_next(tmp_path: Path) -> None:
    trace = record(tmp_path, layout="sliding", scenario="long")
    last = len(trace) - 1
    view = shown(trace, last, slot=0)
    n_seen, size = trace.facts(last).text_len, trace.facts(last).cached.layers[0].capacity
    assert n_seen > size == view.states.states.shape[1]
    assert [(one.first, one.stop) for one in view.physical.segments] == [(0, size - n_seen % size), (size - n_seen % size, size)]  # fmt: skip
    assert view.physical.next_slot == 0  # the oldest row goes first
    assert str(view.physical.remark) == f"ring of {size}, the next token is written to {n_seen % size}"
    assert card(view)[-1] == f"in the ring at {n_seen % size}"


def test_that_a_key_that_is_rotated_otherwise_than_told_is_seen(tmp_path: Path) -> None:
    trace = record(tmp_path, "rope-mismatch")
    off = [
        (view.cached_positions[-1] - view.rotated[-1])
        for view in (shown(trace, step) for step in range(len(trace)))
    ]
    assert any(off)
    drift = record_trace(tmp_path / "b.kvtrace", faults=("position-off-by-one",), prompt=PROMPT, steps=3)
    view = shown(drift, 1)
    assert view.oracle_positions[-1] == 15
    assert view.cached_positions[-1] == view.rotated[-1] == 16


@pytest.mark.parametrize(("target", "is_known"), [("tiny:rope-gqa", True), ("tiny:learned-mha", False)])
def test_that_only_a_model_that_rotates_has_rotations(tmp_path: Path, target: str, is_known: bool) -> None:
    view = shown(record(tmp_path, target=target), 3)
    if is_known:
        assert view.rotated.tolist() == view.oracle_positions.tolist() == list(range(18))
    else:
        assert view.rotated is None


def test_that_keys_that_are_no_rotation_of_the_right_ones_are_left_open(tmp_path: Path) -> None:
    view = shown(record(tmp_path, "slot-lost"), 1)
    assert view.rotated[14] == -1
    assert view.rotated[13] == 13


def test_that_a_trace_without_rows_still_shows_the_recorded_differences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = record(tmp_path)
    monkeypatch.setattr("core.views.slot_states.slot_map_at", lambda *_given: None)
    view = slots(trace, Selection(step=3, slot=2))
    assert view is not None
    assert view.states is None
    assert view.dk.shape == (4, 18)
    assert view.selected is None


def test_that_maps_are_kept_by_what_they_hold_and_views_beyond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with record_trace(tmp_path / "a.kvtrace", steps=5, faults=("slot-lost",)) as trace:
        first = slots(trace, Selection(step=3))
        monkeypatch.setattr(recorded_slots, "KEPT_BYTES", 0)
        for step in range(3):
            slots(trace, Selection(step=step))
        assert list(recorded_slots._known[trace]) == [2]
        again = slots(trace, Selection(step=3, layer=1))
    assert first is not None
    assert again is not None
    assert again.states is first.states
    assert again.rotated is first.rotated
