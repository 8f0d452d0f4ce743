"""Which batch row is looked at: a small segmented control, shown where there is more than one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QToolButton, QWidget

MOST_BUTTONS = 4  # more rows are a list


class RowSelector(QWidget):
    """One button a row; many rows are a drop-down list."""

    row_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._n_rows = 0
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.row_clicked)
        self._list = QComboBox()
        self._list.activated.connect(self.row_clicked)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)
        self._layout.addWidget(self._list)
        self.retranslate()
        self.show_rows(1, 0)

    def show_rows(self, n_rows: int, selected: int) -> None:
        """Offer so many rows; nothing is shown for one."""
        if n_rows != self._n_rows:
            self._n_rows = n_rows
            self._fill()
        self.setVisible(n_rows > 1)
        button = self._group.button(selected)
        if button is not None:
            button.setChecked(True)
        self._list.setCurrentIndex(selected)

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Batch row"))
        self._list.setAccessibleName(self.tr("Batch row"))
        self._fill()

    def _fill(self) -> None:
        chosen = max(0, self._list.currentIndex())
        for button in self._group.buttons():
            self._group.removeButton(button)
            button.hide()
            button.deleteLater()
        self._list.clear()
        names = [self.tr("row {row}").format(row=row) for row in range(self._n_rows)]
        self._list.addItems(names)
        self._list.setVisible(self._n_rows > MOST_BUTTONS)
        for row, name in enumerate(names if self._n_rows <= MOST_BUTTONS else ()):
            self._add(row, name).setChecked(row == chosen)
        self._list.setCurrentIndex(chosen)

    def _add(self, row: int, name: str) -> QToolButton:
        button = QToolButton()
        button.setText(name)
        button.setCheckable(True)
        button.setProperty("density", "mini")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the run
        button.setToolTip(self.tr("Look at this row of the batch (R: the next one)"))
        self._group.addButton(button, row)
        self._layout.addWidget(button)
        return button
