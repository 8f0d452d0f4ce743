"""Files that appear only when they are complete: reports, notes, results."""

import os
import tempfile
from pathlib import Path

from core.trace.writer import disk_errors


def write_whole(path: Path, data: bytes) -> Path:
    """Write under a temporary name beside `path`, sync, rename; return `path`. What was there stays until then.

    Raises:
        EnvironmentFault: the disk refused; the old file is untouched.
    """
    temporary: str | None = None
    try:
        with disk_errors(path):
            handle, temporary = tempfile.mkstemp(
                dir=path.absolute().parent, prefix=f".{path.name}.", suffix=".tmp"
            )
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            temporary = None
        return path
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
