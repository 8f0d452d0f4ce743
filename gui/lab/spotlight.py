"""Marks the panels that a step of the lab is about, and brings them to the front."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from gui.main_window import MainWindow

PROPERTY = "spotlit"  # of the stylesheet
PROFILE, BEFORE_PROFILE = "profile", "attention"  # which lie in one place
TOKENS = "tokens"  # the strip above, which is no dock


class Spotlight:
    """One set of panels at a time."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._lit: list[QWidget] = []

    def show(self, names: tuple[str, ...]) -> None:
        """Mark these panels and no others; a panel that was closed is shown again."""
        for widget in self._lit:
            _mark(widget, False)
        if self._window.panels.profile in self._lit and PROFILE not in names:
            self._window.panels.area.docks[BEFORE_PROFILE].raise_()
        self._lit = [widget for name in names for widget in self._widgets(name)]
        for widget in self._lit:
            _mark(widget, True)

    def _widgets(self, name: str) -> list[QWidget]:
        if name == TOKENS:
            return [self._window.tokens]
        area = self._window.panels
        dock = area.area.docks[name]
        if name == PROFILE:
            area.show_behind(name, BEFORE_PROFILE)
        elif dock.isHidden():
            dock.show()
        dock.raise_()
        title = dock.titleBarWidget()
        return [dock.panel, *([title] if title is not None else [])]


def _mark(widget: QWidget, is_lit: bool) -> None:
    widget.setProperty(PROPERTY, is_lit)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
