"""Targets that hang, crash, lie or leave the house in disorder: survived, named, and never a PASS."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_TARGET_FAILED
from tests.core.support import main
from tests.core.targets import hostile

ARGUMENTS = ("--scenario", "decode", "--steps", "5", "--prompt-ids", "3,1,4,1,5,9,2,6", "--step-timeout", "4")


def check(tmp_path: Path, source: str, *more: str) -> "subprocess.CompletedProcess[str]":
    target = tmp_path / "target.py"
    target.write_text(source)
    return main("check", str(target), *ARGUMENTS, *more)


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.FAILING)
def test_that_a_failing_target_is_named_and_exits_4(tmp_path: Path, name: str) -> None:
    source, code, words = hostile.FAILING[name]
    done = check(tmp_path, source)
    last_line = done.stderr.strip().splitlines()[-1]
    assert (done.returncode, "PASS" in done.stdout) == (code, False), done.stderr
    assert last_line.startswith("kvscope: ")
    assert words in last_line
    assert "core/engine" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.DIVERGENT)
def test_that_a_wrong_number_diverges(tmp_path: Path, name: str) -> None:
    done = check(tmp_path, hostile.DIVERGENT[name], "--json", "-")
    assert done.returncode == EXIT_DIVERGENT, done.stderr
    assert json.loads(done.stdout)["verdict"] == "divergent"


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.HEALTHY_ALL_THE_SAME)
def test_that_disorder_around_a_healthy_target_changes_nothing(tmp_path: Path, name: str) -> None:
    done = check(tmp_path, hostile.HEALTHY_ALL_THE_SAME[name], "--json", "-")
    assert done.returncode == EXIT_EQUIVALENT, done.stderr[-2000:]
    scenario = json.loads(done.stdout)["scenarios"][0]
    assert (scenario["status"], scenario["steps_compared"]) == ("pass", 6)
    if name == "changes its ids":
        assert "cached() changes its input ids in place" in scenario["notes"]
    if name == "leaves a child":
        assert (
            "sleep 1000"
            not in subprocess.run(["ps", "ax"], capture_output=True, text=True, check=True).stdout
        )


def test_that_an_error_names_file_and_line_with_the_users_frames_first(tmp_path: Path) -> None:
    source = hostile.with_cached(hostile.LATER + "raise KeyError('k')" + hostile.GO_ON)
    done = check(tmp_path, source, "--trace", str(tmp_path / "a.kvtrace"))
    assert done.returncode == EXIT_TARGET_FAILED
    line = 1 + source.splitlines().index("    if n_calls == 3: raise KeyError('k')")
    assert f"target.py:{line}, in cached: the target failed: KeyError" in done.stderr
    first_frame = next(text for text in done.stderr.splitlines() if text.strip().startswith("File"))
    assert "target.py" in first_frame
    shown = json.loads(main("show", str(tmp_path / "a.kvtrace"), "--json").stdout)
    assert shown["trace"]["status"] == "failed"
    assert shown["trace"]["n_steps"] == 2  # the steps before the failing one are kept
    assert shown["scenarios"][0]["status"] == "fail"


@pytest.mark.slow
def test_that_a_hang_shows_where_it_hangs(tmp_path: Path) -> None:
    source = hostile.with_cached(hostile.LATER + "time.sleep(10**6)" + hostile.GO_ON)
    start = time.monotonic()
    done = check(tmp_path, source, "--oracle", "stepwise")
    assert done.returncode == EXIT_TARGET_FAILED
    assert "step 2 of" in done.stderr
    assert "target.py" in done.stderr.split("kvscope:")[0]
    assert time.monotonic() - start < 60


@pytest.mark.slow
def test_that_a_first_interrupt_keeps_the_prefix_and_exits_130(tmp_path: Path) -> None:
    import signal
    import sys

    from tests.core.support import ROOT

    target = tmp_path / "target.py"
    target.write_text(hostile.with_cached("time.sleep(0.05)" + hostile.GO_ON))
    path = tmp_path / "a.kvtrace"
    command = [
        sys.executable,
        str(ROOT / "main.py"),
        "check",
        str(target),
        "--scenario",
        "decode",
        "--steps",
        "500",
        "--oracle",
        "stepwise",
        "--trace",
        str(path),
    ]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
    part = path.with_name("a.kvtrace.part")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (part.exists() and part.stat().st_size > 20_000):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    shown = json.loads(main("show", str(path), "--json").stdout)
    assert shown["trace"]["status"] == "cancelled"
    assert shown["trace"]["n_steps"] > 1
