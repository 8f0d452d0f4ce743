"""Stepping through a run by buttons, keys and clicks."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from core.views.timeline import timeline
from core.views.tokens import token_strip
from gui.main_window import MainWindow
from gui.run_stage import Stage
from gui.theme import current_theme
from tests.gui.conftest import FAULT, SPEC, press, settle, step_of


def test_that_the_window_opens_with_the_prompt_fed_and_step_0_selected(window: MainWindow) -> None:
    assert window.state.n_steps == 1
    assert step_of(window.state) == 0
    assert not any(panel.is_empty for panel in window.panels.panels)
    assert "0" in window.status.step.text()


def test_that_a_step_records_one_more_and_back_records_nothing(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "step")
    settle(window, qtbot, Stage.WAITING)
    assert (window.state.n_steps, step_of(window.state)) == (2, 1)
    press(window, "back")
    assert (window.state.n_steps, step_of(window.state)) == (2, 0)
    press(window, "step")
    assert (window.state.n_steps, step_of(window.state)) == (2, 1)


def test_that_a_healthy_run_ends_equivalent_in_green(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "run")
    settle(window, qtbot, Stage.FINISHED)
    assert window.state.n_steps == SPEC.steps + 1
    assert step_of(window.state) == SPEC.steps
    assert window.status.verdict.property("tone") == "good"
    assert not window.actions_["step"].isEnabled()


def test_that_next_bad_step_runs_to_the_first_bad_step_and_stops(window: MainWindow, qtbot: QtBot) -> None:
    window.run_bar.spec_edited.emit(replace(SPEC, faults=(FAULT,)))
    settle(window, qtbot, Stage.WAITING)
    press(window, "next_bad")
    settle(window, qtbot, Stage.WAITING)
    assert (step_of(window.state), window.state.n_steps) == (1, 2)
    press(window, "next_bad")
    settle(window, qtbot, Stage.WAITING)
    press(window, "previous_bad")
    assert step_of(window.state) == 1


def test_that_a_planted_fault_turns_strip_timeline_and_status_red(window: MainWindow, qtbot: QtBot) -> None:
    n_red_before = _n_red(window)
    window.fault_menu.findChild(object, f"fault-{FAULT}").trigger()
    settle(window, qtbot, Stage.WAITING)
    press(window, "run")
    settle(window, qtbot, Stage.FINISHED)
    state = window.state
    chips = token_strip(state.trace, state.selection, state.tolerance).chips
    assert [chip.step_index for chip in chips if chip.is_first_bad] == [1]
    assert timeline(state.trace, state.selection, state.tolerance).first_bad == 1
    assert window.status.verdict.property("tone") == "bad"
    assert window.status.verdict.text().startswith("✗")
    assert FAULT in window.run_bar.fault.findChild(object, "planted").text()
    assert _n_red(window) > n_red_before + 100


def _n_red(window: MainWindow) -> int:
    """How many pixels of the token strip have the colour that only means "over tolerance"."""
    picture = window.tokens.strip.grab().toImage()
    red = current_theme().bad.rgb()
    return sum(picture.pixel(x, y) == red for x in range(picture.width()) for y in range(picture.height()))


def test_that_a_new_setting_records_again_up_to_the_same_step(window: MainWindow, qtbot: QtBot) -> None:
    for _ in range(2):
        press(window, "step")
        settle(window, qtbot, Stage.WAITING)
    window.run_bar.spec_edited.emit(replace(SPEC, layout="static"))
    settle(window, qtbot, Stage.WAITING)
    assert (step_of(window.state), window.state.n_steps) == (2, 3)
    assert window.state.trace.info.layout == "static"


def test_that_of_many_settings_in_a_row_the_newest_wins(window: MainWindow, qtbot: QtBot) -> None:
    for steps in range(5, 30):
        window.session.restart(replace(SPEC, steps=steps))
    settle(window, qtbot, Stage.WAITING)
    assert window.session.n_planned == 30
    assert window.state.trace.info.steps == 30
    assert window.run_bar.steps.value() == 29


def test_that_dragging_the_tolerance_moves_the_verdict_at_once(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(SPEC, faults=(FAULT,)), last_step=99)
    settle(window, qtbot, Stage.FINISHED)
    assert window.status.verdict.property("tone") == "bad"
    window.panels.timeline.tolerance_dragged.emit(1e6)
    settle(window, qtbot, Stage.FINISHED)
    assert window.status.verdict.property("tone") == "good"
    window.panels.timeline.tolerance_changed.emit(1e6)
    assert window.session.spec.tolerance == 1e6
    assert float(window.run_bar.tolerance.text()) == 1e6


def test_that_a_tolerance_that_is_no_number_is_marked_and_ignored(window: MainWindow) -> None:
    field = window.run_bar.tolerance
    before = window.state.tolerance
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "-5")
    assert window.run_bar.fields["tolerance"].property("wrong")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.state.tolerance == before
    assert float(field.text()) == before


@pytest.mark.parametrize(
    ("key", "modifier", "step"),
    [
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier, 1),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 3),
        (Qt.Key.Key_F10, Qt.KeyboardModifier.NoModifier, 3),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 4),
    ],
)
def test_that_keys_move_through_the_run(
    window: MainWindow, qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier, step: int
) -> None:
    press(window, "run")
    settle(window, qtbot, Stage.FINISHED)
    window.state.select(step=2)
    settle(window, qtbot, Stage.FINISHED)
    _activate(window, qtbot)
    window.tokens.strip.setFocus()
    qtbot.keyClick(window.tokens.strip, key, modifier)
    assert step_of(window.state) == step


def test_that_arrow_keys_stay_in_text_fields_and_tables(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "step")
    settle(window, qtbot, Stage.WAITING)
    _activate(window, qtbot)
    table = window.panels.kv.findChild(QTableView)
    for widget in (window.run_bar.prompt, window.run_bar.steps, table):
        widget.setFocus()
        for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Right):
            qtbot.keyClick(widget, key)
        assert (step_of(window.state), window.state.n_steps) == (1, 2), widget


def test_that_typing_a_letter_into_the_prompt_is_no_command(window: MainWindow, qtbot: QtBot) -> None:
    _activate(window, qtbot)
    window.run_bar.prompt.setFocus()
    qtbot.keyClicks(window.run_bar.prompt, "bB r?")
    assert window.run_bar.prompt.text().endswith("bB r?") or "bB r?" in window.run_bar.prompt.text()
    assert step_of(window.state) == 0
    window.run_bar.prompt.setModified(False)


def test_that_a_new_prompt_starts_a_new_run(window: MainWindow, qtbot: QtBot) -> None:
    prompt = window.run_bar.prompt
    prompt.setFocus()
    prompt.selectAll()
    qtbot.keyClicks(prompt, "Note 7")
    qtbot.keyClick(prompt, Qt.Key.Key_Return)
    settle(window, qtbot, Stage.WAITING)
    assert window.state.trace.info.prompt == "Note 7"
    assert window.state.n_steps == 1


def test_that_layers_and_heads_are_reached_by_key_and_stay_within_the_model(window: MainWindow) -> None:
    model = window.state.trace.info.model
    for _ in range(model.n_layers + 2):
        press(window, "next_layer")
    assert window.state.selection.layer == model.n_layers - 1
    press(window, "previous_layer")
    press(window, "next_head")
    assert (window.state.selection.layer, window.state.selection.head) == (model.n_layers - 2, 1)


def test_that_a_click_on_the_findings_leads_to_the_step(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(SPEC, faults=(FAULT,)), last_step=99)
    settle(window, qtbot, Stage.FINISHED)
    assert step_of(window.state) == SPEC.steps
    window.panels.findings.finding_clicked.emit(0)
    assert step_of(window.state) == 1


def test_that_space_runs_and_pauses(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(SPEC, steps=200))
    settle(window, qtbot, Stage.WAITING)
    press(window, "run")
    qtbot.waitUntil(lambda: window.state.n_steps > 3)
    press(window, "run")
    settle(window, qtbot, Stage.WAITING)
    assert 3 < window.state.n_steps < 201
    assert step_of(window.state) == window.state.n_steps - 1


def test_that_the_cross_of_the_pill_takes_the_fault_out(window: MainWindow, qtbot: QtBot) -> None:
    window.run_bar.spec_edited.emit(replace(SPEC, faults=(FAULT,)))
    settle(window, qtbot, Stage.WAITING)
    remove = window.run_bar.fault.findChild(object, "unplant")
    qtbot.mouseClick(remove, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    settle(window, qtbot, Stage.WAITING)
    assert window.session.spec.faults == ()
    assert window.state.trace.info.faults == []
    assert not remove.isVisible()


def _activate(window: MainWindow, qtbot: QtBot) -> None:
    """Keys go to the active window only."""
    with qtbot.waitActive(window):
        window.activateWindow()
