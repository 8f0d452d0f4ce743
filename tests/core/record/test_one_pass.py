"""The oracle in one pass: the cached lane runs once where that is the same, and again where it is not."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core import catalog
from core.engine.messages import RunSpec
from core.record import recorder
from core.record.recorder import Recorded, record
from core.record.scenarios import Plan, Texts, make_plan
from core.targets.load import make_loader
from core.targets.tiny import TinyTarget

TOLERANCE = 5e-4
N_STEPS = 8
N_CALLS = N_STEPS + 1


class Counted:
    """A target that counts its calls, by instance."""

    def __init__(self, target: Any, calls: list[list[str]]) -> None:
        self._target, self._calls = target, []
        calls.append(self._calls)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    def full(self, ids: torch.Tensor) -> torch.Tensor:
        self._calls.append("full")
        return self._target.full(ids)

    def cached(self, ids: torch.Tensor, cache: Any, **options: Any) -> Any:
        self._calls.append("cached")
        return self._target.cached(ids, cache, **options)


def plan_of(scenario: str) -> Plan:
    ids = (*catalog.DEFAULT_IDS,) * 2
    texts = Texts(ids, catalog.OTHER_IDS, catalog.ROW_IDS, catalog.TURN_IDS)
    return make_plan(scenario, texts, N_STEPS, 512)


def run(scenario: str = "decode", **spec: Any) -> tuple[list[Recorded], list[list[str]]]:
    """Return the steps, and the calls of each instance that was made for a lane."""
    loader = make_loader(RunSpec(**spec))
    calls: list[list[str]] = []
    counted = replace(loader, fresh=lambda: Counted(loader.fresh(), calls))
    return list(record(plan_of(scenario), counted, one_pass_tolerance=TOLERANCE)), calls


def assert_same(some: list[Recorded], others: list[Recorded]) -> None:
    """All but the time that it took."""
    assert len(some) == len(others)
    for (facts, tensors), (other_facts, other_tensors) in zip(some, others, strict=True):
        assert facts.max_abs_diff == other_facts.max_abs_diff
        assert facts.cached.layers == other_facts.cached.layers
        assert facts.tokens == other_facts.tokens
        assert tensors.keys() == other_tensors.keys()
        for name, tensor in tensors.items():
            np.testing.assert_array_equal(tensor, other_tensors[name], err_msg=name)


@pytest.mark.parametrize("scenario", ["decode", "chunked-prefill", "batch", "second-turn"])
def test_that_a_healthy_cached_lane_runs_once(scenario: str) -> None:
    steps, calls = run(scenario)
    assert [made.count("cached") for made in calls] == [0, len(steps)]
    assert calls[0] == ["full", "full"]  # the pass, and the part of it that is checked


@pytest.mark.parametrize("scenario", ["decode", "second-turn", "second-run"])
@pytest.mark.parametrize("layout", ["concat", "static", "paged"])
def test_that_running_once_records_what_running_again_does(
    scenario: str, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    once, calls = run(scenario, layout=layout)
    look_ahead = recorder.look_ahead
    monkeypatch.setattr(recorder, "look_ahead", lambda *given: look_ahead(*given).text_alone())
    again, more_calls = run(scenario, layout=layout)
    assert len(more_calls) > len(calls)
    assert_same(once, again)


@pytest.mark.parametrize("fault", ["layer-aliased", "slot-lost", "position-reset"])
def test_that_a_lane_with_a_fault_runs_again_on_a_fresh_instance(fault: str) -> None:
    steps, calls = run(faults=(fault,))
    assert [made.count("cached") for made in calls] == [0, N_CALLS, 0, N_CALLS]
    assert "full" in calls[2]  # what looks bad is judged by the stepwise oracle
    assert any(facts.max_abs_diff > TOLERANCE for facts, _ in steps)


def test_that_a_window_which_drops_rows_runs_again() -> None:
    steps, calls = run("long", layout="sliding")
    assert [made.count("cached") for made in calls][1::2] == [len(steps)] * (len(calls) // 2)
    assert len(calls) == 4


def test_that_a_run_whose_calls_alternate_with_another_runs_again() -> None:
    steps, calls = run("interleaved")
    assert [made.count("cached") for made in calls] == [0, len(steps), 0, 2 * len(steps)]


def test_that_the_run_before_is_made_on_the_instance_that_is_measured() -> None:
    plan = plan_of("second-run")
    steps, calls = run("second-run")
    assert [made.count("cached") for made in calls] == [0, len(plan.run_before) + len(steps)]


def test_that_an_oracle_whose_rows_see_later_tokens_is_run_stepwise_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = TinyTarget.full
    monkeypatch.setattr(TinyTarget, "full", lambda self, ids: full(self, ids) + ids.float().mean())
    steps, calls = run()
    assert "not causal" in steps[0][0].notes[0]
    assert calls[-2].count("full") == N_CALLS


def test_that_a_target_that_is_not_to_be_watched_is_not_watched_in_the_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recorder, "probe_changes_logits", lambda *_: True)
    steps, _ = run()
    assert not any("layer" in name for _, tensors in steps for name in tensors)
