"""Files of other programs, read as traces. Each importer knows its own format; a new one is a line in IMPORTERS."""

from pathlib import Path
from typing import Protocol

from core.trace.reader import Trace


class Importer(Protocol):
    """One kind of file."""

    def recognises(self, path: Path, head: bytes) -> bool:
        """Whether a file with this name and these first bytes is of this kind."""

    def open(self, path: Path) -> Trace:
        """Return its content as a trace of one lane; raises UnreadableError."""


def open_any(path: Path | str) -> Trace:
    """Open a trace, or a file that an importer knows.

    Raises:
        UnreadableError: it is neither, with what it looks like.
    """
    return Trace.open(path)
