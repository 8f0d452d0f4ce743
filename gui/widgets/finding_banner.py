"""The verdict in words: what is wrong, why, and where to look; or that all is well."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.views.findings import FindingView, VerdictView
from gui.i18n import show_text
from gui.icons import paint_icon
from gui.theme import current_theme, theme_events, ui_font
from gui.widgets.cause_card import CauseCard
from gui.widgets.guard import guarded
from gui.widgets.painted import PaintedWidget, hairline

MOST_LINES, MOST_EXPANDED = 7.2, 22  # of findings; more scrolls
MOST_SHARE = 0.4  # of the window

ICONS = {"divergent": ("cross", "bad"), "equivalent": ("check", "good"), "running": ("play", "accent")}


class FindingBanner(QFrame):
    """A card of its own: a sign at the left, one entry for each finding; a click leads to its place.

    Of several causes of a step the next one shows when the repair of the one before it stands.
    """

    finding_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._view: VerdictView | None = None
        self._n_applied = 0
        self._is_expanded = False
        self._sign = _Sign()
        self._list = QWidget()
        self._list_layout = QVBoxLayout(self._list)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._list)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setMinimumHeight(1)  # its own hint is taller than two lines
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self._list.setAutoFillBackground(False)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self._scroll, 1)
        theme_events().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.retranslate()

    def set_view(self, view: VerdictView) -> None:
        """Show the verdict and its findings."""
        if view != self._view:
            self._n_applied = 0
        self._view = view
        self._sign.set_state(view.state)
        self.setAccessibleDescription(show_text(view.status))
        self._fill()

    @property
    def cards(self) -> list[CauseCard]:
        """The causes that are shown, the first one first."""
        items = [self._list_layout.itemAt(index) for index in range(self._list_layout.count())]
        return [card for item in items if item and isinstance(card := item.widget(), CauseCard)]

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Findings"))
        self._scroll.setAccessibleName(self.accessibleName())
        if self._view is not None:
            self.set_view(self._view)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            # not now: the layout answers this same event with the old height after us
            QTimer.singleShot(0, self, self._fit_height)

    def _fill(self) -> None:
        view = self._view
        if view is None:
            return
        self._clear()
        count = sum(finding.cause is not None for finding in view.findings)
        number, is_next = 0, True
        for index, finding in enumerate(view.findings):
            if finding.cause is None:
                self._add(index, finding)
                continue
            number += 1
            if is_next:
                self._add_cause(index, finding, number, count)
            stands = number <= self._n_applied
            is_next &= stands or (finding.cause.remains is None and self._is_expanded)  # nothing to apply
        if not view.findings:
            self._add(-1, FindingView(view.status, type(view.status)("")))
        self._fit_height()

    def _add_cause(self, index: int, finding: FindingView, number: int, count: int) -> None:
        assert finding.cause is not None
        card = CauseCard(finding, finding.cause, number, count, number <= self._n_applied, self._is_expanded)
        card.place_clicked.connect(lambda: self.finding_clicked.emit(index))
        card.applied.connect(lambda stands: self._apply(number if stands else number - 1))
        card.expanded.connect(self._expand)
        self._list_layout.addWidget(card)
        card.show()

    def _apply(self, n_applied: int) -> None:
        """After the click has been dealt with: the button that was clicked goes."""
        self._n_applied = n_applied
        QTimer.singleShot(0, self, lambda: self._refill(lambda: self.cards[-1].place))

    def _expand(self, is_expanded: bool) -> None:
        self._is_expanded = is_expanded
        QTimer.singleShot(0, self, lambda: self._refill(lambda: self.cards[0].details))

    def _refill(self, next_focus: Callable[[], QWidget | None]) -> None:
        """The keyboard stays here, and sees what is new."""
        focused = self.window().focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self._fill()
        widget = next_focus() if self.cards else None
        if widget is not None:
            QTimer.singleShot(0, widget, lambda: self._scroll.ensureWidgetVisible(widget))
            if had_focus:
                widget.setFocus()

    def _add(self, index: int, finding: FindingView) -> None:
        entry = _Entry(finding, is_link=finding.step is not None)
        entry.clicked.connect(lambda: self.finding_clicked.emit(index))
        self._list_layout.addWidget(entry)
        entry.show()  # a widget that is not shown yet has no height in the layout

    def _clear(self) -> None:
        while (item := self._list_layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _on_theme_changed(self) -> None:
        unit = self.fontMetrics().height()
        self._row.setContentsMargins(unit * 4 // 5, unit * 3 // 5, unit * 4 // 5, unit * 3 // 5)
        self._row.setSpacing(unit)
        self._list_layout.setContentsMargins(0, 0, 0, 0)
        self._list_layout.setSpacing(round(unit * 0.8))
        self._sign.fit()
        if self._view is not None:
            self.set_view(self._view)

    def _fit_height(self) -> None:
        """As high as the text needs, up to a few lines of findings, more when expanded; the rest scrolls."""
        unit = self.fontMetrics().height()
        margins = self._row.contentsMargins() + self.contentsMargins()  # the second: the border of the card
        width = max(
            1, self.width() - margins.left() - margins.right() - self._sign.width() - self._row.spacing()
        )
        wanted = self._list_layout.heightForWidth(width) if self._list_layout.hasHeightForWidth() else 0
        wanted = max(wanted, self._list.minimumSizeHint().height() if wanted <= 0 else 0, self._sign.height())
        border = self.height() - self.contentsRect().height()
        is_long = self._is_expanded or self._n_applied > 0
        most = min(unit * MOST_EXPANDED, self.window().height() * MOST_SHARE) if is_long else 0
        room = self._whole_entries(width, round(max(unit * MOST_LINES, most)))
        height = min(wanted, room) + margins.top() + margins.bottom() + border
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)

    def _whole_entries(self, width: int, most: int) -> int:
        """The height of as many entries as fit: none is cut in the middle of a line, unless the first is too long."""
        room, bottom = most, 0
        for index in range(self._list_layout.count()):
            item = self._list_layout.itemAt(index)
            assert item is not None
            high = item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
            bottom += high + (self._list_layout.spacing() if index else 0)
            if bottom > most:
                return room if index else most
            room = bottom
        return most


class _Entry(QWidget):
    """One finding; a link is a button for keyboard and reader as well."""

    clicked = Signal()

    def __init__(self, finding: FindingView, is_link: bool) -> None:
        super().__init__()
        self._is_link = is_link
        headline, detail = QLabel(show_text(finding.headline)), QLabel(show_text(finding.detail))
        headline.setFont(ui_font(bold=True))
        detail.setProperty("tone", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.fontMetrics().height() // 6)
        for label in (headline, detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            layout.addWidget(label)
        detail.setVisible(bool(detail.text()))
        self.setAccessibleName(headline.text())
        self.setAccessibleDescription(detail.text())
        if is_link:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._is_link and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_link and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        else:
            event.ignore()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            y = self.height() - 1.0
            hairline(painter, current_theme().accent, QPointF(0, y), QPointF(self.width(), y), dashed=True)
            painter.end()


class _Sign(PaintedWidget):
    """A round sign: red cross, green check, or a quiet dot."""

    def __init__(self) -> None:
        super().__init__()
        self._state = "nothing"
        self.fit()

    def fit(self) -> None:
        """A little less than two lines of text."""
        side = round(self.unit * 1.75)
        self.setFixedSize(QSize(side, side))

    def set_state(self, state: str) -> None:
        self._state = state
        self.update()

    def paint(self, painter: QPainter) -> None:
        theme = current_theme()
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._state not in ICONS:
            dot = self.unit * 0.4
            painter.setPen(QPen(theme.line, 1))
            painter.setBrush(theme.chip)
            painter.drawEllipse(rect)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.muted)
            painter.drawEllipse(rect.center(), dot / 2, dot / 2)
            return
        name, tone = ICONS[self._state]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(getattr(theme, tone))
        painter.drawEllipse(rect)
        inset = rect.width() * 0.26
        ink = theme.on_bad if tone == "bad" else theme.panel
        paint_icon(painter, name, rect.adjusted(inset, inset, -inset, -inset), ink)
