"""A top-k with equal values takes which of them it likes: by the length of the row, which differs between the lanes.

Neither lane is wrong then. Both run again with a top-k that takes the first of equals: a tie makes no difference any more.
"""

from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

_TOPK = (torch.topk, Tensor.topk)


class FirstOfEquals(TorchFunctionMode):
    """While it is entered, top-k is a stable sort; `was_asked` tells whether there was any."""

    def __init__(self) -> None:
        super().__init__()
        self.was_asked = False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func not in _TOPK:
            return func(*args, **(kwargs or {}))
        self.was_asked = True
        return _topk(*args, **(kwargs or {}))


def _topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, out: Any = None
) -> Any:
    """As torch.topk; the order of the result is that of the sort, whatever `sorted` says."""
    values, indices = torch.sort(input, dim=dim, descending=largest, stable=True)
    return torch.return_types.topk((values.narrow(dim, 0, k), indices.narrow(dim, 0, k)))
