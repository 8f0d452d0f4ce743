"""Walks through the seven steps: each does its part in the real window and keeps what was measured."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from core.errors import KVScopeError
from core.lab.results import Found, largest_step, measured
from core.lab.steps import HEALTHY, STEPS
from core.verdict.steps import first_bad_step
from gui.i18n import show_text
from gui.lab.page import page_of
from gui.lab.runs import LabRuns
from gui.lab.spotlight import Spotlight

if TYPE_CHECKING:
    from pathlib import Path

    from gui.lab.pane import LabPane
    from gui.main_window import MainWindow

Act = Callable[[], object]


class Lab(QObject):
    """The place in the exercise is kept while the window lives."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.index = 0
        self._done: set[str] = set()  # actions that were taken
        self.pane: LabPane | None = None  # made when it is first asked for
        self.runs = LabRuns(window.session, self)
        self._spotlight = Spotlight(window)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show)
        self.runs.changed.connect(self._soon.start)
        window.session.stage_changed.connect(self._soon.start)
        window.measuring.profiler.changed.connect(self._soon.start)

    @property
    def is_open(self) -> bool:
        return self.pane is not None and not self.pane.isHidden()

    def open(self) -> None:
        """Beside the panels, with the keyboard on what there is to do."""
        self._window.notices.hide()
        self._the_pane().show()
        self._show()
        self._spotlight.show(STEPS[self.index].panels)
        self._the_pane().take_focus()

    def leave(self) -> None:
        """The place is kept; the keyboard goes back to the run."""
        if self.pane is not None:
            self.pane.hide()
        self._spotlight.show(())
        self._window.tokens.strip.setFocus()

    def go(self, by: int) -> None:
        """To the next step, or back."""
        index = self.index + by
        if 0 <= index < len(STEPS):
            self.index = index
            self._show()
            self._spotlight.show(STEPS[index].panels)
            self._the_pane().take_focus()

    def do(self, action: str) -> None:
        """What a button of the step does, in the window itself."""
        if self.runs.is_recording or self._window.measuring.profiler.is_measuring:
            return
        acts: dict[str, Act] = {
            "record": lambda: self.runs.record("healthy", lambda: self._look(step=0)),
            "first_decode": lambda: self._with_healthy(lambda: self._look(step=1, layer=0)),
            "prefill": lambda: self._with_healthy(lambda: self._look(step=0, layer=0)),
            "plant": lambda: self.runs.record("faulty", self._look_at_bad),
            "repair": lambda: self.runs.record("healthy", lambda: self._look(step=1, layer=0)),
            "compare": lambda: self._with_healthy(self._look_at_largest),
            "measure": lambda: self._with_healthy(self._measure),
            "single": lambda: self.runs.record("single", lambda: self._look(step=1, layer=0)),
        }
        self._done.add(action)
        acts[action]()
        self._soon.start()

    def found(self) -> Found:
        """What has been measured in this session."""
        return Found(self.runs.kept, self._window.measuring.profile_of(HEALTHY))

    def ask_notes(self) -> None:
        path = self._window.writing.ask_notes_name()
        if path is not None:
            self.write_notes(path)

    def write_notes(self, path: "Path") -> bool:
        """Lab notes about all runs of the lab, and the profile."""
        found = self.found()
        order = [found.runs[name] for name in ("healthy", "faulty", "single") if name in found.runs]
        return self._window.writing.write_notes_of(path, order, found.profile)

    def close(self) -> None:
        self._soon.stop()
        self.runs.close()

    # ---- in the window

    def _with_healthy(self, then: Act) -> None:
        self.runs.show("healthy", then)

    def _look(self, **place: int) -> None:
        self._window.state.select(**place)
        self._spotlight.show(STEPS[self.index].panels)

    def _look_at_bad(self) -> None:
        state = self._window.state
        bad = first_bad_step(state.trace, state.tolerance) if state.trace is not None else None
        if bad is not None:
            self._window.session.look_at_bad(bad)
        self._spotlight.show(STEPS[self.index].panels)

    def _look_at_largest(self) -> None:
        if self._window.state.trace is not None:
            self._look(step=largest_step(self._window.state.trace))

    def _measure(self) -> None:
        self._window.measuring.show_panel()
        self._window.measuring.start()
        self._the_pane().take_focus()

    # ---- the pane

    def _the_pane(self) -> "LabPane":
        if self.pane is None:
            from gui.lab.pane import LabPane  # not needed for the first paint

            pane = self.pane = LabPane()
            pane.asked.connect(self.do)
            pane.moved.connect(self.go)
            pane.left.connect(self.leave)
            pane.notes_asked.connect(self.ask_notes)
            pane.retold.connect(self._soon.start)
            self._window.side_row.addWidget(pane)
        return self.pane

    def _show(self) -> None:
        if self.pane is None or self.pane.isHidden():
            return
        step = STEPS[self.index]
        try:
            known = measured(step.id, self.found())
        except KVScopeError as error:  # its file cannot be read any more
            self._window.warn_of(show_text(error.text))
            known = ()
        self.pane.show_page(page_of(self.index, known, self._done, self._busy()))

    def _busy(self) -> str:
        progress = self._window.measuring.profiler.progress
        if progress is not None:
            return show_text(progress.what)
        if self.runs.is_recording:
            done, planned = self._window.state.n_steps, self._window.session.n_planned
            return self.tr("recording: {done} of {planned} steps").format(done=done, planned=planned)
        return ""
