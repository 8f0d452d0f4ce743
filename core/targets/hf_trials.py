"""What a model can do at all, tried on a few tokens: it depends on family, kind of cache and version of transformers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from core.errors import TargetError
from core.text import QT_TRANSLATE_NOOP, Text

if TYPE_CHECKING:
    from core.targets.hf import HfTarget

_N_TOKENS = 4
_OTHER = 0.01  # of the largest logit: far above rounding, far below another position or another text


def why_no_crop(target: HfTarget) -> Text | None:
    """Say why its cache cannot go back, None where it can."""
    _, cache = target.cached(_ids(target), None)
    reason = None
    if not hasattr(cache.inner, "crop"):
        reason = type(cache.inner).__name__
    elif not getattr(cache.inner, "is_croppable", True):
        kinds = {type(layer).__name__ for layer in cache.inner.layers if not layer.is_croppable}
        reason = ", ".join(sorted(kinds)) or type(cache.inner).__name__
    else:
        try:
            target.crop(cache, _N_TOKENS - 1)
        except TargetError as error:
            reason = str(error.text.values["reason"])
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


def _ids(target: HfTarget) -> Tensor:
    return torch.arange(_N_TOKENS).remainder(target.shape.vocab_size).unsqueeze(0)


def _differ(a: Tensor, b: Tensor) -> bool:
    return bool((a - b).abs().max() > _OTHER * b.abs().max().clamp_min(1e-6))
