"""The cache by layer and slot: where K or V differ, and which position each slot's token was told."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from core.views.cache import SlotsView
from gui.theme import theme_events
from gui.widgets.guard import guarded
from gui.widgets.panel import tool_row
from gui.widgets.positions_plot import PositionsPlot
from gui.widgets.slots_map import SlotsMap


class SlotsPlot(QWidget):
    """The map at the left (|ΔK| or |ΔV|), the positions of both lanes at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: SlotsView | None = None
        self.map = SlotsMap()
        self.positions = PositionsPlot()
        self.k_button, self.v_button = QToolButton(), QToolButton()
        self._row = QHBoxLayout(self)
        self._left = QVBoxLayout()
        self._build()
        theme_events().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.retranslate()

    def set_view(self, view: SlotsView) -> None:
        """Show the cache after the selected step."""
        self._view = view
        self._fill()
        self.positions.set_positions(view.oracle_positions, view.cached_positions)

    @property
    def shows_v(self) -> bool:
        """Whether the map shows V instead of K."""
        return self.v_button.isChecked()

    def show_v(self, is_v: bool) -> None:
        """V (or K) in the map."""
        self.v_button.setChecked(is_v)
        self.k_button.setChecked(not is_v)
        self._fill()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Slots and positions"))
        self.k_button.setText("|ΔK|")
        self.v_button.setText("|ΔV|")
        self.k_button.setToolTip(self.tr("Differences of the keys"))
        self.v_button.setToolTip(self.tr("Differences of the values"))
        self._fill()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(unit * 32, unit * 11)

    def _build(self) -> None:
        self.tools = tool_row(self.k_button, self.v_button)  # a panel takes them into its title row
        for button in (self.k_button, self.v_button):
            button.setCheckable(True)
        self.k_button.setChecked(True)
        self.k_button.clicked.connect(lambda: self.show_v(False))
        self.v_button.clicked.connect(lambda: self.show_v(True))
        self._left.addWidget(self.map, 1)
        self._left.addWidget(self.tools)
        self._row.addLayout(self._left, 3)
        self._row.addWidget(self.positions, 2)

    def _fill(self) -> None:
        if self._view is None:
            return
        values = self._view.dv if self.shows_v else self._view.dk
        # K and V keep their own scales: V's differences are often much smaller, and both matter
        self.map.set_data(values, self._view.is_new, "V" if self.shows_v else "K")

    def _on_theme_changed(self) -> None:
        unit = self.fontMetrics().height()
        self._row.setContentsMargins(unit * 2 // 3, unit // 2, unit // 2, unit // 3)
        self._row.setSpacing(unit)
        self._left.setSpacing(unit // 5)
