"""The way into the lab, which is made when it is first asked for: the first paint does not wait for it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from gui.lab.lab import Lab
    from gui.main_window import MainWindow


class LabEntry(QObject):
    """The lab of one window."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._made: Lab | None = None

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id."""
        return {"lab": self.open}

    @property
    def lab(self) -> "Lab":
        """The place in it is kept while the window lives."""
        if self._made is None:
            from gui.lab.lab import Lab

            self._made = Lab(self._window)
        return self._made

    def open(self) -> None:
        self.lab.open()

    def close(self) -> None:
        """Let go of its runs."""
        if self._made is not None:
            self._made.close()
