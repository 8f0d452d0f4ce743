"""The QApplication with its look and language."""

import sys

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from core.version import VERSION
from gui import i18n
from gui.fonts import BODY_PX
from gui.settings import APPLICATION, Settings
from gui.theme import DARK, LIGHT, Theme, apply_theme, set_body_px


def make_application(settings: Settings) -> QApplication:
    """The one application object, with the theme and language of the settings."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    QCoreApplication.setApplicationName(APPLICATION)
    QCoreApplication.setApplicationVersion(VERSION)
    i18n.set_language(i18n.system_language() if settings.language == "system" else settings.language)
    set_body_px(round(BODY_PX * settings.zoom))
    apply_theme(app, theme_named(settings.theme))
    return app


def theme_named(name: str) -> Theme:
    """Light, dark, or what the desktop uses."""
    if name == "system":
        is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        name = "dark" if is_dark else "light"
    return DARK if name == "dark" else LIGHT
