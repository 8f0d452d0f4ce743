"""Attention weights stacked step by step are those that a look from the start gives, whichever way one moves."""

import numpy as np
import pytest

from core.trace.reader import Trace
from core.trace.records import LANES
from core.views.stacked import Key, on_tokens, stacked
from tests.core.support import record_trace


def from_the_start(trace: Trace, step: int, key: Key) -> dict[str, np.ndarray]:
    """The same without anything kept."""
    layer, head, batch_row = key
    text_len = trace.facts(step).text_len
    maps = {lane: np.zeros((text_len, text_len), np.float32) for lane in LANES}
    for at in range(step + 1):
        facts = trace.facts(at)
        start = facts.text_len - facts.q_len
        for lane, weights in maps.items():
            rows = trace.rows(at, f"{lane}/layer.{layer}/attn_weights", (batch_row, head))
            if rows is not None and start < text_len:
                rows = on_tokens(rows, facts.text_len)[: text_len - start, :text_len]
                weights[start : start + len(rows)] = 0
                weights[start : start + len(rows), : rows.shape[1]] = rows
    return maps


@pytest.fixture(scope="module", params=["rollback", "ragged-batch", "long", "decode"])
def trace(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Trace:
    layout = "sliding" if request.param == "long" else "dynamic"
    spec = {} if layout == "dynamic" else {"layout": layout}
    path = tmp_path_factory.mktemp("stacked") / "a.kvtrace"
    return record_trace(path, scenario=request.param, prompt="Pay 0x12 in May", steps=10, **spec)


def test_that_every_walk_gives_what_a_look_from_the_start_gives(trace: Trace) -> None:
    rng, last = np.random.default_rng(0), len(trace) - 1
    n_rows = len(trace.info.prompt_ids)
    steps = [0, last, *range(last, -1, -1), *range(last + 1), *rng.integers(0, last + 1, 30).tolist()]
    for count, step in enumerate(steps):
        key = (count // 20 % 2, 0, count // 10 % n_rows)
        found, wanted = stacked(trace, step, key), from_the_start(trace, step, key)
        for lane in LANES:
            np.testing.assert_array_equal(found[lane], wanted[lane], err_msg=f"step {step}, {key}, {lane}")


def test_that_what_was_handed_out_stays_as_it_was(trace: Trace) -> None:
    key, seen = (0, 0, 0), []
    for step in range(len(trace)):
        seen.append(stacked(trace, step, key))
    for step, found in enumerate(seen):
        for lane, wanted in from_the_start(trace, step, key).items():
            np.testing.assert_array_equal(found[lane], wanted)


def test_that_a_move_reads_new_steps_alone(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(trace, 1, (1, 1, 0))
    read: list[int] = []
    rows = trace.rows
    monkeypatch.setattr(trace, "rows", lambda step, *rest: (read.append(step), rows(step, *rest))[1])
    stacked(trace, 2, (1, 1, 0))
    assert set(read) == {2}
