"""The map of slots by state, what the pointer reads, the history of a slot, and the positions beside it."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from core.text import Text
from core.verdict.diagnosis.slot_map import State
from core.views.physical import PhysicalView, Segment
from core.views.slot_states import NO_SLOT
from gui.slot_colours import contrast, state_look
from gui.theme import DARK, LIGHT, current_theme
from gui.widgets.positions_plot import PositionsPlot
from gui.widgets.slots_view import SlotsPlot
from tests.gui import sample_views

LAST = 11


@pytest.fixture
def plot(qtbot):
    widget = SlotsPlot()
    qtbot.addWidget(widget)
    widget.resize(620, 190)
    widget.show()
    return widget


def states(**wrong):
    """Four layers of 12 slots, all in place but those of layer 1 given by their name: OTHER_LAYER=5."""
    found = np.zeros((4, LAST + 1), np.int8)
    for name, slot in wrong.items():
        found[1, slot] = State[name]
    return found


def colour_at(plot, layer, slot):
    rect = plot.map.cell_rect(layer, slot)
    return plot.map.grab().toImage().pixelColor(int(rect.left() + 4), int(rect.top() + 4))


def test_that_differences_are_shown_while_all_is_in_place_and_states_as_soon_as_it_is_not(plot):
    plot.set_view(sample_views.slots_with_states(states()))
    assert plot.shown == "k"
    plot.set_view(sample_views.slots_with_states(states(ZERO=4)))
    assert plot.shown == "state"
    assert plot.buttons["state"].isChecked()


def test_that_what_was_chosen_stays(plot):
    plot.set_view(sample_views.slots_with_states(states()))
    plot.buttons["v"].click()
    plot.set_view(sample_views.slots_with_states(states(ZERO=4)))
    assert plot.shown == "v"
    plot.choose(None)
    assert plot.shown == "state"


def test_that_a_trace_without_states_offers_none(plot):
    plot.set_view(sample_views.slots_with_states(states(ZERO=4)))
    plot.buttons["state"].click()
    plot.set_view(sample_views.slots())
    assert plot.shown == "k"
    assert not plot.buttons["state"].isEnabled()


def test_that_each_slot_has_the_colour_of_its_state(plot):
    found = states(OTHER_LAYER=5, NEAR=6)
    found[3, LAST] = NO_SLOT
    plot.set_view(sample_views.slots_with_states(found))
    theme = current_theme()
    assert colour_at(plot, 1, 5) == state_look(State.OTHER_LAYER, theme).fill
    assert colour_at(plot, 1, 6) == state_look(State.NEAR, theme).fill
    assert colour_at(plot, 2, 5) == state_look(State.OK, theme).fill
    assert colour_at(plot, 3, LAST) == theme.panel


def test_that_a_slot_has_the_letter_of_its_state(plot):
    plot.set_view(sample_views.slots_with_states(states(ZERO=5)))
    rect = plot.map.cell_rect(1, 5).toRect().adjusted(2, 2, -2, -2)
    picture = plot.map.grab().toImage()
    pixels = {picture.pixelColor(x, y).lightness() for x in range(rect.left(), rect.right()) for y in range(rect.top(), rect.bottom())}  # fmt: skip
    look = state_look(State.ZERO, current_theme())
    assert max(pixels) - min(pixels) > 0.6 * abs(look.ink.lightness() - look.fill.lightness())


def test_that_the_worst_state_of_very_many_slots_stays_visible(plot):
    found = np.zeros((2, 20_000), np.int8)
    found[1, 7777] = State.STALE
    plot.set_view(sample_views.slots_with_states(found))
    assert plot.map._pooled(300).max() == State.STALE


def test_that_the_legend_names_the_states_that_are_there(plot):
    plot.set_view(sample_views.slots_with_states(states(OTHER_LAYER=5, DUPLICATE=6)))
    assert plot.foot.accessibleDescription().startswith("duplicate \u00b7 other layer \u00b7 in place")


def test_that_missing_tokens_are_named(plot):
    view = sample_views.slots_with_states(states())
    view = replace(view, states=replace(view.states, missing=((7,), (7, 3), (), ())))
    plot.set_view(view)
    assert plot.shown == "state"
    assert "missing: token 3, 7" in plot.foot.accessibleDescription()


def test_that_the_pointer_reads_a_slot_out(plot):
    plot.set_view(sample_views.slots_with_states(states(OTHER_LAYER=5)))
    plot.map.cell_hovered.emit((1, 5))
    assert plot.foot.accessibleDescription() == (
        "layer 1, slot 5: equals layer 3, row 0, position 5 \u00b7 position 5 belongs here \u00b7 |ΔK| 2.50, |ΔV| 1.25"
    )
    plot.buttons["k"].click()
    plot.map.cell_hovered.emit((1, 5))
    assert plot.foot.accessibleDescription() == "layer 1, slot 5: |ΔK| 2.50"
    plot.map.cell_hovered.emit(None)
    assert plot.foot.accessibleDescription() == "click a slot for its history"


def test_that_the_pointer_reads_the_place_in_memory_too(plot):
    block = Text("block {logical}, row {place}", {"logical": 1})
    where = PhysicalView(
        (Segment(0, 4, "0\u21927", 0, block), Segment(4, LAST + 1, "1\u21925", 0, block)), Text("blocks")
    )
    plot.set_view(replace(sample_views.slots_with_states(states()), physical=where))
    plot.map.cell_hovered.emit((0, 6))
    assert plot.foot.accessibleDescription() == "layer 0, slot 6: |ΔK| 0 \u00b7 block 1, row 2"
    assert plot.map.area().top() > plot.map.unit * 0.5  # the strip of blocks is above


def test_that_a_click_selects_a_slot_and_a_second_one_leaves_it(plot, qtbot):
    plot.set_view(sample_views.slots_with_states(states(OTHER_LAYER=5)))
    place = plot.map.cell_rect(1, 5).center().toPoint()
    with qtbot.waitSignal(plot.slot_clicked) as clicked:
        qtbot.mouseClick(plot.map, Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [1, 5]
    plot.set_view(sample_views.slots_with_states(states(OTHER_LAYER=5), (1, 5)))
    with qtbot.waitSignal(plot.slot_left):
        qtbot.mouseClick(plot.map, Qt.MouseButton.LeftButton, pos=place)


def test_that_keys_move_the_selected_slot_and_stop_at_the_border(plot, qtbot):
    plot.set_view(sample_views.slots_with_states(states(), (1, LAST)))
    moved = []
    plot.slot_clicked.connect(lambda layer, slot: moved.append((layer, slot)))
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(plot.map, Qt.Key.Key_Left, control)
    qtbot.keyClick(plot.map, Qt.Key.Key_Down, control)
    qtbot.keyClick(plot.map, Qt.Key.Key_Right, control)  # stays, and so does what is shown
    assert moved == [(1, LAST - 1), (2, LAST)]


def test_that_a_selected_slot_shows_its_history_in_place_of_the_positions(plot, qtbot):
    plot.set_view(sample_views.slots_with_states(states(OTHER_LAYER=5), (1, 5)))
    assert plot.card.isVisible()
    assert not plot.positions.isVisible()
    assert plot.card.accessibleDescription().splitlines() == [
        "layer 1, slot 5", "equals layer 3, row 0, position 5", "position 5 belongs here", "|ΔK| 2.50, |ΔV| 1.25",
        "written in step 0 (prefill)", "changed in step 3",
    ]  # fmt: skip
    with qtbot.waitSignal(plot.slot_left):
        plot.card.close_button.click()
    plot.set_view(sample_views.slots_with_states(states(OTHER_LAYER=5)))
    assert plot.positions.isVisible()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_states_are_told_apart_by_colour_and_their_letters_can_be_read(theme):
    looks = {state: state_look(state, theme) for state in State}
    letters = [look.letter for look in looks.values() if look.letter]
    assert len(letters) == len(set(letters)) == len(State) - 1  # what is in place needs none
    for state, look in looks.items():
        assert contrast(look.fill, look.ink) >= 4.5, state
    fills = {state: look.fill for state, look in looks.items() if state not in (State.PAD, State.EMPTY)}
    for (one, a), (other, b) in combinations(fills.items(), 2):
        distance = sum(abs(x - y) for x, y in zip(a.getRgb(), b.getRgb(), strict=True))
        assert distance > 60, (one, other)


def test_that_a_rotation_other_than_told_is_said_in_words(plot):
    view = sample_views.slots_with_states(states())
    rotated = view.rotated.copy()
    rotated[7], rotated[3] = 6, -1
    plot.set_view(replace(view, rotated=rotated))
    assert plot.positions.caption() == "token 7: told 7, rotated as 6"
    assert (
        plot.positions.read_out(7) == "token 7: the oracle is told 7, the cached lane is told 7, rotated as 6"
    )
    assert plot.positions.read_out(3) == "token 3: the oracle is told 3, the cached lane is told 3"
    assert plot.positions.read_out(99) == ""
    line = plot.positions._rotated_line.getData()[1]
    assert np.isnan(line[3])
    assert line[7] == 6


def test_that_lanes_told_differently_are_said_in_words(plot):
    view = sample_views.slots_with_states(states())
    told = view.cached_positions.copy()
    told[-1] = 0
    plot.set_view(replace(view, cached_positions=told, rotated=told))
    assert plot.positions.caption() == f"token {LAST}: told 0, expected {LAST}"


def test_that_a_model_that_rotates_without_being_told_has_a_line(plot):
    view = sample_views.slots_with_states(states())
    none = np.full(LAST + 1, -1)
    plot.set_view(replace(view, oracle_positions=none, cached_positions=none))
    assert not plot.positions._nothing.isVisible()
    plot.set_view(replace(view, oracle_positions=none, cached_positions=none, rotated=None))
    assert plot.positions._nothing.isVisible()


def test_that_a_caption_in_a_small_plot_leaves_the_lines_in_sight(qtbot):
    plot = PositionsPlot()
    qtbot.addWidget(plot)
    unit = plot.fontMetrics().height()
    plot.resize(unit * 10, unit * 6)
    plot.show()
    told = np.r_[np.arange(54), np.zeros(10, dtype=np.int64)]
    plot.set_positions(np.arange(64), told, told)
    qtbot.waitUntil(lambda: plot.plotItem.vb.height() > unit)
    words = plot._caption.textItem.toPlainText()
    assert "expected 54" in words
    assert plot._caption.textItem.boundingRect().height() <= plot.plotItem.vb.height() * 0.7
    assert plot.plotItem.vb.viewRange()[1][1] > 63 * 1.3
    plot.resize(unit * 30, unit * 20)
    qtbot.waitUntil(lambda: "rotated" in plot._caption.textItem.toPlainText())
