"""The slot map of a recorded step is that of a diagnosis."""

from pathlib import Path

import numpy as np
import pytest

from core.verdict import recorded_slots
from core.verdict.diagnosis.slot_map import State
from core.verdict.recorded_slots import slot_map_at
from tests.core.support import record_trace

PROMPT = "Pay 0x12 in May"
HEALTHY = (
    {}, {"layout": "static"}, {"layout": "paged", "scenario": "rollback"}, {"layout": "sliding", "scenario": "long"},
    {"scenario": "ragged-batch"}, {"scenario": "beam-reorder"}, {"scenario": "second-turn", "target": "tiny:alibi-mqa"},
)  # fmt: skip


@pytest.mark.parametrize("spec", HEALTHY, ids=lambda spec: "-".join(spec.values()) or "decode")
def test_that_healthy_rows_are_found_in_place_as_looking_each_one_up_finds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: dict[str, str]
) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", **({"steps": 5, "prompt": PROMPT} | spec))
    last = len(trace) - 1
    quick = slot_map_at(trace, last)
    assert quick is not None
    recorded_slots._known.clear()
    monkeypatch.setattr(recorded_slots, "_in_place", lambda *_given: None)
    thorough = slot_map_at(trace, last)
    assert thorough is not None
    assert len(quick.layers) == len(thorough.layers) > 0
    for one, other in zip(quick.layers, thorough.layers, strict=True):
        np.testing.assert_array_equal(one.state, other.state)
        np.testing.assert_array_equal(one.token, other.token)
        np.testing.assert_array_equal(one.kept, other.kept)
        assert one.missing == other.missing
        assert set(np.unique(one.state).tolist()) <= {State.OK, State.PAD}


def test_that_a_rejected_draft_is_known_by_its_own_rows(tmp_path: Path) -> None:
    trace = record_trace(
        tmp_path / "a.kvtrace", prompt=PROMPT, steps=6, scenario="rollback", faults=("stale-draft",)
    )
    step = next(at for at in range(len(trace)) if trace.facts(at).before)
    found = slot_map_at(trace, step)
    assert found is not None
    texts = np.concatenate([layer.k_origin.text[0] for layer in found.layers])
    assert (texts == 1).any()


def test_that_a_trace_without_rows_has_no_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_slots, "rows_at", lambda *_given: None)
    trace = record_trace(tmp_path / "a.kvtrace", prompt=PROMPT, steps=2)
    assert slot_map_at(trace, 1) is None
