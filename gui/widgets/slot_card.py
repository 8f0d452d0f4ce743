"""The selected slot in words: what it holds, and its history."""

import html
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.theme import current_theme, theme_events, ui_font
from gui.widgets.guard import guarded


class SlotCard(QFrame):
    """A title with a button that closes it, above lines of text that may be selected."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._lines = QLabel(), QLabel()
        self._holds: Sequence[str] = ()
        self._events: Sequence[str] = ()
        self._is_healthy = True
        self.close_button = QToolButton()
        self.close_button.clicked.connect(self.closed)
        self._build()
        theme_events().changed.connect(self._fill)
        self.retranslate()

    def show_slot(self, title: str, holds: Sequence[str], events: Sequence[str], is_healthy: bool) -> None:
        """Say what the slot holds, and what happened to it, one line an event."""
        self._title.setText(title)
        self._holds, self._events, self._is_healthy = holds, events, is_healthy
        self.setAccessibleDescription("\n".join([title, *holds, *events]))
        self._fill()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("History of the slot"))
        self.close_button.setText("\u00d7")
        self.close_button.setToolTip(self.tr("Back to the positions"))
        self.close_button.setAccessibleName(self.tr("Back to the positions"))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _build(self) -> None:
        self.close_button.setProperty("kind", "flat")
        self.close_button.setProperty("density", "mini")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._lines.setWordWrap(True)
        self._lines.setTextFormat(Qt.TextFormat.RichText)
        self._lines.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._lines.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lines.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self._lines)
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(scroll, 1)

    def _fill(self) -> None:
        theme = current_theme()
        self._title.setFont(ui_font(bold=True))
        self._lines.setFont(ui_font(-1))
        tone = theme.text if self._is_healthy else theme.bad
        lines = [(text, tone) for text in self._holds] + [(text, theme.muted) for text in self._events]
        self._lines.setText(
            "".join(f'<div style="color:{colour.name()}">{html.escape(text)}</div>' for text, colour in lines)
        )
