"""History, bookmarks, stop conditions, finding: what moves the cursor, without an engine."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from core.engine.messages import RunSpec
from core.trace.reader import Trace
from core.views.find import find_tokens
from gui.app_state import AppState
from gui.bookmarks import Bookmarks
from gui.fuzzy import match
from gui.history import SelectionHistory
from gui.moving import stop_text
from gui.player import Player
from gui.repeat_command import check_command
from gui.session import Session
from gui.stop_condition import AT_BAD, NEVER, StopCondition
from tests.gui.small_trace import write_small_trace


@pytest.fixture
def state(tmp_path: Path, qapp: object) -> Iterator[AppState]:
    """Eight steps of text; step 3 is over the tolerance, step 5 is not finite."""
    diffs = [0.0, 1e-7, 1e-7, 0.5, 1e-7, None, 1e-7, 1e-7]
    write_small_trace(tmp_path / "a.kvtrace", diffs, bookmarks=[6, 99])
    state = AppState()
    state.set_trace(Trace.open(tmp_path / "a.kvtrace"))
    yield state
    state.set_trace(None)


def test_that_history_goes_back_and_forward_again(state: AppState) -> None:
    history = SelectionHistory(state, state, glide_ms=0)
    for step in (2, 5):
        state.select(step=step)
    history.back()
    assert (state.selection.step, history.can_go_forward) == (2, True)
    history.back()
    assert (state.selection.step, history.can_go_back) == (0, False)
    history.forward()
    state.select(layer=1)
    assert not history.can_go_forward


def test_that_steps_in_quick_succession_are_one_entry_of_the_history(state: AppState) -> None:
    history = SelectionHistory(state, state, glide_ms=60_000)
    for step in range(1, 7):
        state.select(step=step)
    history.back()
    assert state.selection.step == 0


def test_that_a_new_bookmark_is_written_once_and_known_ones_are_read(state: AppState) -> None:
    written: list[set[int]] = []
    bookmarks = Bookmarks(state, lambda trace, steps: written.append(set(steps)), state)
    state.trace_changed.emit()
    assert bookmarks.steps == {6}
    assert bookmarks.toggle(2)
    assert not bookmarks.toggle(6)
    bookmarks.flush()
    bookmarks.flush()
    assert written == [{2}]
    assert (bookmarks.next_after(0), bookmarks.next_after(2)) == (2, 2)


def test_that_each_stop_condition_holds_where_it_should(state: AppState) -> None:
    trace = state.trace
    assert trace is not None

    def stops(condition: StopCondition) -> list[int]:
        return [step for step in range(len(trace)) if condition.holds(trace, step, 1e-3)]

    assert stops(NEVER) == []
    assert stops(AT_BAD) == [3, 5]
    assert stops(StopCondition(at_nonfinite=True)) == [5]
    assert stops(StopCondition(at_step=1, at_nonfinite=True)) == [1, 5]
    assert stop_text(NEVER).template == ""


def test_that_playing_stops_where_the_condition_holds(state: AppState, qtbot: QtBot) -> None:
    session = QObject(state)
    session.stop = AT_BAD  # type: ignore[attr-defined]
    player = Player(state, session, state)  # type: ignore[arg-type]
    player._timer.setInterval(1)
    state.set_tolerance(1e-3)
    player.start()
    qtbot.waitUntil(lambda: not player.is_playing)
    assert state.selection.step == 3


def test_that_tokens_are_found_across_their_borders_and_by_number(state: AppState) -> None:
    trace = state.trace
    assert trace is not None
    assert [hit.token_index for hit in find_tokens(trace, 0, "BC")] == [1]
    assert [(hit.token_index, hit.fed_by) for hit in find_tokens(trace, 0, "f")] == [(5, 3)]
    assert [hit.token_index for hit in find_tokens(trace, 0, "#2")] == [2]
    assert find_tokens(trace, 0, "xyz") == []


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("nb", "Next bad step", "Cancel run, by and by"),
        ("bad", "Next bad step", "Back and down"),
        ("s", "Step", "Keys"),
    ],
)
def test_that_beginnings_of_words_are_the_better_match(query: str, better: str, worse: str) -> None:
    good, poor = match(query, better), match(query, worse)
    assert good is not None
    assert poor is None or good.score > poor.score


def test_that_a_match_names_its_letters_and_a_missing_letter_is_none() -> None:
    found = match("st nx", "Next step")
    assert found is not None
    assert "".join("Next step"[place] for place in found.places) == "Nxst"
    assert match("zz", "Next step") is None


def test_that_the_command_repeats_what_differs_from_the_defaults() -> None:
    assert check_command(RunSpec()) == "python main.py check tiny:rope-gqa"
    spec = RunSpec(
        target="my model.py", scenario="batch", faults=("a", "b"), prompt="it's", tolerance=5e-4, dtype="bf16"
    )
    words = check_command(spec)
    assert "'my model.py' --scenario batch --fault a --fault b" in words
    assert words.endswith("--tolerance 0.0005 --dtype bf16")


def test_that_the_session_writes_bookmarks_into_the_file_that_is_shown(tmp_path: Path, qapp: object) -> None:
    path = tmp_path / "a.kvtrace"
    write_small_trace(path, [0.0, 0.0])
    session = Session(AppState())
    session.open(path)
    session.bookmarks.toggle(1)
    session.close()
    with Trace.open(path) as trace:
        assert trace.end.bookmarks == [1]
        assert np.array_equal(trace.tensor(0, "oracle/logits"), np.zeros((1, 3, 8), dtype=np.float32))
