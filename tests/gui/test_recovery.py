"""What a killed window leaves behind can be recovered."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui.app_state import AppState
from gui.run_files import OWNER, RunFolder, forget, left_behind
from gui.session import Session
from tests.gui.small_trace import write_small_trace


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def leave(folder: Path, name: str, owner: int, n_steps: int) -> Path:
    place = folder / f"kvscope-{name}"
    place.mkdir()
    (place / OWNER).write_text(str(owner))
    write_small_trace(place / "run-1.kvtrace", [0.0] * n_steps)
    return place


def test_that_the_recording_of_a_window_that_is_gone_is_found_and_nothing_else(
    tmp_path: Path, gone: int
) -> None:
    leave(tmp_path, "alive", os.getpid(), 5)
    short = leave(tmp_path, "short", gone, 1)
    (tmp_path / "kvscope-foreign").mkdir()
    assert left_behind(tmp_path) is None
    assert not short.exists()
    place = leave(tmp_path, "killed", gone, 4)
    assert left_behind(tmp_path) == place / "run-1.kvtrace"
    forget(place / "run-1.kvtrace")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kvscope-alive", "kvscope-foreign"]


def test_that_a_recovered_recording_is_a_run_that_can_be_saved(
    tmp_path: Path, qapp: object, gone: int
) -> None:
    place = leave(tmp_path, "killed", gone, 4)
    session = Session(AppState())
    assert session.adopt(place / "run-1.kvtrace")
    forget(place / "run-1.kvtrace")
    assert (session.state.n_steps, session.file) == (4, None)
    assert session.save(tmp_path / "kept.kvtrace")
    session.close()


def test_that_a_folder_in_use_is_not_taken_for_one_that_was_left() -> None:
    folder = RunFolder()
    place = folder.new_path()
    write_small_trace(place, [0.0] * 3)
    assert left_behind(place.parent.parent) != place
    folder.close()
    assert not place.parent.exists()
