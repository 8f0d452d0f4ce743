"""What the tests of the core share: recorded runs, and a command line in a child process."""

import os
import subprocess
import sys
from pathlib import Path

from core.engine.messages import RunSpec
from core.engine.run import Run
from core.trace.reader import Trace

ROOT = Path(__file__).resolve().parent.parent.parent


def record_trace(path: Path, **spec: object) -> Trace:
    """Record a run to its end in this process and open its trace."""
    run = Run(RunSpec(**spec), path)
    for _ in run.steps():
        pass
    run.close("complete")
    return Trace.open(path)


def main(*arguments: str, cwd: Path = ROOT, timeout_s: float = 120) -> "subprocess.CompletedProcess[str]":
    """Run main.py as a user does."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        capture_output=True, text=True, cwd=cwd, timeout=timeout_s, env=environment, check=False,
    )  # fmt: skip
