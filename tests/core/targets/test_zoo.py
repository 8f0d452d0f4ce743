"""The project's own faulty targets: each kind of fault is found at its step, and nowhere else."""

import hashlib
from pathlib import Path

import pytest

from core.engine.messages import RunSpec
from core.engine.run import Run
from core.errors import TargetError
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step
from tests.core.targets import hostile, zoo

pytestmark = pytest.mark.slow  # each target runs several scenarios in both lanes

SCENARIOS = (
    "decode",
    "single-token-prompt",
    "batch",
    "ragged-batch",
    "second-run",
    "rollback",
    "beam-reorder",
    "interleaved",
)
MAIN_IDS = (3, 1, 4, 1, 5, 9, 2, 6)


def first_bad(target: Path, scenario: str, scratch: Path, oracle: str) -> int | None:
    run = Run(
        RunSpec(target=str(target), scenario=scenario, prompt_ids=MAIN_IDS, oracle=oracle),
        scratch / "a.kvtrace",
    )
    list(run.steps())
    run.close("complete")
    with Trace.open(scratch / "a.kvtrace") as trace:
        return first_bad_step(trace, trace.info.tolerance)


@pytest.mark.parametrize("fault", zoo.FIRST_BAD)
def test_that_a_fault_is_found_where_it_is(tmp_path: Path, fault: str) -> None:
    target = tmp_path / "target.py"
    target.write_text(zoo.source(fault))
    expected = zoo.FIRST_BAD[fault]
    named = [name for name in SCENARIOS if name in expected]
    for scenario in named or ("decode", "rollback", "ragged-batch"):
        assert first_bad(target, scenario, tmp_path, "stepwise") == expected.get(scenario), scenario


@pytest.mark.parametrize("fault", ["none", "mask-missing", "kv-swapped", "oracle-broken"])
def test_that_one_pass_judges_as_the_stepwise_oracle_does(tmp_path: Path, fault: str) -> None:
    target = tmp_path / "target.py"
    target.write_text(zoo.source(fault))
    assert first_bad(target, "decode", tmp_path, "one-pass") == zoo.FIRST_BAD[fault].get("decode")


def test_that_a_target_which_changes_when_watched_is_not_watched_and_says_so(tmp_path: Path) -> None:
    target = tmp_path / "target.py"
    target.write_text(
        hostile.HEALTHY
        + "\nfrom torch.nn import functional as F\n_sdpa, _full = F.scaled_dot_product_attention, full\n"
        + "def full(ids):\n    return _full(ids) + (F.scaled_dot_product_attention is not _sdpa)\n"
    )
    run = Run(RunSpec(target=str(target), prompt_ids=MAIN_IDS), tmp_path / "a.kvtrace")
    list(run.steps())
    run.close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert first_bad_step(trace, trace.info.tolerance) is None
        assert "other logits when its attention is watched" in trace.end.notes[0]


def test_that_a_file_which_changed_after_it_was_allowed_is_not_run(tmp_path: Path) -> None:
    target, ran = tmp_path / "target.py", tmp_path / "ran"
    target.write_text(hostile.HEALTHY)
    allowed = (hashlib.sha256(target.read_bytes()).hexdigest(),)
    spec = RunSpec(target=str(target), prompt_ids=MAIN_IDS, allowed_sha256=allowed)
    Run(spec, tmp_path / "a.kvtrace").close("complete")
    target.write_text(f"open({str(ran)!r}, 'w').close()\n" + hostile.HEALTHY)
    with pytest.raises(TargetError, match="has changed since it was allowed"):
        Run(spec, tmp_path / "b.kvtrace")
    assert not ran.exists()
