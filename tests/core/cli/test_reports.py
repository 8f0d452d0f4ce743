"""`report`, and the files that `check` writes besides its table."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.errors import EXIT_EQUIVALENT, EXIT_UNREADABLE, EXIT_USAGE
from tests.core.support import main


@pytest.mark.slow
def test_that_check_writes_a_report_of_all_scenarios_and_junit(tmp_path: Path) -> None:
    page, junit, trace = tmp_path / "r.html", tmp_path / "j.xml", tmp_path / "t"
    done = main("check", "--layout", "sliding", "--steps", "3", "--quiet", "--report", str(page), "--junit", str(junit), "--trace", str(trace))  # fmt: skip
    assert done.returncode == EXIT_EQUIVALENT, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "python main.py check tiny:rope-gqa --layout sliding --steps 3" in text
    assert "in 10 scenarios, 1 skipped" in text
    assert "a sliding cache overwrites old rows" in text
    suite = ElementTree.parse(junit).getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("11", "0", "1")

    one = tmp_path / "one.html"
    done = main("report", str(trace / "batch.kvtrace"), "-o", str(one), "--lang", "zh")
    assert done.returncode == EXIT_EQUIVALENT, done.stderr
    assert "时间线：batch" in one.read_text(encoding="utf-8")


def test_that_outputs_and_patterns_are_checked_before_the_run(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    assert main("check", "--report", str(page), "--junit", str(page)).returncode == EXIT_USAGE
    assert main("check", "--report", "-", "--json", "-").returncode == EXIT_USAGE
    assert main("check", "--sensitive", "(").returncode == EXIT_USAGE
    page.write_text("mine")
    assert main("check", "--report", str(page)).returncode == EXIT_USAGE
    assert page.read_text() == "mine"


def test_that_a_report_of_no_trace_says_so(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no trace")
    done = main("report", str(tmp_path / "x"), "-o", str(tmp_path / "r.html"))
    assert done.returncode == EXIT_UNREADABLE
    assert done.stderr.count("\n") == 1
    assert main("report", str(tmp_path / "x")).returncode == EXIT_USAGE


def test_that_sampling_needs_a_free_run() -> None:
    assert main("check", "--sample").returncode == EXIT_USAGE
    assert main("check", "--mode", "free", "--seed", "1").returncode == EXIT_USAGE
