"""The menu bar, from the table of actions."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QMenuBar

from gui.actions import Actions
from gui.fault_menu import FaultMenu

SEPARATOR = ""
FILE = (
    "open",
    "open_folder",
    "compare",
    "recent",
    "save",
    "save_report",
    "save_notes",
    "picture",
    "copy_command",
    SEPARATOR,
    "trusted",
    SEPARATOR,
    "quit",
)
GO = (
    "step", "back", "forward_ten", "back_ten", "first", "last", SEPARATOR, "next_bad", "previous_bad", SEPARATOR,
    "go_to_step", "find_token", SEPARATOR, "bookmark", "next_bookmark", SEPARATOR, "go_back", "go_forward", SEPARATOR,
    "next_layer", "previous_layer", "next_head", "previous_head", "next_row",
)  # fmt: skip
RUN = (
    "run", "cancel", "restart", SEPARATOR, "stop_when", "free_run", SEPARATOR, "all_scenarios", "profile",
)  # fmt: skip
VIEW = (
    "palette", SEPARATOR, "log_scale", "mask_outline", "theme", "system_theme", "language", SEPARATOR, "zoom_in", "zoom_out", "zoom_reset",
    SEPARATOR, "panels", "reset_layout", "fullscreen",
)  # fmt: skip
HELP = ("start_page", "tour", "lab", SEPARATOR, "keys", "words", SEPARATOR, "about")
MENUS = {"file": FILE, "view": VIEW, "go": GO, "run": RUN, "help": HELP}


class Menus(QObject):
    """File, View, Go, Run, Fault, Help; the lists of recent files and of panels are filled when they open."""

    def __init__(self, bar: QMenuBar, actions: Actions, fault: FaultMenu, parent: QObject) -> None:
        super().__init__(parent)
        self.recent = QMenu()
        self.panels = QMenu()
        self._fault = fault
        self._by_name = {name: bar.addMenu("") for name in ("file", "view", "go", "run")}
        bar.addMenu(fault)
        self._by_name["help"] = bar.addMenu("")
        for name, entries in MENUS.items():
            self._fill(self._by_name[name], entries, actions)
        self.retranslate()

    def show_recent(self, paths: tuple[str, ...], open_path: Callable[[str], object]) -> None:
        self.recent.clear()
        for path in paths:
            action = self.recent.addAction(path.replace("&", "&&"))
            action.triggered.connect(lambda checked=False, chosen=path: open_path(chosen))
        self.recent.setEnabled(bool(paths))

    def retranslate(self) -> None:
        for name, title in self.titles().items():
            self._by_name[name].setTitle(title)
        self._fault.setTitle(self.tr("F&ault"))
        self.recent.setTitle(self.tr("Open &recent"))
        self.panels.setTitle(self.tr("&Panels"))

    def titles(self) -> dict[str, str]:
        """The names of the menus, which are also the groups of the key list and the palette."""
        return {
            "file": self.tr("&File"),
            "view": self.tr("&View"),
            "go": self.tr("&Go"),
            "run": self.tr("&Run"),
            "help": self.tr("&Help"),
        }

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
