"""The look of the window: two palettes, and the one place that applies them.

The lanes keep one colour each everywhere (oracle blue, cached orange) and never mean good or bad; `bad` is only ever
"over tolerance". Painted widgets ask `current_theme()` while they paint and listen to `theme_events().changed`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from gui.colormaps import difference_lut, sequential_lut
from gui.fonts import body_px, mono_font, set_body_px, ui_font
from gui.stylesheet import stylesheet

__all__ = [
    "DARK",
    "LIGHT",
    "THEMES",
    "Theme",
    "apply_theme",
    "body_px",
    "current_theme",
    "difference_lut",
    "mono_font",
    "sequential_lut",
    "set_body_px",
    "theme_events",
    "ui_font",
]

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True, eq=False)
class Theme:
    """Every colour that is used, by its role."""

    name: ThemeName
    background: QColor
    panel: QColor
    line: QColor
    text: QColor
    muted: QColor
    accent: QColor
    on_accent: QColor  # text on an accent or oracle surface
    oracle: QColor
    cached: QColor
    cached_ink: QColor  # words and figures of the cached lane: its colour, dark enough to read
    bad: QColor
    on_bad: QColor
    bad_background: QColor
    good: QColor
    good_background: QColor
    chip: QColor  # a quiet filled surface: prompt chips, bars' tracks, highlighted dims
    highlight: QColor  # the append dim, selected rows
    unseen: QColor  # cells of a map that no query may look at
    hover: QColor


LIGHT = Theme(
    name="light",
    background=QColor("#f3f4f7"),
    panel=QColor("#ffffff"),
    line=QColor("#dde1e7"),
    text=QColor("#1b2330"),
    muted=QColor("#5c667a"),
    accent=QColor("#225fdb"),
    on_accent=QColor("#ffffff"),
    oracle=QColor("#225fdb"),
    cached=QColor("#d97706"),
    cached_ink=QColor("#a55200"),
    bad=QColor("#c9222d"),
    on_bad=QColor("#ffffff"),
    bad_background=QColor("#fdecec"),
    good=QColor("#177344"),
    good_background=QColor("#e5f4ec"),
    chip=QColor("#eef0f4"),
    highlight=QColor("#e2ebfc"),
    unseen=QColor("#f3f4f7"),
    hover=QColor("#e8ebf0"),
)

DARK = Theme(
    name="dark",
    background=QColor("#12151a"),
    panel=QColor("#1a1e25"),
    line=QColor("#2a303a"),
    text=QColor("#e5e9ef"),
    muted=QColor("#98a2b1"),
    accent=QColor("#6ea0ff"),
    on_accent=QColor("#0d1522"),
    oracle=QColor("#6ea0ff"),
    cached=QColor("#f0a83c"),
    cached_ink=QColor("#f0a83c"),
    bad=QColor("#ff7070"),
    on_bad=QColor("#1d0c0e"),
    bad_background=QColor("#3a1d22"),
    good=QColor("#57c98a"),
    good_background=QColor("#16301f"),
    chip=QColor("#252a33"),
    highlight=QColor("#223452"),
    unseen=QColor("#12151a"),
    hover=QColor("#2b313b"),
)

THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK}


class ThemeEvents(QObject):
    """Says that the palette has changed; the new one is `current_theme()`."""

    changed = Signal()


_current = LIGHT


@lru_cache(maxsize=1)
def theme_events() -> ThemeEvents:
    """The one object that announces palettes."""
    return ThemeEvents()


def current_theme() -> Theme:
    """The palette that is applied now."""
    return _current


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Give the whole application this palette, live."""
    global _current
    _current = theme
    if not app.styleSheet():  # once: each of these restyles every widget, as the style sheet does
        app.setStyle("Fusion")  # the platform's own styles ignore palettes in part
    if app.font() != ui_font():  # the first time, and when everything becomes larger or smaller
        app.setFont(ui_font())
    app.setPalette(_palette(theme))
    app.setStyleSheet(stylesheet(theme, body_px()))
    theme_events().changed.emit()


def _palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for where, colour in (
        (role.Window, theme.background),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.background),
        (role.Button, theme.panel),
        (role.WindowText, theme.text),
        (role.Text, theme.text),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.bad),
        (role.ToolTipBase, theme.panel),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Accent, theme.accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Mid, theme.line),
        (role.Dark, theme.line),
        (role.Light, theme.panel),
    ):
        palette.setColor(where, colour)
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, theme.muted)
    return palette
