"""The lab beside the panels: walked by keyboard, figures from the window's own runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.lab.steps import STEPS
from core.report.notes import HEADINGS
from core.report.profile import ProfileSpec
from gui import i18n, profiler
from gui.i18n import show_text
from gui.lab.lab import Lab
from gui.main_window import MainWindow
from gui.plotting import plotting
from gui.run_stage import Stage
from tests.core.report.test_notes import sections_of
from tests.gui.conftest import PATIENCE_MS, press, settle

QUICK = ProfileSpec(lengths=(8, 16, 24), batches=(1,), repeats=1, warm_up=0)
KEYS = {"next": Qt.Key.Key_PageDown, "back": Qt.Key.Key_PageUp, "close": Qt.Key.Key_Escape}


@pytest.fixture
def lab(window: MainWindow) -> Iterator[Lab]:
    """Open at its first step, with nothing measured."""
    lab = window.lab.lab
    window.activateWindow()  # keys of the window need it
    press(window, "lab")
    yield lab
    lab.leave()
    lab.index = 0
    lab._done.clear()
    lab.pane._opened.clear()
    lab.runs.close()
    window.panels.reset_layout()


def key(window: MainWindow, name: Qt.Key) -> None:
    """A key, to whatever has the keyboard."""
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, name)


def shown(lab: Lab) -> str:
    assert lab.pane is not None
    return "\n".join(label.text() for label in lab.pane.findChildren(QLabel) if label.isVisible())


def test_that_pages_turn_by_keyboard_and_the_place_is_kept(window: MainWindow, lab: Lab) -> None:
    assert window.focusWidget() is lab.pane.actions_["record"]
    for _ in range(3):
        key(window, KEYS["next"])
    key(window, KEYS["back"])
    assert lab.index == 2
    assert window.focusWidget() is lab.pane.actions_["prefill"]
    assert str(STEPS[2].title) in shown(lab)
    assert "Nothing has been measured here yet." in shown(lab)
    key(window, KEYS["close"])
    assert not lab.is_open
    assert window.focusWidget() is window.tokens.strip
    press(window, "lab")
    assert lab.index == 2
    assert lab.is_open


def test_that_the_lab_leaves_the_panels_it_is_about_in_sight(window: MainWindow, lab: Lab) -> None:
    window.panels.area.docks["kv"].close()
    for index, step in enumerate(STEPS):
        assert lab.index == index
        docks = [window.panels.area.docks[name] for name in step.panels if name != "tokens"]
        assert all(dock.isVisible() and dock.panel.property("spotlit") for dock in docks), step.id
        assert not window.panels.area.geometry().isEmpty()
        lab.go(1)
    lab.leave()
    assert not any(dock.panel.property("spotlit") for dock in window.panels.area.docks.values())


def test_that_tab_goes_down_the_page_and_an_answer_unfolds(window: MainWindow, lab: Lab) -> None:
    fold = lab.pane.folds[0]
    assert not fold.answer.isVisible()
    key(window, Qt.Key.Key_Tab)
    assert window.focusWidget() is fold.button
    key(window, Qt.Key.Key_Return)
    assert fold.answer.isVisible()
    key(window, Qt.Key.Key_Space)
    assert not fold.answer.isVisible()
    key(window, Qt.Key.Key_Space)
    key(window, KEYS["next"])
    key(window, KEYS["back"])
    assert lab.pane.folds[0].answer.isVisible()  # as it was left


def test_that_the_language_changes_on_the_open_page(window: MainWindow, qtbot: QtBot, lab: Lab) -> None:
    other = QWidget()  # the keyboard stays where it is in a window that is not the active one, too
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    i18n.set_language("zh")
    qtbot.waitUntil(lambda: "不用缓存解码" in shown(lab), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: window.focusWidget() is lab.pane.actions_["record"], timeout=PATIENCE_MS)
    assert show_text(STEPS[0].look) in shown(lab)


def test_that_a_run_of_the_lab_is_recorded_in_the_window_and_stays(
    window: MainWindow, qtbot: QtBot, lab: Lab
) -> None:
    lab.index = 2
    lab.go(1)
    key(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not lab.runs.is_recording and window.is_settled, timeout=PATIENCE_MS)
    assert window.session.spec.faults == ("position-reset",)
    assert window.state.selection.step == 1
    qtbot.waitUntil(lambda: "is told position 0, the oracle is told 38" in shown(lab), timeout=PATIENCE_MS)
    window.session.start(window.session.spec)
    settle(window, qtbot, Stage.WAITING)
    assert len(lab.runs.kept["faulty"]) == 13


@pytest.mark.slow
def test_that_esc_ends_the_measuring_first_and_the_lab_after_it(
    window: MainWindow, qtbot: QtBot, lab: Lab
) -> None:
    lab.go(5)
    key(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.measuring.profiler.is_measuring, timeout=6 * PATIENCE_MS)
    key(window, KEYS["close"])
    assert not window.measuring.profiler.is_measuring
    assert lab.is_open
    key(window, KEYS["close"])
    assert not lab.is_open


def test_that_a_run_that_was_cancelled_is_not_kept_and_can_be_recorded_again(
    window: MainWindow, qtbot: QtBot, lab: Lab
) -> None:
    key(window, Qt.Key.Key_Return)
    press(window, "cancel")
    qtbot.waitUntil(lambda: not lab.runs.is_recording, timeout=PATIENCE_MS)
    assert lab.runs.kept == {}
    key(window, Qt.Key.Key_Return)
    assert lab.runs.is_recording
    qtbot.waitUntil(lambda: "healthy" in lab.runs.kept, timeout=PATIENCE_MS)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_the_lab_can_be_walked_by_keyboard_from_the_first_step_to_the_notes(
    window: MainWindow, qtbot: QtBot, lab: Lab, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiler, "WANTED", QUICK)
    monkeypatch.setattr(window.writing, "ask_notes_name", lambda: tmp_path / "notes")
    i18n.set_language(language)
    plotting().load_soon()
    lab.open()
    for index, step in enumerate(STEPS):
        assert lab.index == index
        assert show_text(step.title) in shown(lab)
        for place, _ in enumerate(step.actions):
            if place:
                key(window, Qt.Key.Key_Tab)
            key(window, Qt.Key.Key_Return)
            qtbot.waitUntil(lambda: is_done(window), timeout=6 * PATIENCE_MS)
        if step.id == "costs":
            assert window.measuring.profiler.problem_of(window.session.spec) is None
        assert lab.pane._page.results, step.id
        for fold in lab.pane.folds:
            key(window, Qt.Key.Key_Tab)
            key(window, Qt.Key.Key_Space)
            assert fold.answer.isVisible()
        if index < len(STEPS) - 1:
            key(window, KEYS["next"])
    key(window, Qt.Key.Key_Tab)
    assert window.focusWidget() is lab.pane.notes
    key(window, Qt.Key.Key_Return)
    sections = sections_of((tmp_path / "notes.md").read_bytes())
    words = [show_text(heading) for heading in HEADINGS]
    assert list(sections) == words
    assert all(sections.values())
    assert any("concat" in line for line in sections[words[3]])


def is_done(window: MainWindow) -> bool:
    is_busy = window.lab.lab.runs.is_recording or window.measuring.profiler.is_measuring
    return not is_busy and window.is_settled and not window.lab.lab._soon.isActive()


def test_that_enter_presses_a_button_of_the_lab(qtbot: QtBot, lab: Lab) -> None:
    pressed: list[str] = []
    assert isinstance(lab.pane.next, QPushButton)
    lab.pane.next.clicked.connect(lambda: pressed.append("next"))
    QTest.keyClick(lab.pane.next, Qt.Key.Key_Enter)
    QApplication.processEvents()
    assert pressed == ["next"]
    assert lab.index == 1
