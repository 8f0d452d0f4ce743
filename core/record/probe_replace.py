"""Gives an attention call another output while the model runs, in whatever shape the model wants it."""

from collections.abc import Callable

import torch
from torch import Tensor

from core.record.attention import AttentionCall

Replacement = Callable[[int, AttentionCall], Tensor | None]  # (number of the call, the call) -> (B, H, T, D)


def replaced(
    output: Tensor,
    index: int,
    call: AttentionCall,
    replacement: Replacement,
    view: Callable[[Tensor], AttentionCall | None],
) -> Tensor:
    """Return `output` with the rows that `call` shows replaced; `view` is the way from an output to its call.

    Where each number belongs is found by sending the places themselves along that way.
    """
    wanted = replacement(index, call)
    if wanted is None:
        return output
    places = view(torch.arange(output.numel(), device=output.device).view(output.shape))
    if places is None or places.output is None:
        return output
    changed = output.detach().clone(memory_format=torch.contiguous_format)
    changed.view(-1)[places.output.reshape(-1)] = wanted.reshape(-1).to(output.dtype)
    return changed
