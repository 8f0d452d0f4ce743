"""Texts of the core in another language without Qt: the translation file is XML that anything can read."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Literal

from core.text import CONTEXT

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
FOLDER = Path(__file__).resolve().parent.parent.parent / "assets" / "i18n"
_FILES = {"zh": "kvscope_zh_CN.ts"}


def translator(language: Language) -> Callable[[str], str]:
    """Return what translates a template of the core; a template that is not known stays English."""
    known = _known(language)
    return lambda template: known.get(template, template)


def templates() -> list[str]:
    """Return all templates of the core that are shown to people."""
    return list(_known("zh"))


@lru_cache(maxsize=2)
def _known(language: Language) -> dict[str, str]:
    if language not in _FILES:
        return {}
    from xml.etree import ElementTree  # the window has Qt's own files, and seldom needs this

    for context in ElementTree.parse(FOLDER / _FILES[language]).getroot().iter("context"):
        if context.findtext("name") == CONTEXT:
            messages = (
                (one.findtext("source") or "", one.findtext("translation") or "")
                for one in context.iter("message")
            )
            return {source: translation for source, translation in messages if translation}
    return {}
