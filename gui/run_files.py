"""The private folder where live runs are recorded; it goes when the window does."""

import tempfile
from pathlib import Path


class RunFolder:
    """Hands out one path a run and removes the files of runs that are no longer shown."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="kvscope-", ignore_cleanup_errors=True)
        self._n_runs = 0

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
