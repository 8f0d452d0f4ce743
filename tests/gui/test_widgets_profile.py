"""The figures of a profile: what the table says, and names at the ends of curves that do not touch."""

from itertools import pairwise

from pytestqt.qtbot import QtBot

from core.views.profile_table import profile_view
from gui.widgets.profile_figures import ProfileFigures
from gui.widgets.profile_plot import _apart
from gui.widgets.profile_table import Column
from tests.core.profile.test_profile import RESULT


def test_that_the_table_names_a_layout_once_and_says_where_caching_does_not_pay(qtbot: QtBot) -> None:
    figures = ProfileFigures()
    qtbot.addWidget(figures)
    figures.set_view(profile_view(RESULT))
    lines = figures.table.lines
    assert [lines.text(row, Column.LAYOUT) for row in range(4)] == ["concat", "", "", ""]
    assert [lines.text(row, Column.LENGTH) for row in range(4)] == ["32", "64", "128", "256"]
    assert lines.text(0, Column.SAVES) == "no gain 0.5×"
    assert lines.text(3, Column.SAVES) == "4.0×"
    assert lines.text(3, Column.ALLOCATED) == "–"  # its bytes were not seen
    assert "does not pay at length 32, 64" in figures._conclusions.text()


def test_that_the_plot_gives_way_where_there_is_little_room(qtbot: QtBot) -> None:
    figures = ProfileFigures()
    qtbot.addWidget(figures)
    figures.set_view(profile_view(RESULT))
    figures.resize(1400, 300)
    figures.show()
    assert figures.plot.isVisible()
    assert figures.plot.width() + figures.table.wanted_width <= 1400
    figures.resize(300, 300)
    assert not figures.plot.isVisible()


def test_that_names_are_moved_apart_and_stay_above_the_foot() -> None:
    places = _apart([5.0, 1.0, 0.9, 0.8], line=0.5, lowest=0.2)
    assert places[0] == 5.0
    assert all(above - below >= 0.5 - 1e-9 for above, below in pairwise(places))
    assert places[-1] >= 0.2
