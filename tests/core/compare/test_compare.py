"""Comparing two traces: the same verdict as a check, whatever the steps, names and layouts; what does not fit is refused."""

import json
import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.compare.names import NameMap, read_map
from core.compare.pair import compared
from core.errors import UnreadableError
from core.report.result import scenario_result
from core.trace.reader import Trace
from core.trace.save import save_copy
from core.trace.writer import TraceWriter
from core.verdict.consistency import check_consistent
from core.views.findings import verdict
from tests.core.support import main, record_trace
from tests.core.trace.reference_writer import write
from tests.core.trace.test_foreign_traces import TEXT, VOCAB, one_lane_steps, steps_of

IDS = {"prompt_ids": (3, 1, 4, 1, 5, 9, 2, 6), "steps": 4}


def judged(a: Trace | Path, b: Trace | Path, **options: object):
    a, b = (Trace.open(one) if isinstance(one, Path) else one for one in (a, b))
    with compared(a, b, **options) as pair:
        check_consistent(pair)
        return scenario_result(pair, pair.info.tolerance)


def test_that_a_healthy_engine_equals_another_layout_of_itself(tmp_path: Path) -> None:
    a = record_trace(tmp_path / "a.kvtrace", **IDS)
    b = record_trace(tmp_path / "b.kvtrace", layout="paged", **IDS)
    result = judged(a, b)
    assert (result.status, result.name, result.steps_compared) == ("pass", "compare", 5)
    assert result.classification in ("exact", "rounding")


@pytest.mark.parametrize(
    ("fault", "tensor"), [("position-reset", "position_ids"), ("value-degraded", "k"), ("slot-lost", None)]
)
def test_that_a_fault_is_found_at_the_step_and_place_of_the_check(
    tmp_path: Path, fault: str, tensor: str | None
) -> None:
    healthy = record_trace(tmp_path / "a.kvtrace", **IDS)
    faulty = record_trace(tmp_path / "b.kvtrace", faults=(fault,), **IDS)
    checked = scenario_result(faulty, faulty.info.tolerance)
    result = judged(healthy, faulty)
    assert (result.status, result.classification) == ("fail", "defect")
    assert result.first_bad_step == checked.first_bad_step
    if tensor is not None:
        assert result.first_bad_tensor == checked.first_bad_tensor
        assert result.first_bad_tensor.tensor == tensor


def test_that_other_steps_of_the_same_tokens_are_aligned_by_token(tmp_path: Path) -> None:
    a = record_trace(tmp_path / "a.kvtrace", scenario="decode", **IDS)
    b = record_trace(tmp_path / "b.kvtrace", scenario="chunked-prefill", **IDS)
    result = judged(a, b)
    assert (result.status, result.steps_compared) == ("pass", len(b))
    faulty = record_trace(
        tmp_path / "c.kvtrace", scenario="chunked-prefill", faults=("mask-top-left",), **IDS
    )
    result = judged(a, faulty)
    assert (result.status, result.first_bad_step) == ("fail", 1)


@pytest.mark.parametrize("scenario", ["rollback", "beam-reorder", "ragged-batch", "second-turn", "batch"])
def test_that_every_scenario_can_be_compared_with_itself(tmp_path: Path, scenario: str) -> None:
    a = record_trace(tmp_path / "a.kvtrace", scenario=scenario, steps=5)
    shutil.copy(tmp_path / "a.kvtrace", tmp_path / "b.kvtrace")
    result = judged(a, tmp_path / "b.kvtrace")
    assert (result.status, result.max_abs_diff) == ("pass", 0.0)


def test_that_a_comparison_is_saved_as_a_trace(tmp_path: Path) -> None:
    a = record_trace(tmp_path / "a.kvtrace", **IDS)
    b = record_trace(tmp_path / "b.kvtrace", faults=("position-reset",), **IDS)
    with compared(a, b) as pair:
        save_copy(pair, tmp_path / "pair.kvtrace")
        wanted = scenario_result(pair, pair.info.tolerance)
    with Trace.open(tmp_path / "pair.kvtrace") as saved:
        check_consistent(saved)
        assert scenario_result(saved, saved.info.tolerance) == wanted


def test_that_names_that_differ_need_a_mapping_and_are_no_pass(tmp_path: Path) -> None:
    steps = one_lane_steps()
    write(tmp_path / "a.kvtrace", steps)
    renamed = [
        {name.replace("layer.", "blk.").replace("/k", "/attn_k"): array for name, array in step.items()} for step in steps
    ]  # fmt: skip
    write(tmp_path / "b.kvtrace", renamed)
    with pytest.raises(UnreadableError, match=r"only in A: layer\.0/attn_weights.*only in B: blk\.0/attn_k"):
        judged(tmp_path / "a.kvtrace", tmp_path / "b.kvtrace")
    (tmp_path / "map.json").write_text(
        json.dumps({"names": {"blk.*/attn_k": "layer.*/k", "blk.*": "layer.*"}, "without": []})
    )
    names = read_map(tmp_path / "map.json")
    assert judged(tmp_path / "a.kvtrace", tmp_path / "b.kvtrace", names=names).status == "pass"
    renamed[2]["cached/blk.1/attn_k"][0, 1, 0] += 1
    renamed[2]["cached/logits"][:] += 1
    write(tmp_path / "c.kvtrace", renamed)
    result = judged(tmp_path / "a.kvtrace", tmp_path / "c.kvtrace", names=names)
    place = result.first_bad_tensor
    assert (result.first_bad_step, place.layer, place.tensor, place.slot, place.head) == (2, 1, "k", 6, 1)
    assert (
        judged(tmp_path / "a.kvtrace", tmp_path / "b.kvtrace", names=NameMap(without=("*",))).status == "pass"
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"name": {}}', '{"names": {"a.*": "b"}}', '{"names": {}, "names": {}}', '{"names": [1]}', "[" * 9999],
)  # fmt: skip
def test_that_a_mapping_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.json").write_text(text)
    with pytest.raises(UnreadableError, match="no mapping of names"):
        read_map(tmp_path / "map.json")


def changed_text() -> np.ndarray:
    text = TEXT.copy()
    text[0, 6] = 7
    return text


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (steps_of(changed_text(), 5, ("cached",)), "token 6 of batch row 0 is 2 in A and 7 in B"),
        (steps_of(TEXT[:, :7], 5, ("cached",)), "A has 8 tokens and B has 7"),
        (steps_of(np.concatenate([TEXT, TEXT]), 5, ("cached",)), "1 batch rows, B has 2"),
        ([], "B has no steps"),
        (
            [{**step, "cached/logits": np.pad(step["cached/logits"], ((0, 0), (0, 0), (0, 1)))} for step in steps_of(TEXT, 5, ("cached",))],
            f"{VOCAB} tokens in A and {VOCAB + 1} in B",
        ),
        ([{**step, "cached/x": np.zeros((1, 1))} for step in steps_of(TEXT, 5, ("cached",))], "only in B: x"),
    ],
    ids=["tokens", "length", "batch", "no steps", "vocabulary", "names"],
)  # fmt: skip
def test_that_traces_that_do_not_fit_are_refused_with_the_reason(
    tmp_path: Path, steps: list[dict], message: str
) -> None:
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5))
    write(tmp_path / "b.kvtrace", steps)
    with pytest.raises(UnreadableError, match=message):
        judged(tmp_path / "a.kvtrace", tmp_path / "b.kvtrace")


def test_that_a_common_prefix_is_compared_on_request(tmp_path: Path) -> None:
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5))
    write(tmp_path / "b.kvtrace", steps_of(changed_text(), 5))
    result = judged(tmp_path / "a.kvtrace", tmp_path / "b.kvtrace", is_prefix=True)
    assert (result.status, result.steps_compared) == ("pass", 2)


def test_that_top_logits_are_compared_with_all_of_them(tmp_path: Path) -> None:
    steps = steps_of(TEXT, 5, ("cached",))
    write(tmp_path / "a.kvtrace", steps)
    top = []
    for index, step in enumerate(steps):
        ids = np.argsort(-step["cached/logits"][:, -1:], -1)[..., :3]
        values = np.take_along_axis(step["cached/logits"][:, -1:], ids, -1) + (index == 2)
        top.append({"tokens": step["tokens"], "cached/top_ids": ids, "cached/top_logits": values})
    write(tmp_path / "b.kvtrace", top)
    for pair in (("a", "b"), ("b", "a")):
        result = judged(*(tmp_path / f"{name}.kvtrace" for name in pair))
        assert (result.first_bad_step, result.max_abs_diff) == (2, pytest.approx(1.0))


@pytest.mark.slow
def test_that_the_command_has_the_exit_codes_and_the_json_of_a_check(tmp_path: Path) -> None:
    record_trace(tmp_path / "a.kvtrace", **IDS).close()
    record_trace(tmp_path / "b.kvtrace", faults=("position-reset",), **IDS).close()
    record_trace(tmp_path / "c.kvtrace", prompt_ids=(1, 2), steps=4).close()
    a, b, c = (str(tmp_path / f"{name}.kvtrace") for name in "abc")
    same = main("compare", a, a, "--json", "-")
    assert same.returncode == 0, same.stderr
    assert msgspec.json.decode(same.stdout)["verdict"] == "equivalent"
    differs = main("compare", a, b, "--trace", str(tmp_path / "pair.kvtrace"))
    assert differs.returncode == 1
    assert "begins in position_ids" in differs.stdout
    assert "first bad step 1" in differs.stdout
    assert main("show", str(tmp_path / "pair.kvtrace")).returncode == 1
    refused = main("compare", a, c)
    assert refused.returncode == 3
    assert "token 0 of batch row 0 is" in refused.stderr
    assert main("compare", a, b, "--trace", a, "--force").returncode == 2
    assert main("compare", a).returncode == 2


def test_that_a_prompt_that_agrees_is_no_pass_where_no_later_step_has_logits(tmp_path: Path) -> None:
    a = record_trace(tmp_path / "a.kvtrace", **IDS)
    writer = TraceWriter(tmp_path / "b.kvtrace", a.info)
    for step in range(len(a)):
        names = [name for name in a.tensor_names(step) if step == 0 or not name.endswith("/logits")]
        writer.add_step(a.facts(step), {name: a.tensor(step, name) for name in names})
    writer.close("complete")
    result = judged(a, tmp_path / "b.kvtrace")
    assert (result.status, result.steps_compared) == ("fail", 1)
    assert result.reason == "no step after the first has logits in both traces"
    with compared(a, Trace.open(tmp_path / "b.kvtrace")) as pair:
        assert verdict(pair, 5e-4).state == "nothing"


def test_that_a_mapping_counts_for_masks_that_only_one_trace_tells(tmp_path: Path) -> None:
    a = record_trace(tmp_path / "a.kvtrace", **IDS)
    b = record_trace(tmp_path / "b.kvtrace", faults=("mask-top-left",), **IDS)
    assert any("/mask" in name for name in b.tensor_names(0)) or any("/mask" in n for n in b.tensor_names(1))
    writer = TraceWriter(tmp_path / "c.kvtrace", b.info)
    for step in range(len(b)):
        named = {name.replace("/layer.", "/blk."): b.tensor(step, name) for name in b.tensor_names(step)}
        writer.add_step(b.facts(step), named)
    writer.close("complete")
    result = judged(a, tmp_path / "c.kvtrace", names=NameMap((("blk.*", "layer.*"),)))
    assert result.status == "fail"


def test_that_figures_without_logits_are_no_evidence(tmp_path: Path) -> None:
    a = record_trace(tmp_path / "a.kvtrace", **IDS)
    writer = TraceWriter(tmp_path / "b.kvtrace", a.info)
    for step in range(len(a)):
        names = [name for name in a.tensor_names(step) if step != 2 or name != "cached/logits"]
        writer.add_step(a.facts(step), {name: a.tensor(step, name) for name in names})
    writer.close("complete")
    with Trace.open(tmp_path / "b.kvtrace") as trace, pytest.raises(UnreadableError, match="and has none"):
        check_consistent(trace)
