"""Arguments, prompts and paths that are no good, in the process of the test: each is one of our errors."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import main as program
from core.cli.arguments import make_parser, run_spec, tolerance
from core.errors import EXIT_ENVIRONMENT, EXIT_INTERRUPTED, EXIT_UNREADABLE, EXIT_USAGE, UsageError
from core.trace.reader import Trace
from tests.core.support import ROOT, main, main_here
from tests.core.trace.reference_writer import write
from tests.core.trace.test_foreign_traces import TEXT, steps_of

HOSTILE = "\x1b[31m<script>alert(1)</script>\u202e=cmd|' /C calc'!A0\x07\u2028../../etc\x00"


def test_that_an_unknown_option_names_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main_here("check", "--toleranse", "1") == EXIT_USAGE
    assert "did you mean --tolerance?" in capsys.readouterr().err
    assert main_here("show") == EXIT_USAGE
    assert main_here("compare", "a") == EXIT_USAGE


def test_that_a_tolerance_of_zero_asks_for_equal_bits() -> None:
    assert tolerance("0") == 0.0
    assert tolerance("auto") is None


def test_that_a_prompt_with_lone_surrogates_names_the_place() -> None:
    args = make_parser().parse_args(["check", "--prompt", "pay \udcff"])
    with pytest.raises(UsageError, match="at character 4"):
        run_spec(args, "decode")


def test_that_an_output_that_is_an_input_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.kvtrace"
    write(path, steps_of(TEXT, 5))
    before = path.read_bytes()
    assert main_here("compare", str(path), str(path), "--trace", str(path), "--force") == EXIT_USAGE
    assert main_here("compare", str(path), str(path), "--json", str(path)) == EXIT_USAGE
    assert path.read_bytes() == before
    assert (
        main_here("compare", str(path), str(path), "--json", str(tmp_path / "no" / "r.json"))
        == EXIT_ENVIRONMENT
    )


def test_that_text_of_a_trace_is_inert_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    info = {
        "target": HOSTILE,
        "prompt": HOSTILE,
        "notes": [HOSTILE],
        "scenario": HOSTILE,
        "layout": HOSTILE,
        "faults": [HOSTILE],
    }
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5), info)
    main_here("show", str(tmp_path / "a.kvtrace"))
    main_here("compare", str(tmp_path / "a.kvtrace"), str(tmp_path / "a.kvtrace"))
    said = capsys.readouterr()
    assert "\\x1b[31m" in said.out
    assert not set("\x1b\x07\x00\u202e\u2028") & set(said.out + said.err)


@pytest.mark.parametrize(
    "name",
    [b"\xff\xfe.kvtrace", b"a b\n.kvtrace", b"CON.kvtrace", b"\x1b[31m.kvtrace", "词.kvtrace".encode()],
)
def test_that_a_strange_path_is_opened_or_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: bytes
) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    assert main_here("show", path) == EXIT_UNREADABLE
    write(path, steps_of(TEXT, 5))
    assert main_here("show", path) == 0
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err


def test_that_a_path_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main_here("show", "x" * 5000) == EXIT_UNREADABLE
    assert main_here("show", "a\0b") == EXIT_UNREADABLE
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_that_an_internal_error_is_said_to_be_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "_dispatch", lambda argv: 1 / 0)
    assert main_here("show", "x") == EXIT_ENVIRONMENT
    assert "internal error, please report it" in capsys.readouterr().err


def test_that_a_missing_package_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dispatch(argv: list[str]) -> int:
        raise ModuleNotFoundError("No module named 'torch.fx'", name="torch.fx")

    monkeypatch.setattr(program, "_dispatch", dispatch)
    assert main_here("show", "x") == EXIT_ENVIRONMENT
    said = capsys.readouterr().err
    assert said == "kvscope: the package torch is not installed; run `pip install -e .` first\n"


def test_that_a_trace_without_steps_is_no_pass(tmp_path: Path) -> None:
    write(tmp_path / "a.kvtrace", [])
    assert main("show", str(tmp_path / "a.kvtrace")).returncode == 1
    assert (
        main("compare", str(tmp_path / "a.kvtrace"), str(tmp_path / "a.kvtrace")).returncode
        == EXIT_UNREADABLE
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_that_an_interrupted_check_saves_the_steps_so_far(tmp_path: Path, kind: signal.Signals) -> None:
    path = tmp_path / "a.kvtrace"
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), "check", "--scenario", "decode", "--steps", "400", "--trace", str(path)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    part = path.with_name("a.kvtrace.part")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (part.exists() and part.stat().st_size > 1_500_000):
        time.sleep(0.01)
    process.send_signal(kind)
    _, said = process.communicate(timeout=60)
    assert process.returncode == EXIT_INTERRUPTED
    assert b"interrupted" in said
    with Trace.open(path) as trace:
        assert trace.end is not None
        assert trace.end.status == "cancelled"
        assert len(trace) > 1
