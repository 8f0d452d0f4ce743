"""The real window with the real engine, shared by the tests, since an engine takes seconds to start."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import tempfile
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.engine.messages import RunSpec
from gui import i18n
from gui.app_state import AppState
from gui.application import make_application
from gui.main_window import MainWindow
from gui.run_stage import Stage
from gui.settings import Settings
from gui.theme import LIGHT, apply_theme, current_theme

SPEC = RunSpec(prompt="Pay 12", steps=4)
FAULT = "position-reset"
PATIENCE_MS = 20_000  # starting an engine on a busy machine


@pytest.fixture(scope="session")
def qapp_cls() -> Callable[..., QApplication]:
    """One application with our look, instead of pytest-qt's bare one."""
    return lambda argv: make_application(Settings(theme="light", language="en"))


@pytest.fixture(scope="session", autouse=True)
def own_temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What other windows left behind on this machine is none of the tests' business."""
    before, tempfile.tempdir = tempfile.tempdir, str(tmp_path_factory.mktemp("own"))
    yield
    tempfile.tempdir = before


@pytest.fixture(scope="session")
def shared_window(qapp: QApplication) -> Iterator[MainWindow]:
    window = MainWindow()
    window.resize(1200, 760)
    window.show()
    yield window
    window.close()


@pytest.fixture
def window(shared_window: MainWindow, qapp: QApplication, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window whose run waits after the prefill, as it does when KVScope is opened."""
    shared_window.session.start(SPEC)
    settle(shared_window, qtbot, Stage.WAITING)
    shared_window.tokens.strip.setFocus()
    yield shared_window
    i18n.set_language("en")
    if current_theme() is not LIGHT:  # a second, with a whole window to restyle
        apply_theme(qapp, LIGHT)
    shared_window.notices.hide()


def settle(window: MainWindow, qtbot: QtBot, stage: Stage) -> None:
    """Wait until the run has come to `stage` and the window shows it."""

    def is_there() -> bool:
        return window.session.stage is stage and window.is_settled

    qtbot.waitUntil(is_there, timeout=PATIENCE_MS)


def press(window: MainWindow, action_id: str) -> None:
    """Do what a button, a menu entry or a key does."""
    assert window.actions_[action_id].isEnabled(), action_id
    window.actions_[action_id].trigger()


def step_of(state: AppState) -> int:
    return state.selection.step
