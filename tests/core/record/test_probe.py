"""What the probe sees of fused attention and of modules, what it leaves alone, and that it changes nothing."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.functional import scaled_dot_product_attention as bound_sdpa

from core.record.attention import allowed, attention_weights, output_error
from core.record.probe import AttentionCall, Frame, observe
from core.record.probe_choice import LaneProbe
from core.record.probe_modules import MAX_MODULES, watched_modules

B, H, G, D = 2, 4, 2, 8


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


MASKS = {
    "none": {},
    "bool 2-D": {"attn_mask": torch.ones(3, 5).tril(2).bool()},
    "bool 3-D": {"attn_mask": drawn(H, 3, 5) > -1},
    "bool 4-D": {"attn_mask": (drawn(B, 1, 3, 5) > -1)},
    "bool row for all queries": {"attn_mask": torch.tensor([True, True, False, True, True]).view(1, 1, 1, 5)},
    "float 2-D": {"attn_mask": drawn(3, 5)},
    "float 3-D": {"attn_mask": drawn(1, 3, 5)},
    "float 4-D": {"attn_mask": drawn(B, H, 3, 5)},
    "float with infinities": {"attn_mask": torch.zeros(1, 5).masked_fill(torch.arange(5) < 2, float("-inf"))},
    "a query that sees nothing": {"attn_mask": torch.tensor([[False] * 5, [True] * 5, [True] * 5])},
    "causal from the top left": {"is_causal": True},
    "scale": {"scale": 0.7},
    "scale and causal": {"scale": 0.1, "is_causal": True},
}


@pytest.mark.parametrize("by_mode", [False, True])
@pytest.mark.parametrize("kv_heads", [H, G])
@pytest.mark.parametrize("kwargs", MASKS.values(), ids=MASKS.keys())
def test_that_weights_recomputed_from_any_arguments_give_the_output_that_the_model_got(
    kwargs: dict[str, object], kv_heads: int, by_mode: bool
) -> None:
    q, k, v = drawn(B, H, 3, D), drawn(B, kv_heads, 5, D, seed=1), drawn(B, kv_heads, 5, D, seed=2)
    with observe(None, by_mode=by_mode, frame=Frame(B, 3)) as seen:
        output = F.scaled_dot_product_attention(q, k, v, enable_gqa=kv_heads < H, **kwargs)
    (call,) = seen.attention
    weights = attention_weights(call, 3)
    torch.testing.assert_close(weights @ v.repeat_interleave(H // kv_heads, 1), output, atol=1e-6, rtol=0)
    assert output_error(call, weights) < 1e-5
    visible = allowed(call, 3)
    assert visible is None or torch.equal(visible.expand(B, 3, 5), (weights > 0).any(1))


def test_that_arguments_by_place_and_by_name_are_the_same() -> None:
    q, k, v = (drawn(B, H, 5, D, seed=seed) for seed in range(3))
    mask = torch.ones(5, 5).tril().bool()
    with observe(None, frame=Frame(B, 5)) as seen:
        F.scaled_dot_product_attention(q, k, v, mask, 0.0, False)
        F.scaled_dot_product_attention(value=v, key=k, query=q, attn_mask=mask)
    first, second = (attention_weights(call, 5) for call in seen.attention)
    assert torch.equal(first, second)


def test_that_heads_merged_into_the_batch_are_told_apart() -> None:
    q, k, v = (drawn(B * H, 3, D, seed=seed) for seed in range(3))
    mask = drawn(B * H, 3, 3) > -0.5
    mask[:, :, 0] = True
    with observe(None, frame=Frame(B, 3)) as seen:
        output = F.scaled_dot_product_attention(q, k, v, mask)
    (call,) = seen.attention
    assert call.q.shape == (B, H, 3, D)
    weights = attention_weights(call, 3)
    torch.testing.assert_close((weights @ call.v).flatten(0, 1), output)


def test_that_query_heads_packed_as_queries_of_one_token_are_heads() -> None:
    q, k, v = drawn(B, G, H // G, D), drawn(B, G, 5, D, seed=1), drawn(B, G, 5, D, seed=2)
    with observe(None, frame=Frame(B, 1)) as seen:
        output = F.scaled_dot_product_attention(q, k, v, torch.ones(B, 1, 1, 5).bool())
    (call,) = seen.attention
    assert call.q.shape == (B, H, 1, D)
    torch.testing.assert_close(call.output, output.reshape(B, H, 1, D))
    assert output_error(call, attention_weights(call, 1)) < 1e-6


def test_that_a_call_of_another_batch_is_left_out() -> None:
    x = drawn(3, H, 5, D)
    with observe(None, frame=Frame(B, 5)) as seen:
        F.scaled_dot_product_attention(x, x, x)
    assert not seen.attention


@pytest.mark.parametrize("kwargs", [{"is_causal": True}, {"attn_mask": torch.ones(5, 5).tril().bool()}])
def test_that_a_part_of_a_call_is_what_the_last_rows_alone_would_be(kwargs: dict[str, object]) -> None:
    q, k, v = (drawn(B, H, 5, D, seed=seed) for seed in range(3))
    with observe(None, frame=Frame(B, 5)) as whole, observe(None, frame=Frame(B, 5, n_rows=2)) as cut:
        F.scaled_dot_product_attention(q, k, v, **kwargs)
    want = attention_weights(whole.attention[0], 5)
    torch.testing.assert_close(attention_weights(cut.attention[0], 2), want[:, :, 3:])
    torch.testing.assert_close(attention_weights(whole.attention[0].part(2, 4), 2), want[:, :, 2:4, :4])


def test_that_an_output_which_is_no_attention_is_noticed() -> None:
    q, k, v = (drawn(B, H, 5, D, seed=seed) for seed in range(3))
    call = AttentionCall(q, k, v, scale=0.1, output=drawn(B, H, 5, D, seed=9))
    error = output_error(call, attention_weights(call, 5))
    assert error > 0.1


def router(x: Tensor) -> Tensor:
    """Experts chosen by a softmax, with the weights of every projection as plain tensors."""
    experts = drawn(3, 16, 16)
    shares = (x @ drawn(16, 3)).softmax(-1)
    return torch.einsum("bte,bted->btd", shares, torch.einsum("btd,ecd->btec", x, experts))


def softmax_over_experts_as_a_module(x: Tensor) -> Tensor:
    shares = F.softmax(nn.Linear(16, 3)(x), dim=-1)
    return (shares.unsqueeze(-1) * torch.stack([x, -x, 2 * x], 2)).sum(2)


def product_key_memory(x: Tensor) -> Tensor:
    memory = nn.Parameter(drawn(B, 16, 6))
    return torch.bmm(torch.bmm(x, memory).softmax(-1), memory.mT)


def linear_attention(x: Tensor) -> Tensor:
    return x.softmax(-1) @ (x.softmax(1).mT @ x)


def retention(x: Tensor) -> Tensor:
    return ((x @ x.mT) * torch.ones(5, 5).tril()) @ x


def probabilities_of_the_logits(x: Tensor) -> Tensor:
    return torch.softmax(x @ drawn(16, 30), -1) @ drawn(30, 16)


@pytest.mark.parametrize(
    "mix", [router, softmax_over_experts_as_a_module, product_key_memory, linear_attention, retention, probabilities_of_the_logits]
)  # fmt: skip
def test_that_a_softmax_which_is_no_attention_is_left_alone(mix) -> None:
    x = drawn(B, 5, 16)
    with observe(None, by_mode=True, frame=Frame(B, 5)) as seen:
        mix(x)
    assert not seen.attention


def test_that_cross_attention_stays_one_call_a_layer_beside_self_attention() -> None:
    x, memory = drawn(B, 5, 16), drawn(B, 7, 16, seed=1)
    with observe(None, by_mode=True, frame=Frame(B, 5)) as seen:
        for _ in range(2):
            x = x + (x @ x.mT).softmax(-1) @ x
            x = x + (x @ memory.mT).softmax(-1) @ memory
    assert [call.k.shape[2] for call in seen.attention] == [5, 7, 5, 7]


def test_that_layers_may_differ_in_heads_and_sizes() -> None:
    with observe(None, by_mode=True, frame=Frame(B, 5)) as seen:
        for heads, size in ((4, 8), (2, 16)):
            q, k, v = (drawn(B, heads, 5, size, seed=seed) for seed in range(3))
            (q @ k.mT).softmax(-1) @ v
    assert [call.q.shape for call in seen.attention] == [(B, 4, 5, 8), (B, 2, 5, 16)]


@pytest.mark.parametrize("need_weights", [False, True])
def test_that_torchs_own_attention_layer_is_seen(need_weights: bool) -> None:
    layer = nn.MultiheadAttention(16, 4, batch_first=True).eval().requires_grad_(False)
    x, context = drawn(B, 3, 16), drawn(B, 5, 16, seed=1)
    bare = layer(x, context, context, need_weights=need_weights)[0]
    probe = LaneProbe()
    for _ in range(2):
        with probe.observe(layer, Frame(B, 3)) as seen:
            watched = layer(x, context, context, need_weights=need_weights)[0]
        assert torch.equal(bare, watched)
        assert [(call.q.shape, call.k.shape) for call in seen.attention] == [((B, 4, 3, 4), (B, 4, 5, 4))]


def test_that_the_patch_goes_on_where_it_sees_everything_and_the_mode_where_it_does_not() -> None:
    x = drawn(B, H, 3, D)
    for attend, by_mode in (
        (lambda: F.scaled_dot_product_attention(x, x, x), False),
        (lambda: bound_sdpa(x, x, x), True),
    ):
        probe = LaneProbe()
        for _ in range(2):
            with probe.observe(None, Frame(B, 3)) as seen:
                attend()
            assert len(seen.attention) == 1
        assert probe._by_mode == {False: by_mode}


def test_that_decoding_may_be_written_otherwise_than_prefill() -> None:
    probe = LaneProbe()
    for q_len in (3, 1, 1, 3, 1):
        q, k = drawn(B, H, q_len, D), drawn(B, H, 5, D)
        with probe.observe(None, Frame(B, q_len)) as seen:
            _ = F.scaled_dot_product_attention(q, k, k) if q_len > 1 else (q @ k.mT).softmax(-1) @ k
        assert len(seen.attention) == 1


def test_that_everything_is_put_back_also_after_an_exception() -> None:
    layer = nn.ModuleList([nn.Linear(2, 2)])
    original = F.scaled_dot_product_attention
    with pytest.raises(ZeroDivisionError), LaneProbe().observe(layer, Frame(1, 1)):
        raise ZeroDivisionError
    assert F.scaled_dot_product_attention is original
    assert not layer[0]._forward_hooks
    with pytest.raises(TypeError), observe(None) as seen:
        F.scaled_dot_product_attention(*[])
    assert not seen.attention


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(16, 16) for _ in range(2))

    def forward(self, x: Tensor) -> tuple[Tensor, None]:
        x += self.experts[0](x)  # in place: the block before has returned the same tensor
        return x, None


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.wte = nn.Embedding(10, 16)
        self.h = nn.ModuleList(Block() for _ in range(2))
        self.ln_f = nn.LayerNorm(16)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.wte(ids)
        for block in self.h:
            x, _ = block(x)
        return self.ln_f(x)


def test_that_outputs_of_embedding_layers_and_final_norm_are_kept_by_name_as_they_were() -> None:
    model = Model().requires_grad_(False)
    with observe(model, frame=Frame(B, 5, n_rows=2)) as seen:
        output = model(torch.arange(10).view(B, 5))
    assert list(seen.module_outputs) == ["wte", "h.0", "h.1", "ln_f"]
    assert torch.equal(seen.module_outputs["ln_f"], output[:, -2:])
    assert torch.equal(seen.module_outputs["wte"], model.wte(torch.arange(10).view(B, 5))[:, -2:])
    assert not torch.equal(seen.module_outputs["h.0"], seen.module_outputs["h.1"])


def test_that_the_number_of_watched_modules_is_bounded() -> None:
    assert len(watched_modules(nn.ModuleList(nn.Linear(1, 1) for _ in range(300)))) == MAX_MODULES
