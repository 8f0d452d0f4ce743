"""The window looks for the cause by itself, shows it, and does not get in the way of the run."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui import i18n
from gui.main_window import MainWindow
from gui.run_stage import Goal, Stage
from tests.core.support import DRIFT, ROUNDED, record_trace
from tests.gui.conftest import FAULT, PATIENCE_MS, SPEC, press, settle, step_of

BAD = replace(SPEC, faults=(FAULT,))


def begin_bad_run(window: MainWindow, qtbot: QtBot) -> None:
    """Up to the first bad step, whose cause is looked for then."""
    window.session.start(BAD)
    settle(window, qtbot, Stage.WAITING)
    with qtbot.waitSignal(window.session._bridge.diagnosed, timeout=PATIENCE_MS) as answer:
        press(window, "step")
        settle(window, qtbot, Stage.WAITING)
    assert answer.args[0].step_index == 1


def test_that_the_first_bad_step_of_a_live_run_is_looked_into_unasked(
    window: MainWindow, qtbot: QtBot
) -> None:
    begin_bad_run(window, qtbot)
    qtbot.waitUntil(lambda: not window.session.causes.is_searching)
    with qtbot.assertNotEmitted(window.session._bridge.diagnosed):  # once is enough
        press(window, "step")
        settle(window, qtbot, Stage.WAITING)
    assert window.state.n_steps == 3


def test_that_a_healthy_run_is_not_looked_into(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(window.session._bridge.diagnosing):
        press(window, "run")
        settle(window, qtbot, Stage.FINISHED)


def test_that_a_search_is_shown_and_esc_ends_it_and_not_the_run(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(BAD, steps=60))
    settle(window, qtbot, Stage.WAITING)
    causes, bridge = window.session.causes, window.session._bridge
    window.session._run_to(Goal(last_step=40))  # a long way to play again
    qtbot.waitUntil(lambda: causes.is_searching, timeout=PATIENCE_MS)
    assert window.status.search.text().startswith("looking for the cause")
    with qtbot.waitSignal(causes.changed):
        bridge.diagnosing.emit(2, 17)
    assert window.status.search.text() == "looking for the cause: repair 3 of 17"
    i18n.set_language("zh")
    with qtbot.waitSignal(causes.changed):
        bridge.diagnosing.emit(3, 17)
    assert window.status.search.text() == "正在查找原因：第 4 次修复，共 17 次"
    press(window, "cancel")
    qtbot.waitUntil(lambda: not causes.is_searching, timeout=PATIENCE_MS)
    settle(window, qtbot, Stage.WAITING)
    assert not window.actions_["cancel"].isEnabled()
    with qtbot.assertNotEmitted(bridge.diagnosing):
        press(window, "step")
        settle(window, qtbot, Stage.WAITING)


def test_that_a_cause_of_a_live_run_leads_and_its_place_is_a_click_away(
    window: MainWindow, qtbot: QtBot
) -> None:
    begin_bad_run(window, qtbot)
    window.state.add_findings(1, [DRIFT, ROUNDED])
    window.state.select(step=0, layer=0)
    settle(window, qtbot, Stage.WAITING)
    (card,) = window.panels.findings.cards
    qtbot.mouseClick(card.place, Qt.MouseButton.LeftButton)
    selection = window.state.selection
    assert (selection.step, selection.layer, selection.batch_row) == (1, 1, 0)
    assert (selection.query, selection.key) == (6, 6)
    settle(window, qtbot, Stage.WAITING)
    i18n.set_language("zh")
    findings = window.panels.findings
    qtbot.waitUntil(lambda: findings.cards[0].place.text() == "第 1 步，第 1 层，k，槽位 6，第 0 行")
    assert findings.cards[0].apply_button.text() == "应用并继续"


def test_that_a_new_run_forgets_the_causes_of_the_one_before(window: MainWindow, qtbot: QtBot) -> None:
    begin_bad_run(window, qtbot)
    window.state.add_findings(1, [DRIFT])
    settle(window, qtbot, Stage.WAITING)
    assert window.panels.findings.cards
    window.session.start(SPEC)
    settle(window, qtbot, Stage.WAITING)
    assert not window.state.findings
    assert not window.panels.findings.cards


def test_that_a_saved_trace_shows_its_causes_until_the_tolerance_moves_past_them(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "found.kvtrace"
    record_trace(path, findings=(DRIFT, ROUNDED), steps=3, prompt="Pay 12", faults=(FAULT,)).close()
    assert window.session.open(path)
    settle(window, qtbot, Stage.FINISHED)
    assert [card.place.text() for card in window.panels.findings.cards] == [
        "step 1, layer 1, k, slot 6, row 0"
    ]
    window.session.set_tolerance(1e6)
    settle(window, qtbot, Stage.FINISHED)
    assert not window.panels.findings.cards
    window.session.set_tolerance(5e-4)
    settle(window, qtbot, Stage.FINISHED)
    assert window.panels.findings.cards
    assert step_of(window.state) == 0
