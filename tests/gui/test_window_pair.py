"""Two traces side by side in the window: the lanes bear the names of their files."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.trace.reader import Trace
from core.trace.writer import TraceWriter
from gui.comparison import Comparison
from gui.main_window import MainWindow
from gui.run_stage import Stage
from tests.core.support import record_trace
from tests.gui.conftest import press, settle


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("pair")
    paths = folder / "reference.kvtrace", folder / "<b>ported.kvtrace"
    for path, faults in zip(paths, ((), ("position-reset",)), strict=True):
        record_trace(path, prompt="Pay 12", steps=3, faults=faults).close()
    return paths


def captions(window: MainWindow) -> list[str]:
    maps = window.panels.attention._maps
    return [maps.oracle.accessibleName(), maps.cached.accessibleName()]


def headers(window: MainWindow) -> list[str]:
    model = window.panels.kv._table._model
    return [str(model.headerData(column, Qt.Orientation.Horizontal)) for column in (1, 2)]


def test_that_two_files_stand_in_the_places_of_the_lanes(
    shared_window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    shared_window.opening.open_paths([str(path) for path in pair])
    settle(shared_window, qtbot, Stage.FINISHED)
    assert captions(shared_window) == ["reference", "<b>ported"]
    assert headers(shared_window) == ["reference", "<b>ported"]
    assert shared_window.status.timing.textFormat() == Qt.TextFormat.PlainText
    press(shared_window, "next_bad")
    settle(shared_window, qtbot, Stage.FINISHED)
    assert shared_window.state.selection.step == 1
    assert "reference" in shared_window.windowTitle()

    press(shared_window, "copy_command")
    assert QGuiApplication.clipboard().text() == f"python main.py compare {pair[0]} '{pair[1]}'"

    assert shared_window.session.open(pair[0])
    settle(shared_window, qtbot, Stage.FINISHED)
    assert captions(shared_window) == ["Oracle", "Cached"]
    assert headers(shared_window) == ["oracle K, V", "cached K, V"]
    assert shared_window.opening.pair is None


def test_that_one_file_is_compared_with_the_one_that_is_shown(
    shared_window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shared_window.session.open(pair[0])
    settle(shared_window, qtbot, Stage.FINISHED)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(pair[1])], ""))
    press(shared_window, "compare")
    settle(shared_window, qtbot, Stage.FINISHED)
    assert shared_window.opening.pair == Comparison(*pair)
    assert captions(shared_window) == ["reference", "<b>ported"]


def test_that_three_files_are_no_comparison(
    window: MainWindow, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(pair[0])] * 3, ""))
    press(window, "compare")
    assert window.opening.pair is None
    assert not window.notices.isHidden()


def test_that_traces_with_other_names_are_compared_once_a_mapping_is_chosen(
    shared_window: MainWindow,
    pair: tuple[Path, Path],
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, mapping = tmp_path / "other.kvtrace", tmp_path / "map.json"
    rename_tensors(pair[1], other, "layer.", "blk.")
    shared_window.opening.open_paths([str(pair[0]), str(other)])
    notices = shared_window.notices
    assert "have not the same tensors" in notices.text
    assert [notices.action_button.text(), notices.second_button.text()] == [
        "Choose a mapping file…",
        "Compare the logits only",
    ]
    notices.second_button.click()
    settle(shared_window, qtbot, Stage.FINISHED)
    assert shared_window.opening.pair == Comparison(pair[0], other, is_logits_only=True)

    shared_window.opening.open_paths([str(pair[0]), str(other)])
    mapping.write_text('{"names": {"blk.*": "layer.*"}}')
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(mapping), ""))
    notices.action_button.click()
    settle(shared_window, qtbot, Stage.FINISHED)
    assert captions(shared_window) == ["reference", "other"]
    press(shared_window, "copy_command")
    wanted = f"python main.py compare {pair[0]} {other} --map {mapping}"
    assert QGuiApplication.clipboard().text() == wanted


def test_that_what_a_shorter_trace_has_is_compared_if_asked_for(
    shared_window: MainWindow, pair: tuple[Path, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    short = tmp_path / "short.kvtrace"
    record_trace(short, prompt="Pay 12", steps=2).close()
    shared_window.opening.open_paths([str(short), str(pair[0])])
    assert "tokens and B has" in shared_window.notices.text
    assert shared_window.notices.second_button.isHidden()
    shared_window.notices.action_button.click()
    settle(shared_window, qtbot, Stage.FINISHED)
    assert shared_window.opening.pair == Comparison(short, pair[0], is_prefix=True)
    assert shared_window.state.n_steps == 3


def rename_tensors(source: Path, target: Path, old: str, new: str) -> None:
    """Write a copy whose tensors have other names."""
    with Trace.open(source) as trace:
        writer = TraceWriter(target, trace.info)
        for step in range(len(trace)):
            tensors = {name: trace.tensor(step, name) for name in trace.tensor_names(step)}
            writer.add_step(
                trace.facts(step),
                {name.replace(old, new): array for name, array in tensors.items() if array is not None},
            )
        writer.close("complete")
