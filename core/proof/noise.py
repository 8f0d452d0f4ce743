"""How large rounding is in a model: measured on the oracle, which has no cache that could be at fault."""

from contextlib import suppress

import torch
from torch import Tensor, nn

from core.targets.base import Target

N_MORE = 4  # tokens by which the text is made longer
NUDGE = 1e-9  # relative


@torch.no_grad()
def own_noise(target: Target, text: Tensor, dtype: str) -> float | None:
    """Return how far full() moves, max |logit difference|, when only the shape of its computation changes.

    The rows of a text [1, T] must not depend on what stands behind or beside them; the order in which sums are added up
    does. Other lengths, down to one token as in decoding, and a batch of two give other orders. A logit cannot be more
    exact than its last place either. None where something is not finite.
    """
    whole = target.full(text.clone()).double()
    largest = whole.abs().where(torch.isfinite(whole), whole.new_zeros(())).max()
    noise = largest * torch.finfo(getattr(torch, dtype)).eps / 2
    if dtype == "float64" and target.module is not None:
        once, twice = (_nudged(target, target.module, text, times) for times in (1, 2))
        noise = torch.maximum(noise, _moved(twice, 2 * once - whole) / 2)  # a smooth answer is twice as large
    for ids in _other_shapes(text, target.shape.max_length):
        with suppress(Exception):  # a target may refuse a shape that no scenario needs
            other = target.full(ids.clone()).double()
            noise = torch.maximum(noise, _moved(whole, other[:1]))
    return float(noise) if bool(torch.isfinite(noise)) else None


def _other_shapes(text: Tensor, max_length: int | None) -> list[Tensor]:
    n_tokens = text.shape[1]
    lengths = sorted({1, 2, 3, n_tokens // 4, n_tokens // 2, n_tokens - 1} - {0, n_tokens})
    shapes = [text[:, :length] for length in lengths if 0 < length < n_tokens]
    longer = torch.cat((text, text[:, :N_MORE]), 1)
    if max_length is None or longer.shape[1] <= max_length:
        shapes.append(longer)
    return [*shapes, text.repeat(2, 1)]


def _moved(want: Tensor, got: Tensor) -> Tensor:
    n_rows = min(got.shape[1], want.shape[1])
    want, got = want[:, :n_rows], got[:, :n_rows]
    return (got - want).abs().masked_fill(got == want, 0.0).max()  # inf - inf would be NaN


@torch.inference_mode()
def _nudged(target: Target, module: nn.Module, text: Tensor, times: int) -> Tensor:
    """Return the logits with parameters changed in their ninth digit.

    Where all of a model computes in float64, the logits move in proportion. A part in float32 rounds to where it was, or
    jumps by a last place of float32. What rounding in float64 does by itself makes it jump too rarely to be met in a few
    calls, and yet in a run it does.
    """
    generator = torch.Generator().manual_seed(0)
    before = [parameter.clone() for parameter in module.parameters()]
    try:
        for parameter in module.parameters():
            if parameter.is_floating_point():
                nudge = torch.rand(parameter.shape, generator=generator, dtype=torch.float64) * (
                    NUDGE * times
                )
                parameter.mul_((1 + nudge).to(parameter))
        return target.full(text.clone()).double()
    finally:
        for parameter, value in zip(module.parameters(), before, strict=True):
            parameter.copy_(value)  # other instances may share it
