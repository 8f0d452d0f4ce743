"""A bar under the toolbar for what the user should know: it never takes the focus and never stops the work."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton

from gui.icons import pixmap, set_icon
from gui.theme import current_theme, theme_events, ui_font

Way = tuple[str, Callable[[], object]]  # words of a button, and what it does
LINGER_MS = 8000  # a remark goes by itself, an error stays


class NoticeBar(QFrame):
    """One sentence, a button for details or for what can be done about it, and a close button."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self._is_error = False
        self._details = ""
        self._ways: tuple[Way, ...] = ()
        self._icon = QLabel()
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self.action_button, self.second_button = self._buttons = QPushButton(), QPushButton()
        for place, button in enumerate(self._buttons):
            button.clicked.connect(lambda _checked=False, place=place: self._on_button(place))
        self._close = QToolButton()
        self._close.setProperty("kind", "flat")
        self._close.clicked.connect(self.hide)
        set_icon(self._close, "close")
        self._timer = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._timer.timeout.connect(self.hide)
        self._make_row()
        theme_events().changed.connect(self._paint_icon)
        theme_events().changed.connect(self._fit)
        self._fit()
        self.retranslate()
        self.hide()

    def _make_row(self) -> None:
        row = QHBoxLayout(self)
        row.addWidget(self._icon)
        row.addWidget(self._label, 1)
        for button in self._buttons:
            row.addWidget(button)
        row.addWidget(self._close)

    def _fit(self) -> None:
        row, unit = self.layout(), QFontMetrics(ui_font()).height() // 2
        assert row is not None
        row.setContentsMargins(unit * 2, unit // 2, unit, unit // 2)
        row.setSpacing(unit)

    @property
    def text(self) -> str:
        return self._label.text() if not self.isHidden() else ""

    def say(self, text: str) -> None:
        """A remark, which goes by itself."""
        self._show(text, is_error=False, details="")
        self._timer.start()

    def offer(self, text: str, *ways: Way, is_error: bool = False) -> None:
        """A remark with one thing or two to do about it, which stays until it is closed."""
        self._timer.stop()
        self._show(text, is_error, details="")
        self._ways = ways
        for button, (words, _) in zip(self._buttons, ways, strict=False):
            button.setText(words)
            button.show()

    def warn(self, text: str, details: str = "") -> None:
        """An error, which stays until it is closed."""
        self._timer.stop()
        self._show(text, is_error=True, details=details)

    def retranslate(self) -> None:
        self.action_button.setText(self.tr("Details"))
        self._close.setAccessibleName(self.tr("Close"))
        self._close.setToolTip(self.tr("Close"))
        self.setAccessibleName(self.tr("Message"))

    def _show(self, text: str, is_error: bool, details: str) -> None:
        self._is_error, self._details, self._ways = is_error, details, ()
        self.action_button.setText(self.tr("Details"))
        self._label.setText(text)
        self.setAccessibleDescription(text)
        self.setProperty("tone", "bad" if is_error else "")
        self.action_button.setVisible(bool(details))
        self.second_button.hide()
        for widget in (self, self._label):
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        self._paint_icon()
        self.show()

    def _on_button(self, place: int) -> None:
        if self._ways:
            self.hide()
            self._ways[place][1]()
            return
        from gui.report_dialog import show_report  # dialogs are not needed for the first paint

        show_report(self._label.text(), self._details, self.window())

    def _paint_icon(self) -> None:
        theme = current_theme()
        size = round(self.fontMetrics().height() * self.devicePixelRatio())
        picture = pixmap(
            "warning" if self._is_error else "info", theme.bad if self._is_error else theme.accent, size
        )
        picture.setDevicePixelRatio(self.devicePixelRatio())
        self._icon.setPixmap(picture)
