"""Each cached row's history is known: who wrote it, whether it ever changed, and what moved it."""

from pathlib import Path

import numpy as np

from core.trace.reader import Trace
from core.trace.records import ModelShape, RunInfo, StepFacts
from core.trace.writer import TraceWriter
from core.verdict.row_history import Event, history
from core.verdict.rows import rows_at
from tests.core.support import record_trace


def test_that_a_healthy_row_was_written_once(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=3)
    n_slots = rows_at(trace, 3)[0][0].shape[2]
    assert history(trace, 3, 1, 0, 0) == [Event("written", 0)]
    assert history(trace, 3, 1, 0, n_slots - 1) == [Event("written", 3)]
    assert history(trace, 3, 1, 0, n_slots) == []
    assert history(trace, 3, 99, 0, 0) == []


def test_that_a_row_that_is_turned_at_every_step_has_changed_in_each(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=3, faults=("rope-compounding",))
    assert history(trace, 3, 0, 0, 4) == [
        Event("written", 0),
        *(Event("changed", step) for step in (1, 2, 3)),
    ]


def test_that_a_reorder_moves_a_row_and_its_history_with_it(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", scenario="beam-reorder", steps=5)
    step = next(n for n in range(len(trace)) if trace.facts(n).before)
    assert history(trace, step + 1, 0, 0, 1) == [Event("written", 0), Event("reordered", step, 1)]
    assert history(trace, step + 1, 0, 1, 1) == [Event("written", 0)]


def test_that_a_full_window_moves_its_rows_on(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", layout="sliding", scenario="long")
    last = len(trace) - 1
    facts, n_slots = trace.facts(last), rows_at(trace, last)[0][0].shape[2]
    token = facts.text_len - n_slots + 10
    written = next(step for step in range(len(trace)) if trace.facts(step).text_len > token)
    assert history(trace, last, 0, 0, 10) == [Event("written", written), Event("shifted", last, n_slots - 1)]


def test_that_a_row_which_changes_in_one_row_of_the_batch_has_changed_there_alone(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", scenario="batch", faults=("row-mixed",), steps=4)
    rows = [rows_at(trace, step)[0][0] for step in range(len(trace))]
    for batch_row in (0, 1):
        changed = [
            step
            for step in range(1, len(trace))
            if not np.array_equal(rows[step][batch_row, :, 2], rows[step - 1][batch_row, :, 2])
        ]
        events = history(trace, len(trace) - 1, 0, batch_row, 2)
        assert events == [Event("written", 0), *(Event("changed", step) for step in changed)]


def test_that_a_buffer_that_is_read_whole_moves_nothing(tmp_path: Path) -> None:
    """Its length stays, as that of a full window does."""
    info = RunInfo(
        target="made up", scenario="decode", model=ModelShape(dtype="float32", vocab_size=5), prompt_ids=[[1]], steps=3, tolerance=1e-3
    )  # fmt: skip
    buffer = np.arange(6, dtype=np.float32).reshape(1, 1, 6, 1)
    writer = TraceWriter(tmp_path / "a.kvtrace", info)
    for step in range(3):
        buffer[0, 0, step] = 100 + step
        facts = StepFacts(
            step_index=step, kind="decode", tokens=[[1]], text_len=step + 1, max_abs_diff=0.0, argmax_oracle=[0], argmax_cached=[0]
        )  # fmt: skip
        layer = {
            "k": buffer[:, :, -1:],
            "v": buffer[:, :, -1:],
            "changed_k": buffer[:, :, :5],
            "changed_v": buffer[:, :, :5],
        }
        layer |= {"changed_slots": np.arange(5), "attn_weights": np.ones((1, 1, 1, 6), np.float32)}
        writer.add_step(facts, {f"cached/layer.0/{name}": x.copy() for name, x in layer.items()})
    writer.close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert history(trace, 2, 0, 0, 1) == [Event("written", 0), Event("changed", 1)]
        assert history(trace, 2, 0, 0, 3) == [Event("written", 0)]
