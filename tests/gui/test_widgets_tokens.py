"""The token strip and the texts of tokens."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from core.views.tokens import TokenChip, TokenStripView
from gui.theme import current_theme
from gui.token_text import readable, visible
from gui.widgets.stamps import Stamps
from gui.widgets.token_chips import ChipRow, paint_row
from gui.widgets.token_strip import TokenStrip
from tests.gui import sample_views


@pytest.fixture
def strip(qtbot):
    widget = TokenStrip()
    qtbot.addWidget(widget)
    widget.resize(600, widget.height())
    widget.set_view(sample_views.token_strip())
    widget.show()
    return widget


def test_that_a_click_on_a_token_selects_its_step(strip, qtbot):
    canvas = strip._canvas
    chip = next(chip for chip in canvas.view.chips if chip.step_index == 6)
    place = canvas.row.rects[chip.token_index].center().toPoint()
    with qtbot.waitSignal(strip.step_clicked) as clicked:
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [6]


def test_that_the_selected_token_is_scrolled_into_sight(strip):
    strip.set_view(sample_views.token_strip(step=12))
    right = strip._canvas.row.selected_span()[1]
    assert right <= strip.horizontalScrollBar().value() + strip.viewport().width()


def test_that_the_first_bad_token_is_filled_red(strip):
    canvas = strip._canvas
    first = next(i for i, chip in enumerate(canvas.view.chips) if chip.is_first_bad)
    rect = canvas.row.rects[first]
    inside = rect.topLeft().toPoint() + rect.center().toPoint()
    inside.setX(int(rect.right()) - 4)
    inside.setY(int(rect.top()) + 6)
    assert canvas.grab().toImage().pixelColor(inside) == current_theme().bad


def test_that_the_border_lies_between_prompt_and_decode(strip):
    row = strip._canvas.row
    last_prompt = max(i for i, chip in enumerate(row.chips) if chip.is_prompt)
    assert row.rects[last_prompt].right() < row.border_x < row.rects[last_prompt + 1].left()


def test_that_all_tokens_of_a_prefill_share_one_outline():
    chips = tuple(TokenChip(c, i, i, 0, is_prompt=i < 3, is_selected=True) for i, c in enumerate("abcd"))
    assert ChipRow(chips, 15).selected_runs == [(0, 2), (3, 3)]


def test_that_wide_characters_get_wider_chips(qapp):
    chips = (TokenChip("i", 0, 0, 0, True), TokenChip("审计", 1, 1, 0, True))
    narrow, wide = ChipRow(chips, 15).rects
    assert wide.width() > narrow.width()


def test_that_an_empty_strip_can_be_painted(strip):
    strip.set_view(TokenStripView(chips=()))
    assert not strip.grab().isNull()


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (" ", "\u2423"),
        ("\n", "\\n"),
        ("\t", "\\t"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202e", "\\u202e"),
        ("\ud800", "\\ud800"),
        ("\u0301", "\u25cc\u0301"),
        ("", "\u2205"),
        ("审", "审"),
        ("<b>", "<b>"),
    ],
)
def test_that_tokens_are_visible_and_inert(token, shown):
    assert visible(token) == shown


def test_that_a_huge_token_is_cut():
    assert visible("x" * 10**6, 8) == "xxxxxxx\u2026"


def test_that_running_text_keeps_its_spaces():
    assert readable("a b\n") == "a b\\n"


def test_that_a_token_that_matters_and_would_change_is_waved_in_red(strip):
    chips = tuple(
        TokenChip("7", i, i, i, is_prompt=False, is_sensitive=True, cached_text=other)
        for i, other in enumerate((None, "8"))
    )
    row, picture = ChipRow(chips, 15), QImage(100, 80, QImage.Format.Format_RGB32)
    picture.fill(current_theme().panel)
    painter = QPainter(picture)
    paint_row(painter, row, ("", ""), None, picture.rect(), Stamps())
    painter.end()
    reds = [
        sum(
            picture.pixelColor(x, y).red() - picture.pixelColor(x, y).blue() > 90
            for x in range(int(rect.left()), int(rect.right()))
            for y in range(int(rect.bottom()) + 1, int(rect.bottom()) + 4)
        )
        for rect in row.rects
    ]
    assert reds[0] == 0
    assert reds[1] > 5
    assert "would change" in strip._canvas._describe(chips[1])
    assert "this token matters:" in strip._canvas._describe(chips[0])


def test_that_another_selected_token_keeps_the_places_of_all(strip):
    rects, shown = strip._canvas.row.rects, strip.accessibleDescription()
    strip.set_view(sample_views.token_strip(step=9))
    assert strip._canvas.row.rects is rects
    assert strip.accessibleDescription() == shown
    row = strip._canvas.row
    assert [row.chips[first].step_index for first, _ in row.selected_runs] == [9]


def test_that_another_text_is_laid_out_anew(strip):
    strip.set_view(sample_views.token_strip(first_bad=3))  # its cross needs room elsewhere
    assert next(chip for chip in strip._canvas.row.chips if chip.is_first_bad).step_index == 3
    assert len(strip._canvas.row.rects) == len(strip._canvas.view.chips)


def test_that_chips_in_sight_are_found_by_their_edges(strip):
    row = strip._canvas.row
    left, right = row.rects[3].center().x(), row.rects[5].left()
    assert row.chips_between(left, right) == range(3, 6)
    assert row.chips_between(-50, 1e9) == range(len(row.rects))
    assert row.chips_between(-50, -10) == range(0)
