"""A report in a dialog, to be read and copied."""

import platform

import PySide6
from PySide6.QtCore import QCoreApplication, Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from gui.theme import mono_font


def show_report(headline: str, details: str, parent: QWidget | None) -> None:
    """A dialog with the whole report and a button that copies it."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(QCoreApplication.translate("ReportDialog", "Report"))
    text = f"{headline}\n\n{details.rstrip()}\n\n{versions()}"
    label = QLabel(headline)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)  # it may quote a foreign file
    view = QPlainTextEdit(text)
    view.setReadOnly(True)
    view.setFont(mono_font())
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    copy = buttons.addButton(
        QCoreApplication.translate("ReportDialog", "Copy"), QDialogButtonBox.ButtonRole.ActionRole
    )
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    for widget in (label, view, buttons):
        layout.addWidget(widget)
    unit = dialog.fontMetrics().height()
    dialog.resize(unit * 48, unit * 28)
    dialog.exec()


def versions() -> str:
    """What a report must say to be useful."""
    return f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, Qt {qVersion()}, {platform.platform()}"
