"""Views that take long are worked out in another thread, on a reader of its own."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.errors import UnreadableError
from core.trace.reader import Trace
from core.views.selection import Selection
from core.views.slots import slots
from gui import background as background_module
from gui import late_part
from gui.background import Background
from gui.main_window import MainWindow
from gui.panels import kv
from gui.panels.base import Panel
from gui.run_stage import Stage
from tests.core.support import record_trace
from tests.gui.conftest import settle


@pytest.fixture
def background() -> Iterator[Background]:
    made = Background()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trace]:
    path = tmp_path_factory.mktemp("background") / "a.kvtrace"
    with record_trace(path, faults=("slot-lost",), steps=4) as made:
        yield made


def test_that_the_thread_sees_what_the_window_would(
    background: Background, trace: Trace, qtbot: QtBot
) -> None:
    panel = Panel(lambda **_: None)
    qtbot.addWidget(panel)
    threads, shown = [], []

    def make(twin: Trace) -> object:
        threads.append((threading.current_thread(), twin))
        view = slots(twin, Selection(3))
        return lambda: shown.append(view)

    work = background.submit(trace, make, panel)
    assert work is not None
    work.result(10)()
    here = slots(trace, Selection(3))
    assert threads[0][0] is not threading.main_thread()
    assert threads[0][1] is not trace
    assert here is not None
    assert np.array_equal(shown[0].states.states, here.states.states)
    assert np.array_equal(shown[0].dk, here.dk)


def test_that_what_fails_there_is_said_here(background: Background, trace: Trace, qtbot: QtBot) -> None:
    panel = Panel(lambda **_: None)
    qtbot.addWidget(panel)

    def make(twin: Trace) -> object:
        raise UnreadableError("it is damaged")

    work = background.submit(trace, make, panel)
    assert work is not None
    work.result(10)()
    assert "it is damaged" in panel._empty_label.text()


def test_that_a_twin_outlives_the_trace_and_reads_the_same(trace: Trace, tmp_path: Path) -> None:
    path = tmp_path / "b.kvtrace"
    path.write_bytes(trace.path.read_bytes())
    with Trace.open(path) as one:
        twin = one.twin()
    path.unlink()
    assert twin is not None
    assert np.array_equal(twin.tensor(2, "cached/logits"), trace.tensor(2, "cached/logits"))
    twin.close()


def test_that_the_window_is_the_same_when_everything_is_worked_out_beside_it(
    shared_window: MainWindow, trace: Trace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (background_module, kv):
        monkeypatch.setattr(module, "AT_ONCE", 0)
    monkeypatch.setattr(late_part, "PAUSE_MS", 1)
    assert shared_window.session.open(trace.path)
    settle(shared_window, qtbot, Stage.FINISHED)
    shared_window.state.select(step=2)
    assert shared_window._late_slots.is_waiting or not shared_window._refresher.is_settled
    shared_window.state.select(step=3)
    settle(shared_window, qtbot, Stage.FINISHED)
    view = shared_window.panels.slots.plot._view
    here = slots(trace, Selection(3))
    assert view is not None
    assert here is not None
    assert np.array_equal(view.states.states, here.states.states)


def test_that_nothing_is_read_of_a_trace_that_was_closed(
    shared_window: MainWindow, trace: Trace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (background_module, kv):
        monkeypatch.setattr(module, "AT_ONCE", 0)
    assert shared_window.session.open(trace.path)
    settle(shared_window, qtbot, Stage.FINISHED)
    shared_window.state.select(step=1)
    qtbot.waitUntil(lambda: shared_window.panels.kv.late_check.is_waiting)
    shared_window.state.set_trace(None)
    assert not shared_window.panels.kv.late_check.is_waiting
    assert not shared_window._late_slots.is_waiting
    settle(shared_window, qtbot, Stage.FINISHED)  # an exception in a slot would fail the test


def test_that_another_layer_leaves_what_is_said_of_the_invariants(
    shared_window: MainWindow, trace: Trace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shared_window.session.open(trace.path)
    settle(shared_window, qtbot, Stage.FINISHED)
    panel = shared_window.panels.kv
    shared_window.state.select(step=1, layer=0)
    settle(shared_window, qtbot, Stage.FINISHED)
    said = panel._figures.text()
    monkeypatch.setattr(panel, "set_figures", lambda text: pytest.fail("it was said already"))
    shared_window.state.select(layer=1)
    settle(shared_window, qtbot, Stage.FINISHED)
    assert panel._figures.text() == said
    assert "wrong length" in said
