"""Start page, tour, words, exports: what a new user meets."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from gui.glossary import WORDS, tip
from gui.main_window import MainWindow
from gui.overlays.start_page import StartPage
from gui.overlays.tour import Tour
from gui.overlays.words import WordList
from gui.run_stage import Stage
from tests.gui.conftest import press, settle
from tests.gui.test_window_moving import loaded

__all__ = ["loaded"]


def test_that_the_start_page_runs_the_demo_with_a_fault_and_lists_files_that_exist(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    there = tmp_path / "a.kvtrace"
    there.touch()
    window.settings = replace(window.settings, recent=(str(there), str(tmp_path / "gone.kvtrace")))
    press(window, "start_page")
    page = window.findChildren(StartPage)[-1]
    assert [row.accessibleName() for row in page.files] == ["a.kvtrace"]
    page.rows[0].setFocus()
    QTest.keyClick(page.rows[0], Qt.Key.Key_Down)
    assert page.focusWidget() is page.rows[1]
    page.rows[1].click()
    assert page.isHidden()
    settle(window, qtbot, Stage.WAITING)
    assert window.session.spec.faults == ("position-reset",)
    assert window.status.verdict.property("tone") == "bad"


def test_that_the_tour_has_four_stops_and_can_be_left(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "tour")
    tour = window.findChildren(Tour)[-1]
    settle(window, qtbot, Stage.WAITING)
    places = set()
    for _ in range(4):
        assert window.rect().contains(tour.card.geometry())
        places.add(tour.card.pos().toTuple())
        tour.next.click()
    assert len(places) == 4
    assert tour.isHidden()
    press(window, "tour")
    tour = window.findChildren(Tour)[-1]
    QTest.keyClick(tour.next, Qt.Key.Key_Escape)
    assert tour.isHidden()
    settle(window, qtbot, Stage.WAITING)


def test_that_the_tour_is_offered_once(shared_window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui.first_minute.left_behind", lambda: None)  # what other windows left is not ours
    shared_window.first_minute.invite()
    assert shared_window.notices.text
    shared_window.notices.hide()
    shared_window.first_minute.invite()
    assert not shared_window.notices.text


def test_that_every_word_is_explained_in_a_sentence_or_two(shared_window: MainWindow) -> None:
    assert all(1 <= word.meaning.count(".") <= 3 for word in WORDS.values())
    assert "kv_len" in tip("append_dim")
    press(shared_window, "words")
    shared_window.findChildren(WordList)[-1].dismiss()


@pytest.mark.parametrize("name", ["timeline", "layers", "attention", "logits", "kv", "slots"])
def test_that_every_panel_offers_its_figures_and_its_picture(loaded: MainWindow, name: str) -> None:
    menu = loaded.panels.area.docks[name].make_menu()
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts[:3] == ["Copy as TSV", "Copy as CSV", "Copy as NumPy"]
    assert texts[-1] == "Close"
    menu.deleteLater()


def test_that_the_figures_of_the_timeline_are_copied(loaded: MainWindow) -> None:
    menu = QMenu()
    loaded.exporting.fill("timeline", menu)
    menu.actions()[1].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 16
    assert lines[3].startswith("2,decode,0.5,True")
    menu.deleteLater()


def test_that_a_panel_is_saved_as_sharp_pixels_and_as_lines(loaded: MainWindow, tmp_path: Path) -> None:
    size = loaded.panels.area.docks["timeline"].size()
    loaded.exporting.save_picture("timeline", tmp_path / "a", 4, False)
    assert QImage(str(tmp_path / "a.png")).size() == size * 4
    loaded.exporting.save_picture("timeline", tmp_path / "a.svg", 1, True)
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    families = {node.get("font-family") for node in root.iter() if node.get("font-family")}
    assert families
    assert all(family.endswith(("sans-serif", "monospace")) for family in families)
    loaded.exporting.save_picture("timeline", tmp_path / "no" / "a.png", 1, False)
    assert "written" in loaded.notices.text


def test_that_an_empty_panel_has_the_button_that_fixes_it(loaded: MainWindow, qtbot: QtBot) -> None:
    panel = loaded.panels.kv
    assert panel.is_empty  # the recorded letters have no cache
    assert panel._empty_button.isVisibleTo(panel)
    panel._empty_button.click()
    settle(loaded, qtbot, Stage.WAITING)
    assert not panel.is_empty
