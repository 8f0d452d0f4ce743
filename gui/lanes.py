"""What the two lanes are called: oracle and cached, or the two files of a comparison."""

from functools import lru_cache
from pathlib import PurePath

from PySide6.QtCore import QObject, Signal

from core.trace.reader import Trace
from core.views.pair import pair_names
from gui.token_text import visible

LONGEST = 18  # characters of a file's name


class LaneNames(QObject):
    """Of the trace that the window shows; whoever writes a lane's name asks here, and again when it changes."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, str] | None = None

    @property
    def is_pair(self) -> bool:
        """Whether two traces are shown against each other."""
        return self._names is not None

    def show(self, trace: Trace | None) -> None:
        """Take the names of another trace."""
        pair = None if trace is None else pair_names(trace)
        names = None if pair is None else (_short(pair[0]), _short(pair[1]))
        if names != self._names:
            self._names = names
            self.changed.emit()

    def oracle(self, word: str) -> str:
        """Return the name of the file in the oracle's place, `word` where there is none."""
        return word if self._names is None else self._names[0]

    def cached(self, word: str) -> str:
        """Return the name of the file in the cached lane's place, `word` where there is none."""
        return word if self._names is None else self._names[1]


@lru_cache(maxsize=1)
def lanes() -> LaneNames:
    """The one of this process."""
    return LaneNames()


def _short(name: str) -> str:
    """The stem, so that `a.kvtrace` and `b.kvtrace` differ where there is little room."""
    stem = PurePath(name).stem or name
    return visible(stem if len(stem) <= LONGEST else f"{stem[:8]}…{stem[-9:]}", LONGEST)
