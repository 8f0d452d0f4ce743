"""The built-in models as targets: this is the caller that says where each token stands and what it may see."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import torch
from torch import Tensor
from torch.nn import functional as F

from core.targets.base import CacheLayer
from core.targets.faults.base import Fault, FaultyAttention, FaultyLayer, overrides
from core.targets.tiny_call import ModelCall, TinyCache, positions
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import ModelShape
from tinylm import tokenizer
from tinylm.cache import LayerKV, PastKV, empty_past_kv, reorder, truncate
from tinylm.config import DEFAULT_WINDOW
from tinylm.model import Attention, TinyLM


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
        shift = sum(fault.window_shift for fault in self.faults)
        self.cached_window = None if self.window is None else self.window + shift
        config = model.config
        self.capacity = config.max_seq_len * max([1, *(fault.capacity_factor for fault in self.faults)])
        self.shape = ModelShape(
            dtype=str(next(model.parameters()).dtype).removeprefix("torch."),
            vocab_size=config.vocab_size, n_layers=config.n_layers, n_heads=config.n_heads, n_kv_heads=config.n_kv_heads,
            head_dim=config.head_dim, max_length=config.max_seq_len, position_scheme=config.position_scheme, window=self.window,
        )  # fmt: skip

    @torch.inference_mode()
    def full(self, ids: Tensor) -> Tensor:
        call = self._call(ids, TinyCache(None, ids[:, :0]), self.window)
        for fault in self.faults:
            call = fault.oracle(call)
        logits, _ = self.module(call.input_ids, position_ids=call.position_ids, mask=call.mask)
        assert isinstance(logits, Tensor)
        return F.pad(
            logits, (0, 0, ids.shape[1] - logits.shape[1], 0)
        )  # a cropped oracle says nothing of old rows

    @torch.inference_mode()
    def cached(
        self, ids: Tensor, cache: TinyCache | None, attention_mask: Tensor | None = None
    ) -> tuple[Tensor, TinyCache]:
        cache = self._empty(ids) if cache is None else cache
        for fault in self.faults:
            cache = fault.open(cache)
        call = self._call(ids, cache, self.cached_window, attention_mask)
        for fault in self.faults:
            call = fault.before(call)
        logits, past_kv = self.module(
            call.input_ids, position_ids=call.position_ids, past_kv=self._past_kv(call), mask=call.mask,
            **self._attention(call),
        )  # fmt: skip
        for fault in reversed(self.faults):  # whoever keeps the cache keeps what the others made of it
            past_kv = fault.after(past_kv, call)
        prompt_len = cache.prompt_len or ids.shape[1]
        return logits[:, -ids.shape[1] :], TinyCache(
            past_kv, torch.cat((cache.ids, ids), 1), cache.n_calls + 1, prompt_len
        )

    def _empty(self, ids: Tensor) -> TinyCache:
        window = self.cached_window or DEFAULT_WINDOW
        return TinyCache(
            empty_past_kv(self.layout, self.module.config.n_layers, self.capacity, window), ids[:, :0]
        )

    def _call(
        self, ids: Tensor, cache: TinyCache, window: int | None, attention_mask: Tensor | None = None
    ) -> ModelCall:
        """Say what a right caller says: positions go on from the text's length, and the queries are the last keys."""
        text_len = cache.ids.shape[1] + ids.shape[1]
        position_ids = positions(ids.shape[0], text_len, attention_mask)[:, -ids.shape[1] :]
        call = ModelCall(
            ids, position_ids, cache.past_kv, None, cache, text_len, self.module, window, attention_mask
        )
        return replace(call, mask=call.right_mask(window))

    def _past_kv(self, call: ModelCall) -> PastKV | None:
        """Let what is appended pass through the faults that change it."""
        faults = overrides(self.faults, "append")
        if not faults:
            return call.past_kv
        layers = call.past_kv or (None,) * self.module.config.n_layers
        faulty = tuple(FaultyLayer(past, faults, layer, call) for layer, past in enumerate(layers))
        return cast(PastKV, faulty)  # the model only appends

    def _attention(self, call: ModelCall) -> dict[str, Attention]:
        faults = overrides(self.faults, "attend")
        needs_fit = bool(overrides(self.faults, "append"))
        return {"attend": FaultyAttention(faults, call)} if faults or needs_fit else {}

    @torch.inference_mode()
    def crop(self, cache: TinyCache, length: int) -> TinyCache:
        assert cache.past_kv is not None
        wrong = (fault.crop(cache.past_kv, length) for fault in overrides(self.faults, "crop"))
        past_kv = next(wrong, None) or truncate(cache.past_kv, length)
        return replace(cache, past_kv=past_kv, ids=cache.ids[:, :length])

    @torch.inference_mode()
    def reorder(self, cache: TinyCache, rows: Tensor) -> TinyCache:
        assert cache.past_kv is not None
        wrong = (fault.reorder(cache.past_kv, rows) for fault in overrides(self.faults, "reorder"))
        past_kv = next(wrong, None) or reorder(cache.past_kv, rows)
        return replace(cache, past_kv=past_kv, ids=cache.ids[rows])

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
    table = getattr(layer, "block_table", None)
    return CacheLayer(
        k,
        v,
        buffers,
        rows_held,
        table.tolist() if table is not None else None,
        getattr(layer, "block_size", None),
    )
