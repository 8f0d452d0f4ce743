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
        self._is_brief = False
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

    def set_possible(self, is_possible: bool) -> None:
        """Faults are planted by wrapping our own models."""
        self._button.setEnabled(is_possible)
        self._menu.menuAction().setEnabled(is_possible)
        self.retranslate()

    def set_brief(self, is_brief: bool) -> None:
        """Only the fault's name where the row is narrow: the red pill and its cross say that it is planted."""
        if is_brief != self._is_brief:
            self._is_brief = is_brief
            self.retranslate()

    def wanted_width(self) -> int:
        remove = 0 if self._remove.isHidden() else self._remove.sizeHint().width()
        return self._button.sizeHint().width() + remove

    def retranslate(self) -> None:
        planted = self.tr("{fault} planted").format(fault=self._fault)
        none = self.tr("Plant a fault")
        if self._is_brief:
            self._button.setText(self._fault or self.tr("Fault"))
        else:
            self._button.setText(planted if self._fault else none)
        self._button.setAccessibleName(planted if self._fault else none)
        can = self.tr("Plant a fault in how the cached lane uses its cache")
        cannot = self.tr("Faults can be planted in the built-in models only")
        self._button.setToolTip(can if self._button.isEnabled() else cannot)
        self._remove.setAccessibleName(self.tr("Take the fault out"))
        self._remove.setToolTip(self.tr("Take the fault out"))
