"""Time and memory of the target that is shown, once its check has passed."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QVBoxLayout, QWidget

from core.report.profile import ProfileResult
from core.text import Text
from core.views.profile_table import ProfileView, profile_view
from gui.i18n import show_text
from gui.plotting import plotting
from gui.profiler import Progress
from gui.theme import theme_events, ui_font
from gui.widgets.guard import guarded
from gui.widgets.panel import PanelFrame
from gui.widgets.profile_table import ProfileTable, part_colours

if TYPE_CHECKING:
    from gui.widgets.profile_plot import ProfilePlot

PLOT_UNITS = 18  # its least width, in lines of text


class ProfilePanel(PanelFrame):
    """Curves over the length beside the figures; its button starts the measuring."""

    asked = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.table = ProfileTable()
        self.plot: ProfilePlot | None = None
        self._view: ProfileView | None = None
        self._result: ProfileResult | None = None
        self.progress = QProgressBar()
        self.cancel, self.again = QToolButton(), QToolButton()
        self._parts, self._conclusions, self._machine = QLabel(), QLabel(), QLabel()
        self._make_body()
        self.empty_action.connect(self.asked)
        self.again.clicked.connect(self.asked)
        self.cancel.clicked.connect(self.cancelled)
        for button in (self.cancel, self.again):
            button.setProperty("density", "mini")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for widget in (self.progress, self.cancel, self.again):
            self.add_title_widget(widget)
            widget.hide()
        theme_events().changed.connect(self._fit)
        self._fit()
        self.retranslate()

    def show_profile(
        self,
        result: ProfileResult | None,
        progress: Progress | None,
        problem: Text | None,
        why_not: Text | None,
        can_run_on: bool,
    ) -> None:
        """What was measured, how far it is, or why it is not measured; `can_run_on`: the run is only not at its end."""
        self._show_progress(progress, can_repeat=result is not None and why_not is None)
        if result is not None and plotting().is_ready:
            self._show_result(result)
        elif progress is not None:
            self.show_empty(show_text(progress.what))
        elif why_not is not None:
            self.show_empty(show_text(why_not), self.tr("Run to the end") if can_run_on else None)
        else:
            hint = self.tr(
                "Both lanes side by side at several lengths, with every layout of a built-in model."
            )
            said = self.tr("The check has passed.") if problem is None else show_text(problem)
            self.show_empty(said, self.tr("Measure time and memory"), hint)

    def take_focus(self) -> None:
        """The keyboard to the button, or to the figures."""
        (self._empty_button if self.is_empty else self.table).setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        self.set_title(self.tr("Time and memory"))
        self.set_explanation(self.tr("one decode step of both lanes; medians in ms"))
        self.progress.setAccessibleName(self.tr("Progress of the measuring"))
        self.cancel.setText(self.tr("Cancel"))
        self.again.setText(self.tr("Measure again"))
        self.table.retranslate()
        if self._view is not None:
            self._write(self._view)

    def _make_body(self) -> None:
        host, right = QWidget(), QWidget()
        self._both = QHBoxLayout(host)
        self._both.setContentsMargins(0, 0, 0, 0)
        column = QVBoxLayout(right)
        column.setSpacing(2)
        column.addWidget(self.table, 1)
        for label, tone in ((self._parts, ""), (self._conclusions, ""), (self._machine, "muted")):
            label.setWordWrap(True)
            label.setProperty("tone", tone)
            column.addWidget(label)
        self._machine.setTextFormat(Qt.TextFormat.PlainText)
        self._conclusions.setTextFormat(Qt.TextFormat.PlainText)
        self._right = column
        self._both.addWidget(right, 1)
        self.set_body(host)

    def _show_result(self, result: ProfileResult) -> None:
        if result is not self._result:
            self._result, self._view = result, profile_view(result)
            self.table.set_rows(self._view.rows)
            self._the_plot().set_curves(self._view.curves)
            self._write(self._view)
        self.show_body()
        self._share()

    def _the_plot(self) -> "ProfilePlot":
        """Made when it is first needed, and once the plotting library is there."""
        if self.plot is None:
            from gui.widgets.profile_plot import ProfilePlot

            self.plot = ProfilePlot()
            self._both.insertWidget(0, self.plot)
        return self.plot

    def _write(self, view: ProfileView) -> None:
        self._conclusions.setText("\n".join(show_text(one) for one in view.conclusions))
        self._machine.setText(show_text(view.machine))
        words = (self.tr("append"), self.tr("attention"), self.tr("rest"))
        chips = (
            f'<span style="color:{colour.name(colour.NameFormat.HexArgb)}">■</span> {word}'
            for colour, word in zip(part_colours(), words, strict=True)
        )
        self._parts.setText("&nbsp;&nbsp; ".join(chips))

    def _show_progress(self, progress: Progress | None, can_repeat: bool) -> None:
        if progress is not None:
            self.progress.setRange(0, progress.n_pieces)
            self.progress.setValue(progress.n_done)
        for widget in (self.progress, self.cancel):
            widget.setVisible(progress is not None)
        self.again.setVisible(progress is None and can_repeat)

    def _fit(self) -> None:
        metrics = QFontMetrics(ui_font())
        unit = metrics.height()
        self.progress.setFixedSize(metrics.averageCharWidth() * 14, unit)
        self._right.setContentsMargins(unit // 3, 0, unit // 2, unit // 3)
        if self._view is not None:
            self._write(self._view)

    def _share(self) -> None:
        """The table gets what it takes, the plot the rest, and no less than it needs; in little room there is no plot."""
        unit = QFontMetrics(ui_font()).height()
        if self.plot is not None:
            least = unit * PLOT_UNITS
            self.plot.setFixedWidth(max(least, self.width() - self.table.wanted_width - 2 * unit))
            self.plot.setVisible(self.width() >= 2 * least)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._view is not None:
            self._share()
