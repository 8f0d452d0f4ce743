"""Files of other programs, read as traces. Each importer knows its own format; a new one is a line in IMPORTERS."""

import os
from pathlib import Path
from typing import Protocol

from core.trace.foreign_file import LOOKED_AT, not_a_trace, open_regular
from core.trace.importers.debug_tree import SUFFIX, DebugTreeImporter
from core.trace.importers.kld import KldImporter
from core.trace.layout import LOCAL_SIGNATURE
from core.trace.reader import Trace


class Importer(Protocol):
    """One kind of file."""

    def recognises(self, path: Path, head: bytes) -> bool:
        """Whether a file with this name and these first bytes is of this kind."""

    def open(self, path: Path) -> Trace:
        """Return its content as a trace of one lane; raises UnreadableError."""


SUFFIXES = (".kvtrace", ".part", ".kld", SUFFIX)  # by which a name is taken for that of a trace
IMPORTERS: tuple[Importer, ...] = (KldImporter(), DebugTreeImporter())


def open_any(path: Path | str) -> Trace:
    """Open a trace, or a file that an importer knows.

    Raises:
        UnreadableError: it is neither, with what it looks like.
    """
    path = Path(path)
    fd = open_regular(path)
    try:
        head = os.pread(fd, LOOKED_AT, 0)
        if head.startswith(LOCAL_SIGNATURE):
            return Trace(path, fd)
    except BaseException:
        os.close(fd)
        raise
    importer = next((one for one in IMPORTERS if one.recognises(path, head)), None)
    try:
        if importer is None:
            raise not_a_trace(path, fd)
    finally:
        os.close(fd)
    return importer.open(path)
