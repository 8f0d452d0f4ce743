"""The panels in their places: docks in three rows to begin with, and the findings at the foot."""

from concurrent.futures import Future

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from core.trace.reader import Trace
from core.views.findings import VerdictView
from core.views.selection import Selection
from gui.background import Background, Show
from gui.dock_area import DockArea
from gui.panels.attention import AttentionPanel
from gui.panels.base import Panel, Select
from gui.panels.findings import FindingsPanel
from gui.panels.kv import KvPanel
from gui.panels.layers import LayersPanel
from gui.panels.logits import LogitsPanel
from gui.panels.profile import ProfilePanel
from gui.panels.scenarios import ScenariosPanel
from gui.panels.slots import SlotsPanel
from gui.panels.timeline import TimelinePanel
from gui.theme import theme_events, ui_font
from gui.widgets.panel import PanelFrame

ROWS = (("timeline", "scenarios"), ("layers", "attention", "logits"), ("kv", "slots"))
HIDDEN = ("scenarios", "profile")  # until they are asked for
# shares of the sketch at 1500 x 950
HEIGHTS = (154, 362, 168)
WIDTHS = {"scenarios": (700, 782), "layers": (206, 1016, 254), "kv": (922, 560)}


class PanelArea(QWidget):
    """Places the panels; which data they show is none of its business."""

    tolerance_dragged = Signal(float)
    tolerance_changed = Signal(float)
    seen = Signal()
    menu_asked = Signal(str, object)  # a panel's name, the QMenu to fill

    def __init__(self, select: Select) -> None:
        super().__init__()
        self.background = Background()
        self.timeline = TimelinePanel(select)
        self.layers = LayersPanel(select)
        self.attention = AttentionPanel(select)
        self.logits = LogitsPanel(select)
        self.kv = KvPanel(select, self.background)
        self.slots = SlotsPanel(select, self.background)
        self.findings = FindingsPanel(select)
        self.scenarios = ScenariosPanel()
        self.profile = ProfilePanel()
        self.timeline.tolerance_dragged.connect(self.tolerance_dragged)
        self.timeline.tolerance_changed.connect(self.tolerance_changed)
        self.area = DockArea()
        self.area.seen.connect(self.seen)
        self._is_default = True  # until something is moved or restored: such a layout keeps its shares
        self._make_docks()
        self._layout = QVBoxLayout(self)
        self._layout.addWidget(self.area, 1)
        self._layout.addWidget(self.findings)
        theme_events().changed.connect(self._fit)
        self._fit()
        self.reset_layout()
        self.area.installEventFilter(self)

    @property
    def panels(self) -> tuple[Panel, ...]:
        return (self.timeline, self.layers, self.attention, self.logits, self.kv, self.slots)

    def show_panel(self, panel: Panel, trace: Trace | None, selection: Selection, tolerance: float) -> None:
        """One panel shows the selection, if it can be seen."""
        if not panel.is_out_of_sight:
            panel.show_run(trace, selection, tolerance)

    def stop(self) -> None:
        """Nothing more is worked out: the window closes."""
        self.kv.late_check.stop()
        self.background.stop()

    def set_starting(self, is_starting: bool, can_record: bool) -> None:
        for panel in self.panels:
            panel.set_starting(is_starting, can_record)

    def begin_slots(
        self, trace: Trace | None, selection: Selection, tolerance: float
    ) -> "Future[Show] | None":
        """Look at every cached row beside the window's thread; None where there is nothing to look at, or no other way."""
        if trace is None or len(trace) == 0 or self.slots.is_out_of_sight:
            return None
        return self.slots.begin(trace, selection)

    def show_verdict(self, view: VerdictView) -> None:
        self.findings.show_verdict(view)

    def fill_menu(self, menu: QMenu) -> None:
        """One switch a panel."""
        menu.clear()
        for dock in self.area.docks.values():
            menu.addAction(dock.toggleViewAction())
        findings = menu.addAction(self.findings.accessibleName())
        findings.setCheckable(True)
        findings.setChecked(not self.findings.isHidden())
        findings.toggled.connect(self.findings.setVisible)

    def reset_layout(self) -> None:
        """All panels in their first places."""
        self.area.arrange(ROWS)
        self.area.put_behind("profile", "attention")
        for name in HIDDEN:
            self.area.docks[name].hide()
        self.findings.show()
        self._is_default = True
        self._share()
        QTimer.singleShot(0, self, self._share_if_default)  # once the docks have their places

    def show_behind(self, name: str, other: str) -> None:
        """A panel that is hidden at first, in the place of another one, with tabs for both."""
        dock = self.area.docks[name]
        if dock.isHidden():
            self.area.put_behind(name, other)
            dock.show()
        dock.raise_()

    def show_scenarios(self) -> None:
        """The table beside the timeline; the row becomes high enough for most of it."""
        dock = self.area.docks["scenarios"]
        if dock.isHidden():
            dock.show()
            self.area.share(ROWS[0], WIDTHS["scenarios"], Qt.Orientation.Horizontal)
        dock.raise_()
        self._is_default = False
        unit, room = self.fontMetrics().height(), self.area.height()
        wanted = min(unit * 20, room - round(unit * 26))  # the maps stay readable in a small window
        if dock.height() < wanted and not dock.isFloating():
            rest = room - wanted
            sizes = [
                wanted,
                rest * HEIGHTS[1] // (HEIGHTS[1] + HEIGHTS[2]),
                rest * HEIGHTS[2] // (HEIGHTS[1] + HEIGHTS[2]),
            ]
            self.area.resizeDocks([self.area.docks[row[0]] for row in ROWS], sizes, Qt.Orientation.Vertical)

    def layout_bytes(self) -> QByteArray:
        """The arrangement of now; nothing while it is the first one."""
        return QByteArray() if self._is_default else self.area.layout_bytes()

    def restore_layout(self, saved: QByteArray) -> None:
        """The arrangement of an earlier session; that of another version is left alone."""
        if self.area.restore_layout(saved):
            self._is_default = False

    def retranslate(self) -> None:
        for panel in self.panels:
            panel.retranslate()
        self.findings.retranslate()
        self.scenarios.retranslate()
        self.profile.retranslate()
        for dock in self.area.docks.values():
            dock.retranslate()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Rows and columns keep their shares until the user has moved one."""
        if event.type() == QEvent.Type.Resize and self._is_default:
            QTimer.singleShot(0, self, self._share_if_default)
        elif event.type() == QEvent.Type.MouseButtonPress:  # on a gap
            self._is_default = False
        return False

    def _make_docks(self) -> None:
        panels: dict[str, PanelFrame] = {
            "timeline": self.timeline, "scenarios": self.scenarios, "layers": self.layers,
            "attention": self.attention, "logits": self.logits, "kv": self.kv, "slots": self.slots,
            "profile": self.profile,
        }  # fmt: skip
        for name, panel in panels.items():
            dock = self.area.add(name, panel)
            dock.menu_asked.connect(self.menu_asked)
            dock.topLevelChanged.connect(self._on_moved)
            dock.toggleViewAction().triggered.connect(self._on_moved)
            dock.closed.connect(self._on_moved)
        self.scenarios.closed.connect(self.area.docks["scenarios"].close)

    def _on_moved(self) -> None:
        self._is_default = False

    def _share_if_default(self) -> None:
        if self._is_default:
            self._share()

    def _share(self) -> None:
        self.area.share(tuple(row[0] for row in ROWS), HEIGHTS, Qt.Orientation.Vertical)
        for row in ROWS[1:]:
            self.area.share(row, WIDTHS[row[0]], Qt.Orientation.Horizontal)

    def _fit(self) -> None:
        line = QFontMetrics(ui_font()).height()
        gap = max(4, line * 6 // 15)
        self._layout.setContentsMargins(gap, gap, gap, gap)
        self._layout.setSpacing(gap)
        self.timeline.setMinimumHeight(round(line * 5.2))
        self.kv.setMinimumHeight(round(line * 7.8))  # four layers without scrolling
