"""What was worked out of a trace is worked out again when there is more of it, and only then."""

from pathlib import Path

from core.trace.kept import KEPT, kept
from core.trace.reader import Trace
from core.trace.writer import part_path
from core.views.selection import Selection
from core.views.timeline import timeline
from core.views.tokens import token_strip
from tests.core.trace.test_trace_file import facts, write_trace


def counted():
    calls = []

    @kept
    def work(trace: Trace, name: str) -> int:
        calls.append(name)
        return len(trace)

    return work, calls


def test_that_an_answer_is_worked_out_once(tmp_path: Path):
    write_trace(tmp_path / "a.kvtrace").close("complete")
    work, calls = counted()
    with Trace.open(tmp_path / "a.kvtrace") as trace, Trace.open(tmp_path / "a.kvtrace") as other:
        assert [work(trace, "x"), work(trace, "x"), work(other, "x")] == [3, 3, 3]
    assert calls == ["x", "x"]  # once a trace


def test_that_only_the_last_answers_are_kept(tmp_path: Path):
    write_trace(tmp_path / "a.kvtrace").close("complete")
    work, calls = counted()
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        for name in [*map(str, range(KEPT)), "0", "new", "0", "1"]:
            work(trace, name)
    assert calls == [*map(str, range(KEPT)), "new", "1"]


def test_that_a_trace_which_grows_and_ends_is_asked_again(tmp_path: Path):
    writer = write_trace(tmp_path / "a.kvtrace")
    work, calls = counted()
    with Trace.open(part_path(tmp_path / "a.kvtrace")) as trace:
        assert work(trace, "x") == 3
        assert (
            len(token_strip(trace, Selection(), 1.0).chips)
            == len(timeline(trace, Selection(), 1.0).kinds) + 1
        )
        writer.add_step(facts(3), {})
        trace.refresh()
        assert work(trace, "x") == 4
        assert (
            len(token_strip(trace, Selection(), 1.0).chips)
            == len(timeline(trace, Selection(), 1.0).kinds) + 1
        )
        assert len(timeline(trace, Selection(), 1.0).kinds) == 4
        writer.close("complete")
        trace.refresh()
        work(trace, "x")
    assert calls == ["x"] * 3


def test_that_each_step_has_its_own_selected_token_and_no_other_difference(tmp_path: Path):
    write_trace(tmp_path / "a.kvtrace").close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        for step in (2, 0, 1):
            chips = token_strip(trace, Selection(step=step), 1.0).chips
            assert [chip.step_index for chip in chips if chip.is_selected] == [step]
            assert timeline(trace, Selection(step=step), 1.0).selected == step
        views = [timeline(trace, Selection(step=step), 1.0) for step in (0, 2)]
        assert views[1].is_same_but_selected(views[0])
        assert not timeline(trace, Selection(), 0.1).is_same_but_selected(views[0])
