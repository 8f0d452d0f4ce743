"""A run in which each lane goes on from its own tokens, started in the window."""

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.run_stage import Stage
from tests.gui.conftest import FAULT, SPEC, press, settle


@pytest.mark.slow
def test_that_both_texts_are_shown_when_the_run_has_ended(window: MainWindow, qtbot: QtBot) -> None:
    window.session.start(replace(SPEC, faults=(FAULT,), steps=4))
    settle(window, qtbot, Stage.WAITING)
    press(window, "free_run")
    settle(window, qtbot, Stage.WAITING)
    assert window.session.spec.mode == "free"
    press(window, "copy_command")
    assert "--mode free" in QGuiApplication.clipboard().text()
    assert not window.tokens.free.isVisible()
    press(window, "run")
    settle(window, qtbot, Stage.FINISHED)
    assert window.tokens.free.isVisible()
    press(window, "free_run")
    settle(window, qtbot, Stage.FINISHED)
    assert window.session.spec.mode == "forced"
    assert not window.tokens.free.isVisible()
    assert not window.actions_["free_run"].isChecked()
