"""The commands as users run them, in child processes: exit codes, one-line errors, JSON."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import EXIT_DIVERGENT, EXIT_ENVIRONMENT, EXIT_EQUIVALENT, EXIT_UNREADABLE, EXIT_USAGE
from tests.core.support import ROOT, main, main_here


def test_that_check_passes_and_says_how_many_steps_were_compared() -> None:
    done = main("check", "--scenario", "decode", "--steps", "4")
    assert done.returncode == EXIT_EQUIVALENT, done.stderr
    assert "PASS  tiny:rope-gqa" in done.stdout
    assert "5 steps compared" in done.stdout


def test_that_a_planted_fault_exits_1_and_names_its_step(tmp_path: Path) -> None:
    done = main("check", "--scenario", "decode", "--fault", "position-reset", "--steps", "3", "--json", "-")
    assert done.returncode == EXIT_DIVERGENT
    assert "first bad step 1" in done.stderr
    result = json.loads(done.stdout)
    assert result["schema"] == "kvscope.check/1"
    assert result["verdict"] == "divergent"
    scenario = result["scenarios"][0]
    assert (scenario["name"], scenario["status"], scenario["first_bad_step"]) == ("decode", "fail", 1)
    assert scenario["first_bad_tensor"]["tensor"] == "position_ids"
    assert [step["step"] for step in scenario["steps"]] == [0, 1, 2, 3]


@pytest.mark.slow
def test_that_show_gives_the_figures_of_the_check(tmp_path: Path) -> None:
    trace, result = tmp_path / "a.kvtrace", tmp_path / "r.json"
    arguments = [
        "--scenario",
        "decode",
        "--fault",
        "mask-top-left",
        "--steps",
        "3",
        "--trace",
        str(trace),
        "--json",
        str(result),
    ]
    assert main("check", *arguments).returncode == EXIT_DIVERGENT
    shown = main("show", str(trace), "--json")
    assert shown.returncode == EXIT_DIVERGENT
    assert json.loads(shown.stdout)["scenarios"] == json.loads(result.read_text())["scenarios"]
    assert "first bad step 1" in main("show", str(trace)).stdout


@pytest.mark.slow
def test_that_several_scenarios_write_one_trace_each_into_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    done = main("check", "--steps", "3", "--layout", "sliding", "--trace", str(folder))
    assert done.returncode == EXIT_EQUIVALENT, done.stderr
    assert "rollback              SKIPPED" in done.stdout
    names = {path.name for path in folder.iterdir()}
    assert {"decode.kvtrace", "long.kvtrace", "batch.kvtrace"} <= names
    assert "rollback.kvtrace" not in names


def in_an_engine(*values: object) -> object:
    """Arguments that are judged by the process that has loaded the model: one such is enough for every day."""
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--steps", "0"], "steps must be 1"), (["--steps", "-3"], "plain digits"), (["--steps", "1_000"], "plain digits"),
        (["--steps", "\u0663"], "plain digits"), (["--steps", "1e3"], "plain digits"), (["--steps", "1000000000"], "plain digits"),
        (["--tolerance", "-1"], "no tolerance"), (["--tolerance", "nan"], "no tolerance"), (["--tolerance", "inf"], "no tolerance"),
        (["--fault", "position-rest"], "unknown fault"), (["tiny:rope"], "unknown model"), (["--layout", "x"], "unknown layout"),
        (["--scenario", "x"], "unknown scenario"), (["--prompt", "x" * 600], "context is 512"), in_an_engine(["--prompt", ""], "no tokens"),
        (["--prompt-ids", "1,a"], "not a token id"), in_an_engine(["--prompt-ids", "1,99999"], "outside the vocabulary"), (["--dtype", "fp7"], "unknown dtype"),
        (["--step", "3"], "did you mean --steps"), (["--trace", "a/b/c", "--scenario", "decode"], "missing or read-only"),
    ],
    ids=lambda value: " ".join(value)[:24] if isinstance(value, list) else None,
)  # fmt: skip
def test_that_a_wrong_argument_is_one_line_and_no_traceback(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main_here("check", *arguments)
    told = capsys.readouterr()
    assert code == (EXIT_ENVIRONMENT if "--trace" in arguments else EXIT_USAGE)
    assert message in told.err
    assert len(told.err.strip().splitlines()) == 1
    assert told.out == ""


@pytest.mark.slow
def test_that_an_existing_output_is_kept_unless_forced(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    out.write_text("mine")
    refused = main("check", "--scenario", "decode", "--steps", "1", "--json", str(out))
    assert refused.returncode == EXIT_USAGE
    assert out.read_text() == "mine"
    assert (
        main("check", "--scenario", "decode", "--steps", "1", "--json", str(out), "--force").returncode
        == EXIT_EQUIVALENT
    )
    assert json.loads(out.read_text())["verdict"] == "equivalent"


def test_that_a_foreign_or_missing_trace_is_one_line_and_exit_3(tmp_path: Path) -> None:
    foreign = tmp_path / "x.kvtrace"
    foreign.write_bytes(b"GGUF....")
    for path in (foreign, tmp_path / "none.kvtrace", tmp_path):
        done = main("show", str(path))
        assert done.returncode == EXIT_UNREADABLE
        assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.slow
def test_that_a_killed_recording_keeps_every_complete_step(tmp_path: Path) -> None:
    path = tmp_path / "a.kvtrace"
    command = [
        sys.executable,
        str(ROOT / "main.py"),
        "check",
        "--scenario",
        "decode",
        "--steps",
        "400",
        "--trace",
        str(path),
    ]
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    part = path.with_name("a.kvtrace.part")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (part.exists() and part.stat().st_size > 1_500_000):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    shown = main("show", str(part), "--json")
    assert shown.returncode == EXIT_UNREADABLE
    assert "complete steps are here" in shown.stderr
    result = json.loads(shown.stdout)
    assert result["trace"]["status"] == "partial"
    assert result["trace"]["n_steps"] == len(result["scenarios"][0]["steps"]) > 1
    assert result["scenarios"][0]["status"] == "fail"  # an unfinished run is never a PASS


@pytest.mark.slow
def test_that_an_invisible_fault_is_said_to_be_invisible() -> None:
    done = main(
        "check", "tiny:alibi-mqa", "--fault", "position-reset", "--scenario", "decode", "--steps", "2"
    )
    assert done.returncode == EXIT_EQUIVALENT
    assert "position-reset cannot be seen on tiny:alibi-mqa" in done.stdout


def test_that_faults_lists_every_id() -> None:
    from core import catalog

    done = main("faults")
    assert done.returncode == 0
    assert all(fault in done.stdout for fault in catalog.FAULT_IDS)
    assert (
        done.stdout.index("POSITIONS\n")
        < done.stdout.index("position-reset")
        < done.stdout.index("MASK AND BIAS\n")
    )
    assert "pytorch/executorch PR #2010" in done.stdout


def test_that_faults_as_json_say_cause_group_and_report() -> None:
    rows = {row["id"]: row for row in json.loads(main("faults", "--json").stdout)}
    fault = rows["position-off-by-one"]
    assert (fault["cause"], fault["group"], fault["harmless"]) == ("position-drift", "positions", False)
    assert fault["report"] == "tenstorrent/tt-metal #5253"
    assert rows["healthy-order"]["harmless"]


@pytest.mark.slow
def test_that_two_faults_are_planted_by_giving_the_option_twice() -> None:
    done = main(
        "check",
        "--scenario",
        "decode",
        "--steps",
        "2",
        "--fault",
        "slot-lost",
        "--fault",
        "value-degraded",
        "--json",
        "-",
    )
    assert done.returncode == EXIT_DIVERGENT
    assert json.loads(done.stdout)["scenarios"][0]["first_bad_step"] == 0


def test_that_a_closed_pipe_ends_quietly() -> None:
    command = f"{sys.executable} {ROOT / 'main.py'} faults | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
