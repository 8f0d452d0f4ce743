"""Our own icons: simple SVG outlines, tinted from the palette (Qt's own media icons stay black on dark)."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from gui.theme import current_theme, theme_events

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "icons"
SIZES = (16, 24, 32, 64)  # up to 32 px at scale 2


def icon_path(name: str) -> Path:
    """The SVG file of an icon."""
    return FOLDER / f"{name}.svg"


def icon(name: str, tone: str = "text") -> QIcon:
    """The icon in a colour of the current palette; `tone` is the name of a colour of `Theme`."""
    theme = current_theme()
    return _icon(name, getattr(theme, tone).name(), theme.muted.name())


def pixmap(name: str, colour: QColor, size: int) -> QPixmap:
    """The icon as a picture of `size` device pixels."""
    return _pixmap(name, colour.name(), size)


def paint_icon(painter: QPainter, name: str, rect: QRectF, colour: QColor) -> None:
    """Draw the icon sharp at any scale."""
    _renderer(name, colour.name()).render(painter, rect)


def app_icon() -> QIcon:
    """The icon of the application, in its own colours."""
    return QIcon(str(icon_path("kvscope")))


def set_icon(target: QAction | QAbstractButton, name: str, tone: str = "text") -> None:
    """Give `target` the icon, and again whenever the palette changes."""
    for old in target.findChildren(_IconFollower, options=Qt.FindChildOption.FindDirectChildrenOnly):
        old.follow(name, tone)
        return
    _IconFollower(target).follow(name, tone)


class _IconFollower(QObject):
    """Lives as long as its target and re-tints its icon."""

    def __init__(self, target: QAction | QAbstractButton) -> None:
        super().__init__(target)
        self._target = target
        self._name = ""
        self._tone = "text"
        theme_events().changed.connect(self._on_theme_changed)

    def follow(self, name: str, tone: str) -> None:
        if (name, tone) != (self._name, self._tone):  # else all that shows it would be painted again
            self._name, self._tone = name, tone
            self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        self._target.setIcon(icon(self._name, self._tone))


@lru_cache(maxsize=256)
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    made = QIcon()
    faint = QColor(disabled)
    faint.setAlphaF(0.55)
    for size in SIZES:
        drawn = _pixmap(name, colour, size)
        made.addPixmap(drawn)
        made.addPixmap(_tinted(drawn, faint), QIcon.Mode.Disabled)
    return made


def _tinted(drawn: QPixmap, colour: QColor) -> QPixmap:
    """The same shape in another colour; much faster than drawing it again."""
    made = QPixmap(drawn)
    painter = QPainter(made)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(made.rect(), colour)
    painter.end()
    return made


@lru_cache(maxsize=1024)
def _pixmap(name: str, colour: str, size: int) -> QPixmap:
    made = QPixmap(size, size)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    _renderer(name, colour).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return made


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    svg = icon_path(name).read_text(encoding="utf-8").replace("currentColor", colour)
    return QSvgRenderer(QByteArray(svg.encode()))
