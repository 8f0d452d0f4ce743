"""The files that may run without being asked about, and how to take that back."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.theme import mono_font
from gui.trust import Trusted

HASH_SHOWN = 12


class TrustedDialog(QDialog):
    """One line a file; removing one means that it asks again."""

    changed = Signal()

    def __init__(self, trusted: Trusted, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trusted = trusted
        self.setWindowTitle(self.tr("Trusted files"))
        self.list = QListWidget()
        self.list.setFont(mono_font())
        self.list.setAccessibleName(self.tr("Trusted files"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.remove_button = QPushButton(self.tr("Remove"))
        self.remove_button.clicked.connect(self._remove)
        self.list.itemSelectionChanged.connect(self._update_buttons)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self._explanation = QLabel()
        self._explanation.setWordWrap(True)
        self._explanation.setProperty("tone", "muted")
        buttons = QHBoxLayout()
        buttons.addWidget(self.remove_button)
        buttons.addStretch(1)
        buttons.addWidget(close)
        unit = self.fontMetrics().height()
        column = QVBoxLayout(self)
        column.setContentsMargins(unit, unit, unit, unit)
        column.setSpacing(unit * 2 // 3)
        column.addWidget(self._explanation)
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        self.resize(unit * 44, unit * 20)
        self._fill()

    def _fill(self) -> None:
        self.list.clear()
        for key in self._trusted.keys:
            digest, _, path = key.partition(" ")
            item = QListWidgetItem(f"{digest[:HASH_SHOWN]}  {path}")
            item.setData(Qt.ItemDataRole.UserRole, key)
            item.setToolTip(key)
            self.list.addItem(item)
        self._explanation.setText(
            self.tr("These target files run without being asked about, as long as they do not change.")
            if self._trusted.keys
            else self.tr("No target file has been allowed to run yet.")
        )
        self._update_buttons()

    def _update_buttons(self) -> None:
        self.remove_button.setEnabled(bool(self.list.selectedItems()))

    def _remove(self) -> None:
        for item in self.list.selectedItems():
            self._trusted.remove(str(item.data(Qt.ItemDataRole.UserRole)))
        self._fill()
        self.changed.emit()
