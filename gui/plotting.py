"""The plotting library, loaded in a thread: importing it takes longer than a window may be silent."""

import importlib
import threading
from functools import lru_cache

from PySide6.QtCore import QObject, Signal

_NEED_IT = ("gui.widgets.timeline", "gui.widgets.slots_view", "gui.widgets.profile_figures")


class Plotting(QObject):
    """Says when widgets with plots can be made without a wait."""

    ready = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_ready = False
        self._thread: threading.Thread | None = None

    @property
    def is_loading(self) -> bool:
        return self._thread is not None and not self.is_ready

    def load_soon(self) -> None:
        """Begin to load, once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._load, name="kvscope-plotting")
            self._thread.start()

    def _load(self) -> None:
        for name in _NEED_IT:
            importlib.import_module(name)
        self.is_ready = True
        self.ready.emit()


@lru_cache(maxsize=1)
def plotting() -> Plotting:
    """The one loader; make it in the UI thread, where its signal shall arrive."""
    return Plotting()
