"""Saving a copy of a trace: written beside the target under a temporary name, synced, then renamed."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from core.errors import UnreadableError, UsageError
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace
from core.trace.writer import TraceWriter, disk_errors, part_path, sync_folder


def save_copy(trace: Trace, path: Path, bookmarks: Iterable[int] | None = None) -> Path:
    """Write a closed copy of `trace` to `path`, which is returned; what is there is replaced only when the copy is complete.

    `bookmarks` are the marked steps, None to keep those of the trace.

    Raises:
        EnvironmentFault: the disk refused; the old file is untouched.
        UnreadableError: a step is damaged.
        UsageError: the trace was not closed, and `path` is itself: what can be recovered of it is all there is.
    """
    _write_copy(trace, path, len(trace), bookmarks)
    return path


def repaired_copy(trace: Trace, path: Path, bookmarks: Iterable[int] | None = None) -> int:
    """Write the steps up to the first damaged one to `path` as a closed trace; return how many. The original stays.

    Raises:
        EnvironmentFault, UsageError: as `save_copy` does.
    """
    n_readable = 0
    try:
        while n_readable < len(trace):
            trace.step_bytes(n_readable)
            n_readable += 1
    except UnreadableError:
        pass
    _write_copy(trace, path, n_readable, bookmarks)
    return n_readable


def _write_copy(trace: Trace, path: Path, n_steps: int, bookmarks: Iterable[int] | None = None) -> None:
    if not trace.is_complete or n_steps < len(trace):
        _check_other(trace.path, path)
    with disk_errors(path):
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.", suffix=".tmp")
        os.close(handle)
    temporary = Path(name)
    writer: TraceWriter | None = None
    try:
        writer = TraceWriter(temporary, trace.info)
        for step_index in range(n_steps):
            writer.add_encoded_step(trace.step_bytes(step_index))
        end = trace.end
        if end is None or n_steps < end.n_steps:
            kept = [step for step in bookmarks or () if step < n_steps]
            writer.close("partial", end.reason if end else None, end.notes if end else None, bookmarks=kept)
        else:
            marked = end.bookmarks if bookmarks is None else bookmarks
            writer.close(end.status, end.reason, end.notes, end.findings, end.doubts, marked, end.free)
        with disk_errors(path):
            os.replace(temporary, path)
            sync_folder(path)
    finally:
        if writer is not None:
            writer.abandon()
        part_path(temporary).unlink(missing_ok=True)
        temporary.unlink(missing_ok=True)


def _check_other(original: Path, path: Path) -> None:
    try:
        is_same = path.samefile(original)
    except OSError:
        return
    if is_same:
        template = QT_TRANSLATE_NOOP(
            "core", "{path} is the damaged trace itself, which is left as it is; give another name"
        )
        raise UsageError(template, path=str(path))
