"""The two typefaces of the window: a sans for words, a mono for numbers, tokens and tensors.

Families that are not installed are left out before Qt sees them, since Qt warns about (and is slow with) unknown
ones. Chinese families come after the Latin ones, so that every script has a face whatever the locale is.
"""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

BODY_PX = 12

UI_FAMILIES = ("Inter", "Segoe UI", ".AppleSystemUIFont", "Helvetica Neue", "Noto Sans", "DejaVu Sans")
MONO_FAMILIES = (
    "JetBrains Mono",
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "Consolas",
    "Noto Sans Mono",
    "DejaVu Sans Mono",
)
CJK_FAMILIES = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
)

_body_px = BODY_PX


@lru_cache(maxsize=8)
def _installed(wanted: tuple[str, ...]) -> tuple[str, ...]:
    known = set(QFontDatabase.families())
    return tuple(family for family in wanted if family in known or family.startswith("."))


def set_body_px(px: int) -> None:
    """Change the size that both faces start from (zoom of the whole window)."""
    global _body_px
    _body_px = max(8, min(32, px))


def body_px() -> int:
    """The size of running text in device independent pixels."""
    return _body_px


def ui_font(delta_px: int = 0, bold: bool = False) -> QFont:
    """The face for words, `delta_px` larger than running text."""
    return QFont(_font(UI_FAMILIES, QFont.StyleHint.SansSerif, _body_px + delta_px, bold))


def mono_font(delta_px: int = 0, bold: bool = False) -> QFont:
    """The face for numbers, tokens and tensors."""
    return QFont(_font(MONO_FAMILIES, QFont.StyleHint.Monospace, _body_px + delta_px, bold))


def ui_height(delta_px: int = 0) -> float:
    """The height of a line of `ui_font`."""
    return _height(UI_FAMILIES, QFont.StyleHint.SansSerif, _body_px + delta_px)


def mono_height(delta_px: int = 0) -> float:
    """The height of a line of `mono_font`."""
    return _height(MONO_FAMILIES, QFont.StyleHint.Monospace, _body_px + delta_px)


def mono_width(text: str, delta_px: int = 0) -> float:
    """How wide a text is in `mono_font`; the few texts that fill a table are measured once."""
    return _width(text, MONO_FAMILIES, QFont.StyleHint.Monospace, _body_px + delta_px)


@lru_cache(maxsize=64)
def _height(families: tuple[str, ...], hint: QFont.StyleHint, px: int) -> float:
    return QFontMetricsF(_font(families, hint, px, False)).height()


@lru_cache(maxsize=4096)
def _width(text: str, families: tuple[str, ...], hint: QFont.StyleHint, px: int) -> float:
    return QFontMetricsF(_font(families, hint, px, False)).horizontalAdvance(text)


@lru_cache(maxsize=64)
def _font(families: tuple[str, ...], hint: QFont.StyleHint, px: int, bold: bool) -> QFont:
    font = QFont()
    chosen = _installed(families)[:2] + _installed(CJK_FAMILIES)
    if chosen:
        font.setFamilies(list(chosen))
    font.setStyleHint(hint)
    font.setPixelSize(max(7, px))
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font
