"""Panels that can be moved, floated, put behind each other and closed; the layout is remembered."""

import hashlib
from itertools import pairwise

from PySide6.QtCore import QByteArray, QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QFontMetrics
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QTabWidget, QToolButton, QWidget

from gui.icons import set_icon
from gui.theme import theme_events, ui_font
from gui.widgets.guard import guarded
from gui.widgets.panel import PanelFrame, tool_row

LAYOUT_VERSION = 2  # other arrangements of panels cannot be restored
DIGEST_BYTES = 16


class PanelDock(QDockWidget):
    """A panel whose own title row is the handle to move it by; its menu is at the right end of that row."""

    menu_asked = Signal(str, object)  # name, the QMenu to fill
    closed = Signal()

    def __init__(self, name: str, panel: PanelFrame) -> None:
        super().__init__()
        self.setObjectName(name)
        self.panel = panel
        self.setWidget(panel)
        self.setTitleBarWidget(panel.give_title_row())
        self._more = QToolButton()
        self._more.clicked.connect(self._show_menu)
        set_icon(self._more, "more", "muted")
        panel.set_title_menu(tool_row(self._more))
        self._more.setObjectName("panelMenu")
        self._fit()
        theme_events().changed.connect(self._fit)

    def make_menu(self) -> QMenu:
        """What can be done with the panel."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        self.menu_asked.emit(self.objectName(), menu)
        if not menu.isEmpty():
            menu.addSeparator()
        text = self.tr("Put back") if self.isFloating() else self.tr("Float")
        menu.addAction(text).triggered.connect(lambda: self.setFloating(not self.isFloating()))
        menu.addAction(self.tr("Close")).triggered.connect(self.close)
        return menu

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def retranslate(self) -> None:
        """The panel has its words already."""
        name = self.panel.accessibleName()
        self.setWindowTitle(name)
        self.setAccessibleName(name)
        words = self.tr("{panel}: copy, save, float, close").format(panel=name)
        self._more.setToolTip(words)
        self._more.setAccessibleName(words)

    def _fit(self) -> None:
        side = QFontMetrics(ui_font()).height() * 20 // 15
        self._more.setFixedSize(side * 4 // 5, side)

    def _show_menu(self) -> None:
        self.make_menu().popup(self._more.mapToGlobal(QPoint(0, self._more.height() + 2)))


class DockArea(QMainWindow):
    """Holds the docks; there is nothing between them but a gap."""

    seen = Signal()  # a panel has come into sight, and has not been kept up to date while it was not

    def __init__(self) -> None:
        super().__init__(None, Qt.WindowType.Widget)
        self.setObjectName("dockArea")
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.docks: dict[str, PanelDock] = {}

    def add(self, name: str, panel: PanelFrame) -> PanelDock:
        """Make a dock of a panel; `arrange` gives it its place."""
        dock = PanelDock(name, panel)
        dock.visibilityChanged.connect(lambda is_visible: self.seen.emit() if is_visible else None)
        self.docks[name] = dock
        return dock

    def arrange(self, rows: tuple[tuple[str, ...], ...]) -> None:
        """Rows of docks, all of them docked and visible."""
        for dock in self.docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        area = Qt.DockWidgetArea.TopDockWidgetArea
        heads = [self.docks[row[0]] for row in rows]
        self.addDockWidget(area, heads[0])
        for above, below in pairwise(heads):
            self.splitDockWidget(above, below, Qt.Orientation.Vertical)
        for row in rows:
            for left, right in pairwise(row):
                self.splitDockWidget(self.docks[left], self.docks[right], Qt.Orientation.Horizontal)
        for dock in self.docks.values():
            dock.show()

    def put_behind(self, name: str, other: str) -> None:
        """One place for both, with tabs; nothing changes where either is floating, or both are together already."""
        dock, place = self.docks[name], self.docks[other]
        has_place = self.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea
        is_apart = dock not in self.tabifiedDockWidgets(place)
        if is_apart and not place.isFloating() and not (has_place and dock.isFloating()):
            self.tabifyDockWidget(place, dock)

    def share(self, names: tuple[str, ...], shares: tuple[int, ...], orientation: Qt.Orientation) -> None:
        """Divide the room of the area between docks that lie side by side."""
        is_wide = orientation == Qt.Orientation.Horizontal
        room = self.width() if is_wide else self.height()
        sizes = [max(1, round(room * share / sum(shares))) for share in shares]
        self.resizeDocks([self.docks[name] for name in names], sizes, orientation)

    def layout_bytes(self) -> QByteArray:
        """The arrangement, with a digest: Qt trusts such bytes."""
        state = self.saveState(LAYOUT_VERSION)
        return QByteArray(_digest(state) + state.data())

    def restore_layout(self, saved: QByteArray) -> bool:
        """Whether the bytes are an arrangement of these panels; if not, nothing changes."""
        digest, state = saved.data()[:DIGEST_BYTES], QByteArray(saved.data()[DIGEST_BYTES:])
        return digest == _digest(state) and bool(self.restoreState(state, LAYOUT_VERSION))

    def createPopupMenu(self) -> QMenu:
        """For a right click on a title row: which panels there are."""
        menu = QMenu(self)
        for dock in self.docks.values():
            menu.addAction(dock.toggleViewAction())
        return menu


def _digest(state: QByteArray) -> bytes:
    return hashlib.sha256(state.data()).digest()[:DIGEST_BYTES]


def dock_of(panel: QWidget) -> PanelDock:
    """The dock that a panel lies in."""
    widget: QWidget | None = panel
    while widget is not None and not isinstance(widget, PanelDock):
        widget = widget.parentWidget()
    assert widget is not None
    return widget
