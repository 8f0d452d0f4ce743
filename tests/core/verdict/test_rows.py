"""K and V put together from a trace are those that attention read."""

from pathlib import Path

import numpy as np
import pytest

from core.engine.run import Run
from core.record import recorder
from core.record.lane_data import LaneData
from core.trace.reader import Trace
from core.verdict.rows import rows_at
from tests.core.support import record_trace

Layers = list[tuple[np.ndarray, np.ndarray]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Layers]:
    """What attention of the cached lane read in each step, copied while it was there."""
    found: list[Layers] = []
    original = recorder._lane_tensors

    def noted(lane: str, data: LaneData, q_len: int) -> object:
        if lane == "cached":
            found.append([(layer.k.numpy().copy(), layer.v.numpy().copy()) for layer in data.layers])
        return original(lane, data, q_len)

    monkeypatch.setattr(recorder, "_lane_tensors", noted)
    return found


def assert_same(trace: Trace, step: int, layers: Layers) -> None:
    rebuilt = rows_at(trace, step)
    assert rebuilt is not None
    assert len(rebuilt) == len(layers) > 0
    for got, want in zip(rebuilt, layers, strict=True):
        for a, b in zip(got, want, strict=True):
            np.testing.assert_array_equal(a, b, strict=True)


@pytest.mark.parametrize(
    "spec",
    [
        {"layout": "static"}, {"layout": "paged", "scenario": "rollback"}, {"layout": "sliding", "scenario": "long"},
        {"scenario": "rollback"}, {"scenario": "beam-reorder"}, {"scenario": "ragged-batch"}, {"scenario": "second-turn"},
        {"scenario": "chunked-prefill", "layout": "paged"}, {"faults": ("prefix-refed",)}, {"faults": ("layer-aliased",)},
        {"faults": ("slot-lost",)}, {"faults": ("rope-compounding",)}, {"target": "tiny:learned-mha", "scenario": "second-turn"},
        {"scenario": "second-run", "faults": ("stale-rows",)}, {"oracle": "one-pass"},
        {"scenario": "batch", "faults": ("row-mixed",), "layout": "paged"},
    ],
    ids=lambda spec: "-".join(str(value) for value in spec.values()),
)  # fmt: skip
def test_that_rows_are_those_that_attention_read(
    tmp_path: Path, seen: list[Layers], spec: dict[str, object]
) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", **({"steps": 6} | spec))
    assert len(seen) == len(trace)
    for step in (*range(len(trace)), 1, len(trace) - 1, 0):  # forward, and back to steps that were let go
        assert_same(trace, step, seen[step])


def test_that_the_oracles_rows_are_those_of_a_healthy_cache(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", scenario="rollback", steps=6)
    for step in range(len(trace)):
        oracle, cached = rows_at(trace, step, "oracle"), rows_at(trace, step)
        assert oracle is not None and cached is not None  # noqa: PT018
        for wanted, got in zip(oracle, cached, strict=True):
            np.testing.assert_allclose(wanted, got, atol=1e-4)


def test_that_rows_the_trace_does_not_hold_are_not_made_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder.Journal, "changed_slots", lambda *_given: [])
    trace = record_trace(tmp_path / "a.kvtrace", faults=("prefix-refed",), steps=2)
    assert rows_at(trace, 0) is not None
    assert rows_at(trace, 1) is None


def test_that_a_running_trace_can_be_followed(tmp_path: Path, seen: list[Layers]) -> None:
    from core.engine.messages import RunSpec

    run = Run(RunSpec(steps=3), tmp_path / "a.kvtrace")
    steps = run.steps()
    next(steps)
    with Trace.open(tmp_path / "a.kvtrace.part") as trace:
        assert_same(trace, 0, seen[0])
        next(steps)
        trace.refresh()
        assert_same(trace, 1, seen[1])
    run.close("complete")
