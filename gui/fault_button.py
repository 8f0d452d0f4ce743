"""Planting a fault: one menu, shown by the menu bar and by a button that turns into a red pill."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from core.catalog import FAULTS
from gui.i18n import show_text
from gui.icons import set_icon


class FaultMenu(QMenu):
    """No fault, or one of the catalogue."""

    chosen = Signal(str)  # a fault's id; empty = none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self._none = self._add("")
        self.addSeparator()
        self._faults = {fault.id: self._add(fault.id) for fault in FAULTS}
        self.retranslate()

    def show_fault(self, fault_id: str) -> None:
        self._faults.get(fault_id, self._none).setChecked(True)

    def retranslate(self) -> None:
        self._none.setText(self.tr("No fault"))
        for fault in FAULTS:
            action = self._faults[fault.id]
            action.setText(f"{fault.id}   {show_text(fault.title)}".replace("&", "&&"))
            action.setToolTip(show_text(fault.how))

    def _add(self, fault_id: str) -> QAction:
        action = self.addAction("")
        action.setCheckable(True)
        action.setObjectName(f"fault-{fault_id or 'none'}")
        self._group.addAction(action)
        action.triggered.connect(lambda: self.chosen.emit(fault_id))
        return action


class FaultButton(QWidget):
    """Shows what is planted; a click opens the menu, the cross at its right takes the fault out."""

    def __init__(self, menu: FaultMenu) -> None:
        super().__init__()
        self._menu = menu
        self._fault = ""
        self._button = QToolButton()
        self._button.setMenu(menu)
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._remove = QToolButton()
        self._remove.setObjectName("unplant")
        self._remove.setProperty("kind", "danger")
        self._remove.clicked.connect(lambda: menu.chosen.emit(""))
        set_icon(self._remove, "close", "bad")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._button)
        layout.addWidget(self._remove)
        self.show_faults(())

    def show_faults(self, faults: tuple[str, ...]) -> None:
        self._fault = ", ".join(faults)
        self._menu.show_fault(faults[0] if faults else "")
        is_planted = bool(faults)
        self._button.setObjectName("planted" if is_planted else "")
        self._button.setProperty("kind", "danger" if is_planted else "")
        self._remove.setVisible(is_planted)
        self._button.style().unpolish(self._button)
        self._button.style().polish(self._button)
        self.retranslate()

    def retranslate(self) -> None:
        if self._fault:
            self._button.setText(self.tr("{fault} planted").format(fault=self._fault))
        else:
            self._button.setText(self.tr("Plant a fault"))
        self._button.setAccessibleName(self._button.text())
        self._button.setToolTip(self.tr("Plant a fault in how the cached lane uses its cache"))
        self._remove.setAccessibleName(self.tr("Take the fault out"))
        self._remove.setToolTip(self.tr("Take the fault out"))
