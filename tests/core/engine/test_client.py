"""The engine process: it answers, stops, dies loudly, and leaves when nobody is there."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engine.client import EngineClient
from core.engine.messages import (
    Diagnosed,
    Diagnosing,
    Event,
    Paused,
    RunEnded,
    RunFailed,
    RunSkipped,
    RunSpec,
    RunStarted,
    StepRecorded,
)
from core.trace.reader import Trace

TIMEOUT_S = 60


@pytest.fixture(scope="module")
def shared_client() -> Iterator[EngineClient]:
    client = EngineClient()
    yield client
    client.close()


def until(client: EngineClient, *kinds: type[Event]) -> list[Event]:
    """Collect events until one of the kinds comes."""
    events: list[Event] = []
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        events += client.wait(1)
        if any(isinstance(event, kinds) for event in events):
            return events
    raise AssertionError(f"no {kinds} among {events}")


def test_that_steps_come_on_request_and_the_trace_grows_with_them(
    shared_client: EngineClient, tmp_path: Path
) -> None:
    shared_client.start_run(RunSpec(steps=3), str(tmp_path / "a.kvtrace"))
    shared_client.make_steps(1)
    events = until(shared_client, Paused)
    assert events == [RunStarted(str(tmp_path / "a.kvtrace.part"), 4), StepRecorded(0), Paused()]
    with Trace.open(tmp_path / "a.kvtrace.part") as trace:
        assert len(trace) == 1
        shared_client.make_steps(None)
        events = until(shared_client, RunEnded)
        assert events[-1] == RunEnded(str(tmp_path / "a.kvtrace"), "complete")
        assert trace.refresh() == 3


def test_that_a_stop_closes_the_trace_as_cancelled(shared_client: EngineClient, tmp_path: Path) -> None:
    shared_client.start_run(RunSpec(steps=400), str(tmp_path / "a.kvtrace"))
    shared_client.make_steps(None)
    until(shared_client, StepRecorded)
    shared_client.stop_run()
    ended = until(shared_client, RunEnded)[-1]
    assert ended == RunEnded(str(tmp_path / "a.kvtrace"), "cancelled")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert trace.end.status == "cancelled"
        assert 0 < len(trace) < 401


def test_that_a_new_run_replaces_one_that_is_going_on(shared_client: EngineClient, tmp_path: Path) -> None:
    shared_client.start_run(RunSpec(steps=400), str(tmp_path / "a.kvtrace"))
    shared_client.make_steps(None)
    until(shared_client, StepRecorded)
    shared_client.start_run(RunSpec(steps=1), str(tmp_path / "b.kvtrace"))
    shared_client.make_steps(None)
    until(shared_client, RunEnded)
    while not (tmp_path / "b.kvtrace").exists():
        until(shared_client, RunEnded)
    with Trace.open(tmp_path / "b.kvtrace") as trace:
        assert len(trace) == 2


def test_that_errors_and_skips_are_said(shared_client: EngineClient, tmp_path: Path) -> None:
    shared_client.start_run(RunSpec(faults=("x",)), str(tmp_path / "a.kvtrace"))
    failed = until(shared_client, RunFailed)[-1]
    assert isinstance(failed, RunFailed)
    assert "unknown fault" in str(failed.text)
    shared_client.start_run(RunSpec(scenario="rollback", layout="sliding"), str(tmp_path / "a.kvtrace"))
    skipped = until(shared_client, RunSkipped)[-1]
    assert isinstance(skipped, RunSkipped)
    assert "cannot be rolled back" in str(skipped.text)


def test_that_a_killed_engine_is_noticed_and_named(tmp_path: Path) -> None:
    client = EngineClient()
    client.start_run(RunSpec(steps=400), str(tmp_path / "a.kvtrace"))
    client.make_steps(None)
    until(client, StepRecorded)
    assert client._process is not None
    os.kill(client._process.pid, signal.SIGKILL)
    failed = until(client, RunFailed)[-1]
    assert isinstance(failed, RunFailed)
    assert "SIGKILL" in str(failed.text)
    assert not client.is_alive
    with Trace.open(tmp_path / "a.kvtrace.part") as trace:
        assert len(trace) >= 1


@pytest.mark.slow
def test_that_closing_the_client_ends_the_process_within_two_seconds(tmp_path: Path) -> None:
    client = EngineClient()
    client.start_run(RunSpec(steps=400), str(tmp_path / "a.kvtrace"))
    client.make_steps(None)
    until(client, StepRecorded)
    process, start = client._process, time.monotonic()
    client.close()
    assert time.monotonic() - start < 2.5
    assert process is not None
    assert process.exitcode is not None
    assert not client.is_alive


def test_that_a_search_for_the_cause_gives_way_to_a_request(
    shared_client: EngineClient, tmp_path: Path
) -> None:
    """The run goes on where it was, and is not diagnosed at its end by itself."""
    shared_client.start_run(
        RunSpec(steps=6, faults=("position-reset",), diagnoses=True), str(tmp_path / "a.kvtrace")
    )
    shared_client.make_steps(4)
    until(shared_client, Paused)
    shared_client.diagnose(3)
    shared_client.stop_search()
    shared_client.make_steps(None)
    events = until(shared_client, RunEnded)
    assert Diagnosed(3, [], was_stopped=True) in events
    assert [event.step_index for event in events if isinstance(event, StepRecorded)] == [4, 5, 6]
    assert len([event for event in events if isinstance(event, Diagnosed)]) == 1
    assert events[-1] == RunEnded(str(tmp_path / "a.kvtrace"), "complete")


def test_that_a_run_that_shall_be_diagnosed_is_before_it_ends(
    shared_client: EngineClient, tmp_path: Path
) -> None:
    shared_client.start_run(
        RunSpec(steps=2, faults=("position-reset",), diagnoses=True), str(tmp_path / "a.kvtrace")
    )
    shared_client.make_steps(None)
    events = until(shared_client, RunEnded)
    kinds = [type(event) for event in events]
    assert kinds.index(Diagnosing) < kinds.index(Diagnosed) == len(kinds) - 2
    (diagnosed,) = [event for event in events if isinstance(event, Diagnosed)]
    assert diagnosed.step_index == 1
    assert not diagnosed.was_stopped
