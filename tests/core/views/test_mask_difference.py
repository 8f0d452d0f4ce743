"""Where the lanes' masks differ, and what the pattern is called."""

from pathlib import Path

import numpy as np
import pytest

from core.trace.reader import Trace
from core.verdict.steps import first_bad_step
from core.views.mask_difference import MaskDifferenceView, mask_difference
from core.views.selection import Selection
from tests.core.support import record_trace

PROMPT = "Pay 0x12 in May"  # 15 tokens


def record(path: Path, *faults: str, **spec: object) -> Trace:
    return record_trace(path / "a.kvtrace", **({"steps": 5, "prompt": PROMPT, "faults": faults} | spec))


def shown(trace: Trace, step: int | None = None, batch_row: int = 0) -> MaskDifferenceView:
    at = first_bad_step(trace, trace.info.tolerance) if step is None else step
    view = mask_difference(trace, Selection(step=at or 0, batch_row=batch_row))
    assert view is not None
    return view


@pytest.mark.parametrize(
    "spec",
    [{}, {"scenario": "ragged-batch"}, {"layout": "sliding", "scenario": "long"}, {"scenario": "rollback"},
     {"scenario": "chunked-prefill", "target": "tiny:alibi-mqa"}],
    ids=lambda spec: "-".join(spec.values()) or "decode",
)  # fmt: skip
def test_that_healthy_lanes_may_see_the_same(tmp_path: Path, spec: dict[str, str]) -> None:
    trace = record(tmp_path, **spec)
    for batch_row in range(len(trace.info.prompt_ids)):
        view = shown(trace, len(trace) - 1, batch_row)
        assert view.is_same
        assert not view.cells.any()


@pytest.mark.parametrize(
    ("fault", "spec", "names"),
    [
        ("mask-top-left", {"scenario": "second-turn"}, ["past hidden"]),
        ("mask-missing", {"scenario": "chunked-prefill"}, ["future visible"]),
        ("window-wide", {"layout": "sliding", "scenario": "long"}, ["window edge"]),
        ("window-short", {"layout": "sliding", "scenario": "long"}, ["window edge"]),
        ("tail-unmasked", {"layout": "static"}, ["tail visible"]),
        ("prefix-refed", {}, ["rows too many visible"]),
    ],
)
def test_that_each_pattern_has_its_name(
    tmp_path: Path, fault: str, spec: dict[str, str], names: list[str]
) -> None:
    assert [str(name) for name in shown(record(tmp_path, fault, **spec)).names] == names


def test_that_pads_that_can_be_seen_are_told_in_the_row_that_has_them(tmp_path: Path) -> None:
    trace = record(tmp_path, "pad-not-masked", scenario="ragged-batch")
    pads = trace.facts(0).pads
    padded = int(np.argmax(pads))
    view = shown(trace, 0, padded)
    assert [str(name) for name in view.names] == ["pads visible"]
    rows, keys = np.nonzero(view.cells)
    assert rows.min() >= pads[padded] > keys.max()
    assert shown(trace, 0, 1 - padded).is_same


def test_that_cells_say_which_lane_sees_more(tmp_path: Path) -> None:
    trace = record(tmp_path, "mask-top-left", scenario="second-turn")
    step = first_bad_step(trace, trace.info.tolerance)
    view, facts = shown(trace), trace.facts(step)
    start = facts.text_len - facts.q_len
    assert set(np.unique(view.cells).tolist()) == {-1, 0}
    assert view.cells[start].tolist() == [0] + [-1] * start + [0] * (facts.text_len - start - 1)
    assert view.n_cells == np.count_nonzero(view.cells)
    later = mask_difference(trace, Selection(step=step), is_whole=False)
    assert later.names == view.names
