"""Languages: install one, switch live, show the core's texts. `python -m gui.i18n` renews the translation files.

English is the language of the source; the others are Qt translation files in assets/i18n.
"""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core.text import CONTEXT, Text

FOLDER: Path = Path(__file__).resolve().parent.parent / "assets" / "i18n"
LANGUAGES = {"en": "English", "zh": "简体中文"}
_FILES = {"zh": "kvscope_zh_CN"}
_QT_FILES = {"zh": "qtbase_zh_CN"}


def show_text(text: Text) -> str:
    """A sentence of the core in the language of the window."""
    return text.translated(lambda template: QCoreApplication.translate(CONTEXT, template))


def system_language() -> str:
    """The language of the desktop, English where it is none of ours."""
    return "zh" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def language() -> str:
    """The language that is shown now."""
    return _installed().language


def set_language(name: str) -> None:
    """Show everything in another language; every widget gets a LanguageChange event."""
    if name not in LANGUAGES:
        name = "en"
    state = _installed()
    if name != state.language:
        state.remove()
        state.language = name
        state.install()


class _Installed:
    """The translators that the application uses now."""

    def __init__(self) -> None:
        self.language = "en"
        self._translators: list[QTranslator] = []

    def remove(self) -> None:
        for translator in self._translators:
            QCoreApplication.removeTranslator(translator)
        self._translators = []

    def install(self) -> None:
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for file, folder in (
            (_QT_FILES.get(self.language), qt_folder),
            (_FILES.get(self.language), str(FOLDER)),
        ):
            translator = QTranslator()
            if file is not None and translator.load(file, folder):
                QCoreApplication.installTranslator(translator)
                self._translators.append(translator)


@lru_cache(maxsize=1)
def _installed() -> _Installed:
    return _Installed()


def _renew_files() -> None:
    from gui.translation_files import renew  # needs Qt's tools, which a running window does not

    renew()


if __name__ == "__main__":
    _renew_files()
