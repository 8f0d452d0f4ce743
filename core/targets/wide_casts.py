"""A wide run that is wide all through: what a model casts to float32 by name goes to float64 with the rest.

Norms, routers, softmaxes and recurrent states are computed in float32 by many models whatever their parameters are in. In
a run in float64 they would round as coarsely as ever, and rounding would look like a defect that stays.
"""

from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

_BITS = (Tensor.view,)  # the same bytes read as another type: no cast


class WideCasts(TorchFunctionMode):
    """While it is entered, float32 asked for by name is float64."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is Tensor.float:
            return args[0].double()
        if func in _BITS:
            return func(*args, **kwargs)
        return func(*map(_wide, args), **{name: _wide(value) for name, value in kwargs.items()})


def _wide(value: Any) -> Any:
    return torch.float64 if value is torch.float32 else value
