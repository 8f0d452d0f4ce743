"""Saving, opening and dropping traces."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from core.trace.reader import Trace
from core.views.attention import attention
from core.views.cache import kv_table
from core.views.tokens import token_strip
from gui.main_window import MainWindow
from gui.run_stage import Stage
from tests.gui.conftest import SPEC, press, settle, step_of


@pytest.fixture
def saved(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Path:
    """A finished run as a file."""
    press(window, "run")
    settle(window, qtbot, Stage.FINISHED)
    window.commands.save_to(tmp_path / "run")
    return tmp_path / "run.kvtrace"


def test_that_a_saved_run_has_every_step_and_names_the_window(
    window: MainWindow, qtbot: QtBot, saved: Path
) -> None:
    with Trace.open(saved) as trace:
        assert len(trace) == SPEC.steps + 1
        assert trace.end is not None
    assert saved.name in window.windowTitle()
    settle(window, qtbot, Stage.FINISHED)
    assert window.status.file.text() == saved.name


def test_that_an_opened_trace_shows_what_the_live_run_showed(
    window: MainWindow, qtbot: QtBot, saved: Path
) -> None:
    before = _shown(window, step=2)
    window.session.start(SPEC)
    settle(window, qtbot, Stage.WAITING)
    window.opening.open_path(str(saved))
    settle(window, qtbot, Stage.FINISHED)
    assert step_of(window.state) == 0
    assert _shown(window, step=2) == before
    press(window, "step")
    press(window, "back")
    assert step_of(window.state) == 2
    assert not any(panel.is_empty for panel in window.panels.panels)


def _shown(window: MainWindow, step: int) -> tuple[object, ...]:
    state = window.state
    state.select(step=step)
    weights = attention(state.trace, state.selection)
    return (
        token_strip(state.trace, state.selection, state.tolerance),
        kv_table(state.trace, state.selection),
        weights.cached.tobytes(),
    )


def test_that_a_run_in_the_middle_can_be_saved(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    press(window, "step")
    settle(window, qtbot, Stage.WAITING)
    window.commands.save_to(tmp_path / "half.kvtrace")
    with Trace.open(tmp_path / "half.kvtrace") as trace:
        assert len(trace) == 2
    press(window, "step")
    settle(window, qtbot, Stage.WAITING)
    assert window.state.n_steps == 3


def test_that_a_dropped_trace_is_opened(window: MainWindow, qtbot: QtBot, saved: Path) -> None:
    window.session.start(SPEC)
    settle(window, qtbot, Stage.WAITING)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(saved))])
    drop = QDropEvent(
        QPointF(9, 9),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(drop)
    settle(window, qtbot, Stage.FINISHED)
    assert window.session.file == saved
    assert window.state.n_steps == SPEC.steps + 1


@pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x04.", b"PK\x03\x04" + b"\xff" * 60])
def test_that_a_file_that_is_no_trace_is_refused_and_the_run_stays(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "foreign.kvtrace"
    path.write_bytes(content)
    window.opening.open_path(str(path))
    assert window.notices.text
    assert window.session.file is None
    press(window, "step")
    settle(window, qtbot, Stage.WAITING)
    assert window.state.n_steps == 2


def test_that_a_trace_that_cannot_be_written_is_told(window: MainWindow, tmp_path: Path) -> None:
    window.commands.save_to(tmp_path / "missing" / "run.kvtrace")
    assert window.notices.text
    assert window.session.file is None


def test_that_recent_files_are_offered_while_they_exist(window: MainWindow, saved: Path) -> None:
    window.menus.recent.aboutToShow.emit()
    assert window.menus.recent.actions()[0].text() == str(saved.resolve())
    saved.unlink()
    window.menus.recent.aboutToShow.emit()
    assert str(saved.resolve()) not in [action.text() for action in window.menus.recent.actions()]


def test_that_changing_a_setting_of_an_opened_trace_records_a_new_run(
    window: MainWindow, qtbot: QtBot, saved: Path
) -> None:
    window.opening.open_path(str(saved))
    window.run_bar.layout_box.setCurrentText("static")
    window.run_bar.layout_box.activated.emit(window.run_bar.layout_box.currentIndex())
    settle(window, qtbot, Stage.FINISHED)
    assert window.session.file is None
    assert window.state.trace.info.layout == "static"
    assert saved.is_file()
