"""Notes of a trace are English words that can be shown in another language all the same."""

from pathlib import Path

from core.compare.pair import compared
from core.report.language import translator
from core.trace.reader import Trace
from core.views.note_text import note_text
from tests.core.support import record_trace


def test_that_the_places_of_two_traces_are_told_in_chinese(tmp_path: Path) -> None:
    for name in ("one", "other"):
        record_trace(tmp_path / f"{name}.kvtrace", prompt="Pay 12", steps=1).close()
    with Trace.open(tmp_path / "one.kvtrace") as a, Trace.open(tmp_path / "other.kvtrace") as b:
        notes = compared(a, b).info.notes[:2]
    texts = [note_text(note) for note in notes]
    assert [str(text) for text in texts] == notes
    shown = [text.translated(translator("zh")) for text in texts]
    assert "基准" in shown[0]
    assert "one.kvtrace" in shown[0]
    assert "缓存" in shown[1]


def test_that_a_note_of_somebody_elses_stays_as_it_is() -> None:
    for note in ("exported by engine x: {braces} and all", "", "a: b", "\n" * 9):
        assert str(note_text(note)) == note
        assert note_text(note).translated(translator("zh")) == note


def test_that_a_gap_that_comes_twice_holds_the_same_twice() -> None:
    assert note_text("full() changes its input ids in place").values == {"function": "full"}
