"""Greedy decoding twice: without a cache (the oracle) and with one. Read the two side by side."""

import torch
from torch import Tensor

from tinylm.cache import PastKV, empty_past_kv
from tinylm.masks import causal_mask
from tinylm.model import TinyLM


@torch.inference_mode()
def generate_uncached(model: TinyLM, input_ids: Tensor, n_tokens: int) -> Tensor:
    """Return (B, P + n_tokens): every step feeds the whole text again."""
    for _ in range(n_tokens):
        text_len = input_ids.shape[1]
        position_ids = torch.arange(text_len).expand_as(input_ids)
        logits, _ = model(input_ids, position_ids, mask=causal_mask(text_len, text_len))
        next_ids = logits[:, -1:].argmax(-1)
        input_ids = torch.cat((input_ids, next_ids), 1)
    return input_ids


@torch.inference_mode()
def generate_cached(model: TinyLM, input_ids: Tensor, n_tokens: int, layout: str = "concat") -> Tensor:
    """Return (B, P + n_tokens): the prompt once, then only the newest token, whose K and V join the cache."""
    text_len = input_ids.shape[1]
    past_kv = empty_past_kv(layout, model.config.n_layers, capacity=text_len + n_tokens)
    logits, past_kv = prefill(model, input_ids, past_kv)
    pieces = [input_ids]
    for position_id in range(text_len, text_len + n_tokens):
        next_ids = logits[:, -1:].argmax(-1)
        pieces.append(next_ids)
        if position_id < text_len + n_tokens - 1:  # nobody asks what follows the last token
            logits, past_kv = decode_step(model, next_ids, position_id, past_kv)
    return torch.cat(pieces, 1)


def prefill(model: TinyLM, input_ids: Tensor, past_kv: PastKV | None = None) -> tuple[Tensor, PastKV]:
    """Feed the whole prompt (B, P) at once into an empty cache; the positions are 0..P-1."""
    text_len = input_ids.shape[1]
    position_ids = torch.arange(text_len).expand_as(input_ids)
    window = getattr(past_kv[0], "window", None) if past_kv else None
    return model.forward(input_ids, position_ids, past_kv, causal_mask(text_len, text_len, window))


def decode_step(model: TinyLM, next_ids: Tensor, position_id: int, past_kv: PastKV) -> tuple[Tensor, PastKV]:
    """Feed one token (B, 1) that stands at `position_id`; it may see every row of the cache, so no mask is needed."""
    return model.forward(next_ids, torch.full_like(next_ids, position_id), past_kv)


def sample(logits: Tensor, temperature: float, generator: torch.Generator) -> Tensor:
    """Return (B, 1) ids drawn from (B, V) logits with the caller's own seeded generator; temperature 0 is greedy."""
    if temperature == 0:
        return logits.argmax(-1, keepdim=True)
    probs = (logits / temperature).softmax(-1)
    return torch.multinomial(probs, 1, generator=generator)
