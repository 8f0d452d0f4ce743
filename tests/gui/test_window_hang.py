"""A target that does not come back: said while it lasts, ended after the step timeout, its steps kept, the window never blocked."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from core.engine import hang
from core.engine.messages import RunSpec
from gui import hang_watch, scenario_runner
from gui.main_window import MainWindow
from gui.run_stage import Stage
from gui.widgets.scenario_model import Column
from tests.core.targets import hostile
from tests.gui.conftest import PATIENCE_MS, SPEC, press, settle

pytestmark = pytest.mark.slow  # it waits for seconds, again and again

STEP_HANGS = hostile.with_cached(hostile.LATER + "time.sleep(10**6)" + hostile.GO_ON)
FULL_HANGS = hostile.with_full("if ids.shape[1] == 10: time.sleep(10**6)\n    return _full(ids)")
LOAD_HANGS = hostile.HEALTHY + "\nimport time\ntime.sleep(10**6)\n"
LONGEST_MS = 250  # a blocked window would be silent for the half second of the stack, or the two of the end


class LongestSilence:
    """How long the event loop did not come round."""

    def __init__(self) -> None:
        self.ms = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self._note)
        self._timer.start()

    def _note(self) -> None:
        now = time.perf_counter()
        self.ms = max(self.ms, (now - self._last) * 1e3)
        self._last = now


@pytest.fixture
def trusting(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window that runs what it is given."""
    monkeypatch.setattr(window.session, "gate", lambda spec, run, refuse: run())
    monkeypatch.setattr(window.session, "permit", lambda spec: spec)
    monkeypatch.setattr(window.scenarios, "_is_allowed", lambda spec: True)
    monkeypatch.setattr(window.scenarios, "_permit", lambda spec: spec)
    yield window
    window.session.start(SPEC)


def spec_for(folder: Path, source: str, timeout_s: float = 1.0) -> RunSpec:
    path = folder / "target.py"
    path.write_text(source)
    return RunSpec(target=str(path), steps=5, step_timeout_s=timeout_s)


@pytest.mark.parametrize(
    ("source", "function"), [(STEP_HANGS, "cached"), (FULL_HANGS, "full")], ids=["cached", "full"]
)
def test_that_a_step_that_hangs_is_ended_and_named_with_its_stack(
    trusting: MainWindow, qtbot: QtBot, tmp_path: Path, source: str, function: str
) -> None:
    spec = spec_for(tmp_path, source)
    silence = LongestSilence()
    trusting.session.start(spec, last_step=5)
    settle(trusting, qtbot, Stage.FINISHED)
    assert f"step {trusting.state.n_steps} of {spec.target} (decode) did not end" in trusting.notices.text
    assert f"in {function}" in trusting.notices._details
    assert "target.py" in trusting.notices._details
    assert trusting.state.n_steps >= 1
    assert trusting.status.verdict.property("tone") != "good"
    assert silence.ms < LONGEST_MS
    trusting.session.start(SPEC)  # and the window goes on with a new engine
    settle(trusting, qtbot, Stage.WAITING)


def test_that_a_target_that_hangs_while_it_loads_gets_the_allowance_and_is_ended(
    trusting: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hang, "STARTUP_S", 1.0)
    trusting.session.start(spec_for(tmp_path, LOAD_HANGS))
    settle(trusting, qtbot, Stage.FINISHED)
    assert "loading" in trusting.notices.text
    assert "within 2 s" in trusting.notices.text
    assert "target.py" in trusting.notices._details


def test_that_the_status_bar_says_how_long_a_target_has_been_busy(
    trusting: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hang_watch, "BUSY_AFTER_S", 1)
    trusting.session.start(spec_for(tmp_path, STEP_HANGS, timeout_s=60), last_step=5)
    qtbot.waitUntil(lambda: "busy for 1 s" in trusting.status.file.text(), timeout=PATIENCE_MS)
    assert trusting.state.n_steps == 2
    silence = LongestSilence()
    press(trusting, "cancel")
    settle(trusting, qtbot, Stage.FINISHED)
    assert "busy" not in trusting.status.file.text()
    assert silence.ms < LONGEST_MS


def test_that_the_other_scenarios_run_after_one_that_hangs(
    trusting: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario_runner, "SCENARIOS", ("decode", "rollback", "single-token-prompt"))
    calls_with_prompt = hostile.with_cached("if ids.shape[1] == 8: time.sleep(10**6)" + hostile.GO_ON)
    trusting.session.spec = spec_for(tmp_path, calls_with_prompt)
    trusting.panels.show_scenarios()
    trusting.scenarios.start(trusting.session.spec)
    qtbot.waitUntil(
        lambda: not trusting.scenarios.is_running and trusting.is_settled, timeout=3 * PATIENCE_MS
    )
    model = trusting.panels.scenarios.table.lines
    shown = {line.scenario: line for line in model.lines}
    assert shown["decode"].result == "error"
    assert "did not end within" in model.text(shown["decode"], Column.WHERE)
    assert (shown["rollback"].result, shown["single-token-prompt"].result) == ("skipped", "pass")
    trusting.panels.scenarios.closed.emit()


def test_that_a_long_run_of_short_steps_is_no_hang(trusting: MainWindow, qtbot: QtBot) -> None:
    trusting.session.start(replace(SPEC, steps=30, step_timeout_s=1.0), last_step=2)
    settle(trusting, qtbot, Stage.WAITING)
    qtbot.wait(1700)  # longer than a step may take: nothing is owed while the run waits
    assert trusting.session.stage is Stage.WAITING


def test_that_a_target_which_does_not_load_is_said_once_in_the_table(
    trusting: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    trusting.session.spec = spec_for(tmp_path, "1 / 0")
    trusting.panels.show_scenarios()
    trusting.scenarios.start(trusting.session.spec)
    qtbot.waitUntil(lambda: not trusting.scenarios.is_running and trusting.is_settled, timeout=PATIENCE_MS)
    model = trusting.panels.scenarios.table.lines
    assert [line.result for line in model.lines] == ["error"] + ["cancelled"] * (len(model.lines) - 1)
    assert ["ZeroDivisionError" in line.where for line in model.lines].count(True) == 1
    assert model.text(model.lines[-1], Column.RESULT) == "– not run"
    trusting.panels.scenarios.closed.emit()
