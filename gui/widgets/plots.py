"""Settings that all pyqtgraph plots share: quiet axes, palette colours, no menus."""

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QWidget

from gui.theme import current_theme, theme_events
from gui.widgets.guard import guarded
from gui.widgets.painted import caption_font


class Plot(pg.PlotWidget):  # type: ignore[misc]
    """A plot whose colours follow the palette; subclasses override `recolour`."""

    def __init__(self, parent: QWidget | None = None, **axis_items: pg.AxisItem) -> None:
        super().__init__(parent=parent, axisItems=axis_items)
        self.setFrameShape(self.Shape.NoFrame)
        self.setAntialiasing(True)
        self.plotItem.hideButtons()
        self.plotItem.setMenuEnabled(False)
        self.scene().contextMenu = []  # pyqtgraph adds its export dialog here
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme_events().changed.connect(self._on_theme_changed)

    def recolour(self) -> None:
        """Give every item its pen and brush from the palette."""
        theme = current_theme()
        self.setBackground(theme.panel)
        for side in ("left", "bottom"):
            axis = self.plotItem.getAxis(side)
            axis.setTextPen(theme.muted)
            axis.setPen(self.pen(theme.line))
            axis.setTickFont(caption_font())

    def _on_theme_changed(self) -> None:
        if self.closed:  # pyqtgraph has already deleted the items
            return
        self.recolour()
        self.viewport().update()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        """Words in the language of now."""

    def pen(self, colour: QColor, width: float = 1, dashes: Sequence[float] = ()) -> QPen:
        """A pen of `width` device independent pixels, whatever is scaled: Qt takes a cosmetic one as device pixels."""
        made = QPen(colour, width * self.devicePixelRatioF())
        made.setCosmetic(True)
        if dashes:
            made.setDashPattern(list(dashes))
        return made
