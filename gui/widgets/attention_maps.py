"""Attention of one layer and head: oracle, cached and their difference, linked."""

import html
import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from core.views.allowed import AllowedView
from core.views.attention import AttentionView
from core.views.mask_difference import MaskDifferenceView
from core.views.numbers import short, signed
from gui.i18n import show_text
from gui.lanes import lanes
from gui.theme import current_theme, theme_events
from gui.token_text import visible
from gui.widgets.guard import guarded
from gui.widgets.heatmap import Heatmap, MapData
from gui.widgets.map_image import Scale
from gui.widgets.map_outline import Outline, Outlines, outlines_of
from gui.widgets.map_viewport import MapViewport
from gui.widgets.painted import paint_focus
from gui.widgets.panel import ElidedLabel, tool_row

LEAST_TOP = 1e-4  # rounding must not look like a finding: the difference map never spans less
MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


def mask_names(mask: MaskDifferenceView) -> str:
    """What the difference of the masks is called, in the language of the window."""
    return ", ".join(map(show_text, mask.names))


def _auto_top(view: AttentionView) -> float:
    """The first token often takes nearly all attention, and would leave the rest dark."""
    rest = [float(lane[:, 1:].max(initial=0.0)) for lane in (view.oracle, view.cached)]
    return min(1.0, max(*rest, LEAST_TOP))


class AttentionMaps(QWidget):
    """Hover reads a cell out, a click selects it; Ctrl and arrows move the selected cell, + - 0 zoom.

    Reached by Tab, the arrows do without Ctrl.
    """

    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: AttentionView | None = None
        self._mask: MaskDifferenceView | None = None
        self._outlines = Outlines()
        self._wants_mask: bool | None = None
        self._is_log = False
        self._is_auto = False
        self._hovered: tuple[int, int] | None = None
        self._came_by_key = False
        self.viewport = MapViewport(self)
        self.oracle = Heatmap(self.viewport, "oracle")
        self.cached = Heatmap(self.viewport, "cached")
        self.difference = Heatmap(self.viewport, "text")
        self._readout = ElidedLabel()
        self._readout.setProperty("tone", "muted")
        self.mask_button = QToolButton()
        self.log_button = QToolButton()
        self.auto_button = QToolButton()
        self.fit_button = QToolButton()
        self._build()
        for map_ in self.maps:
            map_.cell_clicked.connect(self.cell_clicked)
            map_.cell_hovered.connect(self._on_hovered)
        self.viewport.changed.connect(self._on_viewport_changed)
        theme_events().changed.connect(self._on_theme_changed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        lanes().changed.connect(self.retranslate)
        self.retranslate()
        self._on_theme_changed()

    @property
    def maps(self) -> tuple[Heatmap, Heatmap, Heatmap]:
        """The three maps, left to right."""
        return self.oracle, self.cached, self.difference

    def set_view(
        self,
        view: AttentionView,
        mask: MaskDifferenceView | None = None,
        allowed: AllowedView | None = None,
    ) -> None:
        """Show one layer and head up to the selected step, where the masks differ, and outlined what they allow."""
        self._view, self._mask, self._outlines = view, mask, outlines_of(allowed)
        if self._hovered is not None and max(self._hovered) >= len(view.labels):
            self._hovered = None
        self.viewport.set_size(max(view.oracle.shape, default=1))
        self._fill()

    def set_log(self, is_log: bool) -> None:
        """Colours by the logarithm, so that small weights show."""
        self._is_log = is_log
        self.log_button.setChecked(is_log)
        self._fill()

    def set_auto(self, is_auto: bool) -> None:
        """Colours up to the largest weight outside the first column, which often takes most; else always up to 1."""
        self._is_auto = is_auto
        self._fill()

    def shows_mask(self, mask: MaskDifferenceView | None) -> bool:
        """Whether the third map is for masks: as was chosen, else as soon as cells of the step differ."""
        if mask is None:
            return False
        return mask.n_cells > 0 if self._wants_mask is None else self._wants_mask

    def choose_mask(self, wants_mask: bool | None) -> None:
        """Masks in the third map, or weights; None leaves it to what there is to see."""
        self._wants_mask = wants_mask
        self._fill()

    @property
    def is_log(self) -> bool:
        """Whether the colours are logarithmic."""
        return self._is_log

    def readout(self) -> str:
        """The line under the maps, as plain text."""
        return self.accessibleDescription()

    def retranslate(self) -> None:
        """Words in the language of now."""
        self.setAccessibleName(self.tr("Attention of both lanes"))
        self.mask_button.setText(self.tr("mask"))
        self.mask_button.setToolTip(self.tr("Who may see whom in one lane and not in the other"))
        self.log_button.setText(self.tr("log"))
        self.log_button.setToolTip(self.tr("Colours by the logarithm of the weight"))
        self.auto_button.setText(self.tr("auto"))
        self.auto_button.setToolTip(
            self.tr("Colours as far as the weights go, instead of always from 0 to 1")
        )
        self.fit_button.setText(self.tr("fit"))
        self.fit_button.setToolTip(self.tr("Show the whole map (double click, or 0)"))
        names = lanes()
        fed = ("", "") if names.is_pair else (self.tr("whole prefix"), self.tr("new tokens only"))
        self.oracle.set_captions(names.oracle(self.tr("Oracle")), fed[0])
        self.cached.set_captions(names.cached(self.tr("Cached")), fed[1])
        self._fill()

    def _of_lane(self, weight: float, is_oracle: bool) -> str:
        name = lanes().oracle(self.tr("oracle")) if is_oracle else lanes().cached(self.tr("cached"))
        return self.tr("{lane} {value}").format(lane=name, value=short(float(weight), 3))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def event(self, event: QEvent) -> bool:
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_asked and self._came_by_key and isinstance(event, QKeyEvent) and event.key() in MOVES:
            event.accept()
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        middle = self.viewport.rect.center()
        if key in MOVES and (self._came_by_key or event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            self._move_cell(*MOVES[key])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.viewport.zoom(0.7, middle)
        elif key == Qt.Key.Key_Minus:
            self.viewport.zoom(1 / 0.7, middle)
        elif key == Qt.Key.Key_0:
            self.viewport.fit()
        else:
            event.ignore()

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._came_by_key = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus() and self._came_by_key:
            paint_focus(self)

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(unit * 60, unit * 20)

    def _build(self) -> None:
        self._row = QHBoxLayout()
        for map_ in self.maps:
            self._row.addWidget(map_, 1)
        self.tools = tool_row(
            self.mask_button, self.log_button, self.auto_button, self.fit_button
        )  # a panel takes them into its title row
        self._foot = QHBoxLayout()
        self._foot.addWidget(self._readout, 1)
        self._foot.addWidget(self.tools)
        for button in (self.mask_button, self.log_button, self.auto_button):
            button.setCheckable(True)
        self.mask_button.clicked.connect(self.choose_mask)
        self.log_button.toggled.connect(self.set_log)
        self.auto_button.toggled.connect(self.set_auto)
        self.fit_button.clicked.connect(self.viewport.fit)
        self._layout = QVBoxLayout(self)
        self._layout.addLayout(self._row, 1)
        self._layout.addLayout(self._foot)

    def _fill(self) -> None:
        view = self._view
        if view is None:
            return
        self.mask_button.setChecked(self.shows_mask(self._mask))
        self.mask_button.setEnabled(self._mask is not None)
        top = max(LEAST_TOP, view.max_abs_diff if math.isfinite(view.max_abs_diff) else 1.0)
        weights = Scale(_auto_top(view) if self._is_auto else 1.0, is_log=self._is_log)
        self.oracle.set_data(self._data(view, view.oracle, weights, self._outlines.oracle))
        self.cached.set_data(self._data(view, view.cached, weights, self._outlines.cached))
        both = self._outlines.difference
        if self._mask is not None and self.shows_mask(self._mask):
            cells, seen = self._mask.cells.astype(np.float32), self._mask.seen
            self.difference.set_data(self._data(view, cells, Scale(1.0, is_signed=True), both, seen))
            self.difference.set_captions(self.tr("Mask difference"), mask_names(self._mask))
        else:
            signed_scale = Scale(top, is_signed=True, is_log=self._is_log)
            self.difference.set_data(self._data(view, view.difference, signed_scale, both))
            self.difference.set_captions(self.tr("Difference"), self._worst(view))
        self._write_readout()

    def _data(
        self,
        view: AttentionView,
        values: NDArray[np.float32],
        scale: Scale,
        outlines: tuple[Outline, ...],
        seen: NDArray[np.bool_] | None = None,
    ) -> MapData:
        border = view.prompt_len if view.prompt_len < len(view.labels) else None
        shown = view.seen if seen is None else seen
        return MapData(values, shown, view.labels, scale, border, view.cell, outlines)

    def _worst(self, view: AttentionView) -> str:
        if view.worst_cell is None or view.max_abs_diff == 0:
            return self.tr("none")
        query, key = view.worst_cell
        return self.tr("max {value} at ({query}, {key})").format(
            value=short(view.max_abs_diff), query=query, key=key
        )

    def _on_hovered(self, cell: tuple[int, int] | None) -> None:
        if cell == self._hovered:
            return
        self._hovered = cell
        for map_ in self.maps:
            map_.set_hovered(cell)
        self._write_readout()

    def _on_viewport_changed(self) -> None:
        self.fit_button.setEnabled(not self.viewport.is_fitted)

    def _on_theme_changed(self) -> None:
        unit = self.fontMetrics().height()
        self._layout.setContentsMargins(unit // 3, unit // 3, unit // 2, unit // 4)
        self._layout.setSpacing(unit // 5)
        self._row.setSpacing(unit // 3)
        self._foot.setContentsMargins(unit // 3, 0, 0, 0)
        self._write_readout()

    def _move_cell(self, rows: int, columns: int) -> None:
        if self._view is None:
            return
        last = len(self._view.labels) - 1
        row, column = self._view.cell or self._view.worst_cell or (last, last)
        row, column = min(last, max(0, row + rows)), min(last, max(0, column + columns))
        if not self.viewport.rect.contains(QPointF(column + 0.5, row + 0.5)):
            self.viewport.pan(QPointF(columns, rows))
        self.cell_clicked.emit(row, column)

    def _write_readout(self) -> None:
        if self._view is None:
            return
        cell = self._hovered or self._view.cell or self._view.worst_cell
        hint = [(self.tr("point at a cell to read it out, click to keep it"), "muted")]
        parts = self._parts(self._view, cell) if cell is not None else hint
        plain = " · ".join(text for text, _tone in parts)
        self.setAccessibleDescription(plain)
        theme = current_theme()
        self._readout.set_full_text(
            " · ".join(
                f'<span style="color:{getattr(theme, tone).name()}">{html.escape(text)}</span>'
                for text, tone in parts
            )
        )
        self._readout.setToolTip("")

    def _parts(self, view: AttentionView, cell: tuple[int, int]) -> list[tuple[str, str]]:
        query, key = cell
        if max(cell) >= len(view.labels):
            return []
        quoted = self.tr("{index} “{text}”")
        named = [quoted.format(index=i, text=visible(view.labels[i], 24)) for i in cell]
        place = self.tr("layer {layer} · head {head}").format(layer=view.layer, head=view.head)
        parts = [
            (place, "muted"),
            (self.tr("query {token}").format(token=named[0]), "muted"),
            (self.tr("key {token}").format(token=named[1]), "muted"),
        ]
        difference = (
            0 if self._mask is None or max(cell) >= len(self._mask.cells) else int(self._mask.cells[cell])
        )
        if difference and self.shows_mask(self._mask):
            only = {
                1: self.tr("only the cached lane may look there"),
                -1: self.tr("only the oracle may look there"),
            }
            parts.append((only[difference], "bad"))
        elif not view.seen[query, key]:
            return [*parts, (self.tr("not seen by this query"), "muted")]
        parts += [
            (self._of_lane(view.oracle[query, key], is_oracle=True), "oracle"),
            (self._of_lane(view.cached[query, key], is_oracle=False), "cached_ink"),
            (f"Δ {signed(float(view.difference[query, key]), 3)}", "text"),
        ]
        expected, told = view.cell_positions
        if cell == view.cell and told is not None and expected is not None:
            words = self.tr("position told {told}, expected {expected}").format(told=told, expected=expected)
            parts.append((words, "bad" if told != expected else "muted"))
        return parts
