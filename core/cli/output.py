"""Where commands write: progress on a terminal, files that are checked before a run and replaced at once."""

import os
import sys
import tempfile
from pathlib import Path

from core.errors import EnvironmentFault, UsageError
from core.text import QT_TRANSLATE_NOOP
from core.trace.writer import disk_errors


class Progress:
    """A line on stderr that is rewritten, only on a terminal and only for runs that take more than a moment."""

    QUIET_S = 0.5

    def __init__(self, name: str, quiet: bool) -> None:
        self._name = name
        self._is_shown = not quiet and sys.stderr.isatty()
        self._width = 0

    def show(self, n_done: int, n_planned: int, elapsed_s: float) -> None:
        if not self._is_shown or elapsed_s < self.QUIET_S:
            return
        left_s = elapsed_s / n_done * (n_planned - n_done)
        line = f"{self._name}: step {n_done} of {n_planned}, {1e3 * elapsed_s / n_done:.1f} ms a step, {left_s:.0f} s left"
        print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def done(self) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)


def check_writable(path: Path, force: bool) -> None:
    """Refuse an output that exists, unless forced, or whose folder is missing or read-only: before the run starts."""
    if path.exists() and (path.is_dir() or not force):
        raise UsageError(
            QT_TRANSLATE_NOOP("core", "{path} exists; give another name, or --force to replace it"),
            path=str(path),
        )
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise EnvironmentFault(
            QT_TRANSLATE_NOOP("core", "cannot write into {folder}: the folder is missing or read-only"),
            folder=str(folder),
        )


def write_bytes(name: str, data: bytes) -> None:
    """Write to stdout for "-", else to a file that appears only when it is complete."""
    if name == "-":
        sys.stdout.write(data.decode())
        return
    path = Path(name)
    with disk_errors(path):
        handle, temporary = tempfile.mkstemp(
            dir=path.absolute().parent, prefix=f".{path.name}.", suffix=".tmp"
        )
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
