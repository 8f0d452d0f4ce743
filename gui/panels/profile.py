"""Time and memory of the target that is shown, once its check has passed."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QProgressBar, QToolButton

from core.report.profile import ProfileResult
from core.text import Text
from core.views.profile_table import profile_view
from gui.i18n import show_text
from gui.plotting import plotting
from gui.profiler import Progress
from gui.theme import theme_events, ui_font
from gui.widgets.panel import PanelFrame

if TYPE_CHECKING:
    from gui.widgets.profile_figures import ProfileFigures


class ProfilePanel(PanelFrame):
    """Curves over the length beside the figures; its button starts the measuring."""

    asked = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.figures: ProfileFigures | None = None
        self._result: ProfileResult | None = None
        self.progress = QProgressBar()
        self.cancel, self.again = QToolButton(), QToolButton()
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
        chosen = self._empty_button if self.is_empty or self.figures is None else self.figures.table
        chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        self.set_title(self.tr("Time and memory"))
        self.set_explanation(self.tr("one decode step of both lanes; medians in ms"))
        self.progress.setAccessibleName(self.tr("Progress of the measuring"))
        self.cancel.setText(self.tr("Cancel"))
        self.again.setText(self.tr("Measure again"))
        if self.figures is not None:
            self.figures.retranslate()

    def _show_result(self, result: ProfileResult) -> None:
        if self.figures is None:
            from gui.widgets.profile_figures import ProfileFigures  # brings the plotting library

            self.figures = ProfileFigures()
            self.set_body(self.figures)
        if result is not self._result:
            self._result = result
            self.figures.set_view(profile_view(result))
        self.show_body()

    def _show_progress(self, progress: Progress | None, can_repeat: bool) -> None:
        if progress is not None:
            self.progress.setRange(0, progress.n_pieces)
            self.progress.setValue(progress.n_done)
        for widget in (self.progress, self.cancel):
            widget.setVisible(progress is not None)
        self.again.setVisible(progress is None and can_repeat)

    def _fit(self) -> None:
        metrics = QFontMetrics(ui_font())
        self.progress.setFixedSize(metrics.averageCharWidth() * 14, metrics.height())
