"""The real program in a real window on a virtual screen, driven by keys, as xdotool sends them."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.errors import UnreadableError
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step

MAIN = Path(__file__).resolve().parents[2] / "main.py"
TOOLS = ("Xvfb", "xdotool")
PATIENCE_S, LOOK_S = 60.0, 0.2

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(map(shutil.which, TOOLS)), reason="needs a virtual screen (Debian: xvfb, xdotool)"
    ),
]


class Desk:
    """A screen with the program on it. Its settings and recordings are in a folder of their own."""

    def __init__(self, folder: Path, kept: ExitStack) -> None:
        self._folder = folder
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("QT_")},
            "DISPLAY": _screen(kept),
            "QT_QPA_PLATFORM": "xcb",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "TMPDIR": str(folder),
            "LC_ALL": "C.UTF-8",
        }
        self.errors = folder / "stderr.txt"
        with self.errors.open("wb") as errors:
            self.program = subprocess.Popen(
                [sys.executable, str(MAIN)], env=self._environment, cwd=folder, stderr=errors
            )
        _end_with(kept, self.program)
        self.wait(lambda: self.title(), "there is a window")
        self.come_back()

    def come_back(self) -> None:
        """Give the window the focus: without a window manager nobody else does, nor when a dialog is gone."""
        self._tell("windowfocus", "--sync", self._window())

    def press(self, *keys: str) -> None:
        """Press keys one after the other, as a person does: a menu takes a moment to open."""
        self._tell("key", "--delay", "150", *keys)

    def type(self, text: str) -> None:
        self._tell("type", "--delay", "20", text)

    def title(self) -> str:
        """The title of the window, empty while there is none."""
        window = self._window()
        return self._tell("getwindowname", window).strip() if window else ""

    def n_recorded(self, fault: str | None = None) -> int:
        """Steps of the newest recording, 0 where it does not have the fault."""
        found = sorted(self._folder.glob("kvscope-*/run-*"), key=lambda path: path.stat().st_mtime)
        try:
            with Trace.open(found[-1]) as trace:
                return len(trace) if list(trace.info.faults) == ([fault] if fault else []) else 0
        except (IndexError, OSError, UnreadableError):  # none yet, or renamed just now
            return 0

    def wait(self, is_so: Callable[[], object], told: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            assert self.program.poll() is None, self.errors.read_text()
            assert time.monotonic() < end, f"not within {PATIENCE_S:.0f} s: {told}"
            time.sleep(LOOK_S)

    def _window(self) -> str:
        return self._tell("search", "--name", "— KVScope").strip()

    def _tell(self, *what: str) -> str:
        return subprocess.run(
            ["xdotool", *what], env=self._environment, capture_output=True, text=True, check=False
        ).stdout


def _screen(kept: ExitStack) -> str:
    """Start a virtual screen and return its name; it picks a free number itself."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-screen", "0", "1500x950x24", "-nolisten", "tcp", "-displayfd", str(write)],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    _end_with(kept, server)
    os.close(write)
    with os.fdopen(read) as answer:
        return ":" + re.sub(r"\D", "", answer.readline())


def _end_with(kept: ExitStack, process: subprocess.Popen[bytes]) -> None:
    kept.callback(process.wait)
    kept.callback(process.kill)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with ExitStack() as kept:
        yield Desk(tmp_path, kept)


def test_that_the_demo_a_fault_saving_and_opening_work_by_keys_on_a_screen(
    desk: Desk, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.kvtrace"
    desk.wait(lambda: desk.n_recorded() == 1, "the prompt is in the cache")
    desk.press("Right")
    desk.wait(lambda: desk.n_recorded() == 2, "one step on")

    desk.press("alt+a", "Down", "Right", "Return")
    desk.wait(lambda: desk.n_recorded("position-reset") >= 2, "the steps so far are there with the fault")
    desk.press("End")
    desk.wait(lambda: desk.n_recorded("position-reset") == 13, "run to the end")

    desk.press("ctrl+s")
    desk.type(str(saved))
    desk.press("Return")
    desk.wait(saved.exists, "saved")
    with Trace.open(saved) as trace:
        assert len(trace) == 13
        assert first_bad_step(trace, trace.info.tolerance) == 1

    desk.come_back()
    desk.press("ctrl+o")
    desk.type(str(saved))
    desk.press("Return")
    desk.wait(lambda: desk.title().startswith(saved.name), "the saved trace is shown")
    desk.come_back()
    desk.press("ctrl+q")
    assert desk.program.wait(PATIENCE_S) == 0
    assert desk.errors.read_text() == ""
    assert list(tmp_path.glob("kvscope-*")) == []
