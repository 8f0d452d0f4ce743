"""Traces of other programs, and two traces against each other."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.trace.reader import Trace
from core.trace.records import COMPARE
from core.views.findings import verdict
from gui.main_window import MainWindow
from gui.run_stage import Stage
from tests.core.trace.reference_writer import write
from tests.core.trace.test_foreign_traces import TEXT, one_lane_steps, steps_of
from tests.gui.conftest import settle


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    window.dropEvent(
        QDropEvent(
            QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
    )  # fmt: skip


def empty_panels(window: MainWindow) -> set[str]:
    return {type(panel).__name__ for panel in window.panels.panels if panel.is_empty}


def test_that_logits_alone_give_timeline_tokens_and_verdict_and_the_other_panels_say_what_is_missing(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    steps = steps_of(TEXT, 5)
    steps[2]["cached/logits"][0, 0, 3] += 1
    write(tmp_path / "a.kvtrace", steps)
    window.opening.open_path(str(tmp_path / "a.kvtrace"))
    settle(window, qtbot, Stage.FINISHED)
    assert window.state.n_steps == 4
    assert "divergent from step 2" in window.status.verdict.text()
    assert empty_panels(window) == {"AttentionPanel", "LayersPanel", "KvPanel", "SlotsPanel"}
    assert window.session.spec.target == ""
    assert not window.notices.text


def test_that_one_lane_opens_and_says_that_nothing_is_compared(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    write(tmp_path / "a.kvtrace", one_lane_steps())
    window.opening.open_path(str(tmp_path / "a.kvtrace"))
    settle(window, qtbot, Stage.FINISHED)
    assert window.state.n_steps == 4
    said = verdict(window.state.trace, window.state.tolerance)
    assert (said.state, str(said.status)) == ("nothing", "one lane only: nothing to compare")
    assert "LogitsPanel" in empty_panels(window)
    assert not window.notices.text


def test_that_two_dropped_traces_are_compared(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    steps = one_lane_steps()
    write(tmp_path / "a.kvtrace", steps)
    steps[2]["cached/layer.1/v"][0, 1] += 1
    steps[2]["cached/logits"] += 1
    write(tmp_path / "b.kvtrace", steps)
    drop(window, tmp_path / "a.kvtrace", tmp_path / "b.kvtrace")
    settle(window, qtbot, Stage.FINISHED)
    assert window.state.trace.info.scenario == COMPARE
    assert "divergent from step 2" in window.status.verdict.text()
    window.session.look_at_bad(2)
    assert (window.state.selection.step, window.state.selection.layer) == (2, 1)
    window.commands.save_to(tmp_path / "pair.kvtrace")
    with Trace.open(tmp_path / "pair.kvtrace") as saved:
        assert len(saved) == 4


def test_that_two_traces_that_do_not_fit_say_why_and_the_run_stays(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5))
    write(tmp_path / "b.kvtrace", steps_of(np.flip(TEXT, 1), 5))
    before = window.state.trace
    drop(window, tmp_path / "a.kvtrace", tmp_path / "b.kvtrace")
    assert "token 0 of batch row 0" in window.notices.text
    assert window.state.trace is before


def test_that_a_recording_that_was_not_closed_offers_a_repaired_copy_and_stays_as_it_is(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5))
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        end = trace._members[2].end
    part = tmp_path / "cut.kvtrace.part"
    part.write_bytes((tmp_path / "a.kvtrace").read_bytes()[: end + 9])
    before = part.read_bytes()
    window.opening.open_path(str(part))
    settle(window, qtbot, Stage.FINISHED)
    assert "3 complete steps are here, 9 bytes" in window.notices.text
    proposed = []
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *args: (proposed.append(args[2]), (args[2], ""))[1]
    )
    qtbot.mouseClick(window.notices.action_button, Qt.MouseButton.LeftButton)
    assert proposed == [str(tmp_path / "cut-repaired.kvtrace")]
    with Trace.open(proposed[0]) as copy:
        assert (len(copy), copy.end.status) == (3, "partial")
    assert part.read_bytes() == before
    assert window.notices.text == "Saved cut-repaired.kvtrace."
    assert not window.notices.action_button.isVisible()


def test_that_of_many_dropped_files_one_is_opened_and_the_rest_named(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for index in range(9):
        write(tmp_path / f"{index}.kvtrace", steps_of(TEXT, 5))
    drop(window, *sorted(tmp_path.iterdir()))
    settle(window, qtbot, Stage.FINISHED)
    assert window.session.file == tmp_path / "0.kvtrace"
    assert "1.kvtrace, 2.kvtrace" in window.notices.text
