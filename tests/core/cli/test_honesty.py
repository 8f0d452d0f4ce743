"""Nothing passes that was not compared, nothing is destroyed, and exit codes survive what is around them."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_UNREADABLE, EXIT_USAGE
from core.trace.reader import Trace
from core.trace.records import StepFacts
from core.trace.writer import TraceWriter
from tests.core.support import ROOT, main, record_trace
from tests.core.targets import hostile, zoo

NAN_IN_16_BITS = """
module = torch.nn.Linear(1, 1).half()
_cached = cached
def cached(ids, cache):
    logits, cache = _cached(ids, cache)
    return logits * (float("nan") if module.weight.dtype == torch.float16 else 1.0), cache
"""


def edited(trace: Trace, path: Path, **changes: object) -> Path:
    """Write a copy of a trace whose step 1 claims something else."""
    writer = TraceWriter(path, trace.info)
    for index in range(len(trace)):
        facts = msgspec.structs.replace(trace.facts(index), **changes) if index == 1 else trace.facts(index)
        assert isinstance(facts, StepFacts)
        writer.add_step(facts, {name: trace.tensor(index, name) for name in trace.tensor_names(index)})
    return writer.close("complete")


@pytest.mark.parametrize(
    "changes",
    [{"max_abs_diff": 1e-6}, {"max_abs_diff": -5.0}, {"step_index": 7}, {"tokens": []}, {"text_len": -9}],
    ids=lambda changes: str(changes),
)
def test_that_a_trace_which_contradicts_itself_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=2, faults=("mask-top-left",))
    done = main("show", str(edited(trace, tmp_path / "b.kvtrace", **changes)))
    assert done.returncode == EXIT_UNREADABLE
    assert "contradicts itself at step 1" in done.stderr


def test_that_a_failed_recording_is_no_pass_in_show(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=3)
    writer = TraceWriter(tmp_path / "b.kvtrace", trace.info)
    for index in range(3):
        writer.add_encoded_step(trace.step_bytes(index))
    writer.close("failed", "it broke")
    done = main("show", str(tmp_path / "b.kvtrace"))
    assert done.returncode == EXIT_UNREADABLE
    assert "ended early (failed)" in done.stderr


@pytest.mark.parametrize("scenario", ["rollback", "beam-reorder"])
@pytest.mark.slow
def test_that_a_scenario_which_did_not_happen_is_skipped(tmp_path: Path, scenario: str) -> None:
    target = tmp_path / "target.py"
    target.write_text(zoo.source("not-cropped" if scenario == "rollback" else "not-reordered"))
    done = main("check", str(target), "--scenario", scenario, "--steps", "2", "--json", "-")
    assert done.returncode == EXIT_DIVERGENT
    assert json.loads(done.stdout)["scenarios"][0]["status"] == "skipped"


@pytest.mark.slow
def test_that_nan_in_16_bits_is_a_fault_whatever_float32_says(tmp_path: Path) -> None:
    target = tmp_path / "target.py"
    target.write_text(hostile.HEALTHY + NAN_IN_16_BITS)
    done = main("check", str(target), "--scenario", "decode", "--steps", "2", "--json", "-")
    scenario = json.loads(done.stdout)["scenarios"][0]
    assert (done.returncode, scenario["first_bad_step"]) == (EXIT_DIVERGENT, 0)
    assert any("judged in float32" in note for note in scenario["notes"])


@pytest.mark.slow
def test_that_a_closed_pipe_keeps_the_exit_code_of_the_comparison() -> None:
    command = f"{sys.executable} {ROOT / 'main.py'} check --scenario decode --steps 2 --fault position-reset | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(EXIT_DIVERGENT)


def test_that_an_output_never_replaces_the_target_or_a_device(tmp_path: Path) -> None:
    target = tmp_path / "target.py"
    target.write_text(hostile.HEALTHY)
    for arguments in (["--json", str(target)], ["--trace", str(target)], ["--json", "/dev/null"]):
        done = main("check", str(target), "--scenario", "decode", "--steps", "1", "--force", *arguments)
        assert done.returncode == EXIT_USAGE
    assert target.read_text() == hostile.HEALTHY


@pytest.mark.slow
def test_that_a_target_with_a_package_beside_it_starts_fresh_in_each_lane(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text("n_calls = 0\n")
    target = tmp_path / "target.py"
    target.write_text(
        hostile.HEALTHY
        + "\nimport mine\n_full = full\ndef full(ids):\n    mine.n_calls += 1\n    return _full(ids)\n"
        + "_cached = cached\ndef cached(ids, cache):\n    logits, cache = _cached(ids, cache)\n    return logits + mine.n_calls, cache\n"
    )
    assert main("check", str(target), "--scenario", "decode", "--steps", "3").returncode == EXIT_EQUIVALENT
