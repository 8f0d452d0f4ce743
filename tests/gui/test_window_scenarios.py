"""All scenarios in a table, and batch rows in the panels."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from core.catalog import SCENARIOS
from gui import scenario_runner
from gui.main_window import MainWindow
from gui.run_stage import Stage
from gui.widgets.scenario_model import Column
from tests.core.support import DRIFT, record_trace
from tests.gui.conftest import FAULT, PATIENCE_MS, SPEC, press, settle


def lines(window: MainWindow) -> dict[str, tuple[str, ...]]:
    """What the table shows, by scenario."""
    model = window.panels.scenarios.table.lines
    return {line.scenario: tuple(model.text(line, column) for column in Column) for line in model.lines}


def run_all(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "all_scenarios")
    assert not window.panels.scenarios.isHidden()
    qtbot.waitUntil(lambda: not window.scenarios.is_running and window.is_settled, timeout=6 * PATIENCE_MS)


@pytest.mark.slow
def test_that_every_scenario_is_run_and_a_click_opens_one(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario_runner, "SCENARIOS", ("decode", "ragged-batch", "rollback"))
    window.session.start(replace(SPEC, faults=(FAULT,), layout="sliding"))
    settle(window, qtbot, Stage.WAITING)
    run_all(window, qtbot)
    assert window.state.n_steps == 1  # the run that is shown has not moved
    shown = lines(window)
    assert shown["decode"][1] == "✗ FAIL"
    assert shown["decode"][Column.FIRST_BAD] == "1"
    assert "position" in shown["decode"][Column.WHERE]
    assert shown["rollback"][1] == "– skipped"
    assert "rolled back" in shown["rollback"][Column.WHERE]
    window.panels.scenarios.opened.emit(1)
    settle(window, qtbot, Stage.FINISHED)
    assert window.state.trace.info.scenario == "ragged-batch"
    assert window.run_bar.scenario.currentText() == "ragged-batch"
    assert window.state.selection.step == 1
    window.panels.scenarios.closed.emit()
    assert window.panels.scenarios.is_out_of_sight


@pytest.mark.slow
def test_that_moving_the_tolerance_judges_the_table_anew(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario_runner, "SCENARIOS", ("decode",))
    window.session.start(replace(SPEC, faults=(FAULT,)))
    settle(window, qtbot, Stage.WAITING)
    run_all(window, qtbot)
    assert lines(window)["decode"][1] == "✗ FAIL"
    window.session.set_tolerance(1e6)
    settle(window, qtbot, Stage.WAITING)
    assert lines(window)["decode"][1] == "✓ PASS"


@pytest.mark.slow
def test_that_a_cancelled_series_keeps_what_is_there(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(SPEC, steps=200))
    settle(window, qtbot, Stage.WAITING)
    press(window, "all_scenarios")
    qtbot.waitUntil(lambda: window.scenarios.outcomes[0].n_done > 2, timeout=PATIENCE_MS)
    press(window, "cancel")
    qtbot.waitUntil(lambda: not window.scenarios.is_running and window.is_settled, timeout=PATIENCE_MS)
    shown = lines(window)
    assert len(shown) == len(SCENARIOS)
    assert all(line[1] == "– not run" for line in shown.values())
    assert window.scenarios.outcomes[0].trace is not None
    assert window.session.stage is Stage.WAITING


def test_that_a_row_of_a_ragged_batch_is_shown_without_its_pads(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(
        replace(SPEC, scenario="ragged-batch", prompt="Evidence EV-2047: 0x7f3a paid 1,250.00")
    )
    settle(window, qtbot, Stage.WAITING)
    assert not window.tokens.rows.isHidden()
    window.tokens.rows.row_clicked.emit(1)
    settle(window, qtbot, Stage.WAITING)
    assert window.state.selection.batch_row == 1
    chips = window.tokens.strip._canvas.view.chips
    assert [chip.is_pad for chip in chips] == [True] * 8 + [False] * 31
    assert "30 tokens after 8 pads" in window.panels.kv._figures.text()
    assert not window.panels.layers._grid._view.is_bad.any()  # what pads attend to is no finding
    positions = window.panels.slots.plot.positions
    assert (positions._oracle[:8] == -1).all()
    assert positions._oracle[8:].tolist() == list(range(30))
    press(window, "next_row")
    assert window.state.selection.batch_row == 0


@pytest.mark.slow
def test_that_the_table_names_the_cause_and_how_it_is_known(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(scenario_runner, "SCENARIOS", ("decode",))
    run_all(window, qtbot)
    runner, panel = window.scenarios, window.panels.scenarios
    ways = (
        ((DRIFT,), "position-drift · 83.1 %"),
        ((replace(DRIFT, healed=None),), "position-drift · inferred"),
        ((), ""),
    )
    for number, (findings, cell) in enumerate(ways):
        path = tmp_path / f"{number}.kvtrace"
        trace = record_trace(path, findings=findings, steps=2, prompt="Pay 12", faults=(FAULT,))
        runner._set(0, trace=trace)
        panel.show_outcomes(runner, 5e-4)
        assert lines(window)["decode"][Column.CAUSE] == cell


@pytest.mark.slow
def test_that_the_table_says_how_far_the_search_for_a_cause_is(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario_runner, "SCENARIOS", ("decode",))
    run_all(window, qtbot)
    runner = window.scenarios
    runner._set(0, state="running", trace=None, n_done=5, n_planned=5, n_tried=2, n_repairs=17)
    window.panels.scenarios.show_outcomes(runner, 5e-4)
    assert lines(window)["decode"][Column.CAUSE] == "repair 3 of 17"
