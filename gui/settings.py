"""What the window remembers: typed, each with its default; anything unreadable falls back to it."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

ORGANISATION = APPLICATION = "KVScope"
MAX_RECENT = 10
MAX_TRUSTED = 1000
THEMES = ("system", "light", "dark")
LANGUAGES = ("system", "en", "zh")
ZOOMS = (0.75, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)


@dataclass(frozen=True)
class Settings:
    """One value a key. Window geometry and the layout of the panels are Qt's own bytes."""

    theme: str = "system"
    language: str = "system"
    zoom: float = 1.0
    knows_tour: bool = False
    outlines_mask: bool = False
    geometry: QByteArray = field(default_factory=QByteArray)
    layout: QByteArray = field(default_factory=QByteArray)
    recent: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()  # keys of gui.trust

    def with_recent(self, path: str) -> "Settings":
        """The file comes first in the list of recent ones."""
        others = [p for p in self.recent if p != path]
        return replace(self, recent=(path, *others)[:MAX_RECENT])


def store() -> QSettings:
    """The user's own settings file."""
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, ORGANISATION, APPLICATION)


def load(settings: QSettings) -> Settings:
    """Read every key on its own, so that one bad value costs no other."""
    read: dict[str, Any] = {
        "theme": _one_of(settings.value("theme"), THEMES),
        "language": _one_of(settings.value("language"), LANGUAGES),
        "zoom": _zoom(settings.value("zoom")),
        "knows_tour": settings.value("knows_tour") in (True, "true"),
        "outlines_mask": settings.value("outlines_mask") in (True, "true"),
        "geometry": _bytes(settings.value("geometry")),
        "layout": _bytes(settings.value("layout")),
        "recent": _texts(settings.value("recent"), MAX_RECENT),
        "trusted": _texts(settings.value("trusted"), MAX_TRUSTED),
    }
    return Settings(**{key: value for key, value in read.items() if value is not None})


def save(settings: QSettings, values: Settings) -> None:
    """Write every key."""
    for each in fields(values):
        value = getattr(values, each.name)
        settings.setValue(each.name, list(value) if isinstance(value, tuple) else value)
    settings.sync()


def _one_of(value: object, allowed: tuple[str, ...]) -> str | None:
    return value if isinstance(value, str) and value in allowed else None


def _zoom(value: Any) -> float | None:
    """The nearest of ours, whatever was written."""
    try:
        wanted = float(value)
    except (TypeError, ValueError):
        return None
    return min(ZOOMS, key=lambda zoom: abs(zoom - wanted)) if wanted == wanted else None


def _bytes(value: object) -> QByteArray | None:
    return value if isinstance(value, QByteArray) else None


def _texts(value: Any, most: int) -> tuple[str, ...] | None:
    if isinstance(value, str):  # a list of one comes back as a string
        value = [value]
    if not isinstance(value, list):
        return None
    return tuple(text for text in value if isinstance(text, str) and text)[:most]
