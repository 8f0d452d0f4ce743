"""The KV table, the logits, the grid of heads, and the slots."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from core.views.cache import PositionsView
from gui.widgets.kv_model import Column, KvModel, positions_text, shape_text
from gui.widgets.kv_table import KvTable
from gui.widgets.layer_grid import LayerGrid
from gui.widgets.logits_table import LogitsTable
from gui.widgets.slots_view import SlotsPlot
from tests.gui import sample_views


@pytest.fixture
def table(qtbot):
    widget = KvTable()
    qtbot.addWidget(widget)
    widget.resize(1000, 200)
    widget.set_view(sample_views.kv_table(), 0)
    widget.show()
    return widget


def test_that_the_model_keeps_to_the_rules_of_qt(qapp):
    model = KvModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_view(sample_views.kv_table(4))
    model.set_view(sample_views.kv_table(4))
    model.set_view(sample_views.kv_table(2))
    assert tester.model().rowCount() == 2


def test_that_a_click_on_a_row_chooses_the_layer(table, qtbot):
    place = table.visualRect(table.model().index(2, 1)).center()
    with qtbot.waitSignal(table.layer_clicked) as clicked:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [2]


def test_that_showing_another_step_chooses_no_layer(table, qtbot):
    with qtbot.assertNotEmitted(table.layer_clicked):
        table.set_view(sample_views.kv_table(), 3)
    assert table.currentIndex().row() == 3


def test_that_copying_gives_the_chosen_rows_with_a_header(table, qtbot):
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t")[0] == "layer"
    assert lines[1].split("\t")[: Column.GREW + 1] == ["0", "[1, 2, 42, 32]", "[1, 2, 42, 32]", "+1"]
    assert len(lines) == 2


def test_that_a_wrong_position_has_a_cross(table):
    text = table.model().index(0, Column.POSITIONS).data()
    assert text == "41 / 0 ×"


def test_that_equal_positions_have_none(table):
    table.set_view(replace(sample_views.kv_table(), positions=PositionsView((41,), (41,))), 0)
    assert table.model().index(0, Column.POSITIONS).data() == "41 / 41"


@pytest.mark.parametrize(
    ("ids", "text"), [((7,), "7"), ((0, 1, 2, 3), "0–3"), ((5, 9, 1, 2), "5, 9, 1 …"), ((), "–")]
)
def test_that_many_positions_are_told_shortly(ids, text):
    assert positions_text(ids) == text


def test_that_a_lane_without_a_cache_has_a_dash():
    assert shape_text(None) == "–"


def test_that_every_cell_can_be_painted_without_figures(table):
    view = sample_views.kv_table()
    rows = tuple(
        replace(row, oracle_shape=None, grew=None, max_dk=None, max_dv=None, capacity=0) for row in view.rows
    )
    table.set_view(replace(view, rows=rows, positions=None), 0)
    assert not table.grab().isNull()


def test_that_the_summary_of_the_logits_says_that_the_choice_differs(qtbot):
    table = LogitsTable()
    qtbot.addWidget(table)
    table.set_view(sample_views.logits())
    assert "top-1 differs" in table.summary()
    assert "KL 1.92" in table.summary()
    assert "max |Δ| 4.70 at “1”" in table.summary()


def test_that_logits_that_are_not_finite_are_said_so(qtbot):
    table = LogitsTable()
    qtbot.addWidget(table)
    view = sample_views.logits()
    rows = (replace(view.rows[0], cached=float("nan"), is_bad=True), *view.rows[1:])
    table.set_view(replace(view, rows=rows, max_abs_diff=None, kl=None, margin=None))
    assert "not finite" in table.summary()
    assert not table.grab().isNull()


def test_that_a_click_on_a_square_names_layer_and_head(qtbot):
    grid = LayerGrid()
    qtbot.addWidget(grid)
    grid.resize(200, 260)
    grid.set_view(sample_views.layer_grid())
    with qtbot.waitSignal(grid.head_clicked) as clicked:
        qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.head_rect(3, 1).center().toPoint())
    assert clicked.args == [3, 1]


def test_that_arrow_keys_choose_a_neighbouring_head(qtbot):
    grid = LayerGrid()
    qtbot.addWidget(grid)
    grid.set_view(sample_views.layer_grid())
    with qtbot.waitSignal(grid.head_clicked) as moved:
        qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert moved.args == [1, 2]


def test_that_equal_logits_are_said_to_be_equal(qtbot):
    table = LogitsTable()
    qtbot.addWidget(table)
    table.set_view(replace(sample_views.logits(), max_abs_diff=0.0, top1_differs=False))
    assert "exactly equal" in table.summary()


def test_that_a_square_without_difference_is_pale_and_a_broken_one_is_not(qtbot):
    grid = LayerGrid()
    qtbot.addWidget(grid)
    grid.resize(200, 260)
    view = sample_views.layer_grid()
    values = np.zeros_like(view.values)
    values[1, 1] = np.nan
    grid.set_view(replace(view, values=values, is_bad=np.isnan(values)))
    picture = grid.grab().toImage()
    pale = picture.pixelColor(grid.head_rect(2, 2).center().toPoint())
    broken = picture.pixelColor(grid.head_rect(1, 1).center().toPoint())
    assert pale.lightness() > broken.lightness()


def test_that_the_map_of_slots_shows_keys_or_values(qtbot):
    plot = SlotsPlot()
    qtbot.addWidget(plot)
    view = sample_views.slots()
    plot.set_view(view)
    assert plot.map._values.max() == np.abs(view.dk).max()
    plot.buttons["v"].click()
    assert plot.shown == "v"
    assert plot.map._values.max() == np.abs(view.dv).max()


def test_that_slots_with_a_wrong_position_are_marked(qtbot):
    plot = SlotsPlot()
    qtbot.addWidget(plot)
    plot.set_view(sample_views.slots(n_slots=42, n_bad=4))
    assert plot.positions._mismatches.getData()[0].tolist() == [38, 39, 40, 41]


def test_that_the_worst_of_very_many_slots_stays_visible(qtbot):
    plot = SlotsPlot()
    qtbot.addWidget(plot)
    view = sample_views.slots(n_slots=20_000, n_bad=1)
    plot.set_view(view)
    assert plot.map._pooled(300).max() == np.abs(view.dk).max()


def test_that_an_empty_cache_can_be_painted(qtbot):
    plot = SlotsPlot()
    qtbot.addWidget(plot)
    view = sample_views.slots()
    none = view.oracle_positions[:0]
    plot.set_view(
        replace(
            view,
            dk=view.dk[:, :0],
            dv=view.dv[:, :0],
            is_new=view.is_new[:0],
            oracle_positions=none,
            cached_positions=none,
        )
    )
    assert not plot.grab().isNull()


def test_that_the_same_layers_are_not_laid_out_again(table, monkeypatch):
    monkeypatch.setattr(table, "_fit", lambda: pytest.fail("nothing has changed"))
    table.set_view(sample_views.kv_table(), 2)
    assert table.currentIndex().row() == 2


def test_that_columns_are_as_wide_as_the_widest_text_in_sight(table):
    for column in (Column.ORACLE, Column.NBYTES):
        assert table._width_of(column, table._rows_in_sight()) == table.sizeHintForColumn(column)
