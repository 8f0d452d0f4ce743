"""A user's Python file in the window: asked about, run, changed, refused, failing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.engine.messages import RunSpec
from gui.main_window import MainWindow
from gui.run_stage import Stage
from gui.trust import Trusted
from tests.gui.conftest import press, settle

GOOD = """
import torch

torch.manual_seed(0)
weights = torch.randn(16, 16)


def full(ids):
    return weights[ids]


def cached(ids, cache):
    return weights[ids], (cache or 0) + ids.shape[1]
"""
RAISES = GOOD.replace(
    "    return weights[ids], (cache",
    "    if cache == 9:\n        raise ValueError('no room\\nand more')\n    return weights[ids], (cache",
)


@pytest.fixture
def asking(window: MainWindow) -> Iterator[MainWindow]:
    """A window that trusts nothing yet."""
    window.consent.trusted = Trusted()
    yield window
    if window.consent.dialog is not None:
        window.consent.dialog.reject()


def model(folder: Path, text: str = GOOD) -> Path:
    path = folder / "my_model.py"
    path.write_text(text)
    return path


def allow(window: MainWindow) -> None:
    assert window.consent.dialog is not None
    window.consent.dialog.run_button.click()


def test_that_an_opened_file_runs_only_after_yes(asking: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = model(tmp_path)
    asking.opening.open_path(str(path))
    assert asking.session.spec.target == "tiny:rope-gqa"
    assert asking.session.stage is Stage.WAITING
    allow(asking)
    settle(asking, qtbot, Stage.WAITING)
    assert asking.state.trace.info.target == str(path)
    bar = asking.run_bar
    assert bar.model.currentText() == "my_model.py"
    assert bar.prompt.text() == "3, 1, 4, 1, 5, 9, 2, 6"
    assert not bar.layout_box.isEnabled()
    assert bar.fields["layout"].toolTip()
    assert not bar.fault._button.isEnabled()
    assert "built-in" in bar.fault._button.toolTip()
    assert asking.panels.attention.is_empty  # and says what is missing
    assert asking.panels.attention._hint_label.text()


def test_that_no_leaves_everything_as_it_was(asking: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    asking.opening.open_path(str(model(tmp_path)))
    asking.consent.dialog.refuse_button.click()
    assert asking.consent.trusted.keys == ()
    assert asking.session.spec.target == "tiny:rope-gqa"
    press(asking, "step")
    settle(asking, qtbot, Stage.WAITING)
    assert asking.state.n_steps == 2


def test_that_a_changed_file_asks_again(asking: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = model(tmp_path)
    asking.opening.open_path(str(path))
    allow(asking)
    settle(asking, qtbot, Stage.WAITING)
    press(asking, "restart")
    assert asking.consent.dialog is None
    settle(asking, qtbot, Stage.WAITING)
    path.write_text(GOOD + "# changed\n")
    press(asking, "restart")
    assert asking.consent.dialog is not None


def test_that_a_file_that_changes_behind_the_question_is_asked_about_again(
    asking: MainWindow, tmp_path: Path
) -> None:
    path = model(tmp_path)
    asking.opening.open_path(str(path))
    path.write_text("raise SystemExit\n")
    allow(asking)
    assert asking.consent.dialog is not None
    assert asking.session.spec.target == "tiny:rope-gqa"


def test_that_ids_typed_as_the_prompt_are_fed(asking: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    asking.opening.open_path(str(model(tmp_path)))
    allow(asking)
    settle(asking, qtbot, Stage.WAITING)
    prompt = asking.run_bar.prompt
    prompt.setFocus()
    prompt.selectAll()
    qtbot.keyClicks(prompt, "5, 6,7")
    prompt.editingFinished.emit()
    settle(asking, qtbot, Stage.WAITING)
    assert asking.state.trace.info.prompt_ids == [[5, 6, 7]]


def test_that_a_failure_of_the_file_is_told_in_a_line_and_its_steps_stay(
    asking: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    asking.opening.open_path(str(model(tmp_path, RAISES)))
    allow(asking)
    settle(asking, qtbot, Stage.WAITING)
    press(asking, "run")
    settle(asking, qtbot, Stage.FINISHED)
    assert asking.state.n_steps == 2
    assert "no room" in asking.notices.text
    assert "\n" not in asking.notices.text
    assert "Traceback" in asking.notices._details
    assert asking.status.verdict.property("tone") != "good"


def test_that_a_target_that_a_trace_names_is_neither_run_nor_filled_in(
    asking: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = model(tmp_path)
    asking.opening.open_path(str(path))
    allow(asking)
    settle(asking, qtbot, Stage.WAITING)
    press(asking, "run")
    settle(asking, qtbot, Stage.FINISHED)
    asking.commands.save_to(tmp_path / "run.kvtrace")
    asking.opening.open_path(str(tmp_path / "run.kvtrace"))
    settle(asking, qtbot, Stage.FINISHED)
    assert asking.session.spec.target == ""
    assert asking.run_bar.model.currentText() == "my_model.py"
    for action in ("restart", "all_scenarios"):
        press(asking, action)
        assert asking.session.stage is Stage.FINISHED
        assert "never run" in asking.notices.text
        assert not asking.scenarios.is_running


def test_that_the_window_opens_on_the_built_in_model_when_the_file_may_not_run(
    asking: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    asking.opening.begin(None, RunSpec(target=str(model(tmp_path))))
    asking.consent.dialog.refuse_button.click()
    settle(asking, qtbot, Stage.WAITING)
    assert asking.session.spec.target == "tiny:rope-gqa"
    assert asking.notices.text


def test_that_a_file_that_is_not_there_is_told_without_a_question(
    asking: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    asking.opening.open_path(str(tmp_path / "gone.py"))
    assert asking.consent.dialog is None
    qtbot.waitUntil(lambda: "gone.py" in asking.notices.text, timeout=20_000)
