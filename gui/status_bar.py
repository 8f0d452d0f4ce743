"""The foot of the window: target, step, time, verdict, progress, file."""

import html

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton

from core.trace.reader import Trace
from core.views.findings import VerdictView
from gui.actions import Actions
from gui.cause_search import CauseSearch
from gui.i18n import show_text
from gui.lanes import lanes
from gui.run_stage import BUSY, Stage
from gui.session import Session
from gui.targets import shown_name
from gui.theme import theme_events, ui_font

PATIENCE_MS = 250  # a progress bar that only flashes tells nothing
N_TIMED = 64  # the last steps that the time is taken from


class StatusBar(QStatusBar):
    """Says what is shown and how it stands."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.target, self.step, self.timing, self.verdict, self.file, self.stop = (QLabel() for _ in range(6))
        self.verdict.setObjectName("verdict")
        for label in (self.target, self.step, self.timing, self.verdict):
            self.addWidget(label)
        for label in (self.target, self.timing, self.verdict, self.file):
            label.setTextFormat(Qt.TextFormat.PlainText)  # names come from foreign files
        self.progress = QProgressBar()
        theme_events().changed.connect(self._fit)
        self._fit()
        self.search = QLabel()
        self.cancel = QToolButton()
        self.cancel.setDefaultAction(actions["cancel"])
        self._is_late = False
        self._late = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._late.timeout.connect(self._on_late)
        for widget in (self.search, self.progress, self.cancel, self.stop, self.file):
            self.addPermanentWidget(widget)
        self._show_progress(False)
        self.setSizeGripEnabled(False)
        self.retranslate()

    def show_run(self, session: Session) -> None:
        """Everything but the verdict."""
        state = session.state
        trace = state.trace
        if trace is None or len(trace) == 0:
            self._clear()
        else:
            self.target.setText(f"{shown_name(trace.info.target)} · {trace.info.model.dtype}")
            self.target.setToolTip(html.escape(trace.info.target))
            last = max(session.n_planned, len(trace)) - 1
            self.step.setText(self._place_of(session, last))
            self.timing.setText(self._timing_of(trace))
        self.show_file(session)

    def show_file(self, session: Session) -> None:
        """The file, or how the run stands."""
        self.file.setText(self._file_of(session))

    def show_stage(self, session: Session) -> None:
        """Progress, shown only when the work takes a while."""
        causes = session.causes
        is_busy = session.stage in BUSY or causes.is_searching
        known = session.stage is Stage.RUNNING and session.n_planned > 0
        done, planned = (session.state.n_steps, session.n_planned) if known else (0, 0)
        if causes.is_searching:
            done, planned = causes.n_tried, causes.n_planned
        self.progress.setRange(0, planned)
        self.progress.setValue(done)
        self.search.setText(self._search_text(causes) if causes.is_searching else "")
        if not is_busy:
            self._late.stop()
            self._show_progress(False)
        elif not self.progress.isVisible() and not self._late.isActive():
            self._late.start()

    def show_verdict(self, view: VerdictView | None) -> None:
        if view is None or view.state == "nothing":
            self.verdict.clear()
            return
        sign, tone = {"divergent": ("✗ ", "bad"), "equivalent": ("✓ ", "good")}.get(view.state, ("", ""))
        self.verdict.setText(sign + show_text(view.status))
        if self.verdict.property("tone") != tone:
            self.verdict.setProperty("tone", tone)
            self.verdict.style().unpolish(self.verdict)
            self.verdict.style().polish(self.verdict)

    def show_stop(self, text: str) -> None:
        """Where a run stops by itself; empty where it does not."""
        self.stop.setText(f"⚑ {text}" if text else "")

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Status"))
        self.progress.setAccessibleName(self.tr("Progress of the run"))

    def _clear(self) -> None:
        for label in (self.target, self.step, self.timing):
            label.clear()

    def _place_of(self, session: Session, last: int) -> str:
        state = session.state
        place = self.tr("step {step} of {last}").format(step=state.selection.step, last=last)
        n_rows = len(state.trace.info.prompt_ids) if state.trace is not None else 1
        if n_rows > 1:
            row = self.tr("batch row {row}").format(row=state.selection.batch_row)
            return f"{place} · {row}"
        return place

    def _timing_of(self, trace: Trace) -> str:
        first = max(1 if len(trace) > 1 else 0, len(trace) - N_TIMED)  # the prefill is another kind of work
        facts = [trace.facts(step) for step in range(first, len(trace))]
        oracle = [f.oracle.elapsed_ms for f in facts if f.oracle is not None]
        cached = [f.cached.elapsed_ms for f in facts if f.cached is not None]
        if not oracle or not cached:
            return ""
        text = self.tr("{a} {oracle:.1f} ms, {b} {cached:.1f} ms a step")
        names = {"a": lanes().oracle(self.tr("oracle")), "b": lanes().cached(self.tr("cached"))}
        return text.format(oracle=float(np.median(oracle)), cached=float(np.median(cached)), **names)

    def _file_of(self, session: Session) -> str:
        if session.busy_s:
            return self.tr("the target has been busy for {seconds} s").format(seconds=session.busy_s)
        if session.file is not None:
            return session.file.name
        if lanes().is_pair:
            return self.tr("a comparison, not saved")
        trace = session.state.trace
        if (
            session.stage is Stage.FINISHED
            and trace is not None
            and trace.end
            and trace.end.status == "cancelled"
        ):
            return self.tr("cancelled, not saved")
        return {
            Stage.NOTHING: "",
            Stage.STARTING: self.tr("starting the engine…"),
            Stage.WAITING: self.tr("live, not saved"),
            Stage.RUNNING: self.tr("running…"),
            Stage.STOPPING: self.tr("stopping…"),
            Stage.FINISHED: self.tr("finished, not saved"),
        }[session.stage]

    def _search_text(self, causes: CauseSearch) -> str:
        if not causes.n_planned:
            return self.tr("looking for the cause…")
        text = self.tr("looking for the cause: repair {number} of {count}")
        return text.format(number=causes.n_tried + 1, count=causes.n_planned)

    def _fit(self) -> None:
        metrics = QFontMetrics(ui_font())
        self.progress.setFixedSize(metrics.averageCharWidth() * 24, metrics.height())

    def _on_late(self) -> None:
        self._show_progress(True)

    def _show_progress(self, is_shown: bool) -> None:
        self.progress.setVisible(is_shown)
        self.cancel.setVisible(is_shown)
        self.search.setVisible(is_shown)
