"""A cause: the sentence first, its place, what to look at; the proof and what can be done at the right."""

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.views.causes import CauseView
from core.views.findings import FindingView
from gui.i18n import show_text
from gui.markup import marked
from gui.widgets.proof_bars import ProofBars


class CauseCard(QWidget):
    """One cause. `number` of `count` counts those of the step; the evidence shows when it is expanded."""

    place_clicked = Signal()
    applied = Signal(bool)  # the repair stands, or is taken back
    expanded = Signal(bool)

    def __init__(
        self,
        finding: FindingView,
        cause: CauseView,
        number: int = 1,
        count: int = 1,
        is_applied: bool = False,
        is_expanded: bool = False,
    ) -> None:
        super().__init__()
        self._finding, self._cause = finding, cause
        self.place = self._make_place()
        self.bars = None if cause.is_inferred else ProofBars(cause)
        self.apply_button = self._make_apply(is_applied) if cause.remains is not None else None
        self.details = self._make_details(is_expanded) if number == 1 else None
        self.remains = (
            self._wrapped(f"→ {show_text(cause.remains)}") if is_applied and cause.remains else None
        )
        unit = self.fontMetrics().height()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(round(unit * 1.2))
        row.addLayout(self._words(number, count, is_expanded), 1)
        row.addLayout(self._proof(), 0)
        row.addLayout(self._buttons(), 0)
        self.setAccessibleName(show_text(finding.headline))

    def _words(self, number: int, count: int, is_expanded: bool) -> QVBoxLayout:
        cause, unit = self._cause, self.fontMetrics().height()
        column = QVBoxLayout()
        column.setSpacing(unit // 6)
        column.addWidget(self._make_headline())
        column.addLayout(self._place_row(number, count))
        if cause.suggestion is not None:
            column.addWidget(self._wrapped(show_text(cause.suggestion), "muted"))
        if is_expanded:
            column.addSpacing(unit // 4)
            column.addLayout(self._evidence(is_first=number == 1))
        if self.remains is not None:
            column.addSpacing(unit // 4)
            column.addWidget(self.remains)
        column.addStretch(1)
        return column

    def _make_headline(self) -> QLabel:
        sentence = show_text(self._finding.headline)
        label = self._wrapped(f"<b>{escape(sentence)}</b>&ensp;{marked(self._cause.id)}")
        label.setTextFormat(Qt.TextFormat.RichText)
        return label

    def _place_row(self, number: int, count: int) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self.fontMetrics().height() // 2)
        row.addWidget(self.place, 0, Qt.AlignmentFlag.AlignTop)
        remarks = []
        if count > 1:
            remarks.append(self.tr("cause {number} of {count}").format(number=number, count=count))
        if self._cause.also:
            text = self.tr("the repair fits {causes} as well")
            remarks.append(text.format(causes=", ".join(self._cause.also)))
        row.addWidget(self._wrapped(" · ".join(remarks), "muted"), 1)
        return row

    def _evidence(self, is_first: bool) -> QGridLayout:
        """The figures of the step first, once for all its causes, then what the cause is told by."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.fontMetrics().height() // 2)
        grid.setVerticalSpacing(self.fontMetrics().height() // 6)
        grid.setColumnStretch(1, 1)
        told_by = (self._finding.detail, *self._cause.evidence) if is_first else self._cause.evidence
        for line, text in enumerate(told_by):
            bullet = QLabel("•")
            bullet.setProperty("tone", "muted")
            grid.addWidget(bullet, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._wrapped(show_text(text)), line, 1)
        return grid

    def _proof(self) -> QVBoxLayout:
        """As wide in every card, so that bars stand below bars."""
        column = QVBoxLayout()
        column.addStrut(ProofBars.width_for(self.fontMetrics().height()))
        widget = self.bars or self._make_tag(self.tr("inferred"))
        column.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return column

    def _buttons(self) -> QVBoxLayout:
        """As wide as the longest text that a button here can have."""
        column = QVBoxLayout()
        texts = (self.tr("Apply and go on"), self.tr("Take back"), self.tr("Evidence"), self.tr("Less"))
        widest = max(self.fontMetrics().horizontalAdvance(text) for text in texts)
        column.addStrut(widest + round(self.fontMetrics().height() * 1.2))
        column.setSpacing(self.fontMetrics().height() // 3)
        for button in (self.apply_button, self.details):
            if button is not None:
                column.addWidget(button)
        column.addStretch(1)
        return column

    def _make_place(self) -> QPushButton:
        button = QPushButton()  # a tool button centres its text in a wider box
        button.setProperty("kind", "link")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setText(self.tr(", ").join(show_text(part) for part in self._cause.place))
        button.setToolTip(self.tr("Go to this place"))
        button.clicked.connect(self.place_clicked)
        return button

    def _make_apply(self, is_applied: bool) -> QToolButton:
        button = self._button(self.tr("Take back") if is_applied else self.tr("Apply and go on"))
        button.setToolTip(
            self.tr("Let this repair stand, and see what remains of the difference and what causes it")
        )
        button.clicked.connect(lambda: self.applied.emit(not is_applied))
        return button

    def _make_details(self, is_expanded: bool) -> QToolButton:
        button = self._button(self.tr("Less") if is_expanded else self.tr("Evidence"))
        button.setToolTip(self.tr("What the cause is told by"))
        button.clicked.connect(lambda: self.expanded.emit(not is_expanded))
        return button

    def _button(self, text: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setProperty("density", "mini")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        return button

    def _make_tag(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setProperty("kind", "tag")
        label.setToolTip(
            self.tr("Told by its signature alone: no repair was possible here, so it is not proven.")
        )
        return label

    def _wrapped(self, text: str, tone: str = "") -> QLabel:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if tone:
            label.setProperty("tone", tone)
        return label
