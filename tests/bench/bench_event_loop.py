"""The longest time in which the window does not answer: `python tests/bench/bench_event_loop.py 2>/dev/null` (targets print).

A timer of 5 ms runs in the window's event loop, offscreen. The largest gap between two of its ticks is what a user
would feel, and beside it stands how much of that gap the window's own thread worked: what is missing there was spent by
other processes on a busy machine. `--profile MS` prints where the time goes in gaps that are longer.
"""

import argparse
import cProfile
import os
import pstats
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QElapsedTimer, QEventLoop, QObject, Qt, QTimer  # noqa: E402

from core.engine.messages import RunSpec  # noqa: E402
from gui import i18n  # noqa: E402
from gui.application import make_application  # noqa: E402
from gui.main_window import MainWindow  # noqa: E402
from gui.run_stage import Stage  # noqa: E402
from gui.settings import Settings  # noqa: E402
from tests.core.targets import hostile  # noqa: E402

TICK_MS = 5
LIMIT_MS = 100
STEP_TIMEOUT_S = 1.5
TARGETS = {
    **{name: source for name, (source, _, _) in hostile.FAILING.items()},
    **hostile.DIVERGENT,
    **hostile.HEALTHY_ALL_THE_SAME,
}


class Ticks(QObject):
    """The largest gap since the last `take`, on the clock and of this thread's work, in ms."""

    def __init__(self, profile_ms: float | None) -> None:
        super().__init__()
        self._profile_ms = profile_ms
        self._profile: cProfile.Profile | None = None
        self._largest = (0.0, 0.0)
        self._most_work = 0.0
        self._last = (time.perf_counter(), time.thread_time())
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_tick)
        self._timer.start()

    def take(self) -> tuple[float, float, float]:
        """Largest gap, the work in it, and the most work in any gap."""
        taken = (*self._largest, self._most_work)
        self._largest, self._most_work = (0.0, 0.0), 0.0
        return taken

    def _on_tick(self) -> None:
        now = (time.perf_counter(), time.thread_time())
        gap, work = ((new - old) * 1e3 for new, old in zip(now, self._last, strict=True))
        if self._profile_ms is not None:
            self._look_at_profile(gap)
            now = (time.perf_counter(), time.thread_time())
        self._largest = max(self._largest, (gap, work))
        self._most_work = max(self._most_work, work)
        self._last = now

    def _look_at_profile(self, gap: float) -> None:
        if self._profile is not None:
            self._profile.disable()
            if self._profile_ms is not None and gap > self._profile_ms:
                print(f"---- a gap of {gap:.0f} ms")
                pstats.Stats(self._profile).sort_stats("cumulative").print_stats(28)
        self._profile = cProfile.Profile()
        self._profile.enable()


class Bench:
    """One window and what is done with it."""

    def __init__(self, profile_ms: float | None) -> None:
        self.application = make_application(Settings(theme="light", language="en"))
        self.ticks = Ticks(profile_ms)
        self.rows: list[tuple[str, float, float, float]] = []
        self._until(lambda: False, 0.2)
        self.ticks.take()
        self.window = self._make_window()

    def _make_window(self) -> MainWindow:
        window = MainWindow()
        window.session.gate = lambda spec, run, refuse: run()
        window.session.permit = lambda spec: spec
        window.scenarios._is_allowed = lambda spec: True
        window.scenarios._permit = lambda spec: spec
        window.resize(1500, 950)
        self._until(lambda: False, 0.05)
        self.ticks.take()  # building it comes before the event loop
        return window

    @contextmanager
    def measured(self, name: str) -> Iterator[None]:
        self.ticks.take()
        yield
        self._until(lambda: self.window.is_settled, 5)
        self._until(lambda: False, 0.1)
        gap, work, most = self.ticks.take()
        self.rows.append((name, gap, work, most))
        sign = "  <-- over the limit" if gap > LIMIT_MS else ""
        print(
            f"{name:<44}{gap:7.0f} ms, work in it {work:6.0f} ms, most work {most:6.0f} ms{sign}", flush=True
        )

    def _until(self, is_done: Callable[[], bool], limit_s: float) -> bool:
        loop, clock, look = QEventLoop(), QElapsedTimer(), QTimer(interval=2)
        clock.start()
        look.timeout.connect(lambda: loop.quit() if is_done() or clock.elapsed() > limit_s * 1000 else None)
        look.start()
        loop.exec()
        return is_done()

    def _stage(self, stage: Stage, limit_s: float = 60) -> None:
        if not self._until(lambda: self.window.session.stage is stage and self.window.is_settled, limit_s):
            raise SystemExit(f"the run did not come to {stage}, but to {self.window.session.stage}")

    # ---- what is measured

    def built_in(self, folder: Path) -> None:
        window = self.window
        with self.measured("the window shows"):
            window.show()
        with self.measured("first run starts, engine too"):
            window.opening.begin(None, RunSpec(steps=96))
            self._stage(Stage.WAITING)
        with self.measured("96 steps run"):
            window.session.run()
            self._stage(Stage.FINISHED)
        with self.measured("the cursor goes back"):
            for step in range(90, 40, -1):
                window.state.select(step=step)
                self._until(lambda: window.is_settled, 1)
        with self.measured("a trace is saved and opened"):
            path = folder / "a.kvtrace"
            window.session.save(path)
            window.session.open(path)
        with self.measured("the tolerance moves"):
            for tolerance in (1e-3, 1e-9, 5e-4):
                window.session.set_tolerance(tolerance)
                self._until(lambda: window.is_settled, 1)
        with self.measured("all scenarios"):
            window.session.start(RunSpec(steps=12))
            self._stage(Stage.WAITING)
            window.panels.show_scenarios()
            window.scenarios.start(RunSpec(steps=12))
            self._until(lambda: not window.scenarios.is_running, 120)
        with self.measured("one of them is opened"):
            window.panels.scenarios.opened.emit(6)
        window.panels.scenarios.closed.emit()
        with self.measured("a fault, run to its end"):
            window.session.start(RunSpec(steps=24, faults=("position-reset",)), last_step=10**6)
            self._stage(Stage.FINISHED)

    def looks(self) -> None:
        with self.measured("the language changes"):
            self.window.commands.switch_language()
            self._until(lambda: False, 0.3)
            i18n.set_language("en")
        with self.measured("the theme changes"):
            self.window.commands.switch_theme()
            self._until(lambda: False, 0.3)
            self.window.commands.switch_theme()

    def target(self, name: str, source: str, folder: Path) -> None:
        path = folder / "target.py"
        path.write_text(source)
        spec = RunSpec(target=str(path), steps=5, step_timeout_s=STEP_TIMEOUT_S)
        with self.measured(name):
            self.window.session.start(spec, last_step=10**6)
            self._stage(Stage.FINISHED)
        if self.window.state.trace is not None and "✓" in self.window.status.verdict.text():
            wrong = name not in hostile.HEALTHY_ALL_THE_SAME
            if wrong and self.window.state.trace.info.target == str(path):
                raise SystemExit(f"{name} passed")

    def hangs(self, folder: Path) -> None:
        path = folder / "target.py"
        path.write_text(hostile.FAILING["ignores SIGTERM and hangs"][0])
        spec = RunSpec(target=str(path), steps=5, step_timeout_s=60)
        with self.measured("cancelled during a hang"):
            self.window.session.start(spec, last_step=10**6)
            self._until(lambda: self.window.state.n_steps == 2, 30)
            self._until(lambda: False, 0.5)
            self.window.session.cancel()
            self._stage(Stage.FINISHED)
        with self.measured("closed during a hang"):
            self.window.session.start(spec, last_step=10**6)
            self._until(lambda: self.window.state.n_steps == 2, 30)
            self._until(lambda: False, 0.5)
            self.window.close()
            self._until(lambda: False, 2.5)


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", type=float, metavar="MS")
    parser.add_argument("--only", default="", help="of the hostile targets, those with this in their name")
    arguments = parser.parse_args()
    bench = Bench(arguments.profile)
    with tempfile.TemporaryDirectory() as folder:
        bench.built_in(Path(folder))
        bench.looks()
        for name, source in TARGETS.items():
            if arguments.only in name:
                bench.target(name, source, Path(folder))
        bench.hangs(Path(folder))
    name, gap, work, _ = max(bench.rows, key=lambda row: row[1])
    print(f"\nlargest gap {gap:.0f} ms ({name}), {work:.0f} ms of it our own work")
    print(f"most work in one turn of the loop {max(row[3] for row in bench.rows):.0f} ms")


if __name__ == "__main__":
    run()
