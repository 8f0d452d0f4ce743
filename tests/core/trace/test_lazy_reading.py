"""What is not looked at is not read: facts come from headers, rows of a layer and head from their own bytes."""

import os
from pathlib import Path

import numpy as np
import pytest

from core.errors import UnreadableError
from core.trace import reader
from core.trace.reader import Trace
from core.trace.writer import TraceWriter
from core.views import attention as attention_view
from core.views.attention import attention
from core.views.missing import no_attention
from core.views.selection import Selection
from core.views.timeline import timeline
from core.views.tokens import token_strip
from tests.core.support import record_trace
from tests.core.trace.reference_writer import write
from tests.core.trace.test_foreign_traces import one_lane_steps
from tests.core.trace.test_trace_file import INFO, facts


class Reads:
    """Counts the bytes that are read of any file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.nbytes = 0
        original = os.pread

        def counted(fd: int, size: int, offset: int) -> bytes:
            data = original(fd, size, offset)
            self.nbytes += len(data)
            return data

        monkeypatch.setattr(os, "pread", counted)


def large_trace(path: Path, n_steps: int = 40) -> None:
    writer = TraceWriter(path, INFO)
    for step in range(n_steps):
        weights = np.full((1, 2, 1, step + 1), step, np.float32)
        arrays = {f"{lane}/layer.0/attn_weights": weights for lane in ("oracle", "cached")}
        writer.add_step(facts(step), {**arrays, "oracle/logits": np.zeros((1, 1, 50_000), np.float32)})
    writer.close("complete")


def test_that_opening_and_painting_read_headers_and_rows_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large_trace(tmp_path / "a.kvtrace")
    monkeypatch.setattr(reader, "GUESSED_HEADER", 512)
    reads = Reads(monkeypatch)
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        timeline(trace, Selection(), 5e-4)
        token_strip(trace, Selection(), 5e-4)
        view = attention(trace, Selection(step=39, head=1))
    assert view is not None
    assert view.cached[39, 0] == 39
    assert reads.nbytes < 200_000 < (tmp_path / "a.kvtrace").stat().st_size // 20


def test_that_a_facts_header_that_changed_is_noticed(tmp_path: Path) -> None:
    large_trace(tmp_path / "a.kvtrace", 3)
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        place = trace._members[1].offset
    data = bytearray((tmp_path / "a.kvtrace").read_bytes())
    at = data.index(b'max_abs_diff\\":0.5', place) + len(b'max_abs_diff\\":')
    data[at] = ord("9")
    (tmp_path / "a.kvtrace").write_bytes(data)
    with Trace.open(tmp_path / "a.kvtrace") as trace, pytest.raises(UnreadableError, match="checksum"):
        trace.facts(1)


def test_that_rows_are_those_of_the_whole_tensor(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=2, scenario="batch")
    for step in range(len(trace)):
        for name in trace.tensor_names(step):
            whole = trace.tensor(step, name)
            trace._parsed.clear()
            assert trace.shape(step, name) == whole.shape
            np.testing.assert_array_equal(trace.rows(step, name), whole)
            if whole.ndim > 2 and whole.size:
                last = (whole.shape[0] - 1, whole.shape[1] - 1)
                np.testing.assert_array_equal(trace.rows(step, name, last), whole[last])
                with pytest.raises(UnreadableError):
                    trace.rows(step, name, (0, whole.shape[1]))
    assert trace.rows(0, "no") is None
    assert trace.shape(0, "no") is None


def test_that_headers_of_other_writers_are_found_in_too(tmp_path: Path) -> None:
    steps = one_lane_steps()
    write(tmp_path / "a.kvtrace", steps)  # with blanks after the colons
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        got = trace.rows(2, "cached/layer.1/attn_weights", (0, 3))
    np.testing.assert_array_equal(got, steps[2]["cached/layer.1/attn_weights"][0, 3])


def test_that_only_so_many_steps_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large_trace(tmp_path / "a.kvtrace", 12)
    monkeypatch.setattr(reader, "KEPT_BYTES", 700_000)
    monkeypatch.setattr(reader, "KEPT_HEADERS", 2_000)
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        for step in range(12):
            trace.tensor(step, "oracle/logits")
        assert len(trace._parsed) == 3
        for step in range(8):
            trace.rows(step, "oracle/logits", (0, 0))
        assert sum(map(len, trace._headers.values())) == trace._kept_headers < 2_500


def test_that_a_text_too_long_for_a_map_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large_trace(tmp_path / "a.kvtrace", 5)
    monkeypatch.setattr(attention_view, "MAX_TOKENS", 3)
    monkeypatch.setattr("core.views.missing.MAX_TOKENS", 3)
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert attention(trace, Selection(step=2)) is not None
        assert attention(trace, Selection(step=4)) is None
        assert "5 tokens are too many" in str(no_attention(trace, Selection(step=4)).what)


@pytest.fixture
def held_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trace of which every step is too large to be held."""
    large_trace(tmp_path / "a.kvtrace", n_steps=3)
    monkeypatch.setattr(reader, "LARGE", 1000)
    monkeypatch.setattr(reader, "CHUNK", 1 << 16)
    return tmp_path / "a.kvtrace"


def test_that_a_step_too_large_to_be_held_gives_the_same_arrays(
    held_apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Trace.open(held_apart) as trace:
        names = trace.tensor_names(2)
        far = {name: trace.tensor(2, name) for name in names}
        assert trace.tensor(2, "nothing") is None
        assert trace._kept_bytes < 1000 < far["oracle/logits"].nbytes
        row = trace.rows(2, "cached/layer.0/attn_weights", (0, 1))
    monkeypatch.setattr(reader, "LARGE", 1 << 30)
    with Trace.open(held_apart) as trace:
        assert trace.tensor_names(2) == names
        for name, array in far.items():
            np.testing.assert_array_equal(array, trace.tensor(2, name))
        np.testing.assert_array_equal(row, trace.rows(2, "cached/layer.0/attn_weights", (0, 1)))


def test_that_a_step_too_large_to_be_held_is_read_once_as_a_whole(
    held_apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Trace.open(held_apart) as trace:
        trace.tensor(1, "cached/layer.0/attn_weights")
        reads = Reads(monkeypatch)
        trace.tensor(1, "cached/layer.0/attn_weights")
        assert reads.nbytes < 1000


def test_that_damage_in_a_step_too_large_to_be_held_is_said(held_apart: Path) -> None:
    data = bytearray(held_apart.read_bytes())
    with Trace.open(held_apart) as trace:
        member = trace._members[1]
    data[member.offset + member.size - 5] ^= 1
    held_apart.write_bytes(data)
    with Trace.open(held_apart) as trace:
        trace.tensor(0, "cached/layer.0/attn_weights")
        with pytest.raises(UnreadableError, match="checksum"):
            trace.tensor(1, "cached/layer.0/attn_weights")


def test_that_a_foreign_step_too_large_to_be_held_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.kvtrace", one_lane_steps())
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        wanted = [trace.facts(step) for step in range(len(trace))], trace.info
    monkeypatch.setattr(reader, "LARGE", 0)
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert ([trace.facts(step) for step in range(len(trace))], trace.info) == wanted
