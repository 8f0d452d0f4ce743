"""Measuring time and memory of what is shown: the command, the panel, and what it waits for."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.report.profile import ProfileResult
from core.text import Text
from core.verdict.steps import first_bad_step
from core.views.measurable import why_not_measured
from gui.plotting import plotting
from gui.profiler import Profiler
from gui.recorded_spec import NO_TARGET
from gui.run_stage import Stage
from gui.shown_target import why_not_run

if TYPE_CHECKING:
    from core.engine.messages import RunSpec
    from gui.main_window import MainWindow


class Measuring(QObject):
    """Connects one window's profiler to its panel."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.profiler = Profiler(window.consent.with_permission, self)
        panel = window.panels.profile
        panel.asked.connect(self.start)
        panel.cancelled.connect(self.profiler.cancel)
        self.profiler.changed.connect(self.show)
        self.profiler.changed.connect(lambda: window.update_actions())
        for signal in (window.session.stage_changed, window.session.spec_changed):
            signal.connect(self.show)
        for signal in (window.state.trace_changed, window.state.findings_changed, window.state.step_added):
            signal.connect(lambda *_: self.show())
        window.panels.seen.connect(self.show)
        plotting().ready.connect(self.show)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id."""
        return {"profile": self.show_panel}

    def profile_of(self, spec: "RunSpec") -> ProfileResult | None:
        """What was measured in this session of the same target and settings."""
        return self.profiler.result_of(spec)

    def show_panel(self) -> None:
        """In sight, with the keyboard on its button where there is one."""
        self._window.panels.show_behind("profile", "attention")
        self.show()
        self._window.panels.profile.take_focus()

    def why_not(self) -> Text | None:
        """What stands against measuring what is shown."""
        spec, state = self._window.session.spec, self._window.state
        if spec.target == NO_TARGET:
            return why_not_run(spec, state.trace)
        return why_not_measured(state.trace, state.tolerance)

    def start(self) -> None:
        """Measure what is shown, once its check has passed; a run that is not at its end goes on first."""
        if self._can_run_on:
            self._window.session.run()
        elif self.why_not() is None and not self.profiler.is_measuring:
            spec = self._window.session.spec
            self._window.consent.allow(spec, lambda: self.profiler.start(spec))

    @property
    def _can_run_on(self) -> bool:
        state = self._window.state
        if self._window.session.stage is not Stage.WAITING or state.trace is None:
            return False
        return first_bad_step(state.trace, state.tolerance) is None

    def show(self) -> None:
        """In the panel, if it is in sight."""
        panel = self._window.panels.profile
        if not panel.is_out_of_sight:
            panel.show_profile(
                self.profile_of(self._window.session.spec),
                self.profiler.progress,
                self.profiler.problem_of(self._window.session.spec),
                self.why_not(),
                self._can_run_on,
            )
