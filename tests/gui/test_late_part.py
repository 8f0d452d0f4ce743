"""What takes long waits until the eye rests."""

import time

from PySide6.QtCore import QObject, Qt
from pytestqt.qtbot import QtBot

from gui import late_part
from gui.late_part import LatePart


def test_that_a_quick_part_is_done_at_once(qapp: object) -> None:
    done: list[int] = []
    owner = QObject()
    part = LatePart(lambda: done.append(1), owner)
    for _ in range(3):
        part.ask()
    assert len(done) == 3
    assert not part.is_waiting


def test_that_a_slow_part_is_done_once_after_the_last_change(qtbot: QtBot, monkeypatch) -> None:
    monkeypatch.setattr(late_part, "QUICK_MS", 1)
    done: list[int] = []

    def slow() -> None:
        time.sleep(0.005)
        done.append(1)

    owner = QObject()
    part = LatePart(slow, owner)
    part.ask()  # nobody knows yet that it is slow
    for _ in range(5):
        part.ask()
    assert (len(done), part.is_waiting) == (1, True)
    qtbot.waitUntil(lambda: len(done) == 2)
    assert not part.is_waiting


def test_that_who_moves_on_and_on_sees_it_all_the_same(qtbot: QtBot, monkeypatch) -> None:
    monkeypatch.setattr(late_part, "QUICK_MS", -1)
    monkeypatch.setattr(late_part, "PATIENCE_MS", 0)
    done: list[int] = []
    owner = QObject()
    part = LatePart(lambda: done.append(1), owner)
    part._timer.setInterval(20)
    part.ask()
    qtbot.wait(12)
    part.ask()
    qtbot.waitUntil(lambda: done == [1])


def test_that_what_takes_long_waits_longer_while_one_moves_on(qtbot: QtBot, monkeypatch) -> None:
    monkeypatch.setattr(late_part, "QUICK_MS", -1)
    monkeypatch.setattr(late_part, "PATIENCE_MS", 0)
    monkeypatch.setattr(late_part, "REST", 3)
    owner = QObject()
    pause_ms = 60_000
    for cost_ms, begins_anew in (
        (20_000, True),
        (10, False),
    ):  # asked again 50 ms later: before, or after three times that
        part = LatePart(lambda: None, owner)
        part._timer.setTimerType(Qt.TimerType.PreciseTimer)
        part._timer.setInterval(pause_ms)
        part._cost_ms = cost_ms
        part.ask()
        qtbot.wait(50)
        left_ms = part._timer.remainingTime()
        part.ask()
        assert (part._timer.remainingTime() > left_ms) == begins_anew
        part.stop()
