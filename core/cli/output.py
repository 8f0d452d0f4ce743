"""Where commands write: progress on a terminal, files that are checked before a run and replaced at once."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from core.errors import EnvironmentFault, KVScopeError, UsageError
from core.report.whole_file import write_whole
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace
from core.trace.writer import part_path


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

    def show_repairs(self, n_done: int, n_planned: int) -> None:
        if self._is_shown:
            repair = f", repair {n_done + 1} of {n_planned}" if n_planned else ""
            line = f"{self._name}: looking for the cause{repair}"
            print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(line)

    def done(self) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)


def check_writable(path: Path, force: bool) -> None:
    """Refuse an output that exists, unless forced, or whose folder is missing or read-only: before the run starts."""
    if path.exists() and not path.is_file():
        template = QT_TRANSLATE_NOOP("core", "{path} is not a regular file; give the name of a file to write")
        raise UsageError(template, path=str(path))
    if path.exists() and not force:
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


def check_recordable(path: Path, force: bool) -> None:
    """Refuse as `check_writable` does, and where an earlier recording of that name was killed: it holds what it had."""
    check_writable(path, force)
    part = part_path(path)
    if force or not part.is_file():
        return
    try:
        with Trace.open(part) as left:
            n_steps = len(left)
    except KVScopeError:  # nothing that can be kept
        return
    if n_steps:
        template = QT_TRANSLATE_NOOP(
            "core",
            "{path} holds {n} steps of a recording that was never closed; keep them with: show {path} --repair FILE, or give --force to record over them",
        )
        raise UsageError(template, path=str(part), n=n_steps)


def check_apart(*paths: Path) -> None:
    """Refuse an output that is an input, or two that are one."""
    resolved = [path.resolve() for path in paths]
    for path in resolved:
        if resolved.count(path) > 1:
            template = QT_TRANSLATE_NOOP(
                "core", "{path} is named twice; outputs must not be the target or one another"
            )
            raise UsageError(template, path=str(path))


def print_lines(lines: Iterable[str], stream: TextIO | None) -> None:
    """Print; a reader that has seen enough (`| head`) ends the printing, not the command and its exit code."""
    if stream is None:  # it was closed when we were started
        return
    try:
        for line in lines:
            print(line, file=stream)
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_bytes(name: str, data: bytes) -> None:
    """Write to stdout for "-", else to a file that appears only when it is complete."""
    if name == "-":
        print_lines([data.decode().rstrip("\n")], sys.stdout)
        return
    write_whole(Path(name), data)
