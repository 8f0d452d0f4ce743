"""The button that opens the menu of faults, and turns into a red pill where one is planted."""

from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.catalog import FAULT_IDS, fault_info
from core.engine.messages import RunSpec
from gui.fault_menu import FaultMenu
from gui.i18n import show_text
from gui.icons import set_icon


class FaultButton(QWidget):
    """Shows what is planted; a click opens the menu, the cross at its right takes the fault out."""

    def __init__(self, menu: FaultMenu) -> None:
        super().__init__()
        self._menu = menu
        self._faults: tuple[str, ...] = ()
        self._is_brief = False
        self._button = QToolButton()
        self._button.setMenu(menu)
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._remove = QToolButton()
        self._remove.setObjectName("unplant")
        self._remove.setProperty("kind", "danger")
        self._remove.clicked.connect(lambda: menu.chosen.emit(()))
        set_icon(self._remove, "close", "bad")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._button)
        layout.addWidget(self._remove)
        self.show_spec(RunSpec())

    def show_spec(self, spec: RunSpec) -> None:
        """Show what a run has planted."""
        self._faults = spec.faults
        self._menu.show_spec(spec)
        is_planted = bool(spec.faults)
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
        text = self._text()
        self._button.setText(text)
        self._button.setAccessibleName(text)
        self._button.setToolTip(self._tip())
        self._remove.setAccessibleName(self._remove_text())
        self._remove.setToolTip(self._remove_text())

    def _text(self) -> str:
        if not self._faults:
            return self.tr("Fault") if self._is_brief else self.tr("Plant a fault")
        first, n_more = self._faults[0], len(self._faults) - 1
        name = f"{first} +{n_more}" if n_more else first
        return name if self._is_brief else self.tr("{fault} planted").format(fault=name)

    def _tip(self) -> str:
        if not self._button.isEnabled():
            return self.tr("Faults can be planted in the built-in models only")
        if not self._faults:
            return self.tr("Plant a fault in how the cached lane uses its cache")
        known = [fault for fault in self._faults if fault in FAULT_IDS]
        return "\n".join(f"{fault}: {show_text(fault_info(fault).title)}" for fault in known)

    def _remove_text(self) -> str:
        return self.tr("Take the fault out") if len(self._faults) < 2 else self.tr("Take all faults out")
