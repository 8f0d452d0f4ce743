"""What a target raises in one scenario, and options that mean nothing for it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import EXIT_TARGET_FAILED, EXIT_USAGE
from tests.core.support import ROOT, main
from tests.core.targets import hostile

pytestmark = pytest.mark.slow  # it waits for seconds, again and again

FAST = ("--steps", "2", "--prompt-ids", "3,1,4,1,5,9,2,6")


def written(tmp_path: Path, source: str) -> str:
    path = tmp_path / "target.py"
    path.write_text(source)
    return str(path)


def test_that_other_scenarios_run_after_one_in_which_the_target_raises(tmp_path: Path) -> None:
    source = hostile.HEALTHY + "\ndef crop(cache, length):\n    raise KeyError('crop')\n"
    source = source.replace(
        "def crop", "def reorder(cache, rows):\n    raise KeyError('reorder')\n\ndef crop"
    )
    done = main("check", written(tmp_path, source), *FAST, "--steps", "4", "--json", str(tmp_path / "a.json"))
    assert done.returncode == EXIT_TARGET_FAILED, done.stderr
    scenarios = {one["name"]: one for one in json.loads((tmp_path / "a.json").read_text())["scenarios"]}
    for name, word in (("rollback", "crop"), ("beam-reorder", "reorder")):
        assert scenarios[name]["status"] == "fail"
        assert word in scenarios[name]["reason"]
        assert scenarios[name]["first_bad_step"] is None
    assert scenarios["long"]["status"] == scenarios["decode"]["status"] == "pass"
    assert done.stdout.strip().splitlines()[-1].startswith("FAIL")
    assert done.stderr.count("Traceback") == 2
    assert done.stderr.strip().splitlines()[-1].startswith("kvscope: ")
    assert "core/record" not in done.stderr


def test_that_a_failure_of_every_scenario_is_told_once(tmp_path: Path) -> None:
    source = hostile.with_cached("raise KeyError('k')" + hostile.GO_ON)
    done = main("check", written(tmp_path, source), *FAST)
    assert done.returncode == EXIT_TARGET_FAILED
    assert done.stderr.count("Traceback") == 1
    assert "PASS" not in done.stdout


def test_that_a_target_that_does_not_load_ends_the_check(tmp_path: Path) -> None:
    done = main("check", written(tmp_path, "1 / 0"), *FAST)
    assert (done.returncode, done.stdout) == (EXIT_TARGET_FAILED, "")
    assert done.stderr.count("kvscope: ") == 1


@pytest.mark.parametrize(
    ("target", "option"),
    [
        ("target.py", ["--layout", "ring"]),
        ("target.py", ["--allow-network"]),
        ("tiny:rope-gqa", ["--allow-network"]),
        ("tiny:rope-gqa", ["--shared"]),
        ("hf:somewhere", ["--shared"]),
    ],
)
def test_that_an_option_which_means_nothing_for_a_target_is_refused(target: str, option: list[str]) -> None:
    done = main("check", target, *option)
    assert done.returncode == EXIT_USAGE
    assert option[0] in done.stderr


def test_that_a_hang_in_the_one_pass_oracle_is_waited_for_once(tmp_path: Path) -> None:
    hangs = hostile.with_full("if ids.shape[1] > 10: time.sleep(10**6)\n    return _full(ids)")
    target = written(tmp_path, hangs)
    done = main(
        "check", target, *FAST, "--steps", "6", "--scenario", "decode", "--oracle", "one-pass", "--step-timeout", "2"
    )  # fmt: skip
    assert done.returncode == EXIT_TARGET_FAILED
    assert done.stderr.count("did not end within 2 s") == 1
    assert "in full" in done.stderr


def test_that_the_look_ahead_as_a_whole_may_take_longer_than_a_step(tmp_path: Path) -> None:
    slow = hostile.with_cached("time.sleep(0.3)" + hostile.GO_ON)
    done = main(
        "check", written(tmp_path, slow), *FAST, "--steps", "12", "--scenario", "decode", "--oracle", "one-pass",
        "--step-timeout", "2",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_that_a_killed_check_leaves_nothing_in_the_folder_for_temporary_files(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    target = written(tmp_path, hostile.with_cached("time.sleep(0.1)" + hostile.GO_ON))
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), "check", target, "--scenario", "decode", "--steps", "400", "--quiet"],
        env={**os.environ, "TMPDIR": str(temporary), "OMP_NUM_THREADS": "1"}, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert _comes_true(lambda: bool(list(temporary.glob("kvscope-*/*.part"))))
    process.kill()
    process.wait()
    assert _comes_true(lambda: not list(temporary.glob("kvscope-*")))


def _comes_true(is_so: Callable[[], bool], limit_s: float = 30) -> bool:
    deadline = time.monotonic() + limit_s
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.05)
    return is_so()
