"""One call of a built-in model: what passes from call to call, the arguments, and what a right caller says in them."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from tinylm.cache import PastKV
from tinylm.masks import causal_mask
from tinylm.model import TinyLM


@dataclass(frozen=True)
class TinyCache:
    """What passes from call to call: the rows of every layer, and the tokens that were fed [B, n]."""

    past_kv: PastKV | None
    ids: Tensor
    n_calls: int = 0
    prompt_len: int = 0  # tokens of the first call


@dataclass(frozen=True)
class ModelCall:
    """The arguments of one forward, and what is known of the run around it."""

    input_ids: Tensor
    position_ids: Tensor
    past_kv: PastKV | None
    mask: Tensor | None
    before: TinyCache
    text_len: int
    model: TinyLM
    window: int | None
    attention_mask: Tensor | None = None

    @property
    def is_first(self) -> bool:
        return self.before.n_calls == 0

    @property
    def q_len(self) -> int:
        """How many tokens the model gets."""
        return self.input_ids.shape[1]

    @property
    def kv_len(self) -> int:
        """How many keys attention reads."""
        return self.q_len + (self.past_kv[0].past_len if self.past_kv else 0)

    def positions_of_last(self, count: int) -> Tensor:
        """Return the true positions (B, count) of the last tokens of the text."""
        return positions(self.input_ids.shape[0], self.text_len, self.attention_mask)[:, -count:]

    def right_mask(self, window: int | None) -> Tensor | None:
        """Return the mask that a right caller gives: the queries are the last keys."""
        return self.mask_for(window, self.attention_mask)

    def mask_for(self, window: int | None, attention_mask: Tensor | None) -> Tensor | None:
        """Return the causal mask of this call under a window, with the pads of `attention_mask` hidden."""
        return causal_mask(self.q_len, self.kv_len, window, self.key_is_token(attention_mask))

    def key_is_token(self, attention_mask: Tensor | None) -> Tensor | None:
        """Return (B, S), False for the key of a pad; rows that no text explains (a faulty cache has them) count as tokens."""
        if attention_mask is None:
            return None
        n_unknown = max(0, self.kv_len - attention_mask.shape[1])
        return F.pad(attention_mask, (n_unknown, 0), value=1)[:, -self.kv_len :].bool()


def positions(batch: int, text_len: int, attention_mask: Tensor | None) -> Tensor:
    """Return the position (B, text_len) of every token; left pads take none."""
    if attention_mask is None:
        return torch.arange(text_len).expand(batch, -1)
    return (attention_mask.cumsum(1) - 1).clamp_min(0)
