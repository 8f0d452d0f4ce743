"""Traces of other programs: what they leave out is worked out, what they lack is said, what is too new is refused."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.errors import UnreadableError
from core.report.result import scenario_result
from core.trace.reader import Trace
from core.verdict.consistency import check_consistent
from core.verdict.recorded_parts import broken_steps
from core.verdict.rows import rows_at
from core.views.logits import logits
from core.views.selection import Selection
from core.views.timeline import timeline
from core.views.tokens import token_strip
from tests.core.support import main
from tests.core.trace.reference_writer import BFloat16, write

VOCAB = 11
TEXT = np.array([[3, 1, 4, 1, 5, 9, 2, 6]])


def steps_of(text: np.ndarray, n_prompt: int, lanes: tuple[str, ...] = ("oracle", "cached")) -> list[dict]:
    """Logits that depend on place and token, the same in all lanes."""
    table = np.random.default_rng(0).normal(size=(text.shape[1], VOCAB, VOCAB)).astype(np.float32)
    ends = [n_prompt, *range(n_prompt + 1, text.shape[1] + 1)]
    steps = []
    for begin, end in zip([0, *ends], ends, strict=False):
        rows = table[np.arange(begin, end)[None], text[:, begin:end]]
        steps.append({"tokens": text[:, begin:end], **{f"{lane}/logits": rows.copy() for lane in lanes}})
    return steps


def open_and_judge(path: Path):
    trace = Trace.open(path)
    check_consistent(trace)
    return trace, scenario_result(trace, trace.info.tolerance)


def test_that_logits_and_token_ids_are_enough(tmp_path: Path) -> None:
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5))
    trace, result = open_and_judge(tmp_path / "a.kvtrace")
    assert (result.status, result.steps_compared, result.max_abs_diff) == ("pass", 4, 0.0)
    assert trace.info.model.vocab_size == VOCAB
    assert trace.info.prompt_ids == TEXT[:, :5].tolist()
    assert trace.info.tolerance == 5e-4
    assert [trace.facts(i).kind for i in range(4)] == ["prefill", "decode", "decode", "decode"]
    assert [trace.facts(i).text_len for i in range(4)] == [5, 6, 7, 8]
    assert timeline(trace, Selection(), 5e-4).is_exact.all()
    assert len(token_strip(trace, Selection(), 5e-4).chips) == 9
    assert logits(trace, Selection(), 5e-4) is not None


def test_that_the_first_bad_step_of_another_programs_trace_is_found(tmp_path: Path) -> None:
    steps = steps_of(TEXT, 5)
    steps[2]["cached/logits"][0, 0, 7] += 0.25
    write(tmp_path / "a.kvtrace", steps)
    trace, result = open_and_judge(tmp_path / "a.kvtrace")
    assert (result.status, result.first_bad_step, result.classification) == ("fail", 2, "defect")
    assert result.max_abs_diff == pytest.approx(0.25)
    assert trace.facts(2).worst_at == [0, 0, 7]
    steps[2]["cached/logits"][0, 0, 7] = np.nan
    write(tmp_path / "b.kvtrace", steps)
    trace, result = open_and_judge(tmp_path / "b.kvtrace")
    assert (result.first_bad_step, result.max_abs_diff) == (2, None)


def test_that_the_top_of_the_logits_is_enough(tmp_path: Path) -> None:
    steps = []
    for step in steps_of(TEXT, 5):
        rows = step["cached/logits"][:, -1:]
        ids = np.argsort(-rows, -1)[..., :4]
        top = np.take_along_axis(rows, ids, -1)
        steps.append(
            {"tokens": step["tokens"]} | {f"{lane}/top_ids": ids.astype(np.int32) for lane in ("oracle", "cached")}
            | {"oracle/top_logits": top, "cached/top_logits": top + (0.5 if len(steps) == 3 else 0)}
        )  # fmt: skip
    write(tmp_path / "a.kvtrace", steps, {"model": {"vocab_size": VOCAB}})
    trace, result = open_and_judge(tmp_path / "a.kvtrace")
    assert (result.first_bad_step, result.max_abs_diff) == (3, 0.5)
    assert trace.info.model.vocab_size == VOCAB
    assert trace.info.model.dtype == "float32"
    best = logits(trace, Selection(step=1), 5e-4).rows[0].token_id
    assert trace.facts(1).argmax_cached == [best]


def test_that_left_pads_are_not_compared(tmp_path: Path) -> None:
    text = np.concatenate([TEXT, TEXT])
    steps = steps_of(text, 5)
    steps[0]["cached/logits"][1, :2] = 99
    write(tmp_path / "a.kvtrace", steps, facts=[{"pads": [0, 2]}, {}, {}, {}])
    trace, result = open_and_judge(tmp_path / "a.kvtrace")
    assert result.status == "pass"
    assert [trace.facts(i).pads for i in range(4)] == [[0, 2]] * 4


@pytest.mark.parametrize("dtype", ["float16", "float64", "bfloat16"])
def test_that_logits_of_other_dtypes_are_read_and_judged_by_their_tolerance(
    tmp_path: Path, dtype: str
) -> None:
    steps = steps_of(TEXT, 5)
    cast = BFloat16 if dtype == "bfloat16" else lambda rows: rows.astype(dtype)
    wanted = [step["cached/logits"] for step in steps]
    for step in steps:
        step |= {name: cast(rows) for name, rows in step.items() if name != "tokens"}
    write(tmp_path / "a.kvtrace", steps)
    trace, result = open_and_judge(tmp_path / "a.kvtrace")
    assert trace.info.model.dtype == dtype
    assert trace.info.tolerance == {"float16": 0.2, "float64": 1e-9, "bfloat16": 1.0}[dtype]
    assert result.status == "pass"
    np.testing.assert_allclose(
        trace.tensor(1, "oracle/logits"), wanted[1], rtol=0 if dtype == "float64" else 1e-2
    )


def one_lane_steps(n_layers: int = 2) -> list[dict]:
    """A lane with keys and values: 4 kv heads in the first layer, 2 in the second."""
    random = np.random.default_rng(1)
    steps = steps_of(TEXT, 5, ("cached",))
    n_slots = 0
    for step in steps:
        q_len = step["tokens"].shape[1]
        n_slots += q_len
        for layer in range(n_layers):
            heads = 4 >> layer
            weights = np.tril(np.ones((q_len, n_slots), np.float32), n_slots - q_len)
            step |= {
                f"cached/layer.{layer}/q": random.normal(size=(1, 4, q_len, 8)).astype(np.float32),
                f"cached/layer.{layer}/k": random.normal(size=(1, heads, q_len, 8)).astype(np.float32),
                f"cached/layer.{layer}/v": random.normal(size=(1, heads, q_len, 8)).astype(np.float32),
                f"cached/layer.{layer}/attn_weights": np.broadcast_to(
                    weights / weights.sum(-1, keepdims=True), (1, 4, q_len, n_slots)
                ),
            }
    return steps


def test_that_a_trace_of_one_lane_opens_and_shows_its_invariants(tmp_path: Path) -> None:
    steps = one_lane_steps()
    write(tmp_path / "a.kvtrace", steps)
    trace, result = open_and_judge(tmp_path / "a.kvtrace")
    assert trace.lanes == ("cached",)
    assert (result.status, result.steps_compared, result.first_bad_step) == ("fail", 0, None)
    assert "cached lane only" in result.reason
    assert [k.shape for k, _ in rows_at(trace, 3)] == [(1, 4, 8, 8), (1, 2, 8, 8)]
    assert (trace.info.model.n_layers, trace.info.model.n_heads, trace.info.model.n_kv_heads) == (2, 4, 4)
    assert list(broken_steps(trace)) == []
    assert not timeline(trace, Selection(), 5e-4).is_bad.any()
    assert len(token_strip(trace, Selection(), 5e-4).chips) == 9


def test_that_show_lists_the_broken_invariants_of_one_lane_and_never_passes_it(tmp_path: Path) -> None:
    steps = one_lane_steps()
    write(tmp_path / "good.kvtrace", steps)
    steps[2]["cached/layer.1/k"][:] = 0
    steps[2]["cached/layer.1/v"][:] = 0
    write(tmp_path / "bad.kvtrace", steps)
    good = main("show", str(tmp_path / "good.kvtrace"))
    assert good.returncode == 3, good.stderr
    assert "invariants of a cache hold" in good.stdout
    assert "compare A B" in good.stderr
    assert main("show", str(tmp_path / "good.kvtrace"), "--allow-partial").returncode == 0
    bad = main("show", "--json", str(tmp_path / "bad.kvtrace"))
    assert bad.returncode == 1
    found = msgspec.json.decode(bad.stdout)["scenarios"][0]["broken_invariants"]
    assert {(one["step"], one["name"]) for one in found} >= {(2, "zero-row")}


def test_that_a_step_without_the_logits_of_a_lane_is_no_pass(tmp_path: Path) -> None:
    steps = steps_of(TEXT, 5)
    del steps[2]["oracle/logits"]
    write(tmp_path / "a.kvtrace", steps)
    _, result = open_and_judge(tmp_path / "a.kvtrace")
    assert (result.status, result.reason) == ("fail", "only 3 of 4 steps have the logits of both lanes")


def test_that_a_step_cannot_claim_that_it_was_not_compared(tmp_path: Path) -> None:
    steps = steps_of(TEXT, 5)
    steps[2]["cached/logits"] += 1
    lie = {"is_compared": False, "max_abs_diff": None, "argmax_oracle": [1], "argmax_cached": [1]}
    write(tmp_path / "a.kvtrace", steps, facts=[{}, {}, lie, {}])
    with pytest.raises(UnreadableError, match="contradicts itself at step 2"):
        open_and_judge(tmp_path / "a.kvtrace")


@pytest.mark.parametrize("version", ["2.0", "0.9", "1", "1.x", "", None, "1.0.0"])
def test_that_an_unknown_major_version_is_refused(tmp_path: Path, version: str | None) -> None:
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5), {"version": version})
    with pytest.raises(UnreadableError, match="open it with a newer KVScope"):
        Trace.open(tmp_path / "a.kvtrace")


def test_that_an_unknown_minor_version_is_read_with_a_note(tmp_path: Path) -> None:
    write(tmp_path / "a.kvtrace", steps_of(TEXT, 5), {"version": "1.7", "novelty": {"x": 1}})
    _, result = open_and_judge(tmp_path / "a.kvtrace")
    assert result.status == "pass"
    assert any("1.7, newer than" in note for note in result.notes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": None}, "no token ids"),
        ({"tokens": np.zeros((1, 5), np.float32)}, "no token ids"),
        ({"tokens": np.zeros((1, 0), np.int64)}, "no rows of one length"),
        ({"oracle/logits": None, "cached/logits": None}, "no logits of any lane"),
        ({"oracle/logits": np.zeros((1, 9, VOCAB), np.float32)}, "have shape"),
        ({"oracle/logits": np.zeros((1, 5, VOCAB + 1), np.float32)}, "other shapes"),
        ({"oracle/logits": np.zeros((1, 5, VOCAB), np.int64)}, "have shape"),
        ({"oracle/logits": None, "oracle/top_logits": np.zeros((1, 1, 2), np.float32)}, "top_ids"),
    ],
    ids=["no tokens", "float tokens", "empty tokens", "no logits", "too many rows", "vocabularies", "integer logits", "no ids"],
)  # fmt: skip
def test_that_a_step_without_what_is_required_says_so(tmp_path: Path, change: dict, message: str) -> None:
    steps = steps_of(TEXT, 5)
    steps[0] = {name: array for name, array in (steps[0] | change).items() if array is not None}
    write(tmp_path / "a.kvtrace", steps)
    with pytest.raises(UnreadableError, match=message), Trace.open(tmp_path / "a.kvtrace") as trace:
        trace.facts(0)
