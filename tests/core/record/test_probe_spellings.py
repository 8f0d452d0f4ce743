"""Attention written by hand, in the spellings that people use: the probe finds q, k, v and the weights in each."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.functional import scaled_dot_product_attention as bound_sdpa

from core.record.probe import AttentionCall, Frame, attention_weights, observe

B, H, G, D = 2, 6, 2, 4  # batch, query heads, kv heads, head dimension
Attend = Callable[
    [Tensor, Tensor, Tensor, Tensor], Tensor
]  # q, k, v [B, heads, T, D], hidden [T, S] -> [B, H, T, D]
INF = float("-inf")
SPELLINGS: dict[str, Attend] = {}


def spelling(attend: Attend) -> Attend:
    SPELLINGS[attend.__name__] = attend
    return attend


def repeated(x: Tensor) -> Tensor:
    return x.repeat_interleave(H // x.shape[1], 1)


def last_softmax(scores: Tensor) -> Tensor:
    return F.softmax(scores, dim=-1)


@spelling
def matmul_and_scale_after(q, k, v, hidden):
    k, v = repeated(k), repeated(v)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D)
    scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    return torch.matmul(F.dropout(F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype), 0.1, False), v)


@spelling
def at_and_scale_before(q, k, v, hidden):
    k, v = repeated(k), repeated(v)
    scores = (q * D**-0.5) @ k.mT
    scores += torch.zeros_like(hidden, dtype=q.dtype).masked_fill(hidden, INF)
    return scores.softmax(-1) @ v


@spelling
def key_scaled_and_masked_in_place(q, k, v, hidden):
    k, v = repeated(k) / math.sqrt(D), repeated(v)
    scores = q.matmul(k.swapaxes(2, 3))
    scores.masked_fill_(hidden, -1e9)
    return nn.Dropout(0.1).eval()(nn.Softmax(dim=-1)(scores)).matmul(v)


@spelling
def where_and_torch_softmax(q, k, v, hidden):
    k, v = repeated(k), repeated(v)
    scores = torch.where(hidden, torch.tensor(-1e4), q @ k.permute(0, 1, 3, 2) * D**-0.5)
    return torch.softmax(scores, dim=3) @ v


@spelling
def sliced_assignment(q, k, v, hidden):
    scores = q @ repeated(k).mT * D**-0.5
    scores[:, :, hidden] = INF
    return last_softmax(scores) @ repeated(v)


@spelling
def einsum_heads_second(q, k, v, hidden):
    scores = torch.einsum("bhqd,bhkd->bhqk", q, repeated(k)) * D**-0.5
    return torch.einsum("bhqk,bhkd->bhqd", scores.masked_fill(hidden, INF).softmax(-1), repeated(v))


@spelling
def einsum_heads_third(q, k, v, hidden):
    q, k, v = (x.transpose(1, 2) for x in (q, repeated(k), repeated(v)))
    scores = torch.einsum("bthd,bshd->bhts", q, k) * D**-0.5
    return torch.einsum("bhts,bshd->bthd", last_softmax(scores.masked_fill(hidden, INF)), v).transpose(1, 2)


@spelling
def einsum_keys_before_queries(q, k, v, hidden):
    scores = torch.einsum("bhsd,bhtd->bhst", repeated(k), q) * D**-0.5
    weights = scores.masked_fill(hidden.T, INF).softmax(2)
    return torch.einsum("bhst,bhsd->bhtd", weights, repeated(v))


@spelling
def einsum_with_dots(q, k, v, hidden):
    scores = torch.einsum("...td,...sd->...ts", q, repeated(k)) / D**0.5
    return torch.einsum("...ts,...sd->...td", scores.masked_fill(hidden, INF).softmax(-1), repeated(v))


@spelling
def einsum_grouped(q, k, v, hidden):
    q = q.view(B, G, H // G, -1, D).permute(0, 3, 1, 2, 4)
    k, v = k.transpose(1, 2), v.transpose(1, 2)
    scores = torch.einsum("btgrd,bsgd->bgrts", q, k) / D**0.5
    out = torch.einsum("bgrts,bsgd->btgrd", torch.softmax(scores.masked_fill(hidden, INF), -1), v)
    return out.permute(0, 2, 3, 1, 4).flatten(1, 2)


@spelling
def einsum_sequence_first(q, k, v, hidden):
    q, k, v = (x.permute(2, 0, 1, 3) for x in (q, repeated(k), repeated(v)))
    scores = torch.einsum("ibnd,jbnd->ijbn", q, k) * D**-0.5
    weights = scores.masked_fill(hidden[:, :, None, None], INF).softmax(dim=1)
    return torch.einsum("ijbn,jbnd->ibnd", weights, v).permute(1, 2, 0, 3)


@spelling
def grouped_by_broadcasting(q, k, v, hidden):
    scores = q.view(B, G, H // G, -1, D) @ k.unsqueeze(2).mT * D**-0.5
    return (scores.masked_fill(hidden, INF).softmax(-1) @ v.unsqueeze(2)).flatten(1, 2)


@spelling
def expanded_and_reshaped(q, k, v, hidden):
    k, v = (x[:, :, None].expand(B, G, H // G, -1, D).reshape(B, H, -1, D) for x in (k, v))
    return (q @ k.transpose(2, 3) * D**-0.5).masked_fill(hidden, INF).softmax(dim=-1) @ v


@spelling
def bmm_with_merged_heads(q, k, v, hidden):
    q, k, v = (x.reshape(B * H, -1, D) for x in (q, repeated(k), repeated(v)))
    scores = torch.bmm(q, k.transpose(1, 2)) * D**-0.5
    return torch.bmm(last_softmax(scores.masked_fill(hidden, INF)), v).view(B, H, -1, D)


@spelling
def bmm_methods(q, k, v, hidden):
    q, k, v = (x.reshape(B * H, -1, D) for x in (q * D**-0.5, repeated(k), repeated(v)))
    scores = q.bmm(k.transpose(1, 2)).view(B, H, q.shape[1], -1)
    weights = scores.masked_fill(hidden, INF).softmax(-1)
    return weights.view(B * H, q.shape[1], -1).bmm(v).view(B, H, -1, D)


@spelling
def baddbmm_with_the_mask(q, k, v, hidden):
    q, k, v = (x.reshape(B * H, -1, D) for x in (q, repeated(k), repeated(v)))
    bias = torch.zeros(hidden.shape).masked_fill(hidden, INF).expand(B * H, -1, -1)
    return torch.bmm(torch.baddbmm(bias, q, k.mT, alpha=D**-0.5).softmax(-1), v).view(B, H, -1, D)


@spelling
def baddbmm_method_then_four_dimensions(q, k, v, hidden):
    q, k, v = (x.reshape(B * H, -1, D) for x in (q, repeated(k), repeated(v)))
    scores = torch.zeros(B * H, 1, k.shape[1]).baddbmm(q, k.transpose(1, 2), beta=1.0, alpha=D**-0.5)
    scores = scores.view(B, H, q.shape[1], -1) + torch.zeros(hidden.shape).masked_fill(hidden, -1e9)
    weights = F.softmax(scores, dim=-1, dtype=torch.float32).type_as(q)
    return torch.bmm(weights.view(B * H, q.shape[1], -1), v).view(B, H, -1, D)


@spelling
def values_times_weights(q, k, v, hidden):
    weights = (q @ repeated(k).mT * D**-0.5).masked_fill(hidden, INF).softmax(-1)
    return (repeated(v).mT @ weights.mT).mT


@spelling
def soft_capped(q, k, v, hidden):
    scores = 5 * torch.tanh(q @ repeated(k).mT * D**-0.5 / 5)
    return scores.masked_fill(hidden, INF).softmax(-1) @ repeated(v)


@spelling
def exponential_by_hand(q, k, v, hidden):
    scores = (q @ repeated(k).mT * D**-0.5).masked_fill(hidden, INF)
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return (e / e.sum(-1, keepdim=True)) @ repeated(v)


@spelling
def logarithms(q, k, v, hidden):
    scores = (q @ repeated(k).mT * D**-0.5).masked_fill(hidden, INF)
    return F.log_softmax(scores, dim=-1).exp() @ repeated(v)


@spelling
def mask_multiplied_and_subtracted(q, k, v, hidden):
    visible = (~hidden).to(q.dtype)
    scores = torch.matmul(q, repeated(k).permute(0, 1, 3, 2)) / math.sqrt(D)
    return F.softmax(scores * visible - 1e4 * (1 - visible), -1) @ repeated(v)


@spelling
def sink_column(q, k, v, hidden):
    scores = (q @ repeated(k).mT * D**-0.5).masked_fill(hidden, INF)
    sinks = torch.zeros(B, H, q.shape[2], 1)
    combined = torch.cat([scores, sinks], dim=-1)
    combined = combined - combined.max(dim=-1, keepdim=True).values
    return F.softmax(combined, dim=-1, dtype=combined.dtype)[..., :-1] @ repeated(v)


@spelling
def heads_as_further_queries(q, k, v, hidden):
    q = q.view(B, G, H // G, -1, D)
    scores = q.flatten(2, 3) @ k.mT * D**-0.5
    scores = scores.view(*q.shape[:4], -1).masked_fill(hidden, INF).flatten(2, 3)
    return (scores.softmax(-1) @ v).view(B, H, -1, D)


@spelling
def heads_as_further_queries_of_each_token(q, k, v, hidden):
    k, v = k[:, 0], v[:, 0]
    scores = q.transpose(1, 2).reshape(B, -1, D) @ k.mT * D**-0.5
    scores = scores.view(B, q.shape[2], H, -1).masked_fill(hidden[:, None], INF).flatten(1, 2)
    return (scores.softmax(-1) @ v).view(B, -1, H, D).transpose(1, 2)


@spelling
def shared_keys_and_heads_after_the_queries(q, k, v, hidden):
    k, v = k[:, 0], v[:, 0]
    scores = torch.einsum("bhsc,btc->bsht", q, k) * D**-0.5
    weights = scores.masked_fill(hidden[:, None], INF).softmax(-1)
    return torch.einsum("bsht,btc->bshc", weights, v).transpose(1, 2)


@spelling
def shared_keys(q, k, v, hidden):
    scores = torch.einsum("bthd,bsd->bhts", q.transpose(1, 2), k[:, 0]) * D**-0.5
    return torch.einsum("bhts,bsd->bhtd", scores.masked_fill(hidden, INF).softmax(-1), v[:, 0])


@spelling
def shared_keys_by_broadcasting(q, k, v, hidden):
    return (q @ k[:, :1].mT * D**-0.5).masked_fill(hidden, INF).softmax(-1) @ v[:, :1]


@spelling
def function_bound_by_import(q, k, v, hidden):
    return bound_sdpa(q, repeated(k), repeated(v), attn_mask=~hidden)


@spelling
def two_products_added(q, k, v, hidden):
    k = repeated(k)
    scores = q[..., :2] @ k[..., :2].mT + torch.einsum("bhtd,bhsd->bhts", q[..., 2:], k[..., 2:])
    return (scores * D**-0.5).masked_fill(hidden, INF).softmax(-1) @ repeated(v)


def tensors(q_len: int, kv_len: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(q_len)
    q = torch.randn(B, H, q_len, D, generator=generator)
    k, v = (torch.randn(B, G, kv_len, D, generator=generator) for _ in range(2))
    return q, k, v, torch.ones(q_len, kv_len, dtype=torch.bool).triu(kv_len - q_len + 1)


def check_call(call: AttentionCall, q: Tensor, k: Tensor, v: Tensor, output: Tensor) -> None:
    """The call holds this attention: its weights read v into the output, and q and k are those of the model, scaled or not."""
    n_rows = q.shape[2]
    weights = attention_weights(call, n_rows)
    assert weights.shape == (*q.shape[:3], k.shape[2])
    torch.testing.assert_close(weights @ repeated(call.v), output, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(call.output, output)
    if call.k.shape[1] == 1:
        k, v = k[:, :1], v[:, :1]
    torch.testing.assert_close(repeated(call.v), repeated(v))
    for got, want in ((call.q, q), (repeated(call.k), repeated(k))):
        ratio = got / want
        torch.testing.assert_close(ratio, ratio.flatten()[0].expand_as(ratio))


@pytest.mark.parametrize(("q_len", "kv_len"), [(5, 5), (6, 6), (1, 7), (3, 8), (1, 1)])
@pytest.mark.parametrize("attend", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_that_each_spelling_is_seen_once_and_read_as_it_is(attend: Attend, q_len: int, kv_len: int) -> None:
    q, k, v, hidden = tensors(q_len, kv_len)
    bare = attend(q.clone(), k, v, hidden)
    with observe(None, by_mode=True, frame=Frame(B, q_len)) as seen:
        watched = attend(q.clone(), k, v, hidden)
    assert torch.equal(bare, watched)
    (call,) = seen.attention
    check_call(call, q, k, v, bare)


@pytest.mark.parametrize("attend", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_that_the_last_rows_alone_can_be_kept(attend: Attend) -> None:
    q, k, v, hidden = tensors(5, 5)
    with observe(None, by_mode=True, frame=Frame(B, 5, n_rows=2)) as seen:
        output = attend(q, k, v, hidden)
    (call,) = seen.attention
    assert call.first_row == 3
    check_call(call, q[:, :, 3:], k, v, output[:, :, 3:])
