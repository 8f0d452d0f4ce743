"""A control with its name inside one frame, as in the toolbar."""

from html import escape

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from gui.theme import ui_font


class Field(QFrame):
    """The name in muted letters, then the control, which is also its name for screen readers."""

    def __init__(self, control: QWidget) -> None:
        super().__init__()
        self.setObjectName("field")
        self.control = control
        self._label = QLabel()
        self._label.setBuddy(control)
        self._label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.addWidget(self._label)
        layout.addWidget(control, 1)
        self.fit()
        for watched in (control, *control.findChildren(QLineEdit)):
            watched.installEventFilter(self)

    def fit(self) -> None:
        """Lengths from the font."""
        layout, unit = self.layout(), QFontMetrics(ui_font()).height()
        assert layout is not None
        layout.setContentsMargins(unit * 8 // 15, 0, unit * 4 // 15, 0)
        layout.setSpacing(unit * 5 // 15)
        self.setFixedHeight(unit * 28 // 15)

    def set_name(self, name: str, tip: str = "") -> None:
        self._label.setText(name)
        self.control.setAccessibleName(name)
        self.setToolTip(
            f"<b>{escape(name)}</b>: {escape(tip)}" if tip else escape(name)
        )  # rich text is wrapped

    def set_name_shown(self, is_shown: bool) -> None:
        """Leave the name out where the row is narrow; the tool tip and screen readers keep it."""
        self._label.setVisible(is_shown)

    def wanted_width(self) -> int:
        """The width with or without the name, as it is now; the layout learns of it only later."""
        row = self.layout()
        assert row is not None
        margins = row.contentsMargins()
        name = 0 if self._label.isHidden() else self._label.sizeHint().width() + row.spacing()
        control = self.control.minimumWidth() or self.control.sizeHint().width()
        return margins.left() + margins.right() + name + control + 2

    def set_wrong(self, is_wrong: bool) -> None:
        """Mark what was typed as something that cannot be used."""
        self._set_flag("wrong", is_wrong)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._set_flag("focused", event.type() == QEvent.Type.FocusIn)
        return False

    def _set_flag(self, name: str, value: bool) -> None:
        if bool(self.property(name)) != value:
            self.setProperty(name, value)
            self.style().unpolish(self)
            self.style().polish(self)


class Choice(QComboBox):
    """A list of technical names, as wide as the chosen one; the open list is as wide as the longest."""

    def __init__(self, items: tuple[str, ...]) -> None:
        super().__init__()
        self.addItems(list(items))
        self.currentTextChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.currentText()) + round(metrics.height() * 1.4)
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def showPopup(self) -> None:
        longest = max(
            (self.fontMetrics().horizontalAdvance(self.itemText(i)) for i in range(self.count())), default=0
        )
        self.view().setMinimumWidth(longest + 3 * self.fontMetrics().height())
        super().showPopup()


def show_in_combo(box: QComboBox, value: str) -> None:
    """Select the entry; one that is not in the list (a foreign trace's) is added."""
    index = box.findText(value)
    if index < 0:
        box.addItem(value)
        index = box.count() - 1
    box.setCurrentIndex(index)


def spin(smallest: int, largest: int) -> QSpinBox:
    """Whole numbers; the value counts when typing is over."""
    box = QSpinBox()
    box.setRange(smallest, largest)
    box.setKeyboardTracking(False)
    box.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return box
