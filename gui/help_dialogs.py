"""What this is."""

from html import escape

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from gui.report_dialog import versions


def about_dialog(parent: QWidget) -> QMessageBox:
    """Name, purpose, versions."""
    purpose = QCoreApplication.translate(
        "HelpDialogs",
        "Runs a model with and without its KV cache side by side and shows the first step where they differ.",
    )
    box = QMessageBox(parent)
    box.setWindowTitle(QCoreApplication.translate("HelpDialogs", "About KVScope"))
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setText(f"<b>KVScope</b><br>{escape(purpose)}<br><br><small>{escape(versions())}</small>")
    return box
