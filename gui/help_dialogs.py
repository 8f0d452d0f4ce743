"""The key list and what this is."""

from html import escape

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from gui.actions import ACTIONS, keys_text, plain_text
from gui.report_dialog import versions
from gui.theme import mono_font


def keys_dialog(parent: QWidget) -> QDialog:
    """Every command and its keys, from the same table that makes them."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(QCoreApplication.translate("HelpDialogs", "Keys"))
    grid = QGridLayout()
    unit = dialog.fontMetrics().height()
    grid.setHorizontalSpacing(unit * 2)
    grid.setVerticalSpacing(unit // 4)
    with_keys = [spec for spec in ACTIONS if spec.keys]
    half = (len(with_keys) + 1) // 2
    for i, spec in enumerate(with_keys):
        keys = QLabel(keys_text(spec))
        keys.setFont(mono_font())
        column = 0 if i < half else 2
        grid.addWidget(keys, i % half, column)
        grid.addWidget(QLabel(plain_text(spec)), i % half, column + 1)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(unit, unit, unit, unit)
    layout.setSpacing(unit)
    layout.addLayout(grid)
    layout.addWidget(buttons)
    return dialog


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
