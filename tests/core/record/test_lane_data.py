"""From what the probe saw to tensors by token: buffers that are handed over whole, layers that differ, doubts."""

from pathlib import Path

import msgspec
import torch
from torch import Tensor

from core.record.figures import NOT_THERE, layer_differences, module_differences
from core.record.lane_data import LaneData, lane_data
from core.record.lanes import LaneStep
from core.record.probe import AttentionCall, Observation
from core.trace.records import LaneFacts
from core.views.attention_note import attention_note
from core.views.selection import Selection
from tests.core.support import record_trace

T = 5  # tokens of the text, of which the last is new


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def call(kv_len: int = T, heads: int = 4, kv_heads: int = 2, size: int = 8, **given: object) -> AttentionCall:
    k, v = drawn(1, kv_heads, kv_len, size, seed=1), drawn(1, kv_heads, kv_len, size, seed=2)
    return AttentionCall(drawn(1, heads, 1, size), k, v, **given)


def lane(*calls: AttentionCall, **modules: Tensor) -> LaneData:
    return lane_data([LaneStep(drawn(1, 1, 7), Observation(list(calls), None, modules), 1.0)], 1, T)


def test_that_slots_of_a_static_buffer_which_no_query_may_read_are_left_out() -> None:
    (layer,) = lane(call(12, mask=(torch.arange(12) < T).unsqueeze(0))).layers
    assert (
        layer.k.shape[2] == layer.v.shape[2] == layer.attn_weights.shape[-1] == layer.allowed.shape[-1] == T
    )
    assert layer.capacity == 12


def test_that_empty_slots_behind_the_text_are_left_out_also_where_no_mask_hides_them() -> None:
    given = call(12)
    given.k[:, :, T:] = 0
    (layer,) = lane(given).layers
    assert layer.k.shape[2] == T
    assert float(layer.attn_weights.sum(-1).max()) < 1  # the rest went to slots without a token


def test_that_a_cache_with_more_rows_than_tokens_keeps_them() -> None:
    assert lane(call(9)).layers[0].k.shape[2] == 9


def test_that_a_query_which_sees_the_first_key_alone_shortens_nothing() -> None:
    first_key_only = torch.ones(1, T).tril().bool()
    assert lane(call(mask=first_key_only)).layers[0].k.shape[2] == T


def test_that_layers_with_other_heads_and_sizes_are_compared_side_by_side() -> None:
    calls = call(), call(heads=2, kv_heads=1, size=16)
    differences = layer_differences(lane(*calls), lane(*calls), T)
    assert differences["diff/k"].shape == (2, 1, 2, T)
    assert differences["diff/q"].shape == (2, 1, 4, 1)
    assert not differences["diff/k"][0].any()
    assert not differences["diff/k"][1, :, 0].any()
    assert (differences["diff/k"][1, :, 1] == NOT_THERE).all()


def test_that_a_layer_whose_shapes_differ_between_the_lanes_hides_no_other() -> None:
    differences = layer_differences(lane(call(), call()), lane(call(), call(size=4)), T)
    assert not differences["diff/v"][0].any()
    assert (differences["diff/v"][1] == NOT_THERE).all()


def test_that_lanes_which_attend_a_different_number_of_times_have_no_layer_differences() -> None:
    assert layer_differences(lane(call(), call()), lane(call()), T) == {}
    assert layer_differences(lane(), lane(), T) == {}


def test_that_keys_of_cross_attention_are_compared_from_the_newest_on() -> None:
    differences = layer_differences(lane(call(), call(3)), lane(call(), call(3)), T)
    assert differences["diff/k"][1, 0, 0].tolist() == [NOT_THERE, NOT_THERE, 0, 0, 0]


def test_that_modules_are_compared_token_by_token_where_both_lanes_have_them() -> None:
    oracle, cached = drawn(1, 1, 6), drawn(1, 1, 6)
    cached[0, 0, 4] += 2
    differences = module_differences(lane(h=oracle, only_here=oracle), lane(h=cached))
    assert list(differences) == ["diff/module/h"]
    torch.testing.assert_close(differences["diff/module/h"], torch.tensor([[2.0]]))


def test_that_an_output_which_the_weights_do_not_give_is_noted_for_its_layer() -> None:
    wrong = call(output=drawn(1, 4, 1, 8, seed=3))
    assert list(lane(wrong).output_errors) == [0]
    facts = LaneFacts(elapsed_ms=1.0, output_errors=lane(wrong).output_errors)
    assert msgspec.json.decode(msgspec.json.encode(facts), type=LaneFacts) == facts


def test_that_a_healthy_run_has_no_doubts_and_module_outputs_of_every_layer(tmp_path: Path) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=2)
    names = [name for name in trace.tensor_names(1) if name.startswith("diff/module/")]
    n_layers = trace.info.model.n_layers
    assert sum(name.rsplit(".", 1)[-1].isdecimal() for name in names) == n_layers
    assert all(float(trace.tensor(1, name).max()) < 1e-3 for name in names)
    assert all(
        not lane.output_errors
        for step in range(3)
        for lane in (trace.facts(step).oracle, trace.facts(step).cached)
    )
    assert attention_note(trace, Selection(step=2)) is None
