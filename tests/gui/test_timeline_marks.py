"""Marks in the timeline: turns, chunks, drafts and rollbacks, and tokens that matter."""

import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from core.views.step_marks import SensitiveStep, StepMark, StepMarks
from gui.theme import current_theme
from gui.widgets.timeline import Timeline
from tests.gui import sample_views

MARKS = StepMarks(
    (StepMark(3, "turn", 8), StepMark(6, "rollback", None)),
    (SensitiveStep(9, "4", None), SensitiveStep(11, "5", "<7>")),
)


@pytest.fixture
def timeline(qtbot: QtBot) -> Timeline:
    widget = Timeline()
    qtbot.addWidget(widget)
    widget.resize(1000, 160)
    widget.set_view(sample_views.timeline(is_healthy=True, selected=0))
    widget.set_marks(MARKS)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def colours_at(timeline: Timeline, step: float) -> set[str]:
    box = timeline.plotItem.getViewBox()
    area = box.mapRectToScene(box.boundingRect())
    picture, x = timeline.grab().toImage(), round(timeline.place_of(step))
    return {picture.pixelColor(x, y).name() for y in range(round(area.top()), round(area.bottom()))}


def test_that_a_special_step_has_a_band_and_its_word_on_the_axis(timeline: Timeline) -> None:
    assert current_theme().chip.name() in colours_at(timeline, 3.3)
    assert current_theme().chip.name() not in colours_at(timeline, 4.3)
    assert timeline._steps_axis.tickStrings([3.0, 4.0, 6.0], 1, 1) == ["3 turn", "4", "6 rollback"]


def test_that_a_word_without_room_stays_in_the_tip(timeline: Timeline) -> None:
    timeline.resize(260, 160)
    assert timeline._steps_axis.tickStrings([6.0], 1, 1) == ["6"]
    assert "the cache was rolled back" in timeline._describe_step(timeline._view, 6)


def test_that_only_a_token_that_the_cached_lane_would_change_is_red(timeline: Timeline) -> None:
    red = current_theme().bad.name()
    assert red in colours_at(timeline, 11)
    assert red not in colours_at(timeline, 9)
    assert current_theme().accent.name() in colours_at(timeline, 9) | colours_at(timeline, 8.95)


def test_that_the_tip_names_both_tokens_as_text(timeline: Timeline) -> None:
    assert "the cached lane would choose “&lt;7&gt;”" in timeline._describe_step(timeline._view, 11)
    assert "the cached lane" not in timeline._describe_step(timeline._view, 9)


def test_that_a_click_still_finds_the_step_under_a_band(timeline: Timeline) -> None:
    assert timeline.step_at(QPointF(timeline.place_of(3.2), 30)) == 3
