"""Theme, language, settings, names for screen readers."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from gui import i18n, settings
from gui.action_table import ACTIONS
from gui.help_dialogs import about_dialog
from gui.main_window import MainWindow
from gui.run_stage import Stage
from gui.theme import DARK, LIGHT, current_theme
from gui.translation_files import TS_FILE, missing_from_file
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
        theme="dark", language="zh", splitters={"rows": [1, 2, 3]}, recent=("a.kvtrace",)
    )
    settings.save(store, values)
    assert settings.load(QSettings(store.fileName(), QSettings.Format.IniFormat)) == values


@pytest.mark.parametrize(
    "junk", ["[General]\ntheme=@Invalid()\nrecent=7\nsplitters=x\ngeometry=1", "\0\0[[[", "theme=purple"]
)
def test_that_junk_in_the_settings_means_defaults(tmp_path: Path, junk: str) -> None:
    path = tmp_path / "kvscope.ini"
    path.write_text(junk)
    read = settings.load(QSettings(str(path), QSettings.Format.IniFormat))
    assert (read.theme, read.language, read.splitters) == ("system", "system", {})


def test_that_a_panel_can_be_hidden_and_the_layout_reset(window: MainWindow) -> None:
    window.menus.panels.aboutToShow.emit()
    logits = next(
        a for a in window.menus.panels.actions() if a.text() == window.panels.logits.accessibleName()
    )
    logits.toggle()
    assert window.panels.logits.isHidden()
    press(window, "reset_layout")
    assert not window.panels.logits.isHidden()


def test_that_the_log_scale_is_one_switch_in_menu_and_panel(window: MainWindow) -> None:
    press(window, "log_scale")
    assert window.panels.attention._maps.is_log
    window.panels.attention._maps.log_button.click()
    assert not window.panels.attention._maps.is_log
    assert not window.actions_["log_scale"].isChecked()


def test_that_the_about_box_can_be_made(window: MainWindow) -> None:
    assert "KVScope" in about_dialog(window).text()
