"""Where the chips of the token strip lie, and how they are painted."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter, QPen, QPolygonF

from core.views.tokens import TokenChip
from gui.theme import Theme, current_theme, mono_font, ui_font
from gui.token_text import visible
from gui.widgets.painted import CENTRE, LEFT, draw_cross, draw_text, hairline
from gui.widgets.stamps import Stamps

PAD = "\u00b7"
LONGEST = 16  # characters of a token that a chip shows


class ChipRow:
    """The geometry of the chips: computed once a view, not at every paint."""

    def __init__(self, chips: Sequence[TokenChip], unit: float) -> None:
        self.chips = chips
        self.unit = unit
        self.text_font = mono_font(1)
        self.index_font = ui_font(-3)
        self.word_font = ui_font(-2)
        self.words_height = QFontMetricsF(self.word_font).height()
        # whole pixels: a chip looks the same wherever it lies
        self.chip_height = round(
            QFontMetricsF(self.text_font).height() + QFontMetricsF(self.index_font).height() + unit / 3
        )
        self.chip_top = round(self.words_height + unit / 5)
        self.height = self.chip_top + self.chip_height + self.words_height + unit / 3
        self.texts = [PAD if chip.is_pad else visible(chip.text, LONGEST) for chip in chips]
        self.cross_room = unit * 0.85  # the first bad chip is wider, so that its cross hides nothing
        self.border_x: float | None = None  # between the prompt and the first decoded token
        self.rects = self._place()
        self.width = (self.rects[-1].right() if self.rects else 0.0) + unit
        self._lefts = [rect.left() for rect in self.rects]
        self.selected_runs = self._selected_runs()

    def moved_to(self, chips: Sequence[TokenChip]) -> bool:
        """Take chips that lie as ours do, since none differs but in whether it is selected; False where they do not."""
        if len(chips) != len(self.chips):
            return False
        pairs = zip(self.chips, chips, strict=True)
        if not all(a is b or replace(a, is_selected=b.is_selected) == b for a, b in pairs):
            return False
        self.chips = chips
        self.selected_runs = self._selected_runs()
        return True

    def _place(self) -> list[QRectF]:
        text_metrics, index_metrics = QFontMetricsF(self.text_font), QFontMetricsF(self.index_font)
        # not the methods themselves: `cache` would ask them for their documentation, which PySide makes up each time
        text_width = cache(lambda text: text_metrics.horizontalAdvance(text))
        index_width = cache(lambda text: index_metrics.horizontalAdvance(text))
        rects: list[QRectF] = []
        x = self.unit * 0.8
        for i, chip in enumerate(self.chips):
            if i and self.chips[i - 1].is_prompt and not chip.is_prompt:
                self.border_x = x + self.unit * 0.35 if self.border_x is None else self.border_x
                x += self.unit * 0.8
            content = max(
                text_width(self.texts[i]),
                index_width("0" * len(str(chip.token_index))) - self.unit * 0.1,
                text_width("0"),
            )
            width = round(content + self.unit * 0.85 + (self.cross_room if chip.is_first_bad else 0))
            rects.append(QRectF(round(x), self.chip_top, width, self.chip_height))
            x += width + self.unit * 0.2
        return rects

    def chip_at(self, x: float) -> int | None:
        """The chip at a horizontal place, gaps excluded."""
        index = bisect_right(self._lefts, x) - 1
        return index if index >= 0 and x <= self.rects[index].right() else None

    def chips_between(self, left: float, right: float) -> range:
        """The chips of which a part lies there."""
        return range(max(0, bisect_right(self._lefts, left) - 1), bisect_right(self._lefts, right))

    def _selected_runs(self) -> list[tuple[int, int]]:
        """First and last chip of each unbroken run of selected chips."""
        runs: list[tuple[int, int]] = []
        for i, chip in enumerate(self.chips):
            if not chip.is_selected:
                continue
            joins = runs and runs[-1][1] == i - 1 and self.chips[i - 1].is_prompt == chip.is_prompt
            runs[-1:] = [(runs[-1][0], i)] if joins else [*runs[-1:], (i, i)]
        return runs

    def selected_span(self) -> tuple[float, float] | None:
        """The place of the newest selected chip."""
        runs = self.selected_runs
        return (self.rects[runs[-1][1]].left(), self.rects[runs[-1][1]].right()) if runs else None


def paint_row(
    painter: QPainter, row: ChipRow, words: tuple[str, str], hovered: int | None, region: QRect, stamps: Stamps
) -> None:  # fmt: skip
    """Paint what of the row lies in `region`."""
    if not row.chips:
        return
    theme = current_theme()
    _paint_words(painter, row, words, theme)
    for i in row.chips_between(region.left() - row.unit, region.right() + row.unit):
        _stamp_chip(painter, row, i, i == hovered, theme, stamps)
    for first, last in row.selected_runs:
        _outline(painter, row.rects[first].united(row.rects[last]), row.unit, theme)


def paint_fades(painter: QPainter, row: ChipRow, region: QRect) -> None:
    """Fade out at the edges beyond which there are more chips."""
    width = row.unit * 2.5
    clear = QColor(current_theme().panel)
    clear.setAlpha(0)
    for is_there, edge, inner in (
        (region.left() > row.unit, float(region.left()), region.left() + width),
        (region.right() < row.width - row.unit, region.right() + 1.0, region.right() + 1.0 - width),
    ):
        if is_there:
            gradient = QLinearGradient(QPointF(edge, 0), QPointF(inner, 0))
            gradient.setColorAt(0, current_theme().panel)
            gradient.setColorAt(1, clear)
            painter.fillRect(QRectF(QPointF(edge, 0), QPointF(inner, row.height)).normalized(), gradient)


def paint_flags(painter: QPainter, row: ChipRow, steps: frozenset[int]) -> None:
    """A small ribbon above the token that a marked step chose."""
    if not steps:
        return
    theme, unit = current_theme(), row.unit
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.accent)
    for chip, rect in zip(row.chips, row.rects, strict=True):
        if not chip.is_chosen or chip.step_index not in steps:
            continue
        right, top = rect.right() - unit * 0.1, rect.top() - unit * 0.62
        corners = [(-0.5, 0), (0, 0), (0, 0.75), (-0.25, 0.5), (-0.5, 0.75)]
        painter.drawPolygon(QPolygonF([QPointF(right + x * unit, top + y * unit) for x, y in corners]))


def _paint_words(painter: QPainter, row: ChipRow, words: tuple[str, str], theme: Theme) -> None:
    metrics = QFontMetricsF(row.word_font)
    starts = [(row.rects[0].left(), words[0])] if row.chips[0].is_prompt else []
    if row.border_x is not None:
        starts.append((row.border_x + row.unit * 0.45, words[1]))
        bottom = row.chip_top + row.chip_height + row.unit * 0.2
        hairline(painter, theme.muted, QPointF(row.border_x, 2), QPointF(row.border_x, bottom))
    for x, word in starts:
        rect = QRectF(x, 0, metrics.horizontalAdvance(word) + 2, row.words_height)
        draw_text(painter, rect, word, theme.muted, row.word_font, LEFT, elide=False)


def _stamp_chip(
    painter: QPainter, row: ChipRow, i: int, is_hovered: bool, theme: Theme, stamps: Stamps
) -> None:
    chip, rect = row.chips[i], row.rects[i]
    place = rect.toRect().adjusted(-1, -1, 1, 0)
    place.setBottom(int(row.height))  # with what is written below
    what = (
        theme.name, row.texts[i], chip.token_index, chip.is_prompt, chip.is_pad, chip.is_bad, chip.is_first_bad,
        chip.is_sensitive, chip.cached_text, is_hovered,
    )  # fmt: skip
    stamps.paint(
        painter, place, what, theme.panel,
        lambda there, area: _paint_chip(there, row, i, rect.translated(area.topLeft() - place.topLeft()), is_hovered, theme),
    )  # fmt: skip


def _paint_chip(
    painter: QPainter, row: ChipRow, i: int, rect: QRectF, is_hovered: bool, theme: Theme
) -> None:
    chip = row.chips[i]
    radius = row.unit * 0.33
    outline = QPen(_border(chip, theme), 1.2 if chip.is_bad else 1.0)
    if chip.is_pad:
        outline.setDashPattern([2, 2])
    painter.setPen(outline)
    painter.setBrush(theme.hover if is_hovered and not chip.is_bad else _fill(chip, theme))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    ink, index_ink = _inks(chip, theme)
    words = rect.adjusted(-1, 0, 1, 0)
    if chip.is_first_bad:
        words.setLeft(rect.left() + row.cross_room)
        centre = QPointF(rect.left() + row.unit * 0.68, rect.center().y())
        draw_cross(painter, centre, row.unit * 0.24, ink, row.unit * 0.17)
    text_height = QFontMetricsF(row.text_font).height()
    upper = QRectF(words.left(), rect.top() + row.unit * 0.12, words.width(), text_height)
    lower = QRectF(
        words.left(), upper.bottom() - row.unit * 0.06, words.width(), rect.bottom() - upper.bottom()
    )
    draw_text(painter, upper, row.texts[i], ink, row.text_font, CENTRE, False)
    draw_text(painter, lower, str(chip.token_index), index_ink, row.index_font, CENTRE, False)
    if chip.is_sensitive and chip.cached_text is not None:
        _wave(painter, rect, row.unit, theme)
    elif chip.is_sensitive:
        _underline(painter, rect, row.unit, theme)
    if chip.cached_text is not None:
        below = QRectF(rect.left(), rect.bottom() + row.unit * 0.27, rect.width(), row.words_height)
        draw_text(painter, below, visible(chip.cached_text, LONGEST), theme.cached_ink, mono_font(-1), CENTRE)


def _inks(chip: TokenChip, theme: Theme) -> tuple[QColor, QColor]:
    """Colours of the token and of its index."""
    if chip.is_first_bad:
        return theme.on_bad, theme.on_bad
    if chip.is_pad:
        return theme.muted, theme.muted
    return (theme.bad if chip.is_bad else theme.text), theme.muted


def _fill(chip: TokenChip, theme: Theme) -> QColor:
    if chip.is_first_bad:
        return theme.bad
    return theme.chip if chip.is_prompt and not chip.is_pad else theme.panel


def _border(chip: TokenChip, theme: Theme) -> QColor:
    if chip.is_bad or chip.is_first_bad:
        return theme.bad
    return theme.chip if chip.is_prompt and not chip.is_pad else theme.line


def _underline(painter: QPainter, rect: QRectF, unit: float, theme: Theme) -> None:
    pen = QPen(theme.accent, unit * 0.1)
    pen.setDashPattern([1.6, 1.4])
    painter.setPen(pen)
    y = rect.bottom() + unit * 0.13
    painter.drawLine(QPointF(rect.left() + unit * 0.15, y), QPointF(rect.right() - unit * 0.15, y))


def _wave(painter: QPainter, rect: QRectF, unit: float, theme: Theme) -> None:
    """Where a token that matters would be another one: seen without its colour, too."""
    left, right, middle = rect.left() + unit * 0.1, rect.right() - unit * 0.1, rect.bottom() + unit * 0.15
    n_turns = max(4, round((right - left) / (unit * 0.16)))
    places = [left + (right - left) * turn / n_turns for turn in range(n_turns + 1)]
    painter.setPen(QPen(theme.bad, unit * 0.1))
    painter.drawPolyline(
        QPolygonF([QPointF(x, middle + unit * (0.11, -0.11)[i % 2]) for i, x in enumerate(places)])
    )


def _outline(painter: QPainter, rect: QRectF, unit: float, theme: Theme) -> None:
    painter.setPen(QPen(theme.accent, unit * 0.14))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), unit * 0.38, unit * 0.38)
