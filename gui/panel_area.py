"""The panels in their places: three rows that can be resized, and the findings at the foot."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QSplitter, QVBoxLayout, QWidget

from core.trace.reader import Trace
from core.views.findings import VerdictView
from core.views.selection import Selection
from gui.panels.attention import AttentionPanel
from gui.panels.base import Panel, Select
from gui.panels.findings import FindingsPanel
from gui.panels.kv import KvPanel
from gui.panels.layers import LayersPanel
from gui.panels.logits import LogitsPanel
from gui.panels.scenarios import ScenariosPanel
from gui.panels.slots import SlotsPanel
from gui.panels.timeline import TimelinePanel

# shares of the sketch at 1500 x 950
ROWS = (154, 362, 168)
MIDDLE = (206, 1016, 254)
BOTTOM = (922, 560)
TOP = (700, 782)


class PanelArea(QWidget):
    """Places the panels; which data they show is none of its business."""

    tolerance_dragged = Signal(float)
    tolerance_changed = Signal(float)

    def __init__(self, select: Select) -> None:
        super().__init__()
        self.timeline = TimelinePanel(select)
        self.layers = LayersPanel(select)
        self.attention = AttentionPanel(select)
        self.logits = LogitsPanel(select)
        self.kv = KvPanel(select)
        self.slots = SlotsPanel(select)
        self.findings = FindingsPanel(select)
        self.scenarios = ScenariosPanel()
        self.scenarios.closed.connect(self.scenarios.hide)
        self.timeline.tolerance_dragged.connect(self.tolerance_dragged)
        self.timeline.tolerance_changed.connect(self.tolerance_changed)
        line = self.fontMetrics().height()
        self.timeline.setMinimumHeight(line * 7)
        self.kv.setMinimumHeight(round(line * 9.6))  # four layers without scrolling
        self._splitters = self._make_splitters()
        self._place()
        self.reset_layout()

    @property
    def panels(self) -> tuple[Panel, ...]:
        return (self.timeline, self.layers, self.attention, self.logits, self.kv, self.slots)

    def show_panel(self, panel: Panel, trace: Trace | None, selection: Selection, tolerance: float) -> None:
        """One panel shows the selection, if it can be seen."""
        if not panel.isHidden():
            panel.show_run(trace, selection, tolerance)

    def set_starting(self, is_starting: bool) -> None:
        for panel in self.panels:
            panel.set_starting(is_starting)

    def show_verdict(self, view: VerdictView) -> None:
        self.findings.show_verdict(view)

    def fill_menu(self, menu: QMenu) -> None:
        """One switch a panel."""
        menu.clear()
        for panel in self.panels:
            action = menu.addAction(panel.accessibleName())
            action.setCheckable(True)
            action.setChecked(not panel.isHidden())
            action.toggled.connect(panel.setVisible)

    def reset_layout(self) -> None:
        for panel in self.panels:
            panel.show()
        self.scenarios.hide()
        for name, sizes in (("rows", ROWS), ("top", TOP), ("middle", MIDDLE), ("bottom", BOTTOM)):
            self._splitters[name].setSizes(list(sizes))

    def show_scenarios(self) -> None:
        """The table beside the timeline; the row becomes high enough for most of it."""
        self.scenarios.show()
        if (
            self._splitters["top"].sizes()[1] < self.width() // 4
        ):  # it was hidden when its size was remembered
            self._splitters["top"].setSizes(list(TOP))
        top, middle, bottom = self._splitters["rows"].sizes()
        unit = self.fontMetrics().height()
        wanted = min(unit * 20, top + middle - unit * 16)  # the maps stay readable in a small window
        if top < wanted:
            self._splitters["rows"].setSizes([wanted, max(1, middle - wanted + top), bottom])

    def sizes(self) -> dict[str, list[int]]:
        return {name: splitter.sizes() for name, splitter in self._splitters.items()}

    def set_sizes(self, sizes: dict[str, list[int]]) -> None:
        """Sizes of an earlier session; those of another layout are left alone."""
        for name, splitter in self._splitters.items():
            wanted = sizes.get(name, [])
            if len(wanted) == splitter.count() and sum(wanted) > 0:
                splitter.setSizes(wanted)

    def retranslate(self) -> None:
        for panel in self.panels:
            panel.retranslate()
        self.findings.retranslate()
        self.scenarios.retranslate()

    def _make_splitters(self) -> dict[str, QSplitter]:
        gap = max(4, self.fontMetrics().height() * 6 // 15)
        made = {}
        for name, orientation in (
            ("rows", Qt.Orientation.Vertical),
            ("top", Qt.Orientation.Horizontal),
            ("middle", Qt.Orientation.Horizontal),
            ("bottom", Qt.Orientation.Horizontal),
        ):
            splitter = QSplitter(orientation)
            splitter.setObjectName(name)
            splitter.setHandleWidth(gap)
            splitter.setChildrenCollapsible(False)
            made[name] = splitter
        return made

    def _place(self) -> None:
        rows, top, middle, bottom = (self._splitters[name] for name in ("rows", "top", "middle", "bottom"))
        contents: tuple[tuple[QSplitter, tuple[QWidget, ...], tuple[int, ...]], ...] = (
            (middle, (self.layers, self.attention, self.logits), MIDDLE),
            (bottom, (self.kv, self.slots), BOTTOM),
            (top, (self.timeline, self.scenarios), TOP),
            (rows, (top, middle, bottom), ROWS),
        )
        for splitter, widgets, shares in contents:
            for i, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
                splitter.addWidget(widget)
                splitter.setStretchFactor(i, share)
        gap = rows.handleWidth()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(gap, gap, gap, gap)
        layout.setSpacing(gap)
        layout.addWidget(rows, 1)
        layout.addWidget(self.findings)
