"""What the masks allow, put together from the steps, and its outline."""

from pathlib import Path

import numpy as np
import pytest

from core.trace.reader import Trace
from core.trace.records import ModelShape, RunInfo, StepFacts
from core.trace.writer import TraceWriter
from core.views.allowed import allowed, only_in, outline
from core.views.attention import attention
from core.views.selection import Selection
from tests.core.support import record_trace
from tests.gui.small_trace import write_small_trace


@pytest.mark.parametrize("scenario", ["chunked-prefill", "rollback", "ragged-batch"])
def test_that_healthy_lanes_may_see_what_came_before(tmp_path: Path, scenario: str) -> None:
    with record_trace(tmp_path / "a.kvtrace", scenario=scenario, prompt="Pay 0x12 in May", steps=4) as trace:
        for batch_row in range(len(trace.info.prompt_ids)):
            selection = Selection(step=len(trace) - 1, batch_row=batch_row)
            view, weights = allowed(trace, selection), attention(trace, selection)
            assert view is not None
            assert weights is not None
            assert view.is_recorded
            assert (view.oracle == view.cached).all()
            assert not np.triu(view.oracle, 1).any()
            assert view.oracle[weights.seen].all()


def test_that_a_lane_without_a_mask_may_see_what_comes_later(tmp_path: Path) -> None:
    with record_trace(
        tmp_path / "a.kvtrace", scenario="chunked-prefill", faults=("mask-missing",), steps=4
    ) as trace:
        view = allowed(trace, Selection(step=1))
    assert view is not None
    assert view.cached[:3, :3].all()
    assert not np.triu(view.oracle, 1).any()


def test_that_a_window_hides_what_is_older(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", layout="sliding", scenario="long", steps=4) as trace:
        view, window = allowed(trace, Selection(step=30)), trace.info.model.window
    assert view is not None
    assert window is not None
    assert view.oracle[-1].sum() == window


def test_that_a_trace_without_attention_has_none(tmp_path: Path) -> None:
    write_small_trace(tmp_path / "a.kvtrace", [0.0, 0.0])
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert allowed(trace, Selection(step=1)) is None


def test_that_a_trace_without_masks_is_taken_as_causal_by_position(tmp_path: Path) -> None:
    shape = ModelShape(dtype="float32", vocab_size=8, n_layers=1, n_heads=1)
    info = RunInfo(
        target="t", scenario="decode", model=shape, prompt_ids=[[0, 1, 2]], steps=1, tolerance=1e-3
    )
    facts = StepFacts(
        step_index=0, kind="prefill", tokens=[[0, 1, 2]], text_len=3, max_abs_diff=0.0, argmax_oracle=[0],
        argmax_cached=[0], pads=[1],
    )  # fmt: skip
    weights = np.full((1, 1, 3, 3), 1 / 3, np.float32)
    logits = np.zeros((1, 3, 8), np.float32)
    writer = TraceWriter(tmp_path / "a.kvtrace", info)
    writer.add_step(
        facts,
        {
            f"{lane}/{name}": values
            for lane in ("oracle", "cached")
            for name, values in (("logits", logits), ("layer.0/attn_weights", weights))
        },
    )
    writer.close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        view = allowed(trace, Selection())
    assert view is not None
    assert not view.is_recorded
    assert view.cached.astype(int).tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 1]]


def test_that_the_outline_is_made_of_long_lines_around_all_that_is_allowed() -> None:
    cells = np.array([[1, 0], [1, 1]], np.bool_)
    assert {tuple(line) for line in outline(cells).tolist()} == {
        (0, 0, 1, 0), (1, 1, 2, 1), (0, 2, 2, 2), (0, 0, 0, 2), (1, 0, 1, 1), (2, 1, 2, 2),
    }  # fmt: skip


def test_that_nothing_allowed_has_no_outline_and_equal_ones_nothing_of_their_own() -> None:
    assert outline(np.zeros((3, 3), np.bool_)).shape == (0, 4)
    lines = outline(np.tril(np.ones((4, 4), np.bool_)))
    assert only_in(lines, lines).shape == (0, 4)
    assert only_in(lines, lines[:3]).tolist() == lines[3:].tolist()
