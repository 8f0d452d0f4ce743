"""The private folder where live runs are recorded; it goes when the window does.

A window that was killed leaves its folder behind: what it had recorded can be recovered at the next start.
"""

import logging
import os
import shutil
import tempfile
from pathlib import Path

from core.errors import KVScopeError
from core.trace.reader import Trace

PREFIX = "kvscope-"
OWNER = "owner"  # a file with the number of the process
LEAST_STEPS = 2  # a prefill alone is made again in a moment
log = logging.getLogger(__name__)


class RunFolder:
    """Hands out one path a run and removes the files of runs that are no longer shown."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        self._n_runs = 0
        (Path(self._folder.name) / OWNER).write_text(str(os.getpid()))

    def new_path(self) -> Path:
        self._n_runs += 1
        return Path(self._folder.name) / f"run-{self._n_runs}.kvtrace"

    def discard(self, path: Path) -> None:
        """Remove a run's file; a file that lies elsewhere is the user's and stays."""
        if path.parent == Path(self._folder.name):
            path.unlink(missing_ok=True)
            path.with_suffix("").unlink(missing_ok=True)  # NAME.kvtrace.part that has been closed since

    def close(self) -> None:
        self._folder.cleanup()


def left_behind(folder: Path | None = None) -> Path | None:
    """The newest recording of a window that is gone, with steps worth keeping; None where there is none.

    Only folders of this user whose owner does not run any more; what is in them that is not worth it is removed.
    """
    found: list[tuple[float, Path]] = []
    for place in (folder or Path(tempfile.gettempdir())).glob(PREFIX + "*"):
        try:
            if place.is_symlink() or not place.is_dir() or not _is_ours(place) or _is_alive(place):
                continue
            traces = [path for path in place.glob("run-*.kvtrace*") if _n_steps(path) >= LEAST_STEPS]
            if traces:
                found += [(path.stat().st_mtime, path) for path in traces]
            else:
                shutil.rmtree(place, ignore_errors=True)
        except OSError as error:
            log.warning("recovery: %s", error)
    return max(found)[1] if found else None


def forget(recording: Path) -> None:
    """Remove the folder of a recording that was left behind."""
    if recording.parent.name.startswith(PREFIX):
        shutil.rmtree(recording.parent, ignore_errors=True)


def _is_ours(place: Path) -> bool:
    return not hasattr(os, "getuid") or place.stat().st_uid == os.getuid()


def _is_alive(place: Path) -> bool:
    """Whether its owner still runs; a folder without one is somebody else's business."""
    try:
        number = int((place / OWNER).read_text())
    except (OSError, ValueError):
        return True
    if os.name == "nt":
        return number == os.getpid()  # there, a folder that is in use cannot be removed
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _n_steps(path: Path) -> int:
    try:
        with Trace.open(path) as trace:
            return len(trace)
    except (KVScopeError, OSError):
        return 0
