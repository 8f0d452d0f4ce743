"""The timeline: steps and the tolerance that can be dragged."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from gui.widgets.timeline import Timeline
from tests.gui import sample_views


@pytest.fixture
def timeline(qtbot):
    widget = Timeline()
    qtbot.addWidget(widget)
    widget.resize(1000, 160)
    widget.set_view(sample_views.timeline())
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def place(timeline, step, log10):
    return timeline.mapFromScene(timeline.plotItem.getViewBox().mapViewToScene(QPointF(step, log10)))


def test_that_a_click_selects_the_nearest_step(timeline, qtbot):
    with qtbot.waitSignal(timeline.step_clicked) as clicked:
        qtbot.mouseClick(timeline.viewport(), Qt.MouseButton.LeftButton, pos=place(timeline, 7.2, 0))
    assert clicked.args == [7]


def test_that_a_click_beyond_the_recorded_steps_selects_the_last_one(timeline, qtbot):
    timeline.set_view(sample_views.timeline(n_recorded=4, selected=0))
    with qtbot.waitSignal(timeline.step_clicked) as clicked:
        qtbot.mouseClick(timeline.viewport(), Qt.MouseButton.LeftButton, pos=place(timeline, 9, 0))
    assert clicked.args == [3]


def test_that_dragging_the_line_tells_the_new_tolerance(timeline, qtbot):
    start, end = place(timeline, 6, np.log10(5e-4)), place(timeline, 6, -2)
    with (
        qtbot.waitSignals([timeline.tolerance_dragged, timeline.tolerance_changed]),
        qtbot.assertNotEmitted(timeline.step_clicked),
    ):
        qtbot.mousePress(timeline.viewport(), Qt.MouseButton.LeftButton, pos=start)
        for share in (0.3, 0.6, 1.0):
            qtbot.mouseMove(timeline.viewport(), start + (end - start) * share)
        qtbot.mouseRelease(timeline.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert timeline._dragged_tolerance() == pytest.approx(1e-2, rel=0.6)


def test_that_the_label_says_the_tolerance(timeline):
    assert timeline._tolerance.label.toPlainText() == "tol 5.0e-4"


def test_that_points_over_the_tolerance_are_filled_and_the_first_is_a_cross(timeline):
    assert timeline._cross.getData()[0].tolist() == [1.0]
    assert timeline._points.getData()[0].tolist() == [0.0]
    assert timeline._bad_points.getData()[0].tolist() == list(range(2, 13))
    assert timeline._first_bad.isVisible()


def test_that_a_healthy_run_has_no_red_line(timeline):
    timeline.set_view(sample_views.timeline(is_healthy=True))
    assert not timeline._first_bad.isVisible()


def test_that_values_that_are_not_finite_do_not_reach_the_axes(timeline):
    view = sample_views.timeline()
    broken = view.log10_diff.copy()
    broken[3], broken[4] = np.nan, np.inf
    timeline.set_view(replace(view, log10_diff=broken, is_nonfinite=~np.isfinite(broken)))
    assert np.isfinite(timeline.plotItem.viewRange()).all()


@pytest.mark.parametrize("tolerance", [0.0, 1e-12, 1e6])
def test_that_any_tolerance_has_a_place(timeline, tolerance):
    timeline.set_view(replace(sample_views.timeline(), tolerance=tolerance))
    assert np.isfinite(timeline.plotItem.viewRange()).all()


def test_that_the_prefill_is_named_on_the_axis(timeline):
    assert timeline._steps_axis.tickStrings([0.0, 1.0], 1, 1) == ["0 prefill", "1"]


def test_that_another_step_moves_the_cursor_alone(timeline, monkeypatch):
    view = sample_views.timeline()
    timeline.set_view(view)
    monkeypatch.setattr(timeline, "_draw", lambda view: pytest.fail("nothing but the cursor has moved"))
    timeline.set_view(replace(view, selected=7))
    assert timeline._cursor.value() == 7


def test_that_points_are_smaller_in_a_narrower_window(timeline):
    before = timeline._points.opts["size"]
    timeline.resize(110, 160)
    assert timeline._points.opts["size"] < before
