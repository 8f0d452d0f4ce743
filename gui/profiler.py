"""Time and memory of a target, in processes of their own: the check of every layout first, then the measuring.

Like the command `profile`. What is shown goes on undisturbed, though on a small machine it would be measured too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from core.catalog import DEFAULT_STEPS, LAYOUTS
from core.engine.hang import STARTUP_S
from core.engine.messages import RunEnded, RunFailed, RunSkipped, RunSpec
from core.errors import KVScopeError
from core.profile.process import NO_ANSWER, Measured, Measuring
from core.report.profile import ProfileResult, ProfileSpec
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.views.scenarios import scenario_row
from gui.engine_bridge import EngineBridge
from gui.pipe_watch import PipeWatch
from gui.run_files import RunFolder
from gui.targets import is_builtin

if TYPE_CHECKING:
    from core.profile.client import ProfileClient

LONGEST_MS = 2**31 - 1  # of a timer
WANTED = ProfileSpec(batches=(1,))  # larger ones take a minute: the command has them


@dataclass(frozen=True)
class Progress:
    """How far it has come: pieces that are done, of how many, and what is being done."""

    n_done: int
    n_pieces: int
    what: Text


class Profiler(QObject):
    """One profile at a time; the results stay for the session."""

    changed = Signal()
    finished = Signal()

    def __init__(self, permit: Callable[[RunSpec], RunSpec], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.progress: Progress | None = None
        self._problem: Text | None = None
        self._permit = permit
        self._results: dict[RunSpec, ProfileResult] = {}
        self._spec = RunSpec()
        self._wanted = WANTED
        self._checks: list[RunSpec] = []
        self._n_checks = 0
        self._files: RunFolder | None = None
        self._client: ProfileClient | None = None
        self._pipe = PipeWatch(self._drain, self)
        self._bridge = EngineBridge(self)
        self._bridge.ended.connect(self._on_checked)
        self._bridge.skipped.connect(self._on_skipped)
        self._bridge.failed.connect(self._on_failed)
        self._silence = QTimer(self, singleShot=True)
        self._silence.timeout.connect(self._on_silence)

    @property
    def is_measuring(self) -> bool:
        return self.progress is not None

    def result_of(self, spec: RunSpec) -> ProfileResult | None:
        """What was measured for this target and these settings."""
        return self._results.get(measured_settings(spec))

    def problem_of(self, spec: RunSpec) -> Text | None:
        """Why the last try came to nothing, if it was about this target and these settings."""
        return self._problem if measured_settings(spec) == measured_settings(self._spec) else None

    def start(self, spec: RunSpec) -> None:
        """Check, then measure; one that goes on is given up."""
        self._let_go()
        self._problem = None
        layouts = LAYOUTS if is_builtin(spec.target) else ()
        self._spec, self._wanted = spec, replace(WANTED, layouts=layouts)
        self._checks = [replace(spec, diagnoses=False)]
        self._checks += [
            replace(spec, scenario="decode", layout=layout, diagnoses=False)
            for layout in layouts
            if layout != spec.layout
        ]
        self._n_checks = len(self._checks)
        self._files = RunFolder()
        self._check_next()

    def cancel(self) -> None:
        """Nothing is kept of a profile that is not complete."""
        if self.is_measuring:
            self._end(Text(QT_TRANSLATE_NOOP("core", "Measuring was cancelled.")))

    def close(self) -> None:
        self._let_go()

    # ---- the check

    def _check_next(self) -> None:
        if not self._checks or self._files is None:
            self._bridge.close(0.0)  # nothing may run beside what is timed
            self._measure()
            return
        spec = self._checks[0]
        text = Text(
            QT_TRANSLATE_NOOP("core", "Checking {scenario}, {layout}"),
            {"scenario": spec.scenario, "layout": spec.layout},
        )
        self._show(Progress(self._n_checks - len(self._checks), self._n_checks + 4, text))
        self._bridge.start_run(self._permit(spec), str(self._files.new_path()))
        self._bridge.make_steps(None)

    def _on_checked(self, event: RunEnded) -> None:
        if not self.is_measuring or not self._checks:
            return
        spec = self._checks.pop(0)
        why = _why_not_passed(Path(event.path), spec)
        if why is None:
            self._check_next()
        else:
            self._end(why)

    def _on_skipped(self, event: RunSkipped) -> None:
        if self.is_measuring:
            self._end(event.text)

    def _on_failed(self, event: RunFailed) -> None:
        if self.is_measuring:
            self._end(event.text)

    # ---- the measuring

    def _measure(self) -> None:
        from core.profile.client import ProfileClient  # not needed for the first paint

        self._client = ProfileClient(self._permit(self._spec), self._wanted)
        self._pipe.watch(self._client.channel.fileno())
        self._expect()

    def _drain(self) -> None:
        try:
            while self._client is not None and self._client.is_ready():
                self._take(self._client.receive())
        except KVScopeError as error:
            self._end(error.text)

    def _take(self, report: Measuring | Measured | RunFailed) -> None:
        match report:
            case Measuring(batch, length, number, n_pieces):
                self._expect()
                text = Text(
                    QT_TRANSLATE_NOOP("core", "Measuring length {length}, batch {batch}"),
                    {"length": length, "batch": batch},
                )
                self._show(Progress(self._n_checks + number, self._n_checks + n_pieces, text))
            case Measured(result):
                self._results[measured_settings(self._spec)] = result
                self._let_it_end()
                self._end(None)
            case RunFailed():
                self._end(report.text)

    def _let_it_end(self) -> None:
        from core.profile.client import END_S

        client, self._client = self._client, None
        self._pipe.stop()
        if client is not None:
            client.release(END_S)

    def _expect(self) -> None:
        self._silence.start(min(LONGEST_MS, round(1000 * (self._spec.step_timeout_s + STARTUP_S))))

    def _on_silence(self) -> None:
        self._end(Text(NO_ANSWER, {"seconds": round(self._silence.interval() / 1000)}))

    # ---- inside

    def _show(self, progress: Progress) -> None:
        self.progress = progress
        self.changed.emit()

    def _end(self, problem: Text | None) -> None:
        self._let_go()
        self._problem = problem
        self.changed.emit()
        self.finished.emit()

    def _let_go(self) -> None:
        self.progress = None
        self._checks = []
        self._silence.stop()
        self._bridge.close(0.0)
        self._pipe.stop()
        client, self._client = self._client, None
        if client is not None:
            client.close()
        files, self._files = self._files, None
        if files is not None:
            files.close()


def measured_settings(spec: RunSpec) -> RunSpec:
    """The settings that a profile depends on: which scenario was compared, and how closely, is not among them."""
    layout = LAYOUTS[0] if is_builtin(spec.target) else spec.layout  # of a built-in model all are measured
    return replace(
        spec,
        scenario="decode",
        layout=layout,
        steps=DEFAULT_STEPS,
        tolerance=None,
        diagnoses=False,
        allowed_sha256=None,
        oracle="stepwise",
    )


def _why_not_passed(path: Path, spec: RunSpec) -> Text | None:
    try:
        with Trace.open(path) as trace:
            tolerance = trace.info.tolerance if spec.tolerance is None else spec.tolerance
            row = scenario_row(trace, tolerance)
    except (KVScopeError, OSError):
        return Text(QT_TRANSLATE_NOOP("core", "Not measured: the check could not be read."))
    if row.status == "pass":
        return None
    template = QT_TRANSLATE_NOOP("core", "Not measured: {scenario} does not pass with the cache {layout}.")
    return Text(template, {"scenario": spec.scenario, "layout": spec.layout})
