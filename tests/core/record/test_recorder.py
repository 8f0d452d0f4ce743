"""What a step record says: shapes, positions, lengths, attention, the journal."""

import weakref
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from core import catalog
from core.engine.messages import RunSpec
from core.engine.run import Run
from core.errors import TargetError, UsageError
from core.record.lanes import TwoLanes, check_logits
from core.record.probe import AttentionCall, attention_weights, observe
from core.record.recorder import record
from core.record.scenarios import Texts, make_plan
from core.targets.load import Loader, make_loader
from core.targets.tiny import TinyTarget
from tests.core.support import record_trace


def test_that_after_prefill_each_layer_holds_the_prompt_and_grows_by_one_a_step(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=5)
    prompt_len = len(catalog.DEFAULT_PROMPT)
    for step_index in range(6):
        lengths = [layer.k_shape[2] for layer in trace.facts(step_index).cached.layers]
        assert lengths == [prompt_len + step_index] * 4


def test_that_the_sliding_cache_stops_growing_at_its_window(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", layout="sliding", steps=16)
    lengths = [trace.facts(index).cached.layers[0].k_shape[2] for index in range(len(trace))]
    assert lengths[-1] == lengths[-4] == 48


def test_that_position_ids_of_both_lanes_are_read_from_the_call(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", faults=("position-reset",), steps=2)
    prompt_len = len(catalog.DEFAULT_PROMPT)
    assert trace.tensor(0, "cached/position_ids").tolist() == [list(range(prompt_len))]
    assert trace.tensor(2, "oracle/position_ids").tolist() == [[prompt_len + 1]]
    assert trace.tensor(2, "cached/position_ids").tolist() == [[0]]


def test_that_recorded_attention_rows_are_probabilities_and_causal(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=1)
    weights = trace.tensor(0, "cached/layer.2/attn_weights")
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    assert not np.triu(weights[0, 1], 1).any()
    assert trace.tensor(1, "cached/layer.0/attn_weights").shape == (1, 4, 1, len(catalog.DEFAULT_PROMPT) + 1)


def test_that_the_probe_changes_no_bit_of_the_logits() -> None:
    target = make_loader(RunSpec()).fresh()
    ids = torch.tensor([[1, 2, 3, 4]])
    bare = target.full(ids)
    with observe(target.module) as seen:
        watched = target.full(ids)
    assert torch.equal(bare, watched)
    assert len(seen.attention) == 4
    assert F.scaled_dot_product_attention.__name__ != "watched"


@pytest.mark.parametrize("mask", [None, "bool", "float", "causal"])
@pytest.mark.parametrize("kv_heads", [4, 2])
def test_that_recomputed_weights_give_the_output_that_the_model_got(mask: str | None, kv_heads: int) -> None:
    generator = torch.Generator().manual_seed(0)
    q = torch.randn(2, 4, 3, 8, generator=generator)
    k, v = (torch.randn(2, kv_heads, 5, 8, generator=generator) for _ in range(2))
    given = {
        "bool": torch.ones(3, 5).tril(2).bool(),
        "float": torch.randn(1, 1, 3, 5, generator=generator),
    }.get(mask or "")
    want = F.scaled_dot_product_attention(q, k, v, given, is_causal=mask == "causal", enable_gqa=True)
    weights = attention_weights(AttentionCall(q, k, v, given, mask == "causal", 8**-0.5), 3)
    got = weights @ v.repeat_interleave(4 // kv_heads, 1)
    torch.testing.assert_close(got, want, atol=1e-6, rtol=0)


def test_that_a_cached_row_that_changes_is_in_the_journal(tmp_path: Path) -> None:
    healthy = record_trace(tmp_path / "a.kvtrace", steps=3)
    assert not any("changed" in name for index in range(4) for name in healthy.tensor_names(index))
    aliased = record_trace(tmp_path / "b.kvtrace", steps=3, faults=("layer-aliased",))
    changed = aliased.tensor(1, "cached/layer.0/changed_slots")
    assert changed.tolist() == list(range(len(catalog.DEFAULT_PROMPT)))


def test_that_shared_storage_shows(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=2, faults=("layer-aliased",), layout="static")
    assert {layer.storage for layer in trace.facts(1).cached.layers} == {"#1"}
    healthy = record_trace(tmp_path / "b.kvtrace", steps=2, layout="static")
    assert len({layer.storage for layer in healthy.facts(1).cached.layers}) == 4


def test_that_a_narrow_cache_shows_its_dtype(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=1, faults=("value-degraded",))
    assert trace.facts(1).cached.layers[0].dtype == "bfloat16"
    assert trace.facts(1).oracle.layers[0].dtype == "float32"


def test_that_pads_of_a_ragged_batch_are_not_compared(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", scenario="ragged-batch", steps=2)
    facts = trace.facts(0)
    pad = facts.pads[1]
    assert facts.pads[0] == 0
    assert pad == len(catalog.DEFAULT_PROMPT) - len(catalog.OTHER_PROMPT)
    assert trace.tensor(0, "oracle/position_ids")[1].tolist() == [-1] * pad + list(
        range(len(catalog.OTHER_PROMPT))
    )
    assert facts.max_abs_diff < 1e-4


def test_that_a_prompt_longer_than_the_context_is_refused_and_steps_are_cut() -> None:
    texts = Texts((1,) * 20, (2,), (3,), (4,))
    with pytest.raises(UsageError, match="20 tokens and the model's context is 16"):
        make_plan("decode", texts, 4, 16)
    plan = make_plan("decode", texts, 10, 24)
    assert plan.n_steps == 5
    assert "5 of 11 steps" in str(plan.notes[0])


def test_that_logits_of_a_wrong_shape_break_the_contract() -> None:
    ids = torch.zeros(1, 2, dtype=torch.int64)
    with pytest.raises(TargetError, match=r"\(1, 7\), expected \(1, 2, 7\)"):
        check_logits(torch.zeros(1, 7), ids, 7)
    with pytest.raises(TargetError, match="NoneType"):
        check_logits(None, ids, 7)


def test_that_drafts_are_the_greedy_token_and_two_wrong_ones() -> None:
    loader = make_loader(RunSpec())
    lanes = TwoLanes(loader.fresh(), loader.fresh())
    lanes.feed_rows([[1, 2, 3]])
    drafts = lanes.draft_ids()[0].tolist()
    lanes.feed(torch.tensor([[drafts[0]]]))
    assert drafts[1] != lanes.next_ids.item()


def test_that_a_step_of_the_oracle_holds_the_logits_of_its_own_rows_alone() -> None:
    loader = make_loader(RunSpec())
    lanes = TwoLanes(loader.fresh(), loader.fresh())
    lanes.feed_rows([[1, 2, 3]])
    logits = lanes.feed(lanes.next_ids).oracle[0].logits
    assert logits.untyped_storage().nbytes() == logits.numel() * logits.element_size()


def test_that_a_step_which_was_recorded_is_let_go_before_the_next_one_runs() -> None:
    loader = make_loader(RunSpec())
    alive: list[weakref.ref[torch.Tensor]] = []

    class Watched(TinyTarget):
        def cached(self, *given: object, **options: object) -> object:
            assert all(logits() is None for logits in alive)
            result = super().cached(*given, **options)
            alive.append(weakref.ref(result[0]))
            return result

    model = loader.scratch.module
    watched = Loader(loader.scratch, lambda: Watched("watched", model))
    texts = Texts((1, 2, 3), (2,), (3,), (4,))
    assert len(list(record(make_plan("decode", texts, 4, None), watched))) == len(alive) == 5


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"target": "tiny:rope"}, "unknown model"), ({"layout": "ring"}, "unknown layout"), ({"faults": ("x",)}, "unknown fault"),
        ({"prompt_ids": (1, 9999)}, "prompt id 9999 at place 1 is outside the vocabulary"), ({"prompt": ""}, "no tokens"),
        ({"prompt": "a\udc80b"}, "lone surrogate"), ({"prompt": "x" * 600}, "600 tokens and the model's context is 512"),
    ],
)  # fmt: skip
def test_that_a_wrong_setting_is_a_usage_error(tmp_path: Path, spec: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Run(RunSpec(**spec), tmp_path / "a.kvtrace")
    assert not list(tmp_path.iterdir())
