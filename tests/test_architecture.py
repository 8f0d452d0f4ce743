"""Imports run one way, the core knows no Qt, and the window's process never loads torch."""

import subprocess
import sys

import pytest

from tests.core.support import ROOT


def run_python(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)


def test_that_imports_run_one_way() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked!r}:
            raise ImportError(f"{{name}} is blocked")
sys.meta_path.insert(0, Block())
"""


def test_that_the_core_records_and_judges_with_qt_blocked(tmp_path) -> None:
    code = BLOCK.format(blocked={"PySide6", "pyqtgraph"}) + (
        "from pathlib import Path\n"
        "from tests.core.support import record_trace\n"
        "from core.report.result import scenario_result\n"
        f"trace = record_trace(Path({str(tmp_path)!r}) / 'a.kvtrace', steps=2, faults=('position-reset',))\n"
        "print(scenario_result(trace, 5e-4).first_bad_step)\n"
    )
    done = run_python(code)
    assert done.stdout.strip() == "1", done.stderr


@pytest.mark.parametrize(
    "module", ["gui.app", "gui.main_window", "gui.screenshot", "core.cli.check", "core.cli.show"]
)
def test_that_the_window_and_the_commands_load_no_torch(module: str) -> None:
    done = run_python(f"import sys, {module}; print('torch' in sys.modules)")
    assert done.stdout.strip() == "False", done.stderr
