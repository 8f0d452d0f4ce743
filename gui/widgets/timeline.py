"""The difference of every step against the tolerance, on a log scale."""

import html
import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.views.numbers import scientific
from core.views.step_marks import StepMarks
from core.views.timeline import TimelineView
from gui.theme import current_theme
from gui.widgets.guard import guarded
from gui.widgets.painted import caption_font
from gui.widgets.plot_axes import DecadeAxis, StepAxis
from gui.widgets.plots import Plot
from gui.widgets.step_marks import describe_marks, mark_words, paint_marks

FLAT_SPAN = 4.0  # decades that are shown at least
RIBBON = QPainterPath(QPointF(-0.3, -0.5))  # of a bookmark, in units of its size
for _corner in ((0.3, -0.5), (0.3, 0.5), (0.0, 0.2), (-0.3, 0.5), (-0.3, -0.5)):
    RIBBON.lineTo(*_corner)


class Timeline(Plot):
    """Click selects a step; the dashed line can be dragged to another tolerance."""

    step_clicked = Signal(int)
    tolerance_dragged = Signal(float)
    tolerance_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._steps_axis = StepAxis()
        self._marks = StepMarks()
        super().__init__(parent, left=DecadeAxis("left"), bottom=self._steps_axis)
        self._view: TimelineView | None = None
        self.setCacheMode(self.CacheModeFlag.CacheNone)  # the background holds the marks, which move
        self.plotItem.setMouseEnabled(x=False, y=False)
        self.plotItem.getViewBox().setDefaultPadding(0)
        self._curve = pg.PlotCurveItem()
        self._points = pg.ScatterPlotItem()  # under the tolerance, hollow
        self._bad_points = pg.ScatterPlotItem()  # over it, filled
        self._flips = pg.ScatterPlotItem()
        self._cross = pg.ScatterPlotItem()
        self._bookmarks: frozenset[int] = frozenset()
        self._flags = pg.ScatterPlotItem()
        self._cursor = pg.InfiniteLine(angle=90)
        self._first_bad = pg.InfiniteLine(angle=90)
        label_options = {"position": 1.0, "anchors": [(1.02, 1.0), (1.02, 1.0)]}
        self._tolerance = pg.InfiniteLine(angle=0, movable=True, label="", labelOpts=label_options)
        self._tolerance.label.setMovable(False)
        self._tolerance.setCursor(Qt.CursorShape.SizeVerCursor)
        self._tolerance.sigDragged.connect(self._on_dragged)
        self._tolerance.sigPositionChangeFinished.connect(self._on_released)
        for item in (
            self._first_bad, self._cursor, self._tolerance, self._curve, self._points, self._bad_points, self._flips,
            self._cross, self._flags,
        ):  # fmt: skip
            self.addItem(item)
        self.viewport().setMouseTracking(True)
        self.retranslate()
        self.recolour()

    def set_view(self, view: TimelineView) -> None:
        """Show all recorded steps; what is planned but not there yet is room at the right."""
        is_same, self._view = view.is_same_but_selected(self._view), view
        if is_same:
            self._cursor.setPos(view.selected)
            return
        self._write_words(view)
        self._draw(view)
        if not self._tolerance.moving:  # the scale stays still under a line that is being dragged
            self._fit(view)

    def set_marks(self, marks: StepMarks) -> None:
        """Show what is special about steps, behind the points."""
        if marks != self._marks:
            self._marks = marks
            self._steps_axis.words = mark_words(marks)
            self._steps_axis.picture = None  # pyqtgraph's cache of what it has drawn
            self._steps_axis.update()
            self.viewport().update()

    def set_bookmarks(self, steps: frozenset[int]) -> None:
        """Flag these steps at the top of the plot."""
        self._bookmarks = steps
        if self._view is not None:
            self._place_flags(self._view)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Difference per step"))
        self.setToolTip("")
        if self._view is not None:
            self._write_words(self._view)
            self._label(self._view.tolerance)

    def _write_words(self, view: TimelineView) -> None:
        zero_word = self.tr("prefill") if view.kinds[:1] == ("prefill",) else ""
        if zero_word != self._steps_axis.zero_word:
            self._steps_axis.zero_word = zero_word
            self._steps_axis.picture = None  # pyqtgraph's cache of what it has drawn
            self._steps_axis.update()
        self.setAccessibleDescription(self.describe(view))

    def describe(self, view: TimelineView) -> str:
        """The plot in a sentence, for readers who do not see it."""
        if view.first_bad is None:
            template: str = self.tr("{steps} steps, none over the tolerance")
        else:
            template = self.tr("{steps} steps, the first over the tolerance is {bad}")
        return template.format(steps=len(view.log10_diff), bad=view.first_bad)

    def recolour(self) -> None:
        super().recolour()
        theme, unit = current_theme(), self.fontMetrics().height()
        self._tolerance.setPen(self.pen(theme.muted, 1, (5, 4)))
        self._tolerance.setHoverPen(self.pen(theme.accent, 2, (5, 4)))
        label = self._tolerance.label
        label.setColor(theme.text)
        label.textItem.setFont(caption_font())
        label.fill = pg.mkBrush(theme.panel)
        self._cursor.setPen(self.pen(theme.accent, 2))
        self._first_bad.setPen(self.pen(theme.bad, 1.3, (3, 3)))
        left = self.fontMetrics().horizontalAdvance("1e-10 ") + unit // 2
        self.plotItem.getAxis("left").setWidth(left)
        self.plotItem.getAxis("bottom").setHeight(round(unit * 1.5))
        for side in ("left", "bottom"):
            axis = self.plotItem.getAxis(side)
            axis.setStyle(tickLength=0, hideOverlappingLabels=False, tickTextOffset=unit // 3)
        self.plotItem.getAxis("left").setGrid(255)
        self.plotItem.getAxis("left").setZValue(-10)  # its grid lies under the points
        self.plotItem.getAxis("left").setTickPen(self.pen(theme.line))
        self.plotItem.layout.setContentsMargins(unit // 3, unit // 4, unit, 0)
        if self._view is not None:
            self._draw(self._view)

    def _fit(self, view: TimelineView) -> None:
        values = view.log10_diff[np.isfinite(view.log10_diff)]
        tolerance = math.log10(view.tolerance) if view.tolerance > 0 else -9.0
        low, high = min([tolerance, *values.tolist()]), max([*values.tolist(), tolerance])
        unit = self.fontMetrics().height()
        margin = max(0.8, (high - low) * unit / max(unit, self.height() - 4 * unit))  # room for half a symbol
        low, high = low - margin, high + margin
        high = max(high, tolerance + 0.3 * (high - low))  # room for the label above the line
        if high - low < FLAT_SPAN:
            low, high = low - (FLAT_SPAN - high + low) / 2, high + (FLAT_SPAN - high + low) / 2
        last = max(view.n_planned, len(view.log10_diff) - 1, 1)
        self._steps_axis.last = last
        label = self.fontMetrics().horizontalAdvance(self._tolerance.label.toPlainText() + "00")
        right = label / max(1, self.width() - label)  # so that no point lies under the label
        self.plotItem.setRange(xRange=(-last * 0.02, last * (1 + right)), yRange=(low, high), padding=0)
        self._place_flags(view)

    def _place_flags(self, view: TimelineView) -> None:
        steps = sorted(step for step in self._bookmarks if step < len(view.log10_diff))
        (_, (low, high)), unit = self.plotItem.viewRange(), self.fontMetrics().height()
        top = high - (high - low) * 0.5 * unit / max(unit, self.height() - 2 * unit)
        brush = pg.mkBrush(current_theme().accent)
        self._flags.setData(
            x=steps, y=[top] * len(steps), size=unit * 0.8, symbol=RIBBON, brush=brush, pen=None
        )

    def _draw(self, view: TimelineView) -> None:
        theme, unit = current_theme(), self.fontMetrics().height()
        x = np.arange(len(view.log10_diff), dtype=np.float64)
        y = np.nan_to_num(view.log10_diff, nan=0.0, posinf=6.0, neginf=-9.0)
        self._curve.setData(x, y, pen=self.pen(theme.muted))
        hollow = pg.mkBrush(theme.panel)
        is_first = x == (-1 if view.first_bad is None else view.first_bad)
        size = min(unit * 0.62, max(unit * 0.3, self.width() / max(1, view.n_planned) * 0.7))
        good, bad = ~view.is_bad, view.is_bad & ~is_first
        self._points.setData(x=x[good], y=y[good], size=size, brush=hollow, pen=self.pen(theme.muted, 1.4))
        symbols = ["t1" if odd else "o" for odd in view.is_nonfinite[bad]]
        self._bad_points.setData(
            x=x[bad],
            y=y[bad],
            size=size,
            brush=pg.mkBrush(theme.bad),
            pen=self.pen(theme.bad, 1.4),
            symbol=symbols or "o",
        )
        self._cross.setData(
            x=x[is_first], y=y[is_first], size=unit * 0.95, symbol="x", brush=pg.mkBrush(theme.bad), pen=None
        )
        flips = view.is_flip
        self._flips.setData(
            x=x[flips],
            y=y[flips],
            size=np.where(is_first, unit * 1.7, size * 1.9)[flips],
            symbol="d",
            brush=None,
            pen=self.pen(theme.bad, 1.2),
        )
        self._place_lines(view)

    def _place_lines(self, view: TimelineView) -> None:
        self._cursor.setPos(view.selected)
        self._first_bad.setVisible(view.first_bad is not None)
        if view.first_bad is not None:
            self._first_bad.setPos(view.first_bad)
        if not self._tolerance.moving:
            self._tolerance.setPos(math.log10(view.tolerance) if view.tolerance > 0 else -9.0)
            self._label(view.tolerance)

    def _label(self, tolerance: float) -> None:
        self._tolerance.label.setFormat(self.tr("tol {tolerance}").format(tolerance=scientific(tolerance)))

    def _on_dragged(self) -> None:
        tolerance = self._dragged_tolerance()
        self._label(tolerance)
        self.tolerance_dragged.emit(tolerance)

    def _on_released(self) -> None:
        self.tolerance_changed.emit(self._dragged_tolerance())

    def _dragged_tolerance(self) -> float:
        exponent = min(6.0, max(-15.0, float(self._tolerance.value())))
        return float(f"{10.0**exponent:.2g}")  # two digits: a tolerance that can be said and typed

    def place_of(self, step: float) -> float:
        """The horizontal place of a step in the widget."""
        return float(self.mapFromScene(self.plotItem.getViewBox().mapViewToScene(QPointF(step, 0))).x())

    def step_at(self, position: QPointF) -> int | None:
        """The recorded step nearest to a place in the widget."""
        if self._view is None or not len(self._view.log10_diff):
            return None
        place = self.plotItem.getViewBox().mapSceneToView(self.mapToScene(position.toPoint()))
        return int(min(len(self._view.log10_diff) - 1, max(0, round(place.x()))))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        view: TimelineView | None = getattr(self, "_view", None)  # pyqtgraph resizes before it is built
        if view is not None and not self.closed and not self._tolerance.moving:
            self._draw(view)  # the size of the points follows the room for them
            self._fit(view)

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_moving = self._tolerance.moving
        super().mouseReleaseEvent(event)
        step = self.step_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and not was_moving and step is not None:
            self.step_clicked.emit(step)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        step = self.step_at(event.position())
        if step is not None and self._view is not None:
            self.setToolTip(self._describe_step(self._view, step))

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Bands and foot marks lie under everything else; the scene is as large as the widget."""
        super().drawBackground(painter, rect)
        if self._view is not None and self._marks != StepMarks():
            box = self.plotItem.getViewBox()
            area = box.mapRectToScene(box.boundingRect())
            unit = self.fontMetrics().height()
            paint_marks(painter, self._marks, area, self._scene_place, unit)

    def _scene_place(self, step: float) -> float:
        return float(self.plotItem.getViewBox().mapViewToScene(QPointF(step, 0)).x())

    def _describe_step(self, view: TimelineView, step: int) -> str:
        value = "NaN" if view.is_nonfinite[step] else scientific(10.0 ** float(view.log10_diff[step]))
        if view.is_exact[step]:
            value = self.tr("exactly equal")
        template: str = self.tr("step {step}: max |Δ logit| {value}")
        if view.is_flip[step]:
            template = self.tr("step {step}: max |Δ logit| {value}, the lanes choose different tokens")
        lines = [template.format(step=step, value=value), *describe_marks(self._marks, step)]
        return "<br>".join(html.escape(line) for line in lines)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.recolour()
