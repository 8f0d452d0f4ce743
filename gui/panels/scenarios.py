"""Every scenario of the target and how it ended."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QProgressBar, QToolButton

from core.views.numbers import percent, short
from core.views.scenarios import ScenarioRow
from gui.glossary import tip
from gui.i18n import show_text
from gui.icons import set_icon
from gui.scenario_runner import Outcome, ScenarioRunner
from gui.targets import shown_name
from gui.theme import theme_events, ui_font
from gui.widgets.panel import PanelFrame
from gui.widgets.scenario_model import Line, Result
from gui.widgets.scenario_table import ScenarioTable

UNJUDGED: dict[str, Result] = {
    "waiting": "waiting",
    "running": "running",
    "skipped": "skipped",
    "failed": "error",
    "cancelled": "cancelled",
    "done": "cancelled",
}


class ScenariosPanel(PanelFrame):
    """A table beside the timeline, shown when the scenarios are run."""

    opened = Signal(int)
    cancelled = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.table = ScenarioTable()
        self.table.opened.connect(self.opened)
        self.progress = QProgressBar()
        theme_events().changed.connect(self._fit)
        self._fit()
        self.cancel = self._tool(self.cancelled)
        self.close_button = self._tool(self.closed)
        set_icon(self.close_button, "close")
        self.set_body(self.table)
        for widget in (self.progress, self.cancel, self.close_button):
            self.add_title_widget(widget)
        self.retranslate()

    def show_outcomes(self, runner: ScenarioRunner, tolerance: float) -> None:
        """Judge what is there and show the rest as it stands."""
        rows = [runner.row(index, tolerance) for index in range(len(runner.outcomes))]
        lines = tuple(self._line(outcome, row) for outcome, row in zip(runner.outcomes, rows, strict=True))
        self.table.set_lines(lines)
        if not lines:
            self.show_empty(self.tr("No scenario has been run yet."))
            return
        self.show_body()
        self._show_progress(runner)
        self.set_explanation(f"{shown_name(runner.spec.target)} · {self._summary(lines)}")

    def retranslate(self) -> None:
        """Title and buttons; the lines come with the next refresh."""
        self.set_title(self.tr("Scenarios"))
        self.set_title_tip(tip("scenario", "prefill", "decode"))
        self.progress.setAccessibleName(self.tr("Progress of the scenarios"))
        self.cancel.setText(self.tr("Cancel"))
        self.close_button.setAccessibleName(self.tr("Close the table"))
        self.close_button.setToolTip(self.tr("Close the table"))

    def _fit(self) -> None:
        metrics = QFontMetrics(ui_font())
        self.progress.setFixedSize(metrics.averageCharWidth() * 14, metrics.height())

    def _tool(self, signal: object) -> QToolButton:
        button = QToolButton()
        button.setProperty("density", "mini")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(signal)
        return button

    def _show_progress(self, runner: ScenarioRunner) -> None:
        outcomes = runner.outcomes
        ended = sum(outcome.state not in ("waiting", "running") for outcome in outcomes)
        share = sum(o.n_done / o.n_planned for o in outcomes if o.state == "running" and o.n_planned)
        self.progress.setRange(0, 100 * len(outcomes))
        self.progress.setValue(round(100 * (ended + share)))
        for widget in (self.progress, self.cancel):
            widget.setVisible(runner.is_running)

    def _summary(self, lines: tuple[Line, ...]) -> str:
        counts = {
            result: sum(line.result == result for line in lines)
            for result in ("pass", "fail", "skipped", "error")
        }
        words = {
            "pass": self.tr("{count} passed"),
            "fail": self.tr("{count} failed"),
            "error": self.tr("{count} with errors"),
            "skipped": self.tr("{count} skipped"),
        }
        return " · ".join(text.format(count=counts[name]) for name, text in words.items() if counts[name])

    def _line(self, outcome: Outcome, row: ScenarioRow | None) -> Line:
        reason = show_text(outcome.reason) if outcome.reason is not None else ""
        if outcome.busy_s:
            reason = self.tr("busy for {seconds} s").format(seconds=outcome.busy_s)
        if row is None:
            steps = f"{outcome.n_done}/{outcome.n_planned}" if outcome.n_planned else ""
            cause = self.tr("repair {number} of {count}") if outcome.n_repairs else ""
            cause = cause.format(number=outcome.n_tried + 1, count=outcome.n_repairs)
            return Line(outcome.scenario, UNJUDGED[outcome.state], steps=steps, cause=cause, where=reason)
        return Line(
            scenario=outcome.scenario,
            result=row.status if outcome.state == "done" else UNJUDGED[outcome.state],
            steps=str(row.n_compared),
            largest="NaN" if row.max_abs_diff is None else short(row.max_abs_diff),
            first_bad="" if row.first_bad is None else str(row.first_bad),
            cause=self._cause(row),
            where=reason or show_text(row.where),
            can_open=True,
        )

    def _cause(self, row: ScenarioRow) -> str:
        if row.cause is None:
            return ""
        return f"{row.cause} · {self.tr('inferred') if row.healed is None else percent(row.healed)}"
