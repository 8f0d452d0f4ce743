"""Invariants and introduced differences of recorded steps."""

from pathlib import Path

import pytest

from core.trace.reader import Trace
from core.trace.writer import TraceWriter
from core.verdict.recorded_parts import broken_at, differences_at
from core.views.invariants import broken_invariants_of
from core.views.selection import Selection
from core.views.tensor_grid import INTRODUCED, tensor_grid
from tests.core.support import record_trace

PROMPT = "Pay 0x12 in May"  # 15 tokens
HEALTHY = (
    {}, {"layout": "static", "scenario": "chunked-prefill"}, {"layout": "paged", "scenario": "rollback"},
    {"layout": "sliding", "scenario": "long", "steps": 30}, {"scenario": "ragged-batch"}, {"scenario": "beam-reorder"},
    {"scenario": "second-turn", "target": "tiny:alibi-mqa"},
)  # fmt: skip


def record(path: Path, *faults: str, **spec: object) -> Trace:
    return record_trace(path / "a.kvtrace", **({"steps": 5, "prompt": PROMPT, "faults": faults} | spec))


def names(trace: Trace, step: int) -> set[str]:
    broken = broken_at(trace, step)
    assert broken is not None
    return {one.name for one in broken}


def introduced(trace: Trace, step: int) -> list[tuple[str, int | None]]:
    found = differences_at(trace, step)
    assert found is not None
    return [(one.tensor, one.layer) for one in found if one.status == "introduced"]


@pytest.mark.parametrize("spec", HEALTHY, ids=lambda spec: "-".join(map(str, spec.values())) or "decode")
def test_that_a_healthy_run_breaks_nothing_and_differs_nowhere(
    tmp_path: Path, spec: dict[str, object]
) -> None:
    trace = record(tmp_path, **spec)
    for step in range(len(trace)):
        assert broken_at(trace, step) == []
        found = differences_at(trace, step)
        assert found
        assert {one.status for one in found} == {"same"}


@pytest.mark.parametrize(
    ("fault", "broken", "begins"),
    [
        ("position-reset", {"positions"}, ("position_ids", None)),
        ("slot-lost", {"length", "zero-row"}, ("cache", 0)),
        ("prefix-refed", {"length"}, ("mask", 0)),
        ("layer-aliased", {"row-changed"}, ("cache", 0)),
        ("mask-top-left", set(), ("mask", 0)),
        ("value-degraded", set(), ("k_new", 0)),
        ("scale-wrong", set(), ("scores", 0)),
    ],
)
def test_that_what_a_fault_breaks_and_where_it_begins_is_told(
    tmp_path: Path, fault: str, broken: set[str], begins: tuple[str, int | None]
) -> None:
    trace = record(tmp_path, fault)
    step = 0 if fault == "value-degraded" else 1
    assert broken <= names(trace, step)
    assert bool(broken) == bool(names(trace, step))
    assert introduced(trace, step)[0] == begins


def test_that_a_cached_lane_alone_is_checked_too(tmp_path: Path) -> None:
    trace = record(tmp_path, "position-reset")
    alone = without_oracle(trace, tmp_path / "alone.kvtrace")
    assert names(alone, 0) == set()
    assert names(alone, 1) == {"positions"}
    assert differences_at(alone, 1) is None
    assert tensor_grid(alone, Selection(step=1)) is None


def test_that_layers_that_break_alike_are_told_once(tmp_path: Path) -> None:
    found = broken_invariants_of(record(tmp_path, "slot-lost"), 1)
    assert found is not None
    assert [one.layers for one in found if one.name == "zero-row"] == [(0, 1, 2, 3)]


def test_that_the_grid_has_the_first_tensor_that_goes_wrong_by_itself(tmp_path: Path) -> None:
    view = tensor_grid(record(tmp_path, "scale-wrong"), Selection(step=1))
    assert view is not None
    assert view.first == (0, view.tensors.index("scores"))
    assert view.positions is not None
    assert (view.status == INTRODUCED).sum() == 1


def without_oracle(trace: Trace, path: Path) -> Trace:
    writer = TraceWriter(path, trace.info)
    for step in range(len(trace)):
        kept = [name for name in trace.tensor_names(step) if not name.startswith(("oracle/", "diff/"))]
        writer.add_step(trace.facts(step), {name: trace.tensor(step, name) for name in kept})  # type: ignore[misc]
    writer.close("complete")
    return Trace.open(path)
