"""Theme, language, settings, names for screen readers."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QByteArray, QRect, QSettings
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from core.errors import UnreadableError
from core.trace.reader import Trace
from gui import i18n, settings
from gui.action_table import ACTIONS
from gui.help_dialogs import about_dialog
from gui.main_window import MainWindow
from gui.run_stage import Stage
from gui.theme import DARK, LIGHT, current_theme
from gui.translation_files import TS_FILE, missing_from_file
from gui.window_place import is_seen
from tests.gui.conftest import press, settle


def test_that_the_theme_switches_live(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "theme")
    settle(window, qtbot, Stage.WAITING)
    assert current_theme() is DARK
    assert window.panels.grab().toImage().pixelColor(1, 1) == DARK.background
    press(window, "theme")
    settle(window, qtbot, Stage.WAITING)
    assert window.panels.grab().toImage().pixelColor(1, 1) == LIGHT.background


def test_that_the_language_switches_live(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "language")
    settle(window, qtbot, Stage.WAITING)
    assert i18n.language() == "zh"
    qtbot.waitUntil(lambda: window.actions_["step"].iconText() == "单步前进")
    settle(window, qtbot, Stage.WAITING)
    assert window.panels.kv.accessibleName() == "KV 缓存"
    assert "步" in window.status.step.text()
    press(window, "language")
    qtbot.waitUntil(lambda: window.actions_["step"].iconText() == "Step")


def test_that_every_text_is_translated() -> None:
    assert missing_from_file() == []


def test_that_words_in_the_gap_of_a_sentence_are_translated_too(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "x.kvtrace"
    path.write_bytes(b"<html>404</html>")
    i18n.set_language("zh")
    with pytest.raises(UnreadableError) as caught:
        Trace.open(path)
    shown = i18n.show_text(caught.value.text)
    i18n.set_language("en")
    assert "看起来是 HTML 页面" in shown
    assert "an HTML page" in i18n.show_text(caught.value.text)


def test_that_translations_keep_the_gaps_of_the_text() -> None:
    for message in ElementTree.parse(TS_FILE).getroot().iter("message"):
        source, translation = message.findtext("source") or "", message.findtext("translation") or ""
        assert sorted(re.findall(r"{.*?}", source)) == sorted(re.findall(r"{.*?}", translation)), source


def test_that_every_control_has_a_name_for_screen_readers(window: MainWindow) -> None:
    kinds = (QAbstractButton, QComboBox, QLineEdit, QSpinBox)
    nameless = [
        control
        for kind in kinds
        for control in window.findChildren(kind)
        if control.isVisible()
        and not (control.accessibleName() or getattr(control, "text", lambda: "")() or _is_inside(control))
    ]
    assert nameless == []


def _is_inside(control: object) -> bool:
    """Qt's own parts of a control (a spin box's line edit, a menu bar's extension button) are named by their owner."""
    return control.objectName().startswith("qt_")


def test_that_no_two_commands_share_a_key() -> None:
    keys = [key for spec in ACTIONS for key in spec.keys]
    assert len(keys) == len(set(keys))


def test_that_settings_come_back(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "kvscope.ini"), QSettings.Format.IniFormat)
    values = settings.Settings(
        theme="dark", language="zh", layout=QByteArray(b"x"), zoom=1.3, recent=("a.kvtrace",)
    )
    settings.save(store, values)
    assert settings.load(QSettings(store.fileName(), QSettings.Format.IniFormat)) == values


@pytest.mark.parametrize(
    "junk",
    ["[General]\ntheme=@Invalid()\nrecent=7\nlayout=x\nzoom=nan\ngeometry=1", "\0\0[[[", "theme=purple"],
)
def test_that_junk_in_the_settings_means_defaults(tmp_path: Path, junk: str) -> None:
    path = tmp_path / "kvscope.ini"
    path.write_text(junk)
    read = settings.load(QSettings(str(path), QSettings.Format.IniFormat))
    assert (read.theme, read.language, read.zoom, read.layout) == ("system", "system", 1.0, QByteArray())


def test_that_a_panel_can_be_hidden_and_the_layout_reset(window: MainWindow) -> None:
    window.menus.panels.aboutToShow.emit()
    logits = next(
        a for a in window.menus.panels.actions() if a.text() == window.panels.logits.accessibleName()
    )
    logits.trigger()
    dock = window.panels.area.docks["logits"]
    assert dock.isHidden()
    assert window.panels.logits.is_out_of_sight
    press(window, "reset_layout")
    assert not dock.isHidden()


def test_that_a_layout_comes_back_and_junk_changes_nothing(window: MainWindow) -> None:
    docks, panels = window.panels.area.docks, window.panels
    assert panels.layout_bytes().isEmpty()
    docks["logits"].close()
    docks["kv"].setFloating(True)
    saved = panels.layout_bytes()
    press(window, "reset_layout")
    for junk in (b"", b"junk", saved.data()[:-1], saved.data()[:20] + b"\7" + saved.data()[21:], bytes(400)):
        panels.restore_layout(QByteArray(junk))
        assert not docks["logits"].isHidden()
    panels.restore_layout(saved)
    assert docks["logits"].isHidden()
    assert docks["kv"].isFloating()
    press(window, "reset_layout")
    assert not docks["kv"].isFloating()


def test_that_the_first_layout_fills_the_window_with_even_gaps(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "reset_layout")
    docks = window.panels.area.docks
    qtbot.waitUntil(lambda: docks["attention"].width() > 3 * docks["layers"].width())
    assert docks["logits"].geometry().right() == window.panels.area.width() - 1
    rows = [docks[name].geometry() for name in ("timeline", "attention", "kv")]
    columns = [docks[name].geometry() for name in ("layers", "attention", "logits")]
    gaps = [b.top() - a.bottom() - 1 for a, b in pairwise(rows)]
    gaps += [b.left() - a.right() - 1 for a, b in pairwise(columns)]
    assert gaps == [6, 6, 6, 6]


def test_that_zoom_changes_all_sizes_and_is_remembered(window: MainWindow, qtbot: QtBot) -> None:
    height, font = window.transport.buttons["run"].height(), window.status.step.font().pixelSize()
    press(window, "zoom_in")
    assert window.transport.buttons["run"].height() > height
    assert window.status.step.font().pixelSize() > font
    assert window.settings.zoom == 1.15
    press(window, "zoom_reset")
    assert window.transport.buttons["run"].height() == height
    assert window.settings.zoom == 1.0


def test_that_a_window_of_another_screen_is_not_seen() -> None:
    screen = QRect(0, 0, 1920, 1080)
    assert is_seen(QRect(100, 100, 1500, 950), [screen])
    assert not is_seen(QRect(1900, 100, 1500, 950), [screen])
    assert is_seen(QRect(1900, 100, 1500, 950), [screen, QRect(1920, 0, 1920, 1080)])


def test_that_the_log_scale_is_one_switch_in_menu_and_panel(window: MainWindow) -> None:
    press(window, "log_scale")
    assert window.panels.attention._maps.is_log
    window.panels.attention._maps.log_button.click()
    assert not window.panels.attention._maps.is_log
    assert not window.actions_["log_scale"].isChecked()


def test_that_what_the_masks_allow_is_outlined_on_demand(window: MainWindow, qtbot: QtBot) -> None:
    maps = window.panels.attention._maps
    assert maps._outlines.oracle == ()
    press(window, "mask_outline")
    qtbot.waitUntil(lambda: maps._outlines.oracle != ())
    assert [part.tone for part in maps._outlines.difference] == ["text"]  # a healthy run's lanes agree
    press(window, "mask_outline")
    qtbot.waitUntil(lambda: maps._outlines.oracle == ())


def test_that_the_about_box_can_be_made(window: MainWindow) -> None:
    assert "KVScope" in about_dialog(window).text()
