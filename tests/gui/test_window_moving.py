"""Keys, palette, prompts and bookmarks in the real window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gui.action_table import ACTIONS
from gui.main_window import MainWindow
from gui.menus import MENUS
from gui.overlays.key_list import KeyList
from gui.overlays.palette import CommandPalette, Entry
from gui.run_stage import Stage
from tests.gui.conftest import press, settle, step_of
from tests.gui.small_trace import write_small_trace

DIFFS = [0.0, 1e-7, 0.5, 1e-7, 0.5] + [1e-7] * 10


@pytest.fixture
def loaded(shared_window: MainWindow, tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window that shows a recorded run of 15 steps."""
    write_small_trace(tmp_path / "a.kvtrace", DIFFS)
    assert shared_window.session.open(tmp_path / "a.kvtrace")
    settle(shared_window, qtbot, Stage.FINISHED)
    shared_window.activateWindow()
    shared_window.tokens.strip.setFocus()
    yield shared_window
    shared_window.prompt.dismiss()
    shared_window.notices.hide()


def test_that_every_command_is_in_a_menu() -> None:
    assert sorted(spec.id for spec in ACTIONS) == sorted(
        entry for entries in MENUS.values() for entry in entries if entry not in ("", "recent", "panels")
    )


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        ("Right", 1), ("F10", 1), ("Shift+Right", 10), ("End", 14), ("F5", 2), ("F5 F5", 4), ("F5 F5 Shift+F5", 2),
        ("End Shift+Left", 4), ("End Home", 0), ("End Left", 13), ("End Shift+F10", 13),
    ],
)  # fmt: skip
def test_that_keys_move_through_the_steps(loaded: MainWindow, keys: str, step: int) -> None:
    QTest.keySequence(loaded, ", ".join(keys.split()))
    assert step_of(loaded.state) == step


def test_that_the_palette_runs_what_was_typed_and_remembers_it(loaded: MainWindow) -> None:
    press(loaded, "palette")
    palette = loaded.findChildren(CommandPalette)[-1]
    QTest.keyClicks(palette._edit, "ext bad")
    assert palette.names[0] == "Next bad step"
    QTest.keyClick(palette._edit, Qt.Key.Key_Return)
    assert step_of(loaded.state) == 2
    assert palette.isHidden()
    press(loaded, "palette")
    palette = loaded.findChildren(CommandPalette)[-1]
    assert palette.names[0] == "Next bad step"
    QTest.keyClick(palette._edit, Qt.Key.Key_Up)
    assert palette._list.currentRow() == len(palette.names) - 1
    QTest.keyClick(palette._edit, Qt.Key.Key_Escape)
    assert palette.isHidden()


def test_that_a_click_in_the_palette_runs_a_command_that_waits_in_a_loop_of_its_own(
    loaded: MainWindow, qtbot: QtBot
) -> None:
    waited = []

    def wait_as_a_dialog_does() -> None:
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()
        waited.append(True)

    action = QAction("Wait", loaded)
    action.triggered.connect(wait_as_a_dialog_does)
    palette = CommandPalette(loaded, [Entry(action, "Wait", "File")], [])
    palette.start()
    viewport = palette._list.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=viewport.rect().topLeft() + QPoint(20, 10))
    qtbot.waitUntil(lambda: waited == [True] and not isValid(palette))


def test_that_the_palette_lists_every_command_but_itself_and_keeps_the_keyboard(loaded: MainWindow) -> None:
    press(loaded, "palette")
    palette = loaded.findChildren(CommandPalette)[-1]
    assert len(palette.names) == len(ACTIONS) - 1
    QTest.keyClick(palette._edit, Qt.Key.Key_F10)
    QTest.keyClick(palette._edit, Qt.Key.Key_Tab)
    assert step_of(loaded.state) == 0
    assert palette.isAncestorOf(QApplication.focusWidget())
    palette.dismiss()
    assert loaded.focusWidget() is loaded.tokens.strip


def test_that_the_key_list_closes_at_any_key(loaded: MainWindow) -> None:
    press(loaded, "keys")
    keys = loaded.findChildren(KeyList)[-1]
    QTest.keyClick(keys, Qt.Key.Key_A)
    assert keys.isHidden()


def test_that_go_to_step_shows_while_one_types_and_says_what_there_is(loaded: MainWindow) -> None:
    press(loaded, "go_to_step")
    QTest.keyClicks(loaded.prompt.edit, "12")
    assert step_of(loaded.state) == 12
    QTest.keyClicks(loaded.prompt.edit, "0")
    assert "14" in loaded.prompt.remark
    QTest.keyClick(loaded.prompt.edit, Qt.Key.Key_Return)
    assert loaded.prompt.isHidden()
    assert loaded.focusWidget() is loaded.tokens.strip


def test_that_a_found_token_is_shown_and_enter_goes_to_the_next(loaded: MainWindow) -> None:
    press(loaded, "find_token")
    QTest.keyClicks(loaded.prompt.edit, "f")
    assert (step_of(loaded.state), loaded.state.selection.query) == (3, 5)
    assert loaded.prompt.remark == "1 of 1"
    QTest.keyClicks(loaded.prompt.edit, "?")
    assert loaded.prompt.remark == "not found"


def test_that_a_bookmark_flags_strip_and_timeline(loaded: MainWindow) -> None:
    loaded.state.select(step=5)
    press(loaded, "bookmark")
    loaded.state.select(step=0)
    press(loaded, "next_bookmark")
    assert step_of(loaded.state) == 5
    assert list(loaded.panels.timeline.plot._flags.getData()[0]) == [5]
    assert loaded.tokens.strip._canvas.bookmarks == {5}


def test_that_alt_and_arrows_go_back_to_where_one_was(loaded: MainWindow) -> None:
    loaded.history._glide_ms = 0
    loaded.state.select(step=7)
    QTest.keySequence(loaded, "Alt+Left")
    assert step_of(loaded.state) == 0
    QTest.keySequence(loaded, "Alt+Right")
    assert step_of(loaded.state) == 7


def test_that_playing_a_recorded_run_stops_over_the_tolerance_when_asked(
    loaded: MainWindow, qtbot: QtBot
) -> None:
    menu = loaded.moving.stop_menu()
    menu.actions()[1].trigger()
    menu.deleteLater()
    assert "tolerance" in loaded.status.stop.text()
    loaded.player._timer.setInterval(1)
    QTest.keyClick(loaded, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not loaded.player.is_playing)
    assert step_of(loaded.state) == 2
    loaded.moving.stop_at(at_bad=False)
    assert loaded.status.stop.text() == ""
