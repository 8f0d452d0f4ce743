"""Starting the program: without torch, without a display, and as a picture."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from gui import app
from gui.theme import DARK

ROOT = Path(__file__).parents[2]


def test_that_the_window_never_imports_torch() -> None:
    code = "import sys, gui.main_window, gui.app, gui.screenshot; sys.exit('torch' in sys.modules)"
    assert _run("-c", code).returncode == 0


def test_that_a_missing_display_gets_a_message_and_exit_code_5(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert app.main() == 5
    message = capsys.readouterr().err
    assert "check" in message
    assert "screenshot" in message


def test_that_a_qt_that_crashes_on_this_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import PySide6

    monkeypatch.setattr(PySide6, "__version_info__", (6, 12, 0, "", ""))
    monkeypatch.setattr(sys, "version_info", (3, 11, 7))
    assert "6.12" in (app.environment_problem() or "")


def test_that_a_missing_system_library_is_named_before_qt_ends_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def load(path: str) -> None:
        raise OSError("libxcb-icccm.so.4: cannot open shared object file")

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(app.ctypes, "CDLL", load)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    problem = app.environment_problem() or ""
    assert "libxcb-icccm.so.4" in problem
    assert "apt install" in problem
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert app.environment_problem() is None


@pytest.mark.slow
def test_that_a_picture_of_the_window_shows_the_first_bad_step_in_red_at_twice_the_size(
    tmp_path: Path,
) -> None:
    output = tmp_path / "window.png"
    code = (
        "from core.engine.messages import RunSpec; from gui.screenshot import render; "
        f"render(RunSpec(prompt='Pay 12', steps=2, faults=('position-reset',)), {str(output)!r}, theme='dark', "
        "lang='zh', scale=2)"
    )
    done = _run("-c", f"if __name__ == '__main__':\n    {code}")
    assert done.returncode == 0, done.stderr
    picture = QImage(str(output))
    assert (picture.width(), picture.height()) == (3000, 1900)
    red = DARK.bad.rgb()
    assert sum(picture.pixel(x, y) == red for x in range(0, 3000, 2) for y in range(130, 260, 2)) > 100


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=120, env=environment, cwd=ROOT
    )
