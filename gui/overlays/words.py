"""The words of the field in a list."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from gui.glossary import WORDS, meaning_of, name_of
from gui.overlays.overlay import Overlay
from gui.theme import ui_font


class WordList(Overlay):
    """Each term and what it means."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, width_units=64)
        unit = self.fontMetrics().height()
        head = QLabel(self.tr("Words"))
        head.setFont(ui_font(4, bold=True))
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        words = self._make_list()
        self._scroll.setWidget(words)
        for part in (self._scroll.viewport(), words):  # a scroll area paints its own ground
            part.setAutoFillBackground(False)
        self._scroll.setMinimumHeight(unit * 34)
        self._scroll.setAccessibleName(head.text())
        self.column.setContentsMargins(unit * 2, round(unit * 1.5), unit, unit)
        self.column.setSpacing(unit)
        self.column.addWidget(head)
        self.column.addWidget(self._scroll, 1)
        self.setAccessibleName(head.text())

    def start(self) -> None:
        self.open(self._scroll)

    def _make_list(self) -> QWidget:
        host = QWidget()
        host.setAutoFillBackground(False)
        unit = self.fontMetrics().height()
        grid = QGridLayout(host)
        grid.setContentsMargins(0, 0, unit, 0)
        grid.setHorizontalSpacing(unit * 2)
        grid.setVerticalSpacing(unit * 2 // 3)
        for row, word in enumerate(WORDS):
            name, meaning = QLabel(name_of(word)), QLabel(meaning_of(word))
            name.setFont(ui_font(bold=True))
            meaning.setWordWrap(True)
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(meaning, row, 1)
        grid.setColumnStretch(1, 1)
        return host
