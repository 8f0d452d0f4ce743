"""The second track, the axes of the cache, the pyramid of a large map, keys in the maps."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.colormaps import difference_lut
from gui.widgets.attention_maps import AttentionMaps
from gui.widgets.kv_axes import KvAxes
from gui.widgets.kv_table import GIVE_WAY, KvTable
from gui.widgets.map_image import Scale
from gui.widgets.map_pyramid import MapPyramid
from gui.widgets.margin_track import MarginTrack
from tests.gui import sample_views

N = 4096


@pytest.mark.parametrize(
    "view", [QRectF(0, 0, N, N), QRectF(900, 900, 1700, 1700), QRectF(1200, 1200, 400, 400)]
)
def test_that_one_bad_cell_of_4096_x_4096_is_seen_at_every_zoom(view: QRectF) -> None:
    values = np.zeros((N, N), dtype=np.float32)
    values[1234, 1235] = -1.0
    lut = difference_lut("light")
    piece = MapPyramid(values, np.ones((N, N), dtype=bool)).piece(
        view, 300, Scale(1.0, is_signed=True), lut, QColor("white")
    )
    drawn = piece.picture.copy(piece.source.toAlignedRect())
    assert max(drawn.width(), drawn.height()) <= 2 * 300 + 2
    colours = {drawn.pixel(x, y) & 0xFFFFFF for x in range(drawn.width()) for y in range(drawn.height())}
    assert int(lut[0]) & 0xFFFFFF in colours


def test_that_the_track_shows_margin_and_kl_and_skips_what_was_not_recorded(qtbot: QtBot) -> None:
    track = MarginTrack(lambda step: 60 + 20 * step)
    qtbot.addWidget(track)
    track.resize(400, 48)
    view = sample_views.timeline()
    track.set_view(view)
    with_all = track.grab().toImage()
    view.kl[:] = np.nan
    track.set_view(view)
    assert track.grab().toImage() != with_all
    assert "KL" in track.accessibleName()


def test_that_the_axes_show_the_growth_of_the_chosen_layer(qtbot: QtBot) -> None:
    axes, row = KvAxes(), sample_views.kv_table().rows[0]
    qtbot.addWidget(axes)
    axes.resize(axes.sizeHint())
    empty = axes.grab().toImage()
    axes.set_row(row)
    assert axes.grab().toImage() != empty
    assert str(row.cached_shape) == axes.accessibleDescription()


def test_that_a_brief_or_narrow_table_leaves_out_what_is_least_needed(qtbot: QtBot) -> None:
    table = KvTable()
    qtbot.addWidget(table)
    table.resize(1200, 300)
    table.show()
    table.set_view(sample_views.kv_table())
    table.set_brief(True)
    assert all(table.isColumnHidden(column) for column in GIVE_WAY)
    table.set_brief(False)
    assert not any(table.isColumnHidden(column) or table.columnWidth(column) == 0 for column in GIVE_WAY)
    width = table.width()
    while not table.isColumnHidden(GIVE_WAY[0]):
        width -= 10
        table.resize(width, 300)
    assert not table.isColumnHidden(GIVE_WAY[-1])
    table.resize(1200, 300)
    assert not table.isColumnHidden(GIVE_WAY[0])


def test_that_arrows_move_the_cell_of_a_map_that_was_reached_by_tab(qtbot: QtBot) -> None:
    maps = AttentionMaps()
    qtbot.addWidget(maps)
    maps.set_view(sample_views.attention())
    QApplication.sendEvent(maps, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    with qtbot.assertNotEmitted(maps.cell_clicked):
        QTest.keyClick(maps, Qt.Key.Key_Left)
    QApplication.sendEvent(maps, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    with qtbot.waitSignal(maps.cell_clicked):
        QTest.keyClick(maps, Qt.Key.Key_Left)


def test_that_an_automatic_range_ends_at_the_largest_weight(qtbot: QtBot) -> None:
    maps = AttentionMaps()
    qtbot.addWidget(maps)
    view = sample_views.attention()
    maps.set_view(view)
    assert maps.oracle._data.scale.top == 1.0
    maps.auto_button.click()
    assert maps.oracle._data.scale.top == max(view.oracle[:, 1:].max(), view.cached[:, 1:].max())
