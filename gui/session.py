"""The run that the window shows: start, step, run, pause, cancel, save, open. The newest settings win.

A live run is a trace file that grows in a private folder. The window asks for one step at a time, so that pausing is
not asking again; the steps so far are always readable.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from core.engine.messages import RunEnded, RunFailed, RunSkipped, RunSpec, RunStarted
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.importers import open_any
from core.trace.reader import Trace
from core.trace.save import repaired_copy, save_copy
from core.verdict.steps import is_bad
from core.views.findings import selection_at
from core.views.selection import Selection
from gui.app_state import AppState
from gui.attempt import attempt
from gui.bookmarks import Bookmarks
from gui.cause_search import CauseSearch
from gui.engine_bridge import EngineBridge
from gui.recorded_spec import NO_TARGET, spec_of
from gui.run_files import RunFolder
from gui.run_stage import BUSY, FOLLOW, Goal, Stage
from gui.shown_target import why_not_run
from gui.stop_condition import AT_BAD, NEVER

T = TypeVar("T")
Gate = Callable[[RunSpec, Callable[[], object], Callable[[], object]], object]

CANCEL_PATIENCE_MS = 2000


class Session(QObject):
    """Owns the engine and the files of its runs; what is shown is in the AppState."""

    stage_changed = Signal()
    spec_changed = Signal()
    notice = Signal(object)  # Text
    refused = Signal(object)  # Text: why what was asked for could not be done
    skipped = Signal(object)  # RunSkipped
    failed = Signal(object)  # RunFailed
    busy_changed = Signal()

    def __init__(self, state: AppState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.gate: Gate = lambda spec, run, refuse: (
            run()
        )  # where the user is asked before a file of theirs runs
        self.permit: Callable[[RunSpec], RunSpec] = lambda spec: spec
        self.spec = RunSpec()
        self.stage = Stage.NOTHING
        self.stop = NEVER  # where a run stops by itself
        self.n_planned = 0
        self.busy_s = 0  # how long the target has not come back, where that is long
        self.file: Path | None = None  # the saved trace that is shown, None for a run that was not saved
        self._files = RunFolder()
        self._run_path = ""
        self._pending: RunSpec | None = None
        self._goal = Goal(last_step=0)
        self._first_selection = Selection()
        self._bridge = EngineBridge(self)
        self.bookmarks = Bookmarks(state, self._write_bookmarks, self)
        self.causes = CauseSearch(state, self._bridge, self)
        self._patience = QTimer(self, singleShot=True, interval=CANCEL_PATIENCE_MS)
        self._patience.timeout.connect(self._end_engine)
        self._connect_bridge()

    def _connect_bridge(self) -> None:
        self._bridge.started.connect(self._on_started)
        self._bridge.step_recorded.connect(self._on_step_recorded)
        self._bridge.paused.connect(self._on_paused)
        self._bridge.ended.connect(self._on_ended)
        self._bridge.skipped.connect(self._on_skipped)
        self._bridge.failed.connect(self._on_failed)
        self._bridge.busy.connect(self._on_busy)

    # ---- what the user asks for

    def start(self, spec: RunSpec, last_step: int = 0, selection: Selection | None = None) -> None:
        """Record a new run and go on to `last_step`, if the gate lets the target run."""
        if spec.target == NO_TARGET:
            self.spec_changed.emit()  # the toolbar goes back to what is shown
            self.notice.emit(why_not_run(spec, self.state.trace))
            return
        self.gate(spec, lambda: self._start(spec, last_step, selection), self.spec_changed.emit)

    def _start(self, spec: RunSpec, last_step: int, selection: Selection | None) -> None:
        """While one is starting, only the newest request counts."""
        self.spec = spec
        self.spec_changed.emit()
        self._goal = Goal(last_step=last_step, cursor_step=FOLLOW if selection is None else selection.step)
        self._first_selection = selection or Selection()
        if self.stage in (Stage.STARTING, Stage.STOPPING):
            self._pending = spec
            return
        self._begin(spec)

    def restart(self, spec: RunSpec) -> None:
        """Record again with other settings up to the step that had been reached, and look at the same place."""
        reached = max(0, self.state.n_steps - 1) if spec.prompt == self.spec.prompt else 0
        self.start(spec, last_step=reached, selection=self.state.selection if reached else None)

    def step(self) -> None:
        """To the next step: recorded already, or made now."""
        step = self.state.selection.step
        if step < self.state.n_steps - 1:
            self.state.select(step=step + 1)
        elif self.stage is Stage.WAITING:
            self._run_to(Goal(last_step=self.state.n_steps))

    def go_on(self, by: int) -> None:
        """So many steps on: those that are recorded already, then those that are made now."""
        step = self.state.selection.step + by
        if step < self.state.n_steps or self.stage is not Stage.WAITING:
            self.state.select(step=step)
        else:
            self._run_to(Goal(last_step=min(step, self.n_planned), stop=self.stop))

    def run(self) -> None:
        """Run on to the end, or to where the stop condition holds."""
        self._run_to(Goal(last_step=self.n_planned, stop=self.stop))

    def pause(self) -> None:
        """Make no step after the current one."""
        if self.stage is Stage.RUNNING:
            self._goal = Goal(last_step=self.state.n_steps - 1)

    def run_to_next_bad(self) -> None:
        """To the next bad step after the selected one, recorded already or still to be made."""
        step = self._find_bad(range(self.state.selection.step + 1, self.state.n_steps))
        if step is not None:
            self.look_at_bad(step)
        elif self.stage is Stage.WAITING:
            self._run_to(Goal(last_step=self.n_planned, stop=AT_BAD, is_search=True))
        else:
            self.notice.emit(Text(QT_TRANSLATE_NOOP("core", "No bad step follows.")))

    def to_previous_bad(self) -> None:
        step = self._find_bad(range(self.state.selection.step - 1, -1, -1))
        if step is not None:
            self.look_at_bad(step)
        else:
            self.notice.emit(Text(QT_TRANSLATE_NOOP("core", "No bad step comes before this one.")))

    def look_at_bad(self, step: int) -> None:
        """Select a bad step, and the layer, head and batch row where it begins."""
        if self.state.trace is not None:
            self.state.select(**selection_at(self.state.trace, step))

    def cancel(self) -> None:
        """Stop at the next step boundary; an engine that does not come to one is ended as a process."""
        self._pending = None
        if self.stage in (Stage.RUNNING, Stage.STARTING):
            self._set_stage(Stage.STOPPING)
            self._bridge.stop_run()
            self._patience.start()

    def set_tolerance(self, tolerance: float) -> None:
        """Judge by another tolerance; the recorded figures stay, and later runs keep it."""
        self.spec = replace(self.spec, tolerance=tolerance)
        self.state.set_tolerance(tolerance)
        if self.stage is Stage.WAITING:
            self.causes.ask_if_due()
        self.spec_changed.emit()

    def save(self, path: Path) -> bool:
        """Write what is shown as a closed trace."""
        trace = self.state.trace
        if trace is None or not self._told(lambda: _saved(trace, path, self.bookmarks.steps)):
            return False
        self.file = path
        self.bookmarks.on_saved()
        self.stage_changed.emit()
        return True

    def open(self, path: Path) -> bool:
        """Show a saved trace, or a file of another program; what was shown stays when it cannot be read."""
        return self._show_read(self._told(lambda: open_any(path)), path)

    def compare(self, make: Callable[[], Trace]) -> bool:
        """Show two traces of the same tokens against each other; what was shown stays when they do not fit."""
        return self._show_read(self._told(make), None)

    def _show_read(self, trace: Trace | None, file: Path | None) -> bool:
        if trace is None:
            return False
        self._show_recorded(trace, file, spec_of(trace))
        if trace.notice is not None:
            self.notice.emit(trace.notice)
        return True

    def adopt(self, path: Path) -> bool:
        """Show a copy of a recording that was left behind, as a run that was not saved."""
        copy = self._files.new_path()
        trace = self._told(lambda: Trace.open(path))
        if trace is None:
            return False
        with trace:
            is_copied = self._told(lambda: save_copy(trace, copy))
        return bool(is_copied) and self.show_run(copy, spec_of(trace))

    def show_run(self, path: Path, spec: RunSpec) -> bool:
        """Show a run that was recorded elsewhere in this window, where it goes wrong if it does."""
        trace = self._told(lambda: Trace.open(path))
        if trace is None:
            return False
        self._show_recorded(trace, None, spec)
        first_bad = self._find_bad(range(len(trace)))
        if first_bad is not None:
            self.look_at_bad(first_bad)
        return True

    def _write_bookmarks(self, trace: Trace, steps: Iterable[int]) -> None:
        """Into the file that is shown; those of a run that was not saved go with it when it is."""
        if self.file is not None and trace.end is not None:
            path = self.file
            self._told(lambda: save_copy(trace, path, steps))

    def _show_recorded(self, trace: Trace, file: Path | None, spec: RunSpec) -> None:
        self._give_up_run()
        self._show(trace, Selection())
        self.file, self.spec, self.n_planned = file, spec, len(trace)
        self._adopt_tolerance()
        self.spec_changed.emit()
        self._set_stage(Stage.FINISHED)

    def close(self) -> None:
        """End the engine and let the files go."""
        self._patience.stop()
        self.bookmarks.flush()
        self._bridge.close()
        self.state.set_trace(None)
        self._files.close()

    # ---- what the engine answers

    def _on_started(self, event: RunStarted) -> None:
        if not self._is_current(event.part_path):
            return
        if self._pending is not None:
            self._begin(self._pending)
            return
        trace = self._told(lambda: Trace.open(Path(event.part_path)))
        if trace is None:
            self.cancel()
            return
        self._show(trace, self._first_selection)
        self.n_planned = event.n_planned
        self._adopt_tolerance()
        self.causes.listen()
        if self.stage is Stage.STARTING:
            self._set_stage(Stage.RUNNING)
            self._bridge.make_steps(1)

    def _on_step_recorded(self, step_index: int) -> None:
        if self.stage not in (Stage.RUNNING, Stage.STOPPING):
            return
        newest_before = self.state.n_steps - 1
        if not self._told(self.state.add_steps):
            return
        if self.state.selection.step >= newest_before:  # whoever has moved back is not pulled away
            self.state.select(step=min(self.state.n_steps - 1, self._goal.cursor_step))
        self.stage_changed.emit()

    def _on_paused(self) -> None:
        if self.stage is not Stage.RUNNING:
            return
        n_last = self.state.n_steps - 1
        stops = self._stops_at(n_last)
        if n_last >= self._goal.last_step or stops:
            if stops and self._find_bad([n_last]) is not None:
                self.look_at_bad(n_last)
            self._set_stage(Stage.WAITING)
            self.causes.ask_if_due()
        else:
            self._bridge.make_steps(1)

    def _on_ended(self, event: RunEnded) -> None:
        if event.path != self._run_path:
            return
        self._patience.stop()
        self._told(self.state.add_steps)
        searched = self._goal.is_search and self.stage is Stage.RUNNING
        missed = searched and self._find_bad([self.state.n_steps - 1]) is None
        self._take_closed(Path(event.path))
        self._finish()
        if searched and not missed:
            self.look_at_bad(self.state.n_steps - 1)
        if missed:
            self.notice.emit(Text(QT_TRANSLATE_NOOP("core", "The run has ended; no bad step was found.")))

    def _on_skipped(self, event: RunSkipped) -> None:
        is_outdated = self._pending is not None or not self._run_path
        self._finish()
        if not is_outdated:
            self.skipped.emit(event)

    def _on_failed(self, event: RunFailed) -> None:
        is_outdated = self._pending is not None or not self._run_path
        if self.stage in (Stage.RUNNING, Stage.STOPPING):
            self._told(self.state.add_steps)
        closed = Path(self._run_path)
        if not is_outdated and self.state.n_steps and closed.is_file():  # the engine has written why it ended
            self._take_closed(closed)
        self._finish()
        if not is_outdated:
            self.failed.emit(event)

    def _on_busy(self, seconds: int) -> None:
        self.busy_s = seconds
        self.busy_changed.emit()

    # ---- inside

    def _begin(self, spec: RunSpec) -> None:
        self._give_up_run()
        self.file = None
        self._run_path = str(self._files.new_path())
        self._set_stage(Stage.STARTING)
        self._bridge.start_run(replace(self.permit(spec), diagnoses=True), self._run_path)

    def _give_up_run(self) -> None:
        """Whatever the run before still says is not listened to any more."""
        self.bookmarks.flush()
        if self.stage in (Stage.STARTING, Stage.WAITING, Stage.RUNNING):
            self._bridge.stop_run()
        self._run_path = ""
        self._pending = None

    def _run_to(self, goal: Goal) -> None:
        if self.stage is Stage.WAITING:
            self._goal = goal
            self.state.select(step=self.state.n_steps - 1)
            self._set_stage(Stage.RUNNING)
            self._bridge.make_steps(1)

    def _show(self, trace: Trace, selection: Selection) -> None:
        """The newest trace replaces the one before, whose private file goes."""
        old = self.state.trace
        old_path = old.path if old is not None else None
        self.state.set_trace(trace, selection)
        if old_path is not None and old_path != trace.path:
            self._files.discard(old_path)

    def _take_closed(self, path: Path) -> None:
        """The growing trace has got its name: the one that is open knows all of it, unless it missed the end."""
        trace = self.state.trace
        if trace is not None and trace.end is not None:
            trace.path = path
        else:
            closed = self._told(lambda: Trace.open(path))
            if closed is not None:
                self._show(closed, self.state.selection)

    def _adopt_tolerance(self) -> None:
        if self.spec.tolerance is not None:
            self.state.set_tolerance(self.spec.tolerance)
        elif self.state.trace is not None:
            self.state.set_tolerance(self.state.trace.info.tolerance)

    def _finish(self) -> None:
        self._patience.stop()
        pending = self._pending
        self._set_stage(Stage.FINISHED)
        if pending is not None:
            self._begin(pending)

    def _end_engine(self) -> None:
        """The user's patience is over: the process goes, the steps so far stay."""
        self._bridge.close(0.0)
        self._finish()
        self.notice.emit(
            Text(QT_TRANSLATE_NOOP("core", "The engine did not answer and was ended. The steps so far stay."))
        )

    def _is_current(self, part_path: str) -> bool:
        return part_path == self._run_path + ".part"

    def _stops_at(self, step: int) -> bool:
        trace = self.state.trace
        return trace is not None and self._goal.stop.holds(trace, step, self.state.tolerance)

    def _find_bad(self, steps: Iterable[int]) -> int | None:
        trace = self.state.trace
        if trace is None:
            return None
        return next((i for i in steps if is_bad(trace, i, self.state.tolerance)), None)

    def _set_stage(self, stage: Stage) -> None:
        self.stage = stage
        if stage in (Stage.STARTING, Stage.FINISHED):
            self.causes.rest()
        self.state.set_busy(stage in BUSY)
        self.stage_changed.emit()

    def _told(self, action: Callable[[], T]) -> T | None:
        return attempt(action, self.refused.emit)


def _saved(trace: Trace, path: Path, bookmarks: Iterable[int]) -> bool:
    if trace.is_complete:
        save_copy(trace, path, bookmarks)
    else:
        repaired_copy(trace, path, bookmarks)
    return True
