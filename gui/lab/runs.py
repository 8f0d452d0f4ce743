"""The runs of the lab: recorded in the window, and kept as copies, since the window shows one run at a time."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.lab.steps import RUNS
from core.trace.reader import Trace
from core.trace.save import save_copy
from gui.attempt import attempt
from gui.run_files import RunFolder
from gui.run_stage import Stage

if TYPE_CHECKING:
    from gui.session import Session

TO_THE_END = 10**6
Act = Callable[[], object]


class LabRuns(QObject):
    """Complete runs by their names."""

    changed = Signal()

    def __init__(self, session: "Session", parent: QObject) -> None:
        super().__init__(parent)
        self.kept: dict[str, Trace] = {}
        self._session = session
        self._files: RunFolder | None = None
        self._awaited: tuple[str, Act] | None = None
        session.stage_changed.connect(self._on_stage_changed)

    @property
    def is_recording(self) -> bool:
        return self._awaited is not None

    def record(self, name: str, then: Act) -> None:
        """Record a run to its end in the window, whatever is shown; then look at it."""
        self._awaited = (name, then)
        self._session.start(RUNS[name], last_step=TO_THE_END)
        self.changed.emit()

    def show(self, name: str, then: Act) -> None:
        """Show a run that is there, or record it."""
        kept = self.kept.get(name)
        if kept is None:
            self.record(name, then)
        elif self._is_shown(name) or self._session.show_run(kept.path, RUNS[name]):
            then()

    def close(self) -> None:
        self._awaited = None
        for trace in self.kept.values():
            trace.close()
        self.kept.clear()
        files, self._files = self._files, None
        if files is not None:
            files.close()

    def _is_shown(self, name: str) -> bool:
        return self._session.spec == RUNS[name] and self._session.stage is Stage.FINISHED

    def _on_stage_changed(self) -> None:
        if self._awaited is None:
            return
        if self._session.spec != RUNS[self._awaited[0]]:  # the user has gone on to something else
            self._awaited = None
        elif self._session.stage is Stage.FINISHED:
            QTimer.singleShot(
                0, self, self._on_finished
            )  # the run before may have ended for this one to begin

    def _on_finished(self) -> None:
        """A run that was cancelled or failed is not kept."""
        if self._awaited is None or self._session.stage is not Stage.FINISHED:
            return
        (name, then), self._awaited = self._awaited, None
        trace = self._session.state.trace
        if (
            trace is not None
            and _is_of(trace, name)
            and trace.end is not None
            and trace.end.status == "complete"
        ):
            self._keep(name, trace)
            then()
        self.changed.emit()

    def _keep(self, name: str, trace: Trace) -> None:
        if self._files is None:
            self._files = RunFolder()
        path = self._files.new_path()
        copy = attempt(lambda: _copied(trace, path), self._session.notice.emit)
        if copy is None:
            return
        before = self.kept.get(name)
        self.kept[name] = copy
        if before is not None:
            before.close()


def _copied(trace: Trace, path: Path) -> Trace:
    return Trace.open(save_copy(trace, path))


def _is_of(trace: Trace, name: str) -> bool:
    spec, info = RUNS[name], trace.info
    return (info.target, info.scenario, tuple(info.faults)) == (spec.target, spec.scenario, spec.faults)
