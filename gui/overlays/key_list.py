"""The list of keys, from the same table that makes them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gui.action_table import ACTIONS, plain_text, shown_keys, without_letter
from gui.menus import MENUS
from gui.overlays.overlay import Overlay
from gui.theme import ui_font
from gui.widgets.key_caps import KeyCaps

COLUMNS = (("go",), ("run", "file", "help"), ("view",))
BY_ID = {spec.id: spec for spec in ACTIONS}


class KeyList(Overlay):
    """Three columns of commands by menu; any key closes it."""

    def __init__(self, window: QWidget, titles: dict[str, str]) -> None:
        super().__init__(window, width_units=74)
        unit = self.fontMetrics().height()
        head = QLabel(self.tr("Keys"))
        head.setFont(ui_font(4, bold=True))
        hint = QLabel(
            self.tr(
                "Arrow keys stay with tables, maps and text while these have the focus. Esc closes this list."
            )
        )
        hint.setProperty("tone", "muted")
        columns = QHBoxLayout()
        columns.setSpacing(unit * 3)
        for names in COLUMNS:
            column = QVBoxLayout()
            column.setSpacing(unit)
            for name in names:
                column.addLayout(self._group(titles[name], name))
            column.addStretch(1)
            columns.addLayout(column, 1)
        self.column.setContentsMargins(unit * 2, round(unit * 1.5), unit * 2, round(unit * 1.5))
        self.column.setSpacing(unit // 2)
        self.column.addWidget(head)
        self.column.addWidget(hint)
        self.column.addSpacing(unit // 2)
        self.column.addLayout(columns)
        self.setAccessibleName(self.tr("Keys"))

    def start(self) -> None:
        self.open()

    def takes_key(self, event: QKeyEvent) -> bool:
        self.dismiss()
        return True

    def _group(self, title: str, name: str) -> QGridLayout:
        grid = QGridLayout()
        unit = self.fontMetrics().height()
        grid.setHorizontalSpacing(unit)
        grid.setVerticalSpacing(0)
        label = QLabel(without_letter(title))
        label.setFont(ui_font(bold=True))
        grid.addWidget(label, 0, 0)
        with_keys = [BY_ID[entry] for entry in MENUS[name] if entry in BY_ID and BY_ID[entry].keys]
        for row, spec in enumerate(with_keys, start=1):
            grid.addWidget(QLabel(plain_text(spec)), row, 0)
            grid.addWidget(KeyCaps(shown_keys(spec)), row, 1, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)
        return grid
