"""Each planted fault is found at its exact step, and healthy runs have none."""

from itertools import product
from pathlib import Path

import pytest

from core import catalog
from core.verdict.locate import first_bad_tensor
from core.verdict.steps import first_bad_step, max_abs_diff
from tests.core.support import record_trace

# the first call whose logits the fault changes: a cache that is narrow from the start already shows in the prefill
FIRST_BAD = {"value-degraded": 0}

QUICK = (("tiny:rope-gqa", "paged"), ("tiny:learned-mha", "concat"), ("tiny:alibi-mqa", "sliding"))


@pytest.mark.parametrize(
    ("fault", "scenario"),
    [
        ("position-reset", "decode"),
        ("row-mixed", "batch"),
        ("slot-lost", "decode"),
        ("value-degraded", "decode"),
    ],
)
def test_that_a_fault_is_found_at_its_step_in_the_trace(tmp_path: Path, fault: str, scenario: str) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", faults=(fault,), scenario=scenario, steps=4)
    assert first_bad_step(trace, trace.info.tolerance) == FIRST_BAD.get(fault, 1)
    assert trace.info.notes == []


@pytest.mark.parametrize(
    ("spec", "note"),
    [({"faults": ("position-reset",), "target": "tiny:alibi-mqa"}, "position ids are not used"),
     ({"faults": ("row-mixed",)}, "needs a batch"), ({"faults": ("tail-unmasked",)}, "no unused slots"),
     ({"faults": ("slot-evicted",)}, "begins when the text has 42 tokens"), ({"faults": ("harmless-shift",)}, "is harmless")],
)  # fmt: skip
def test_that_a_run_in_which_a_fault_cannot_show_says_why(
    tmp_path: Path, spec: dict[str, object], note: str
) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=2, **spec)
    assert first_bad_step(trace, trace.info.tolerance) is None
    assert note in trace.info.notes[0]


@pytest.mark.parametrize(
    ("target", "layout"),
    [pytest.param(*pair, marks=() if pair in QUICK else pytest.mark.slow) for pair in product(catalog.MODELS, catalog.LAYOUTS)],
)  # fmt: skip
def test_that_a_healthy_run_of_64_steps_stays_under_1e_4(tmp_path: Path, target: str, layout: str) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", target=target, layout=layout, steps=64)
    assert len(trace) == 65
    assert max_abs_diff(trace) < 1e-4


@pytest.mark.parametrize("scenario", [name for name in catalog.SCENARIOS if name not in ("decode", "long")])
def test_that_every_scenario_is_healthy_and_catches_a_wrong_mask(tmp_path: Path, scenario: str) -> None:
    healthy = record_trace(tmp_path / "a.kvtrace", scenario=scenario, steps=6)
    assert max_abs_diff(healthy) < 1e-4
    assert len(healthy) == healthy.info.steps
    faulty = record_trace(tmp_path / "b.kvtrace", scenario=scenario, steps=6, faults=("mask-top-left",))
    assert first_bad_step(faulty, faulty.info.tolerance) == 1


@pytest.mark.parametrize("layout", catalog.LAYOUTS)
def test_that_long_runs_past_the_window_and_stays_healthy(tmp_path: Path, layout: str) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", scenario="long", layout=layout, steps=3)
    assert len(trace) == 1 + catalog.LONG_STEPS
    assert trace.facts(len(trace) - 1).text_len > 48
    assert max_abs_diff(trace) < 1e-4


@pytest.mark.parametrize(
    ("fault", "tensor"),
    [("position-reset", "position_ids"), ("mask-top-left", "attn_weights"), ("slot-lost", "k"), ("value-degraded", "k"),
     ("layer-aliased", "k")],
)  # fmt: skip
def test_that_the_first_tensor_that_differs_is_named(tmp_path: Path, fault: str, tensor: str) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", faults=(fault,), steps=2)
    place = first_bad_tensor(trace, FIRST_BAD.get(fault, 1))
    assert place is not None
    assert place.tensor == tensor
    if fault == "slot-lost":
        assert (place.layer, place.slot) == (0, trace.facts(0).text_len - 1)
