"""What a model can do at all, tried on a few tokens: it depends on family, kind of cache and version of transformers."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from core.errors import TargetError
from core.text import QT_TRANSLATE_NOOP, Text

if TYPE_CHECKING:
    from core.targets.hf import HfTarget

_N_TOKENS = 4
_SHORT_WINDOW = 64  # that a run may pass
_OTHER = 0.01  # of the largest logit: far above rounding, far below another position or another text


def why_no_crop(target: HfTarget) -> Text | None:
    """Say why its cache cannot go back, None where it can."""
    ids = _ids(target, _past_window(target))
    _, cache = target.cached(ids, None)
    reason = None
    if not hasattr(cache.inner, "crop"):
        reason = type(cache.inner).__name__
    elif not getattr(cache.inner, "is_croppable", True):
        kinds = {type(layer).__name__ for layer in cache.inner.layers if not layer.is_croppable}
        reason = ", ".join(sorted(kinds)) or type(cache.inner).__name__
    else:
        try:
            target.cached(ids[:, -1:], target.crop(cache, ids.shape[1] - 1))
        except TargetError as error:
            reason = str(error.text.values["reason"])
        except (RuntimeError, ValueError, IndexError) as error:  # what it cropped does not fit its own mask
            reason = f"{type(cache.inner).__name__}: {error}"
    if reason is None:
        return None
    return Text(QT_TRANSLATE_NOOP("core", "its cache cannot be rolled back: {reason}"), {"reason": reason})


def why_no_reorder(target: HfTarget) -> Text | None:
    """Say why rows of its cache cannot be exchanged, None where they can."""
    _, cache = target.cached(_ids(target), None)
    if hasattr(cache.inner, "reorder_cache"):
        return None
    return Text(QT_TRANSLATE_NOOP("core", "its cache cannot be reordered"))


def why_no_pads(target: HfTarget) -> Text | None:
    """Say why it takes no left pads, None where it does.

    Some families take a mask but count pads as positions, and cannot be told otherwise; some take none with a cache
    that is longer than the text.
    """
    ids = _ids(target)
    mask = torch.ones_like(ids)
    mask[0, 0] = 0
    try:
        padded, _ = target.cached(ids, None, mask)
    except (RuntimeError, ValueError, TypeError) as error:
        return Text(QT_TRANSLATE_NOOP("core", "it takes no left pads: {reason}"), {"reason": str(error)})
    if _differ(padded[:, -1], target.full(ids[:, 1:])[:, -1]):
        return Text(
            QT_TRANSLATE_NOOP(
                "core", "it takes no position_ids, and left pads shift the positions it counts itself"
            )
        )
    return None


def pad_id(model: Any) -> int | None:
    pad = getattr(model.config.get_text_config(decoder=True), "pad_token_id", None)
    return pad if isinstance(pad, int) and pad >= 0 else None


@torch.inference_mode()
def first_position(model: Any, vocab_size: int, device: str) -> int:
    """Return the position id of a text's first token, when the model is told none: some count on from their pad id."""
    pad = pad_id(model)
    if pad is None or "position_ids" not in inspect.signature(model.forward).parameters:
        return 0
    kept = [token for token in range(min(vocab_size, _N_TOKENS + 1)) if token != pad][:_N_TOKENS]
    ids = torch.tensor([kept], device=device)
    untold, counted = model(ids).logits, torch.arange(len(kept), device=device).unsqueeze(0)
    apart = {}
    for first in (0, pad + 1):
        with suppress(RuntimeError, ValueError, IndexError):  # past the end of a table
            apart[first] = float((model(ids, position_ids=counted + first).logits - untold).abs().max())
    return min(apart, key=lambda first: (apart[first], first), default=0)


@torch.inference_mode()
def reads_both_ways(model: Any, device: str) -> bool:
    """Whether tokens see those behind them: an encoder that was not saved as a decoder."""
    if getattr(model.config, "is_decoder", None) is not False:  # some decoders say so too
        return False
    ids = torch.arange(2, 2 + _N_TOKENS, device=device).unsqueeze(0)
    try:
        longer, shorter = model(ids).logits[:, 0], model(ids[:, :1]).logits[:, 0]
    except (RuntimeError, ValueError, TypeError):
        return False  # it will say why when it is run
    return _differ(longer, shorter)


@torch.inference_mode()
def keeps_state(model: Any, device: str) -> bool:
    """Whether a call leaves tensors on modules, as some recurrent families do: lanes cannot share such a model."""
    before = [(module, dict(vars(module))) for module in model.modules()]
    try:
        model(torch.arange(_N_TOKENS, device=device).unsqueeze(0), use_cache=True)
    except (RuntimeError, ValueError, TypeError):
        return False  # it will say why when it is run
    left = [
        (module, attributes)
        for module, attributes in before
        if any(
            isinstance(now, Tensor) and now is not attributes.get(key) for key, now in vars(module).items()
        )
    ]
    for module, attributes in left:  # as if nothing had been run
        vars(module).update(attributes)
    return bool(left)


def _past_window(target: HfTarget) -> int:
    """Return a length at which a short window has slid."""
    window = target.shape.window or 0
    return window + 2 if _N_TOKENS <= window <= _SHORT_WINDOW else _N_TOKENS


def _ids(target: HfTarget, n_tokens: int = _N_TOKENS) -> Tensor:
    return torch.arange(n_tokens).remainder(target.shape.vocab_size).unsqueeze(0)


def _differ(a: Tensor, b: Tensor) -> bool:
    return bool((a - b).abs().max() > _OTHER * b.abs().max().clamp_min(1e-6))
