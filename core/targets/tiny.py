"""The built-in models as targets: this is the caller that says where each token stands and what it may see."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional as F

from core.targets.base import CacheLayer
from core.targets.faults import Fault
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import ModelShape
from tinylm import tokenizer
from tinylm.cache import LayerKV, PastKV, empty_past_kv, reorder, truncate
from tinylm.config import DEFAULT_WINDOW
from tinylm.masks import causal_mask
from tinylm.model import TinyLM


@dataclass(frozen=True)
class TinyCache:
    """What passes from call to call: the rows of every layer, and the tokens that were fed [B, n]."""

    past_kv: PastKV | None
    ids: Tensor
    n_calls: int = 0


@dataclass(frozen=True)
class ModelCall:
    """The arguments of one forward of the cached lane; a fault changes them before, or past_kv after."""

    input_ids: Tensor
    position_ids: Tensor
    past_kv: PastKV | None
    mask: Tensor | None
    before: TinyCache
    n_layers: int
    window: int | None

    @property
    def is_first(self) -> bool:
        return self.before.n_calls == 0


class TinyTarget:
    """One lane: the model's weights may be shared by lanes, since it keeps no state."""

    takes_mask = True
    has_text = True

    def __init__(
        self, name: str, model: TinyLM, layout: str = "concat", faults: Sequence[Fault] = ()
    ) -> None:
        self.name = name
        self.module = model
        self.layout = layout
        self.faults = tuple(faults)
        self.window = DEFAULT_WINDOW if layout == "sliding" else None
        config = model.config
        self.capacity = config.max_seq_len * max([1, *(fault.capacity_factor for fault in self.faults)])
        self.shape = ModelShape(
            dtype=str(next(model.parameters()).dtype).removeprefix("torch."),
            vocab_size=config.vocab_size, n_layers=config.n_layers, n_heads=config.n_heads, n_kv_heads=config.n_kv_heads,
            head_dim=config.head_dim, max_length=config.max_seq_len, position_scheme=config.position_scheme, window=self.window,
        )  # fmt: skip

    @torch.inference_mode()
    def full(self, ids: Tensor) -> Tensor:
        text_len = ids.shape[1]
        position_ids = torch.arange(text_len).expand_as(ids)
        logits, _ = self.module(
            ids, position_ids=position_ids, mask=causal_mask(text_len, text_len, self.window)
        )
        assert isinstance(logits, Tensor)
        return logits

    @torch.inference_mode()
    def cached(
        self, ids: Tensor, cache: TinyCache | None, attention_mask: Tensor | None = None
    ) -> tuple[Tensor, TinyCache]:
        if cache is None:
            cache = TinyCache(
                empty_past_kv(self.layout, self.module.config.n_layers, self.capacity), ids[:, :0]
            )
        call = self._call(ids, cache, attention_mask)
        for fault in self.faults:
            call = fault.before(call)
        logits, past_kv = self.module(
            call.input_ids, position_ids=call.position_ids, past_kv=call.past_kv, mask=call.mask
        )
        for fault in self.faults:
            past_kv = fault.after(past_kv, call)
        return logits[:, -ids.shape[1] :], TinyCache(
            past_kv, torch.cat((cache.ids, ids), 1), cache.n_calls + 1
        )

    def _call(self, ids: Tensor, cache: TinyCache, attention_mask: Tensor | None) -> ModelCall:
        """Say what a right caller says: positions go on from the text's length, and the queries are the last keys."""
        q_len, text_len = ids.shape[1], cache.ids.shape[1] + ids.shape[1]
        kv_len = q_len + (cache.past_kv[0].past_len if cache.past_kv else 0)
        if attention_mask is None:
            position_ids = torch.arange(text_len - q_len, text_len).expand_as(ids)
            key_is_token = None
        else:  # left pads take no position
            position_ids = (attention_mask.cumsum(1) - 1).clamp_min(0)[:, -q_len:]
            n_unknown = max(0, kv_len - text_len)  # rows that no text explains: only a faulty cache has them
            key_is_token = F.pad(attention_mask, (n_unknown, 0), value=1)[:, -kv_len:].bool()
        mask = causal_mask(q_len, kv_len, self.window, key_is_token)
        return ModelCall(
            ids, position_ids, cache.past_kv, mask, cache, self.module.config.n_layers, self.window
        )

    @torch.inference_mode()
    def crop(self, cache: TinyCache, length: int) -> TinyCache:
        assert cache.past_kv is not None
        return replace(cache, past_kv=truncate(cache.past_kv, length), ids=cache.ids[:, :length])

    @torch.inference_mode()
    def reorder(self, cache: TinyCache, rows: Tensor) -> TinyCache:
        assert cache.past_kv is not None
        return replace(cache, past_kv=reorder(cache.past_kv, rows), ids=cache.ids[rows])

    def inspect(self, cache: TinyCache) -> list[CacheLayer]:
        return [_cache_layer(layer) for layer in cache.past_kv or ()]

    def why_not(self, scenario: str) -> Text | None:
        if scenario == "rollback" and self.layout == "sliding":
            return Text(
                QT_TRANSLATE_NOOP("core", "a sliding cache overwrites old rows, it cannot be rolled back")
            )
        return None

    def encode(self, text: str) -> list[int]:
        return tokenizer.encode(text)

    def decode(self, ids: list[int]) -> str:
        return tokenizer.decode(ids)


def _cache_layer(layer: LayerKV) -> CacheLayer:
    k, v = layer.rows()
    buffers = layer.buffers()
    rows_held = buffers[0].numel() // max(1, k.shape[0] * k.shape[1] * k.shape[3])
    table = getattr(getattr(layer, "inner", layer), "block_table", None)
    return CacheLayer(k, v, buffers, rows_held, table.tolist() if table is not None else None)
