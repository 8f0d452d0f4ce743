"""A decoder-only transformer that reads top to bottom: embed, four blocks of attention and MLP, logits.

The model is a function of (input_ids, position_ids, past_kv, mask). It holds no cache and no position: who calls it
says where each token stands and what it may see, and carries past_kv from call to call. There is no reset to forget.

Letters in shapes: B batch, T new tokens (queries), S keys, H query heads, G kv heads, D head_dim, V vocabulary.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tinylm.cache import ConcatKV, LayerKV, PastKV
from tinylm.config import ModelConfig

# (cos, sin) of every new token for RoPE, (H, 1, S) for ALiBi, None where positions are part of the embedding.
Rotation = tuple[Tensor, Tensor]
# (q, k, v, mask, slopes) -> (B, H, T, D); slopes are None where the scheme is not ALiBi.
Attention = Callable[[Tensor, Tensor, Tensor, Tensor | None, Tensor | None], Tensor]


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    slopes: Tensor | None,
    scale: float | None = None,
) -> Tensor:
    """Return what the queries q (B, H, T, D) read from k and v (B, G, S, D); `scale` is 1 / sqrt(D) where None.

    Args:
        mask: bool, True = may attend, or a bias that is added to the scores.
    """
    bias = mask if slopes is None else alibi_bias(slopes, k.shape[2], mask)
    return F.scaled_dot_product_attention(
        q, k, v, attn_mask=bias, scale=scale, enable_gqa=k.shape[1] < q.shape[1]
    )


class TinyLM(nn.Module):
    """Pre-norm decoder with grouped-query attention; the output matrix is the embedding matrix."""

    rope_cos: Tensor
    rope_sin: Tensor
    alibi_slopes: Tensor
    eps: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.n_layers))
        self.norm = nn.RMSNorm(config.d_model)
        self.register_buffer("eps", torch.tensor(config.norm_eps), persistent=False)
        if config.position_scheme == "learned":
            self.position_embedding = nn.Embedding(config.max_seq_len, config.d_model)
        elif config.position_scheme == "rope":
            cos, sin = rope_table(config)
            self.register_buffer("rope_cos", cos, persistent=False)
            self.register_buffer("rope_sin", sin, persistent=False)
        else:
            self.register_buffer("alibi_slopes", alibi_slopes(config.n_heads), persistent=False)
        self.apply(_init_weights)

    def forward(
        self,
        input_ids: Tensor,
        position_ids: Tensor,
        past_kv: PastKV | None = None,
        mask: Tensor | None = None,
        attend: Attention = attention,
    ) -> tuple[Tensor, PastKV]:
        """Return logits (B, T, V) of the new tokens, and past_kv with their K and V appended.

        Args:
            input_ids: (B, T) the new tokens only.
            position_ids: (B, T) where each new token stands in its text; ALiBi does not use them.
            past_kv: one LayerKV per layer, or None for an empty concat cache.
            mask: (T, S) or (B, 1, T, S) bool, True = may attend; None = every query sees every key.
            attend: how queries read keys and values: another kernel, or an experiment.
        """
        x = F.embedding(input_ids, self.token_embedding.weight)  # (B, T, d_model)
        rotation: Rotation | None = None
        slopes: Tensor | None = None
        if self.config.position_scheme == "learned":
            x = x + self.position_embedding(position_ids)
        elif self.config.position_scheme == "rope":
            rotation = (
                self.rope_cos[position_ids].unsqueeze(1),
                self.rope_sin[position_ids].unsqueeze(1),
            )  # (B, 1, T, D)
        else:
            slopes = self.alibi_slopes
        present: list[LayerKV] = []
        for layer, block in enumerate(self.blocks):
            x, layer_kv = block(x, rotation, slopes, past_kv[layer] if past_kv else None, mask, attend)
            present.append(layer_kv)
        logits = F.linear(rms_norm(x, self.norm.weight, self.eps), self.token_embedding.weight)  # (B, T, V)
        return logits, tuple(present)


class Block(nn.Module):
    """x + attention(norm(x)), then x + mlp(norm(x)); H query heads share G kv heads (MHA: G = H, MQA: G = 1).

    The layers' weights are applied by functions: calling a module costs as much as a small product.
    """

    eps: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.register_buffer("eps", torch.tensor(config.norm_eps), persistent=False)
        self.attention_norm = nn.RMSNorm(config.d_model)
        self.qkv = nn.Linear(
            config.d_model, (config.n_heads + 2 * config.n_kv_heads) * config.head_dim, bias=False
        )
        self.out = nn.Linear(config.d_model, config.d_model, bias=False)
        self.mlp_norm = nn.RMSNorm(config.d_model)
        self.gate_up = nn.Linear(config.d_model, 2 * config.d_ff, bias=False)
        self.down = nn.Linear(config.d_ff, config.d_model, bias=False)

    def forward(
        self,
        x: Tensor,
        rotation: Rotation | None,
        slopes: Tensor | None,
        past: LayerKV | None,
        mask: Tensor | None,
        attend: Attention,
    ) -> tuple[Tensor, LayerKV]:
        """Return x (B, T, d_model) after the block, and the layer's K and V with the new rows."""
        attended, present = self.read_past(
            rms_norm(x, self.attention_norm.weight, self.eps), rotation, slopes, past, mask, attend
        )
        x = x + attended
        return x + self.mlp(rms_norm(x, self.mlp_norm.weight, self.eps)), present

    def read_past(
        self,
        x: Tensor,
        rotation: Rotation | None,
        slopes: Tensor | None,
        past: LayerKV | None,
        mask: Tensor | None,
        attend: Attention,
    ) -> tuple[Tensor, LayerKV]:
        """Let the new tokens attend to themselves and to the rows of `past`."""
        batch, q_len, _ = x.shape
        n_heads, n_kv_heads = self.config.n_heads, self.config.n_kv_heads
        heads = F.linear(x, self.qkv.weight).view(batch, q_len, -1, self.config.head_dim).transpose(1, 2)
        qk, v_new = (
            heads[:, : n_heads + n_kv_heads],
            heads[:, n_heads + n_kv_heads :],
        )  # (B, H + G, T, D), (B, G, T, D)
        if rotation is not None:
            qk = rotate(qk, *rotation)
        q, k_new = qk[:, :n_heads], qk[:, n_heads:]  # (B, H, T, D), (B, G, T, D)

        present: LayerKV
        if past is None:  # only the new tokens exist
            k, v, present = k_new, v_new, ConcatKV(k_new, v_new)
        else:
            k, v, present = past.append(k_new, v_new)  # (B, G, S, D)

        attended = attend(q, k, v, mask, slopes)
        return F.linear(attended.transpose(1, 2).reshape(batch, q_len, -1), self.out.weight), present

    def mlp(self, x: Tensor) -> Tensor:
        """SwiGLU: silu(gate) * up, back to d_model."""
        gate, up = F.linear(x, self.gate_up.weight).chunk(2, dim=-1)
        return F.linear(F.silu(gate) * up, self.down.weight)


def rms_norm(x: Tensor, weight: Tensor, eps: Tensor) -> Tensor:
    """Return x / rms(x) * weight (Zhang and Sennrich 2019, arXiv 1910.07467).

    Four operations on one vector; F.rms_norm on a CPU takes more than twice the time for a single token.
    """
    rms = torch.add(eps, torch.linalg.vector_norm(x, dim=-1, keepdim=True), alpha=x.shape[-1] ** -0.5)
    return x * (weight / rms)


def rope_table(config: ModelConfig) -> tuple[Tensor, Tensor]:
    """Return cos and sin, each (max_seq_len, D), of the rotary embedding (Su et al. 2021, arXiv 2104.09864).

    A pair (a, b) turns into (a cos - b sin, b cos + a sin), so the first half of sin is negative.
    """
    half = torch.arange(0, config.head_dim, 2, dtype=torch.float64) / config.head_dim
    angles = torch.outer(torch.arange(config.max_seq_len, dtype=torch.float64), config.rope_theta**-half)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat((cos, cos), dim=-1).float(), torch.cat((-sin, sin), dim=-1).float()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn each pair (x[i], x[i + D/2]) of (B, heads, T, D) by the angle of its position; `sin` carries the signs."""
    return torch.addcmul(x * cos, x.roll(x.shape[-1] // 2, dims=-1), sin)


def alibi_slopes(n_heads: int) -> Tensor:
    """Return one slope per head, 2^-2, 2^-4, ... for 4 heads (Press et al. 2021, arXiv 2108.12409)."""
    return 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)


def alibi_bias(slopes: Tensor, kv_len: int, mask: Tensor | None) -> Tensor:
    """Return slope * key slot, -inf where masked: (H, 1, S), (H, T, S) or (B, H, T, S).

    ALiBi subtracts slope * distance. Softmax ignores a constant per query, so the key's slot alone will do, counted
    back from the newest key to keep the numbers small.
    """
    bias = slopes[:, None, None] * torch.arange(1 - kv_len, 1)
    return bias if mask is None else bias.masked_fill(~mask, float("-inf"))


def _init_weights(module: nn.Module) -> None:
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.02)
