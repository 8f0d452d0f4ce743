"""The cache by layer and slot: where K or V differ, what each slot holds, and which position its token was told."""

from typing import Literal

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from core.text import Text
from core.verdict.diagnosis.slot_map import State
from core.views.numbers import short
from core.views.slot_states import HEALTHY, NO_SLOT, SlotStatesView, state_name
from core.views.slots import SlotsView
from gui.i18n import show_text
from gui.theme import theme_events
from gui.widgets.guard import guarded
from gui.widgets.panel import tool_row
from gui.widgets.positions_plot import PositionsPlot
from gui.widgets.slot_card import SlotCard
from gui.widgets.slots_foot import SlotsFoot
from gui.widgets.slots_map import Cell, SlotsMap

Shown = Literal["k", "v", "state"]
MOST_MISSING = 3  # tokens that are named one by one


class SlotsPlot(QWidget):
    """The map at the left; at the right the positions of both lanes, or the history of the selected slot."""

    slot_clicked = Signal(int, int)  # layer, slot
    slot_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: SlotsView | None = None
        self._chosen: Shown | None = None
        self.map, self.foot = SlotsMap(), SlotsFoot()
        self.positions, self.card = PositionsPlot(), SlotCard()
        self.buttons: dict[Shown, QToolButton] = {name: QToolButton() for name in ("k", "v", "state")}
        self._row = QHBoxLayout(self)
        self._left, self._right = QVBoxLayout(), QStackedLayout()
        self._build()
        theme_events().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.retranslate()

    def set_view(self, view: SlotsView) -> None:
        """Show the cache after the selected step."""
        self._view = view
        self.foot.set_read_out("")
        self._fill()
        self.positions.set_positions(view.oracle_positions, view.cached_positions, view.rotated)
        self._fill_card(view)

    @property
    def shown(self) -> Shown:
        """What the map shows: what was chosen, else states as soon as one is not as it should be."""
        states = self._view.states if self._view is not None else None
        if states is None:
            return "v" if self._chosen == "v" else "k"
        return self._chosen or ("k" if states.is_healthy else "state")

    def choose(self, shown: Shown | None) -> None:
        """Keep to one of the maps; None leaves it to what there is to see."""
        self._chosen = shown
        self._fill()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Slots and positions"))
        self.map.setAccessibleName(self.tr("Cache by layer and slot"))
        for name, text, tip in (
            ("k", "|ΔK|", self.tr("Differences of the keys")),
            ("v", "|ΔV|", self.tr("Differences of the values")),
            ("state", self.tr("state"), self.tr("What each slot holds, found among the oracle's rows")),
        ):
            self.buttons[name].setText(text)  # type: ignore[index]
            self.buttons[name].setToolTip(tip)  # type: ignore[index]
        self._fill()
        if self._view is not None:
            self._fill_card(self._view)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(unit * 32, unit * 11)

    def _build(self) -> None:
        self.tools = tool_row(*self.buttons.values())  # a panel takes them into its title row
        for name, button in self.buttons.items():
            button.setCheckable(True)
            button.clicked.connect(lambda _checked, name=name: self.choose(name))
        self.map.cell_hovered.connect(self._on_hovered)
        self.map.cell_clicked.connect(self._on_clicked)
        self.card.closed.connect(self.slot_left)
        self._left.addWidget(self.map, 1)
        self._left.addWidget(self.foot)
        self._left.addWidget(self.tools)
        right = QWidget()
        right.setLayout(self._right)
        self._right.addWidget(self.positions)
        self._right.addWidget(self.card)
        self._row.addLayout(self._left, 3)
        self._row.addWidget(right, 2)

    def _fill(self) -> None:
        view = self._view
        if view is None:
            return
        for name, button in self.buttons.items():
            button.setChecked(name == self.shown)
        self.buttons["state"].setEnabled(view.states is not None)
        legend = []
        if self.shown == "state" and view.states is not None:
            self.map.set_states(view.states.states, view.is_new)
            legend = _legend(view.states)
        else:  # K and V keep their own scales: V's differences are often much smaller, and both matter
            self.map.set_data(view.dv if self.shown == "v" else view.dk, view.is_new)
        self.map.set_selected(view.selected)
        where = view.physical
        self.map.set_segments(where.segments if where else (), where.next_slot if where else None)
        self.foot.set_legend(legend, self._remark(view))

    def _remark(self, view: SlotsView) -> str:
        """What is missing, else where the rows lie, else what a click does."""
        missing = sorted({token for layer in view.states.missing for token in layer}) if view.states else []
        if missing:
            named = ", ".join(map(str, missing[:MOST_MISSING])) + (
                " …" if len(missing) > MOST_MISSING else ""
            )
            return self.tr("missing: token {tokens}").format(tokens=named)
        if view.physical is not None:
            return show_text(view.physical.remark)
        return self.tr("click a slot for its history") if view.states else ""

    def _fill_card(self, view: SlotsView) -> None:
        card = view.card
        self._right.setCurrentWidget(self.positions if card is None else self.card)
        if card is None:
            return
        place = [show_text(card.place)] if card.place else []
        events = [*map(show_text, card.events), *place]
        self.card.show_slot(show_text(card.title), [*map(show_text, card.holds)], events, card.is_healthy)

    def _on_hovered(self, cell: Cell | None) -> None:
        self.foot.set_read_out("" if cell is None or self._view is None else self._read_out(self._view, cell))

    def _on_clicked(self, layer: int, slot: int) -> None:
        """A second click on the selected slot leaves it."""
        if self._view is None or self._view.states is None:
            return
        if self._view.selected == (layer, slot):
            self.slot_left.emit()
        else:
            self.slot_clicked.emit(layer, slot)

    def _read_out(self, view: SlotsView, cell: Cell) -> str:
        layer, slot = cell
        words = self.tr("layer {layer}, slot {slot}: {what}")
        place = view.physical.place(slot) if view.physical else None
        more = " · " + show_text(place) if place else ""
        if self.shown == "state" and view.states is not None:
            what = self._what(view.states.read_out(layer, slot)) or self.tr("not in the cache")
            return words.format(layer=layer, slot=slot, what=what) + more
        value = float((view.dv if self.shown == "v" else view.dk)[cell])
        what = f"|Δ{self.shown.upper()}| {short(value)}"
        return (
            words.format(layer=layer, slot=slot, what=self.tr("nothing to compare") if value < 0 else what)
            + more
        )

    @staticmethod
    def _what(remarks: tuple[Text, ...]) -> str:
        return " · ".join(map(show_text, remarks))

    def _on_theme_changed(self) -> None:
        unit = self.fontMetrics().height()
        self._row.setContentsMargins(unit * 2 // 3, unit // 2, unit // 2, unit // 3)
        self._row.setSpacing(unit)
        self._left.setSpacing(unit // 5)


def _legend(states: SlotStatesView) -> list[tuple[int, str]]:
    """The states that are there, those that ask for attention first."""
    found = {int(state) for state in set(states.states.flatten().tolist()) if state != NO_SLOT}
    order = [*sorted(found - set(HEALTHY), reverse=True), *(state for state in HEALTHY if state in found)]
    return [(int(State(state)), show_text(state_name(state))) for state in order]
