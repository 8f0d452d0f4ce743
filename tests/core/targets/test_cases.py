"""The shared targets as users write them: verdict, failing scenarios and first bad steps, cause, and no false alarm."""

import json
from pathlib import Path

import pytest

from core import catalog
from core.engine.messages import RunSpec
from core.engine.run import Run, Skipped
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step
from tests.core.support import ROOT

CASES = ROOT.parent / "shared" / "cases"
EXPECTED = json.loads((CASES / "expected.json").read_text()) if (CASES / "expected.json").is_file() else {}
MAIN_IDS = (3, 1, 4, 1, 5, 9, 2, 6)

pytestmark = pytest.mark.slow


def judge(target: Path, scenario: str, scratch: Path, causes: list[str]) -> tuple[bool, int | None]:
    """Return (supported, first bad step); the cause of the first scenario that fails goes into `causes`."""
    path = scratch / f"{scenario}.kvtrace"
    try:
        run = Run(RunSpec(target=str(target), scenario=scenario, prompt_ids=MAIN_IDS), path)
    except Skipped:
        return False, None
    assert len(list(run.steps())) == run.plan.n_steps
    if run.first_bad_step is not None and not causes:
        causes += [one.cause for one in run.diagnose(run.first_bad_step, lambda done, planned: None)] or [
            "nothing"
        ]
    run.close("complete")
    with Trace.open(path) as trace:
        return True, first_bad_step(trace, trace.info.tolerance)


@pytest.mark.parametrize("name", EXPECTED)
def test_that_a_shared_case_is_judged_as_expected(tmp_path: Path, name: str) -> None:
    if name.startswith("hf_"):
        pytest.importorskip("transformers")
    causes: list[str] = []
    got = {scenario: judge(CASES / name, scenario, tmp_path, causes) for scenario in catalog.SCENARIOS}
    scenarios = EXPECTED[name]["scenarios"]
    assert got == {key: (value["supported"], value["first_bad_step"]) for key, value in scenarios.items()}
    if EXPECTED[name]["verdict"] == "equivalent":
        assert not causes
    else:
        assert causes[0] in EXPECTED[name]["causes"]
