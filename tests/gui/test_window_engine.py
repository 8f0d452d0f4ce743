"""The engine is a process of its own: it can be cancelled, it can die, and the window goes on."""

import os
import signal
import time

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.run_stage import Stage
from tests.gui.conftest import PATIENCE_MS, SPEC, press, settle


def test_that_a_cancelled_run_keeps_its_steps(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(SPEC, steps=200))
    settle(window, qtbot, Stage.WAITING)
    press(window, "run")
    qtbot.waitUntil(lambda: window.state.n_steps > 3)
    press(window, "cancel")
    settle(window, qtbot, Stage.FINISHED)
    assert 3 < window.state.n_steps < 201
    assert window.state.trace.end.status == "cancelled"
    press(window, "back")
    assert not any(panel.is_empty for panel in window.panels.panels)


def test_that_progress_and_cancel_show_while_a_run_takes_long(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(SPEC, steps=240))
    settle(window, qtbot, Stage.WAITING)
    press(window, "run")
    qtbot.waitUntil(window.status.progress.isVisible)
    assert window.status.progress.maximum() == 241
    assert window.status.cancel.isVisible()
    press(window, "cancel")
    settle(window, qtbot, Stage.FINISHED)
    assert not window.status.progress.isVisible()


@pytest.mark.slow
def test_that_a_killed_engine_is_told_and_the_steps_so_far_stay(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "step")
    settle(window, qtbot, Stage.WAITING)
    os.kill(_engine_pid(window), signal.SIGKILL)
    settle(window, qtbot, Stage.FINISHED)
    assert "engine" in window.notices.text
    assert window.state.n_steps == 2
    press(window, "restart")
    settle(window, qtbot, Stage.WAITING)
    assert window.state.n_steps == 1


@pytest.mark.slow
def test_that_an_engine_that_hangs_is_ended_when_the_run_is_cancelled(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.session.start(replace(SPEC, steps=200))
    settle(window, qtbot, Stage.WAITING)
    os.kill(_engine_pid(window), signal.SIGSTOP)
    press(window, "run")
    press(window, "cancel")
    settle(window, qtbot, Stage.FINISHED)
    assert window.state.n_steps == 1
    assert "engine" in window.notices.text


@pytest.mark.parametrize("prompt", ["x" * 5000])
def test_that_a_prompt_that_does_not_fit_is_told_in_one_line(
    window: MainWindow, qtbot: QtBot, prompt: str
) -> None:
    window.session.restart(replace(SPEC, prompt=prompt))
    settle(window, qtbot, Stage.FINISHED)
    assert "context" in window.notices.text
    assert "Traceback" not in window.notices.text


def test_that_a_scenario_that_cannot_be_done_is_named(window: MainWindow, qtbot: QtBot) -> None:
    window.session.restart(replace(SPEC, scenario="rollback", layout="sliding"))
    settle(window, qtbot, Stage.FINISHED)
    assert "rollback" in window.notices.text


@pytest.mark.slow
def test_that_closing_during_a_run_ends_the_engine_within_two_seconds(
    qapp: QApplication, qtbot: QtBot
) -> None:
    window = MainWindow()
    window.show()
    window.session.start(replace(SPEC, steps=240), last_step=240)
    qtbot.waitUntil(lambda: window.state.n_steps > 1, timeout=PATIENCE_MS)
    pid = _engine_pid(window)
    begun = time.monotonic()
    window.close()
    assert time.monotonic() - begun < 0.5  # nobody waits for the engine
    qtbot.waitUntil(lambda: not _is_there(pid), timeout=2000)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _engine_pid(window: MainWindow) -> int:
    client = window.session._bridge._client
    assert client is not None
    assert client._process is not None
    assert client._process.pid is not None
    return client._process.pid
