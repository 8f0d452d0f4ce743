"""Lab notes: five headings, measured values only, Markdown that no stranger's text can change."""

from pathlib import Path

import msgspec
import pytest

from core.report.notes import HEADINGS, lab_notes, plain
from core.trace.reader import Trace
from core.trace.writer import TraceWriter
from tests.core.profile.test_profile import RESULT
from tests.core.support import DRIFT, record_trace
from tests.core.trace.reference_writer import write
from tests.core.trace.test_foreign_traces import one_lane_steps


def sections_of(notes: bytes) -> dict[str, list[str]]:
    parts = notes.decode().split("\n## ")[1:]
    return {part.splitlines()[0]: [line for line in part.splitlines()[1:] if line] for part in parts}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    path = tmp_path_factory.mktemp("notes") / "f.kvtrace"
    with record_trace(path, findings=[DRIFT], faults=("position-reset",), steps=3) as trace:
        yield trace


def test_that_a_run_fills_the_headings_with_its_own_figures(faulty: Trace) -> None:
    cache, positions, comparison, costs, boundary = sections_of(lab_notes([faulty])).values()
    assert (
        cache[0] == "- After the prefill of 38 tokens K and V are \\[1, 2, 38, 32] in 4 layers; kv_len is 38."
    )
    assert "dim 2 (kv_len); a step adds 1, 1 were fed" in cache[1]
    assert positions[0].endswith("the oracle was told 0..37, the cached lane 0..37.")
    assert positions[1].endswith("the oracle was told 38, the cached lane 0.")
    assert "4 steps compared" in comparison[0]
    assert "3 steps are over the tolerance" in comparison[0]
    assert costs == []
    assert "fails from step 1 on, at 39 tokens; step 0 was still right" in boundary[0]
    assert "position-drift (83.1 %)" in boundary[2]


def test_that_time_and_memory_come_from_a_profile_alone(faulty: Trace) -> None:
    costs = sections_of(lab_notes([faulty], profile=RESULT))["Time and memory"]
    assert "length 256: a cached step takes 1.00 ms, the oracle 4.00 ms, 4.0 times as long" in "\n".join(
        costs
    )
    assert "- Caching does not pay at length 32, 64." in costs


def test_that_a_run_without_a_failure_says_how_far_it_was_tried(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", steps=2) as trace:
        boundary = sections_of(lab_notes([trace]))["One failure boundary"]
    assert boundary == [
        "- No step failed; the longest text that was compared has 40 tokens (decode).", "- The model's context ends at 512 tokens.",
    ]  # fmt: skip


def test_that_one_lane_is_not_called_compared(tmp_path: Path) -> None:
    write(tmp_path / "a.kvtrace", one_lane_steps())
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        sections = sections_of(lab_notes([trace]))
    assert sections["Correctness comparison"] == ["- decode: nothing was compared."]
    assert sections["One failure boundary"] == []


def test_that_without_a_run_the_headings_are_there_and_empty() -> None:
    assert sections_of(lab_notes([])) == {str(heading): [] for heading in HEADINGS}


def test_that_chinese_notes_have_chinese_headings(faulty: Trace) -> None:
    assert list(sections_of(lab_notes([faulty], "zh"))) == [
        "缓存形状与追加维度", "位置处理", "正确性比较", "时间与内存", "一个失效边界",
    ]  # fmt: skip


def test_that_strangers_text_is_text(faulty: Trace, tmp_path: Path) -> None:
    hostile = "</x><script> `code` [a](http://evil) ![i](x) @team \n# heading\n- \x1b[2J"
    writer = TraceWriter(
        tmp_path / "h.kvtrace", msgspec.structs.replace(faulty.info, target=hostile, scenario=hostile)
    )
    writer.add_step(faulty.facts(0), {name: faulty.tensor(0, name) for name in faulty.tensor_names(0)})
    writer.close("complete", None, [], [], [])
    with Trace.open(tmp_path / "h.kvtrace") as trace:
        notes = lab_notes([trace]).decode()
    assert "<" not in notes
    assert "@team" not in notes
    assert "\n# heading" not in notes
    assert "\x1b" not in notes
    assert plain("`[x](y)` *b*") == "\\`\\[x](y)\\` \\*b\\*"
