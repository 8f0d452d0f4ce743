"""The menu of faults: grouped by what breaks, several can be ticked, and each is explained below the list."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.catalog import FAULTS
from core.engine.messages import RunSpec
from core.fault_catalog import GROUPS
from gui import i18n
from gui.fault_button import FaultButton
from gui.fault_menu import FaultMenu, GroupMenu

TWO = ("position-off-by-one", "row-not-reordered")


@pytest.fixture
def menu(qtbot: QtBot) -> FaultMenu:
    menu = FaultMenu()
    qtbot.addWidget(menu)
    menu.chosen.connect(lambda faults: menu.show_spec(replace(RunSpec(), faults=faults)))
    return menu


def group_of(menu: FaultMenu, fault: str) -> GroupMenu:
    group = action_of(menu, fault).parent()
    assert isinstance(group, GroupMenu)
    return group


def action_of(menu: FaultMenu, fault: str) -> QAction:
    action = menu.findChild(QAction, f"fault-{fault}")
    assert action is not None
    return action


def test_that_every_fault_is_in_the_submenu_of_its_group(menu: FaultMenu) -> None:
    titles = [action.text() for action in menu.actions() if action.menu()]
    assert titles == [str(title) for title in GROUPS.values()]
    for fault in FAULTS:
        assert group_of(menu, fault.id).title() == str(GROUPS[fault.group])
        assert action_of(menu, fault.id).text() == f"{fault.title}\t{fault.id}"


def test_that_several_faults_can_be_ticked_and_all_taken_out(menu: FaultMenu) -> None:
    for fault in TWO:
        action_of(menu, fault).trigger()
    assert all(action_of(menu, fault).isChecked() for fault in TWO)
    assert group_of(menu, TWO[0]).title() == "Positions: 1 planted"
    action_of(menu, TWO[0]).trigger()
    assert not action_of(menu, TWO[0]).isChecked()
    assert action_of(menu, TWO[1]).isChecked()
    action_of(menu, "none").trigger()
    assert not action_of(menu, TWO[1]).isChecked()
    assert action_of(menu, "none").isChecked()


def test_that_a_click_and_the_space_bar_tick_and_keep_the_menu_open(menu: FaultMenu, qtbot: QtBot) -> None:
    group = group_of(menu, TWO[0])
    group.popup(QPoint(0, 0))
    qtbot.waitUntil(group.isVisible)
    place = group.actionGeometry(action_of(menu, TWO[0])).center()
    qtbot.mouseMove(group, place)
    group.setActiveAction(action_of(menu, TWO[0]))
    qtbot.mouseClick(group, Qt.MouseButton.LeftButton, pos=place)
    assert action_of(menu, TWO[0]).isChecked()
    group.setActiveAction(action_of(menu, "position-reset"))
    qtbot.keyClick(group, Qt.Key.Key_Space)
    assert action_of(menu, "position-reset").isChecked()
    assert group.isVisible()
    group.close()


def test_that_the_fault_under_the_pointer_is_explained(menu: FaultMenu) -> None:
    menu.show_spec(RunSpec(layout="concat"))
    action = action_of(menu, "window-wide")
    action.hovered.emit()
    label = group_of(menu, "window-wide").findChild(QLabel, "told")
    assert "One place counts the token itself" in label.text()
    assert "ml-explore/mlx-lm PR #390" in label.text()
    assert "cannot be planted in the concat layout" in label.text()
    menu.show_spec(RunSpec(layout="sliding"))
    action.hovered.emit()
    assert "cannot" not in label.text()


def test_that_the_menu_speaks_the_language_of_the_window(menu: FaultMenu) -> None:
    i18n.set_language("zh")
    menu.retranslate()
    assert action_of(menu, "window-wide").text() == "窗口宽了一个词元\twindow-wide"
    i18n.set_language("en")


def test_that_the_button_says_how_many_are_planted(menu: FaultMenu, qtbot: QtBot) -> None:
    button = FaultButton(menu)
    qtbot.addWidget(button)
    button.show_spec(RunSpec(faults=TWO))
    assert button._button.text() == "position-off-by-one +1 planted"
    assert button._button.toolTip().splitlines() == [
        "position-off-by-one: Decode positions are one too large",
        "row-not-reordered: The cache does not follow the beams",
    ]
    button.show_spec(RunSpec(faults=("from-another-version",)))
    assert button._button.text() == "from-another-version planted"
