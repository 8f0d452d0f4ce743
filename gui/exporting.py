"""What a panel's menu offers: its figures to the clipboard, its picture to a file."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QGraphicsView, QMenu, QWidget

from core.report.profile import ProfileResult
from core.trace.reader import Trace
from core.views.cells import (
    Cells,
    attention_cells,
    kv_cells,
    layer_cells,
    logits_cells,
    slot_cells,
    timeline_cells,
)
from core.views.profile_table import profile_cells
from core.views.selection import Selection
from gui.attempt import attempt
from gui.i18n import show_text

if TYPE_CHECKING:
    from gui.main_window import MainWindow

MakeCells = Callable[[Trace, Selection, float], Cells | None]
CELLS_OF: dict[str, MakeCells] = {
    "timeline": timeline_cells,
    "layers": layer_cells,
    "attention": attention_cells,
    "logits": logits_cells,
    "kv": kv_cells,
    "slots": slot_cells,
}
PROFILE = "profile"  # whose figures are not of the trace
SCALES = (1, 2, 4)
_FAMILIES = re.compile(r'font-family="([^"]*)"')


class Exporting(QObject):
    """Fills the menus of one window's panels."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window

    def fill(self, name: str, menu: QMenu) -> None:
        """Copy where there are figures, and save a picture."""
        if self._has_cells(name):
            for text, write in (
                (self.tr("Copy as TSV"), lambda cells: cells.text("\t")),
                (self.tr("Copy as CSV"), lambda cells: cells.text(",")),
                (self.tr("Copy as NumPy"), lambda cells: cells.numpy()),
            ):
                menu.addAction(text).triggered.connect(
                    lambda checked=False, write=write: self.copy(name, write)
                )
            menu.addSeparator()
        menu.addAction(self.tr("Save picture…")).triggered.connect(lambda: self.ask_picture(name))

    def copy(self, name: str, write: Callable[[Cells], str]) -> None:
        """The figures of the panel for the selection of now."""
        cells = attempt(lambda: self._cells_of(name), lambda text: self._window.notices.warn(show_text(text)))
        if cells is None:
            self._window.notices.say(self.tr("There is nothing to copy here."))
            return
        QGuiApplication.clipboard().setText(write(cells))
        text = self.tr("{count} rows are in the clipboard.")
        self._window.notices.say(text.format(count=len(cells.rows)))

    def _has_cells(self, name: str) -> bool:
        if name == PROFILE:
            return self._profile() is not None
        return name in CELLS_OF and self._window.state.n_steps > 0

    def _cells_of(self, name: str) -> Cells | None:
        if name == PROFILE:
            profile = self._profile()
            return None if profile is None else profile_cells(profile)
        state = self._window.state
        return None if state.trace is None else CELLS_OF[name](state.trace, state.selection, state.tolerance)

    def _profile(self) -> ProfileResult | None:
        return self._window.measuring.profile_of(self._window.session.spec)

    def ask_picture(self, name: str) -> None:
        filters = [self.tr("PNG picture, {scale}x (*.png)").format(scale=scale) for scale in SCALES]
        filters.append(self.tr("SVG drawing (*.svg)"))
        path, chosen = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Save a picture of the panel"),
            f"{name}.png",
            ";;".join(filters),
            filters[1],
        )
        if path:
            is_svg = chosen == filters[-1] or Path(path).suffix.lower() == ".svg"
            scale = SCALES[filters.index(chosen)] if chosen in filters[:-1] else 1
            self.save_picture(name, Path(path), scale, is_svg)

    def save_picture(self, name: str, path: Path, scale: int, is_svg: bool) -> None:
        """Of one panel with its title; an ending that is missing is added."""
        path = path if path.suffix else path.with_suffix(".svg" if is_svg else ".png")
        dock = self._window.panels.area.docks[name]
        is_done = write_svg(dock, path) if is_svg else write_png(dock, path, scale)
        if is_done:
            self._window.notices.say(self.tr("Saved {name}.").format(name=path.name))
        else:
            text = self.tr("The picture could not be written to {path}.")
            self._window.notices.warn(text.format(path=path))


def write_png(widget: QWidget, path: Path, scale: int) -> bool:
    """`scale` pixels for each point of the widget."""
    image = QImage(widget.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(widget.palette().window().color())
    widget.render(image, QPoint(0, 0))
    return image.save(str(path), "PNG")  # type: ignore[call-overload, no-any-return]


def write_svg(widget: QWidget, path: Path) -> bool:
    """As lines and letters, which stay sharp at any size."""
    drawing = QSvgGenerator()
    drawing.setFileName(str(path))
    drawing.setSize(QSize(widget.size()))
    drawing.setViewBox(QRect(QPoint(0, 0), widget.size()))
    drawing.setTitle(widget.accessibleName())
    painter = QPainter()
    if not painter.begin(drawing):
        return False
    plots = widget.findChildren(QGraphicsView)
    for plot in plots:
        _draw_points_as_lines(plot, True)
    widget.render(painter, QPoint(0, 0))
    for plot in plots:
        _draw_points_as_lines(plot, False)
    if not painter.end():
        return False
    path.write_text(_FAMILIES.sub(_quoted, path.read_text(encoding="utf-8")), encoding="utf-8")
    return True


def _quoted(match: re.Match[str]) -> str:
    """Qt writes names that are no CSS without quotes, and no family for readers who have none of them."""
    families = [family.strip() for family in match[1].split(",")]
    generic = "monospace" if any("Mono" in family for family in families) else "sans-serif"
    return 'font-family="{}"'.format(", ".join([*(f"'{family}'" for family in families), generic]))


def _draw_points_as_lines(plot: QGraphicsView, is_on: bool) -> None:
    """pyqtgraph stamps its points as small pictures, unless it is told that it draws for a file."""
    for item in plot.scene().items():
        if hasattr(item, "setExportMode"):
            item.setExportMode(is_on, {"background": None, "antialias": True} if is_on else None)
