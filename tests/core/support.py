"""What the tests of the core share: recorded runs, and a command line in a child process."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import main as kvscope
from core.engine.messages import RunSpec
from core.engine.run import Run
from core.trace.reader import Trace
from core.trace.records import FindingFacts, TextFacts

ROOT = Path(__file__).resolve().parent.parent.parent


# made up: two causes of step 1, of which the second is what the first one's repair leaves
DRIFT = FindingFacts(
    step=1, cause="position-drift", sentence=TextFacts("told position {told}, expected {expected}", {"told": 7, "expected": 6}),
    evidence=[TextFacts("V agrees in all {n} slots.", {"n": 7})], healed=0.83129, null_control=0.013, before=17.1, after=2.886,
    also=["rope-mismatch"], tensor="k", layer=1, batch_row=0, slot=6,
)  # fmt: skip
ROUNDED = FindingFacts(
    step=1, cause="value-degraded", sentence=TextFacts("rounded to bfloat16"), healed=0.1687, null_control=-0.2, before=2.886,
    after=2e-5, tensor="v", layer=2, batch_row=0, slot=5, head=1,
)  # fmt: skip


def record_trace(path: Path, findings: Iterable[FindingFacts] = (), **spec: object) -> Trace:
    """Record a run to its end in this process and open its trace; it ends with these findings."""
    run = Run(RunSpec(**spec), path)
    for _ in run.steps():
        pass
    run.findings = list(findings)
    run.close("complete")
    return Trace.open(path)


def main_here(*arguments: str) -> int:
    """Run a command in this process, which takes a hundredth of the time; return its exit code."""
    try:
        return kvscope.main(list(arguments))
    except SystemExit as end:  # argparse ends this way
        return int(end.code or 0)


def main(*arguments: str, cwd: Path = ROOT, timeout_s: float = 120) -> "subprocess.CompletedProcess[str]":
    """Run main.py as a user does."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        capture_output=True, text=True, cwd=cwd, timeout=timeout_s, env=environment, check=False,
    )  # fmt: skip
