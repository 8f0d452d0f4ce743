"""How long it takes from the start of the process to the first paint of the window: `python tests/bench/bench_first_paint.py`.

The child runs main.py offscreen, says when it has painted, and ends. The window's process must not load torch.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHILD = """
import sys, time
import gui.app

def watch(application):
    # between the window's show() and the event loop
    from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
    from PySide6.QtWidgets import QMainWindow

    class Told(QObject):
        is_told = False

        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint and not self.is_told:
                self.is_told = True
                QTimer.singleShot(0, self.tell)  # after the whole window has been painted
            return False

        def tell(self):
            print(time.monotonic(), time.process_time(), "torch" in sys.modules, flush=True)
            QCoreApplication.quit()

    for window in application.topLevelWidgets():
        if isinstance(window, QMainWindow):
            window.told = Told(window)
            window.installEventFilter(window.told)

gui.app._leave_on_interrupt = watch
import main
sys.exit(main.main([]))
"""


def first_paint_s(bytecode: str) -> tuple[float, float]:
    """One start, in a process of its own: seconds on the clock, and of work (the first on cores with nothing else to do)."""
    ours = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": bytecode}
    environment = {**os.environ, **ours}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.monotonic()
    child = subprocess.run(
        [sys.executable, "-c", CHILD], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    painted, worked, has_torch = child.stdout.split()
    if has_torch == "True":
        raise SystemExit("the window's process has loaded torch")
    return float(painted) - started, float(worked)


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    n_runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as bytecode:
        first_paint_s(bytecode)  # compiles, and reads the files from disk
        pairs = [first_paint_s(bytecode) for _ in range(n_runs)]
    times = sorted(clock for clock, _ in pairs)
    work = statistics.median(worked for _, worked in pairs)
    print(
        f"first paint: median {statistics.median(times):.2f} s, {times[0]:.2f} to {times[-1]:.2f} s of {n_runs} starts"
    )
    print(f"work of the process until then: median {work:.2f} s")


if __name__ == "__main__":
    run()
