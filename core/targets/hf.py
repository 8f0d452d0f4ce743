"""Causal language models of transformers as targets: `hf:FOLDER` and `hf:FILE.gguf`.

The model's own code runs unchanged. Without left pads it is told neither positions nor a mask: it must count them from
its cache itself, which is what is tested.
"""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn

from core.errors import TargetError, UnreadableError, UsageError
from core.targets.base import CacheLayer
from core.targets.hf_trials import first_position, pad_id, why_no_crop, why_no_pads, why_no_reorder
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import ModelShape

CACHE_ARGUMENTS = ("cache", "past_key_values", "cache_params")  # the newest name first


@dataclass(frozen=True)
class HfModel:
    """What is loaded once and shared by the lanes."""

    name: str
    model: Any  # a PreTrainedModel
    tokenizer: Any | None
    shape: ModelShape
    device: str
    keeps_state: bool = False
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True)
class HfCache:
    """A cache of transformers, and how many tokens were fed: not every kind knows."""

    inner: Any
    n_tokens: int


class HfTarget:
    """One lane. `capacity` is the length of static caches; `records_past` keeps what a rollback needs."""

    def __init__(
        self, loaded: HfModel, layout: str = "dynamic", capacity: int = 0, records_past: bool = False
    ) -> None:
        self.name = loaded.name
        self.shape = loaded.shape
        self.layout = layout
        self.notes = loaded.notes
        self._loaded = loaded
        self._model = loaded.model
        self._capacity = capacity
        self._records_past = records_past
        parameters = inspect.signature(loaded.model.forward).parameters
        self.takes_positions = "position_ids" in parameters
        self.takes_mask = "attention_mask" in parameters
        self._cache_argument = next((name for name in CACHE_ARGUMENTS if name in parameters), None)
        if self._cache_argument is None:
            raise UnreadableError(
                QT_TRANSLATE_NOOP("core", "{target}: {kind} takes no KV cache, there is nothing to compare"),
                target=self.name,
                kind=type(loaded.model).__name__,
            )

    @property
    def module(self) -> nn.Module:
        module: nn.Module = self._model
        return module

    @torch.inference_mode()
    def full(self, ids: Tensor) -> Tensor:
        return self._logits(self._model(ids.to(self._loaded.device), use_cache=False))

    @torch.inference_mode()
    def cached(
        self, ids: Tensor, cache: HfCache | None, attention_mask: Tensor | None = None
    ) -> tuple[Tensor, HfCache]:
        if cache is None:
            cache = HfCache(self._new_cache(), 0)
        assert self._cache_argument is not None
        told: dict[str, Any] = {self._cache_argument: cache.inner, "use_cache": True}
        if attention_mask is not None:
            told |= self._padding(attention_mask, ids.shape[1], cache)
        result = self._model(ids.to(self._loaded.device), **told)
        returned = getattr(result, self._cache_argument, None)
        inner = cache.inner if returned is None else returned
        return self._logits(result), HfCache(inner, cache.n_tokens + ids.shape[1])

    def _padding(self, attention_mask: Tensor, q_len: int, cache: HfCache) -> dict[str, Tensor]:
        """Left pads take no position, and nobody attends to them."""
        if cache.n_tokens and _is_recurrent(cache.inner):
            return {}  # its states took no pads up, and the new tokens are none: generate() drops the mask too
        mask = attention_mask.to(self._loaded.device)
        told = {"attention_mask": mask}
        if self.takes_positions:
            told["position_ids"] = (mask.cumsum(1) - 1).clamp_min(0)[:, -q_len:] + self._first_position
        return told

    @cached_property
    def _first_position(self) -> int:
        return first_position(self.module, self.shape.vocab_size, self._loaded.device)

    def note_on(self, rows: Sequence[Sequence[int]]) -> Text | None:
        """Say what a prompt does that holds the pad id, where positions are counted by it."""
        pad = pad_id(self.module)
        if pad is None or not any(pad in row for row in rows) or self._first_position == 0:
            return None
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "the prompt holds the pad id {pad}, to which this model gives no position of its own, and its cache counts it all the same; try a prompt without it",
            ),
            {"pad": pad},
        )

    def _logits(self, result: Any) -> Tensor:
        logits: Tensor = result.logits
        return logits.cpu()

    def _new_cache(self) -> Any:
        """The kinds of its layers follow from the config: sliding layers get a window, recurrent ones a state."""
        from transformers import cache_utils

        if self.layout == "static":
            return cache_utils.StaticCache(config=self._model.config, max_cache_len=self._capacity)
        suits = getattr(self._model, "_supports_default_dynamic_cache", None)
        if suits is not None and not suits():
            return None  # the model makes a cache of its own kind
        cache = cache_utils.DynamicCache(config=self._model.config)
        if self._records_past and hasattr(cache, "activate_past_recording"):
            cache.activate_past_recording()  # a window forgets otherwise what a rollback must bring back
        return cache

    @torch.inference_mode()
    def crop(self, cache: HfCache, length: int) -> HfCache:
        try:
            cache.inner.crop(length - cache.n_tokens)  # transformers counts the tokens to remove, below zero
        except (RuntimeError, ValueError, NotImplementedError) as error:
            raise TargetError(
                QT_TRANSLATE_NOOP("core", "{target}: its cache cannot go back: {reason}"),
                target=self.name,
                reason=str(error),
            ) from error
        return replace(cache, n_tokens=length)

    @torch.inference_mode()
    def reorder(self, cache: HfCache, rows: Tensor) -> HfCache:
        cache.inner.reorder_cache(rows.to(self._loaded.device))
        return cache

    def why_not(self, scenario: str) -> Text | None:
        if scenario == "ragged-batch" and not self.takes_mask:
            return Text(
                QT_TRANSLATE_NOOP("core", "{kind} takes no attention_mask"),
                {"kind": type(self._model).__name__},
            )
        if scenario == "ragged-batch" and (self.layout == "static" or not self.takes_positions):
            return why_no_pads(self)
        if scenario == "rollback":
            return why_no_crop(self)
        if scenario == "beam-reorder":
            return why_no_reorder(self)
        return None

    def inspect(self, cache: HfCache) -> list[CacheLayer] | None:
        """Return the layers that hold keys; states of recurrent layers have no rows."""
        try:
            layers = [_cache_layer(layer) for layer in cache.inner.layers]
        except (AttributeError, TypeError, ValueError, RuntimeError, IndexError):
            return None  # a kind of cache that is not known: what attention reads is seen by the probe
        return [layer for layer in layers if layer is not None] or None

    @property
    def has_text(self) -> bool:
        return self._loaded.tokenizer is not None

    def encode(self, text: str) -> list[int]:
        if self._loaded.tokenizer is None:
            raise UsageError(
                QT_TRANSLATE_NOOP(
                    "core", "{target} has no tokenizer; give the prompt as ids with --prompt-ids 3,1,4"
                ),
                target=self.name,
            )
        text.encode("utf-8")  # a lone surrogate is named by its place, which a tokenizer would not do
        if not text:
            return []
        ids: list[int] = self._loaded.tokenizer.encode(text)
        if max(ids, default=0) >= self.shape.vocab_size:
            raise UnreadableError(
                QT_TRANSLATE_NOOP(
                    "core",
                    "{target}: the tokenizer gives id {token_id}, and the model's vocabulary ends at {last}; they do not belong together",
                ),
                target=self.name,
                token_id=max(ids),
                last=self.shape.vocab_size - 1,
            )
        return ids

    def decode(self, ids: list[int]) -> str:
        return "".join(self._token_text(token_id) for token_id in ids)

    def _token_text(self, token_id: int) -> str:
        tokenizer = self._loaded.tokenizer
        if tokenizer is None or (piece := tokenizer.convert_ids_to_tokens(token_id)) is None:
            return f"#{token_id}"
        text: str = tokenizer.decode([token_id], skip_special_tokens=False)
        # SentencePiece writes a leading space as this sign, and drops it from a text's first token
        return " " + text if piece.startswith("\u2581") and not text.startswith(" ") else text


def _is_recurrent(cache: Any) -> bool:
    return all(not hasattr(layer, "keys") for layer in getattr(cache, "layers", ()))


def _cache_layer(layer: Any) -> CacheLayer | None:
    keys, values = getattr(layer, "keys", None), getattr(layer, "values", None)
    if not isinstance(keys, Tensor) or not isinstance(values, Tensor) or keys.dim() != 4 or values.dim() != 4:
        return None
    capacity = keys.shape[2]
    n_rows = capacity
    if hasattr(layer, "max_cache_len"):  # allocated ahead: a window counts beyond its length
        n_rows = min(capacity, int(layer.get_seq_length()))
    return CacheLayer(keys[:, :, :n_rows], values[:, :, :n_rows], (keys, values), capacity)
