"""Saving a copy of a trace: written beside the target under a temporary name, synced, then renamed."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from core.trace.reader import Trace
from core.trace.records import EndFacts
from core.trace.writer import TraceWriter, disk_errors


def save_copy(trace: Trace, path: Path, bookmarks: Iterable[int] | None = None) -> Path:
    """Write a closed copy of `trace` to `path`, which is returned; a file that is there is replaced only when the copy is complete.

    `bookmarks` are the marked steps, None to keep those of the trace.

    Raises:
        EnvironmentFault: the disk refused; the old file is untouched.
    """
    with disk_errors(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        os.close(handle)
    temporary = Path(name)
    writer = TraceWriter(temporary, trace.info)
    try:
        for step_index in range(len(trace)):
            writer.add_encoded_step(trace.step_bytes(step_index))
        end = trace.end or EndFacts(status="partial", n_steps=len(trace))
        marked = end.bookmarks if bookmarks is None else bookmarks
        writer.close(end.status, end.reason, end.notes, end.findings, end.doubts, marked)
        with disk_errors(path):
            os.replace(temporary, path)
    finally:
        writer.part_path.unlink(missing_ok=True)
        temporary.unlink(missing_ok=True)
    return path
