"""The trace file: what is written comes back, a killed or damaged file gives a prefix or an error of ours."""

import gc
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from core.errors import EnvironmentFault, UnreadableError
from core.trace.layout import parse_safetensors, safetensors_bytes
from core.trace.reader import Trace
from core.trace.records import FindingFacts, ModelShape, RunInfo, StepFacts, TextFacts
from core.trace.save import save_copy
from core.trace.writer import TraceWriter, part_path

INFO = RunInfo(
    target="t",
    scenario="decode",
    model=ModelShape(dtype="float32", vocab_size=3),
    prompt_ids=[[1]],
    steps=3,
    tolerance=5e-4,
)


def facts(step_index: int) -> StepFacts:
    return StepFacts(
        step_index=step_index, kind="decode", tokens=[[1]], text_len=step_index + 1, max_abs_diff=0.5 * step_index,
        argmax_oracle=[1], argmax_cached=[2],
    )  # fmt: skip


def write_trace(path: Path, n_steps: int = 3) -> TraceWriter:
    writer = TraceWriter(path, INFO)
    for step_index in range(n_steps):
        writer.add_step(facts(step_index), {"oracle/logits": np.full((1, 1, 3), step_index, np.float32)})
    return writer


def test_that_a_trace_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write_trace(tmp_path / "a.kvtrace").close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert trace.info == INFO
        assert [trace.facts(index) for index in range(len(trace))] == [facts(index) for index in range(3)]
        assert trace.tensor(2, "oracle/logits").tolist() == [[[2, 2, 2]]]
        assert trace.tensor(2, "cached/logits") is None
        assert trace.is_complete
        assert trace.notice is None
    assert not part_path(tmp_path / "a.kvtrace").exists()


def test_that_any_zip_tool_can_open_a_trace(tmp_path: Path) -> None:
    write_trace(tmp_path / "a.kvtrace").close("complete")
    with zipfile.ZipFile(tmp_path / "a.kvtrace") as file:
        assert file.testzip() is None
        assert file.namelist() == [
            "kvtrace.json",
            *(f"steps/0000000{i}.safetensors" for i in range(3)),
            "end.json",
        ]


@pytest.mark.parametrize(
    "array",
    [np.arange(6, dtype=np.float32).reshape(2, 3).T, np.broadcast_to(np.float32(2), (3, 2)), np.zeros((0, 4), np.float16),
     np.array([np.nan, -np.inf, -0.0], np.float64), np.array([2**62, -1]), np.array([True, False])],
    ids=["transposed", "broadcast", "empty", "nan", "int64", "bool"],
)  # fmt: skip
def test_that_arrays_of_any_layout_come_back_bit_for_bit(tmp_path: Path, array: np.ndarray) -> None:
    writer = TraceWriter(tmp_path / "a.kvtrace", INFO)
    writer.add_step(facts(0), {"x": array})
    writer.close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        got = trace.tensor(0, "x")
    assert got.dtype == array.dtype
    assert got.shape == array.shape
    assert got.tobytes() == np.ascontiguousarray(array).tobytes()


def test_that_a_step_has_the_bytes_that_the_safetensors_library_writes() -> None:
    tensors = {
        "b": np.arange(3, dtype=np.int64), "a": np.ones((2, 1), np.float32), "mask": np.array([True]), "e": np.zeros((0, 4), np.float16),
        "scalar": np.array(2.0), "é": np.array([1], np.int32),
    }  # fmt: skip
    metadata = {"facts": '{"a": "µ"}'}
    assert safetensors_bytes(metadata, tensors) == safetensors.numpy.save(tensors, metadata)


def test_that_a_growing_trace_is_read_as_it_grows(tmp_path: Path) -> None:
    writer = write_trace(tmp_path / "a.kvtrace", 1)
    with Trace.open(writer.part_path) as trace:
        assert len(trace) == 1
        assert "1 complete steps" in str(trace.notice)
        writer.add_step(facts(1), {})
        assert trace.refresh() == 1
        assert trace.facts(1) == facts(1)
        writer.close("complete")
        trace.refresh()
        assert trace.is_complete


def test_that_truncation_anywhere_keeps_every_complete_step(tmp_path: Path) -> None:
    path = tmp_path / "a.kvtrace"
    write_trace(path).close("complete")
    data = path.read_bytes()
    with Trace.open(path) as trace:
        ends = [member.end for member in trace._members]
        first = trace._members[0].offset - len("steps/00000000.safetensors") - 30
    cut = tmp_path / "cut.kvtrace"
    cut.write_bytes(data)
    for length in reversed(range(len(data))):
        os.truncate(cut, length)
        if length < first:
            with pytest.raises(UnreadableError):
                Trace.open(cut)
            continue
        with Trace.open(cut) as trace:
            assert len(trace) == sum(end <= length for end in ends)


def test_that_a_flipped_bit_in_a_step_is_noticed_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.kvtrace"
    write_trace(path).close("complete")
    data = bytearray(path.read_bytes())
    with Trace.open(path) as trace:
        data[trace._members[1].offset + 60] ^= 1
    path.write_bytes(data)
    with Trace.open(path) as trace:
        assert trace.facts(0) == facts(0)
        with pytest.raises(UnreadableError, match="checksum"):
            trace.facts(1)


@pytest.mark.parametrize(
    ("content", "guess"),
    [(b"", "an empty file"), (b"GGUF\3\0\0\0", "a GGUF model"), (b"<!DOCTYPE html>", "an HTML page"), (b"\x80\4K\1.", "a pickle"),
     (b"version https://git-lfs.github.com/spec/v1", "a Git LFS pointer"), (b"{}", "a JSON file"),
     (b"\x02\0\0\0\0\0\0\0{}", "a plain safetensors file"), (b"random", "not a kvtrace file")],
)  # fmt: skip
def test_that_other_files_are_recognised(tmp_path: Path, content: bytes, guess: str) -> None:
    path = tmp_path / "x.kvtrace"
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=guess):
        Trace.open(path)


def test_that_another_zip_file_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        file.writestr("a.txt", "hello")
    for path, message in (
        (tmp_path / "x.zip", "no member of that name"),
        (tmp_path, "not a regular file"),
        (tmp_path / "no", "No such file"),
    ):
        with pytest.raises(UnreadableError, match=message):
            Trace.open(path)


def test_that_a_newer_major_version_is_refused(tmp_path: Path) -> None:
    import msgspec

    TraceWriter(tmp_path / "a.kvtrace", msgspec.structs.replace(INFO, version="2.0")).close("complete")
    with pytest.raises(UnreadableError, match="open it with a newer KVScope"):
        Trace.open(tmp_path / "a.kvtrace")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b'{"x":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,4]}}', "do not fit"),
        (b'{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,400]}}', "do not fit"),
        (
            b'{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}',
            "do not fit",
        ),
        (b'{"x":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}}', "dtype"),
        (b'{"x":{"dtype":"F32","shape":[' + b"1," * 99 + b'1],"data_offsets":[0,4]}}', "shape"),
        (b"[" * 100_000, "not a readable step"),
        (b'{"__metadata__":{"facts":1}}', "not a readable step"),
    ],
    ids=["huge dim", "past the end", "overlap", "dtype", "rank", "deep", "metadata"],
)
def test_that_lies_in_a_header_are_refused_before_anything_is_allocated(header: bytes, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        parse_safetensors(len(header).to_bytes(8, "little") + header + bytes(8), "steps/0")


def test_that_a_saved_copy_is_closed_and_keeps_the_steps(tmp_path: Path) -> None:
    writer = write_trace(tmp_path / "a.kvtrace", 2)
    with Trace.open(writer.part_path) as trace:
        save_copy(trace, tmp_path / "b.kvtrace")
    with Trace.open(tmp_path / "b.kvtrace") as copy:
        assert len(copy) == 2
        assert copy.end.status == "partial"
    writer.abandon()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.kvtrace.part", "b.kvtrace"]


def test_that_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    write_trace(tmp_path / "a.kvtrace").close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace, pytest.raises(EnvironmentFault, match="cannot write"):
        save_copy(trace, tmp_path / "no" / "b.kvtrace")


def test_that_a_saved_copy_keeps_findings_and_takes_other_bookmarks(tmp_path: Path) -> None:
    found = FindingFacts(step=1, cause="position-reset", sentence=TextFacts("told {n}", {"n": 0}))
    write_trace(tmp_path / "a.kvtrace", 3).close("complete", findings=[found], bookmarks=[2, 0])
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert trace.end.bookmarks == [0, 2]
        save_copy(trace, tmp_path / "b.kvtrace")
        save_copy(trace, tmp_path / "c.kvtrace", bookmarks=[1])
    with Trace.open(tmp_path / "b.kvtrace") as copy, Trace.open(tmp_path / "c.kvtrace") as marked:
        assert (copy.end.findings, copy.end.bookmarks) == ([found], [0, 2])
        assert marked.end.bookmarks == [1]


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_that_a_writer_that_is_let_go_leaves_the_part_as_it_is(tmp_path: Path) -> None:
    writer = write_trace(tmp_path / "a.kvtrace", 2)
    written = writer.part_path.read_bytes()
    file = writer._file
    del writer
    gc.collect()
    assert file.closed
    assert (tmp_path / "a.kvtrace.part").read_bytes() == written
