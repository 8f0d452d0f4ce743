"""The attention maps: what is coloured where, reading out, clicking, zooming together."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor

from core.views.allowed import AllowedView
from gui.theme import LIGHT, current_theme, difference_lut, sequential_lut
from gui.widgets.attention_maps import AttentionMaps
from gui.widgets.map_image import Scale, image, pooled, pooled_any
from gui.widgets.map_viewport import MapViewport
from tests.gui import sample_views


@pytest.fixture
def maps(qtbot):
    widget = AttentionMaps()
    qtbot.addWidget(widget)
    widget.resize(1000, 380)
    widget.set_view(sample_views.attention(n=8, prompt_len=5, cell=None))
    widget.show()
    return widget


def place(map_, row, column) -> QPoint:
    return map_.cell_rect(row, column).center().toPoint()


def test_that_a_click_names_query_and_key(maps, qtbot):
    with qtbot.waitSignal(maps.cell_clicked) as clicked:
        qtbot.mouseClick(maps.cached, Qt.MouseButton.LeftButton, pos=place(maps.cached, 6, 2))
    assert clicked.args == [6, 2]


def test_that_dragging_pans_and_selects_nothing(maps, qtbot):
    maps.viewport.zoom(0.5, QPointF(0, 0))
    before = QPointF(maps.viewport.origin)
    with qtbot.assertNotEmitted(maps.cell_clicked):
        start = maps.oracle.geometry_now().area.center().toPoint()
        qtbot.mousePress(maps.oracle, Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(maps.oracle, start - QPoint(60, 0))
        qtbot.mouseRelease(maps.oracle, Qt.MouseButton.LeftButton, pos=start - QPoint(60, 0))
    assert maps.viewport.origin.x() >= before.x()


def test_that_all_three_maps_zoom_together(maps):
    maps.viewport.zoom(0.5, QPointF(4, 4))
    sizes = {round(map_.cell_rect(0, 0).width() / map_.geometry_now().area.width(), 6) for map_ in maps.maps}
    assert sizes == {0.25}


def test_that_a_cell_has_the_colour_of_its_weight(maps):
    view = sample_views.attention(n=8, prompt_len=5, cell=None)
    maps.set_view(replace(view, worst_cell=None))
    picture = maps.oracle.grab().toImage()
    share = Scale(1.0).shares(view.oracle[6:7, 1:2])[0, 0]
    expected = QColor(int(sequential_lut()[round(float(share) * 255)]))
    assert picture.pixelColor(place(maps.oracle, 6, 1)) == expected


def test_that_a_cell_that_no_query_sees_is_quiet(maps):
    picture = maps.oracle.grab().toImage()
    assert picture.pixelColor(place(maps.oracle, 1, 6)) == current_theme().unseen


def test_that_the_readout_tells_both_weights_and_a_wrong_position(maps):
    view = replace(sample_views.attention(n=8, prompt_len=5, cell=(6, 2)), cell_positions=(6, 0))
    maps.set_view(view)
    said = maps.readout()
    assert "query 6" in said
    assert "key 2" in said
    assert "position told 0, expected 6" in said


def test_that_the_future_is_said_to_be_unseen(maps):
    maps.set_view(sample_views.attention(n=8, prompt_len=5, cell=(1, 6)))
    assert "not seen" in maps.readout()


def test_that_hostile_tokens_are_shown_as_text(maps):
    view = sample_views.attention(n=8, prompt_len=5, cell=(6, 2))
    maps.set_view(
        replace(view, labels=("<b>bold</b>", "\u202e", "\n", "\x1b[31m", "a", "b", "<img src=x>", "c"))
    )
    assert "<img␣src=x>" in maps.readout()
    assert "&lt;img" in maps._readout.text()


def test_that_the_selected_cell_moves_by_control_and_arrows(maps, qtbot):
    maps.set_view(sample_views.attention(n=8, prompt_len=5, cell=(6, 2)))
    with qtbot.waitSignal(maps.cell_clicked) as moved:
        qtbot.keyClick(maps, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert moved.args == [6, 1]


def test_that_a_growing_text_keeps_the_whole_map_in_sight(maps):
    maps.set_view(sample_views.attention(n=12, prompt_len=5, cell=None))
    assert maps.viewport.span == 12


def test_that_whoever_zoomed_in_stays_there_when_the_text_grows():
    viewport = MapViewport()
    viewport.set_size(40)
    viewport.zoom(0.25, QPointF(20, 20))
    before = viewport.rect
    viewport.set_size(41)
    assert viewport.rect == before


def test_that_the_window_onto_a_map_never_leaves_it():
    viewport = MapViewport()
    viewport.set_size(40)
    viewport.zoom(0.25, QPointF(39, 39))
    viewport.pan(QPointF(1000, -1000))
    assert viewport.rect.right() == 40
    assert viewport.rect.top() == 0


def test_that_one_bad_cell_survives_pooling_with_its_sign():
    values = np.full((2048, 2048), 1e-7, dtype=np.float32)
    values[1777, 31] = -0.5
    assert pooled(values, 9).min() == np.float32(-0.5)


def test_that_a_block_is_seen_when_any_cell_of_it_is():
    seen = np.zeros((5, 5), dtype=bool)
    seen[4, 4] = True
    assert pooled_any(seen, 2).tolist() == [
        [False, False, False],
        [False, False, False],
        [False, False, True],
    ]


@pytest.mark.parametrize("is_log", [False, True])
def test_that_numbers_that_are_not_finite_become_the_end_of_the_scale(is_log):
    values = np.array([[np.nan, np.inf, 0.0]], dtype=np.float32)
    shares = Scale(1.0, is_log=is_log).shares(values)
    assert shares.tolist() == [[1.0, 1.0, 0.0]]


def test_that_no_difference_has_the_colour_of_the_panel():
    zero = np.zeros((1, 1), dtype=np.float32)
    made = image(zero, zero == 0, Scale(0.5, is_signed=True), difference_lut("light"), LIGHT.unseen)
    assert all(abs(channel - 255) <= 2 for channel in QColor(made.pixel(0, 0)).getRgb()[:3])


def test_that_an_empty_map_paints_nothing(maps):
    empty = np.zeros((0, 0), dtype=np.float32)
    view = sample_views.attention(n=8, prompt_len=5, cell=None)
    maps.set_view(
        replace(
            view,
            oracle=empty,
            cached=empty,
            difference=empty,
            seen=empty > 0,
            labels=(),
            worst_cell=None,
            max_abs_diff=0.0,
        )
    )
    assert not maps.grab().isNull()


def test_that_the_outline_runs_along_what_a_lane_may_see(maps):
    view = sample_views.attention(n=8, prompt_len=5, cell=None)
    causal = np.tril(np.ones((8, 8), dtype=bool))
    blind = causal.copy()
    blind[6, :3] = False
    maps.set_view(replace(view, worst_cell=None), None, AllowedView(causal, blind, True))
    parts = {part.tone: part for part in maps.difference._data.outlines}
    assert set(parts) == {"text", "oracle", "cached"}
    assert parts["cached"].is_dashed
    picture, corner = maps.cached.grab().toImage(), maps.cached.cell_rect(6, 2)
    side = {
        picture.pixelColor(round(corner.right()) + dx, round(corner.center().y())).name() for dx in (-1, 0, 1)
    }
    assert current_theme().cached.name() in side
    picture = maps.oracle.grab().toImage()
    side = {
        picture.pixelColor(round(corner.right()) + dx, round(corner.center().y())).name() for dx in (-1, 0, 1)
    }
    assert current_theme().oracle.name() not in side
