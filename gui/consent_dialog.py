"""The question before a user's file runs for the first time."""

import unicodedata

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.views.numbers import data_size
from gui.icons import pixmap
from gui.theme import current_theme, mono_font, ui_font
from gui.trust import TargetFile

HASH_SHOWN = 16  # hex digits; the tool tip has all


class ConsentDialog(QDialog):
    """Says what would run. The default, and what Esc and the close button mean, is not to."""

    def __init__(self, file: TargetFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("consent")
        self.setWindowTitle(self.tr("Run this file?"))
        self.setModal(True)
        self._content = self._make_content(file)
        self.show_button = QPushButton(self.tr("Show file"))
        self.run_button = QPushButton(self.tr("Run"))
        self.refuse_button = QPushButton(self.tr("Don’t run"))
        self._make_buttons()
        unit = self.fontMetrics().height()
        column = QVBoxLayout(self)
        column.setContentsMargins(unit * 3 // 2, unit * 3 // 2, unit * 3 // 2, unit)
        column.setSpacing(unit)
        column.addLayout(self._make_head(file))
        column.addLayout(self._make_facts(file))
        column.addWidget(self._content, 1)
        column.addLayout(self._make_button_row())
        self.setMinimumWidth(unit * 38)
        self.refuse_button.setFocus()

    def _make_head(self, file: TargetFile) -> QHBoxLayout:
        unit = self.fontMetrics().height()
        sign = QLabel()
        picture = pixmap("warning", current_theme().cached, round(unit * 2 * self.devicePixelRatio()))
        picture.setDevicePixelRatio(self.devicePixelRatio())
        sign.setPixmap(picture)
        headline = _plain(self.tr("Run {name}?").format(name=_inert(file.path.name)))
        headline.setFont(ui_font(2, bold=True))
        warning = _plain(
            self.tr(
                "Opening a target file means running it: it is a program, it runs with your rights, and so does whatever "
                "it imports. Run it only if you trust where it comes from."
            )
        )
        words = QVBoxLayout()
        words.addWidget(headline)
        words.addWidget(warning)
        row = QHBoxLayout()
        row.setSpacing(unit)
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        return row

    def _make_facts(self, file: TargetFile) -> QGridLayout:
        facts = (
            (self.tr("Path"), _inert(str(file.path)), ""),
            (self.tr("Size"), data_size(len(file.content)), ""),
            (self.tr("Changed"), f"{file.modified:%Y-%m-%d %H:%M:%S}", ""),
            ("SHA-256", file.sha256[:HASH_SHOWN] + "…", file.sha256),
        )
        grid = QGridLayout()
        unit = self.fontMetrics().height()
        grid.setHorizontalSpacing(unit)
        grid.setVerticalSpacing(unit // 4)
        grid.setColumnStretch(1, 1)
        for row, (name, value, tip) in enumerate(facts):
            label = _plain(name)
            label.setProperty("tone", "muted")
            shown = _plain(value)
            shown.setFont(mono_font())
            shown.setToolTip(tip)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            shown.setObjectName(f"fact{row}")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(shown, row, 1)
        return grid

    def _make_content(self, file: TargetFile) -> QPlainTextEdit:
        view = QPlainTextEdit(_inert(file.content.decode("utf-8", errors="replace"), keep="\n\t"))
        view.setReadOnly(True)
        view.setFont(mono_font())
        view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        view.setAccessibleName(self.tr("Content of the file"))
        view.setMinimumHeight(self.fontMetrics().height() * 20)
        view.hide()
        return view

    def _make_buttons(self) -> None:
        self.show_button.setCheckable(True)
        self.show_button.toggled.connect(self._show_content)
        self.run_button.clicked.connect(self.accept)
        self.refuse_button.clicked.connect(self.reject)
        for button in (self.show_button, self.run_button):
            button.setAutoDefault(False)  # Return never runs what was not chosen
        self.refuse_button.setDefault(True)
        self.refuse_button.setProperty("kind", "primary")

    def _make_button_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(self.show_button)
        row.addStretch(1)
        row.addWidget(self.run_button)
        row.addWidget(self.refuse_button)
        return row

    def _show_content(self, is_shown: bool) -> None:
        self._content.setVisible(is_shown)
        self.show_button.setText(self.tr("Hide file") if is_shown else self.tr("Show file"))
        self.adjustSize()


def _plain(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def _inert(text: str, keep: str = "") -> str:
    """Control and direction characters made visible: what is read is what would run."""
    return "".join(
        char if char in keep or unicodedata.category(char)[0] != "C" else f"\\u{{{ord(char):x}}}"
        for char in text
    )
