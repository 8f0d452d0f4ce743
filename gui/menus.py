"""The menu bar, from the table of actions."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QMenuBar

from gui.actions import Actions
from gui.fault_menu import FaultMenu

SEPARATOR = ""
FILE = ("open", "open_folder", "recent", "save", "picture", SEPARATOR, "trusted", SEPARATOR, "quit")
VIEW = (
    "next_layer", "previous_layer", "next_head", "previous_head", "next_row", SEPARATOR,
    "log_scale", "theme", "language", SEPARATOR, "panels", "reset_layout", "fullscreen",
)  # fmt: skip
RUN = (
    "step", "back", "first", "last", SEPARATOR, "next_bad", "previous_bad", SEPARATOR,
    "run", "cancel", "restart", SEPARATOR, "all_scenarios",
)  # fmt: skip
HELP = ("keys", "about")


class Menus(QObject):
    """File, View, Run, Fault, Help; the lists of recent files and of panels are filled when they open."""

    def __init__(self, bar: QMenuBar, actions: Actions, fault: FaultMenu, parent: QObject) -> None:
        super().__init__(parent)
        self.recent = QMenu()
        self.panels = QMenu()
        self._fault = fault
        self._by_name = {"file": bar.addMenu(""), "view": bar.addMenu(""), "run": bar.addMenu("")}
        bar.addMenu(fault)
        self._by_name["help"] = bar.addMenu("")
        for name, entries in (("file", FILE), ("view", VIEW), ("run", RUN), ("help", HELP)):
            self._fill(self._by_name[name], entries, actions)
        self.retranslate()

    def show_recent(self, paths: tuple[str, ...], open_path: Callable[[str], object]) -> None:
        self.recent.clear()
        for path in paths:
            action = self.recent.addAction(path.replace("&", "&&"))
            action.triggered.connect(lambda checked=False, chosen=path: open_path(chosen))
        self.recent.setEnabled(bool(paths))

    def retranslate(self) -> None:
        self._by_name["file"].setTitle(self.tr("&File"))
        self._by_name["view"].setTitle(self.tr("&View"))
        self._by_name["run"].setTitle(self.tr("&Run"))
        self._fault.setTitle(self.tr("F&ault"))
        self._by_name["help"].setTitle(self.tr("&Help"))
        self.recent.setTitle(self.tr("Open &recent"))
        self.panels.setTitle(self.tr("&Panels"))

    def _fill(self, menu: QMenu, entries: tuple[str, ...], actions: Actions) -> None:
        menu.setToolTipsVisible(False)
        for entry in entries:
            if entry == SEPARATOR:
                menu.addSeparator()
            elif entry == "recent":
                menu.addMenu(self.recent)
            elif entry == "panels":
                menu.addMenu(self.panels)
            else:
                menu.addAction(actions[entry])
