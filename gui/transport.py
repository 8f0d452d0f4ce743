"""The buttons that move through a run."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from gui.actions import Actions
from gui.theme import theme_events, ui_font

BUTTONS = ("first", "back", "step", "last", "run")


class Transport(QWidget):
    """First, back, step, last, run, and the primary button."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.buttons: dict[str, QToolButton] = {}
        for action_id in BUTTONS:
            button = self._add(action_id, actions)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        primary = self._add("next_bad", actions)
        primary.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        primary.setProperty("kind", "primary")
        theme_events().changed.connect(self._fit)
        self._fit()
        self.retranslate()

    def retranslate(self) -> None:
        for button in self.buttons.values():
            button.setAccessibleName(button.defaultAction().iconText())

    def _fit(self) -> None:
        """Lengths from the font."""
        height = QFontMetrics(ui_font()).height()
        self._row.setSpacing(height // 4)
        for name, button in self.buttons.items():
            if name in BUTTONS:
                button.setIconSize(QSize(height, height))
                button.setFixedSize(height * 30 // 15, height * 28 // 15)
            else:
                button.setFixedHeight(height * 28 // 15)

    def _add(self, action_id: str, actions: Actions) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(actions[action_id])
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys where they were
        self._row.addWidget(button)
        self.buttons[action_id] = button
        return button
