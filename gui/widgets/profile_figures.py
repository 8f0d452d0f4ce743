"""What a profile measured: curves over the length, the figures beside them, and what follows."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget

from core.views.profile_table import ProfileView
from gui.i18n import show_text
from gui.theme import theme_events, ui_font
from gui.widgets.guard import guarded
from gui.widgets.profile_plot import ProfilePlot
from gui.widgets.profile_table import ProfileTable, part_colours

PLOT_UNITS = 18  # the least width of the plot, in lines of text


class ProfileFigures(QWidget):
    """The table scrolls where there is little room."""

    def __init__(self) -> None:
        super().__init__()
        self.plot, self.table = ProfilePlot(), ProfileTable()
        self._view: ProfileView | None = None
        self._parts, self._conclusions, self._machine = QLabel(), QLabel(), QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._column = QVBoxLayout()
        self._column.setSpacing(2)
        self._column.addWidget(self.table, 1)
        for label, tone in ((self._parts, ""), (self._conclusions, ""), (self._machine, "muted")):
            label.setWordWrap(True)
            label.setProperty("tone", tone)
            self._column.addWidget(label)
        for label in (self._conclusions, self._machine):
            label.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(self.plot)
        row.addLayout(self._column, 1)
        theme_events().changed.connect(self._fit)
        self._fit()

    def set_view(self, view: ProfileView) -> None:
        """Show one batch size of a profile."""
        self._view = view
        self.table.set_rows(view.rows)
        self.plot.set_curves(view.curves)
        self._write(view)
        self._share()

    def minimumSizeHint(self) -> QSize:
        """The plot gives way and the table scrolls: neither makes the window larger."""
        unit = QFontMetrics(ui_font()).height()
        return QSize(unit * 12, unit * 5)

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.table.retranslate()
        if self._view is not None:
            self._write(self._view)

    def _write(self, view: ProfileView) -> None:
        self._conclusions.setText("\n".join(show_text(one) for one in view.conclusions))
        self._machine.setText(show_text(view.machine))
        words = (self.tr("append"), self.tr("attention"), self.tr("rest"))
        chips = (
            f'<span style="color:{colour.name(colour.NameFormat.HexArgb)}">■</span> {word}'
            for colour, word in zip(part_colours(), words, strict=True)
        )
        self._parts.setText("&nbsp;&nbsp; ".join(chips))

    def _fit(self) -> None:
        unit = QFontMetrics(ui_font()).height()
        self._column.setContentsMargins(unit // 3, 0, unit // 2, unit // 3)
        self.retranslate()

    def _share(self) -> None:
        """The table gets what it takes, the plot the rest, and no less than it needs; in little room there is no plot."""
        unit = QFontMetrics(ui_font()).height()
        least = unit * PLOT_UNITS
        self.plot.setFixedWidth(max(least, self.width() - self.table.wanted_width - 2 * unit))
        self.plot.setVisible(self.width() >= 2 * least)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
