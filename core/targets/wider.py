"""Instances of a target in the next wider dtype, with what cannot run in it left as it is.

Not every model runs wider as it stands: some kernels take no float64, some constants overflow. The module in which a
first call fails goes back to its own dtype, between casts, until the call succeeds; what was left narrow is told.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.targets.base import Target

MAX_LEFT = 6  # kinds of modules: a model that fails in more of them is not the same model any more
TRIAL_LEN = 4


class CannotWiden(Exception):
    """No part of the target that makes a difference runs wider; the text says why."""


class Wider:
    """Makes wide instances; `left_narrow` names the kinds of modules that they keep in the target's own dtype."""

    def __init__(self, make: Callable[[], Target], narrow: str, wide: str, ids: Tensor) -> None:
        """Try it out on ids [1, T].

        Raises:
            CannotWiden: a call of the wide target fails whatever is left narrow.
        """
        self._make = make
        self._narrow, self._wide = getattr(torch, narrow), getattr(torch, wide)
        self._done: list[nn.Module] = []  # instances may share their modules
        self.left_narrow: list[str] = []
        self._try_out(ids[:, :TRIAL_LEN])

    def instance(self) -> Target:
        """Return a new instance for a lane."""
        target = self._make()
        for module in target.module.modules() if target.module is not None else ():
            if type(module).__name__ in self.left_narrow and not any(module is one for one in self._done):
                _keep_narrow(module, self._narrow, self._wide)
                self._done.append(module)
        return target

    @torch.no_grad()
    def is_cached_narrow(self, ids: Tensor) -> bool:
        """Whether cached() of a wide instance still handles tensors of the target's own dtype, such as its cache."""
        target, seen = self.instance(), _SeenDtypes()
        _, cache = target.cached(ids[:, :TRIAL_LEN].clone(), None)
        with seen:
            target.cached(ids[:, :1].clone(), cache)
        return self._narrow in seen.dtypes

    def _try_out(self, ids: Tensor) -> None:
        """Call an instance that is no lane's: what it keeps of the calls is nobody's."""
        eager_is_tried = False
        while True:
            try:
                target = self.instance()
            except Exception as error:
                raise CannotWiden(in_short(error)) from error
            running = _Running(target.module)
            try:
                _call(target, ids)
            except Exception as error:
                if not eager_is_tried and _use_eager_experts(target.module):
                    eager_is_tried = True  # a fused kernel that takes no float64 has a plain twin
                    continue
                kind = type(running.stack[-1]).__name__ if running.stack else None
                if kind is None or kind in self.left_narrow or len(self.left_narrow) == MAX_LEFT:
                    raise CannotWiden(in_short(error)) from error
                self.left_narrow.append(kind)
            else:
                return
            finally:
                running.forget()


@torch.no_grad()
def _call(target: Target, ids: Tensor) -> None:
    """Feed a prompt and a token: kernels of one token may be others."""
    target.full(ids.clone())
    _, cache = target.cached(ids.clone(), None)
    target.cached(ids[:, :1].clone(), cache)


def in_short(error: BaseException) -> str:
    """Return kind and beginning of an error's message."""
    return f"{type(error).__name__}: {str(error).strip()[:160]}".rstrip(": ")


def _use_eager_experts(model: Any) -> bool:
    """Ask a transformers model for the plain loop over its experts; False where it has no such switch."""
    if not hasattr(model, "set_experts_implementation"):
        return False
    try:
        model.set_experts_implementation("eager")
    except Exception:  # this kind of model has no experts
        return False
    return True


class _SeenDtypes(TorchFunctionMode):
    """Notes the dtypes of all tensors that torch's functions return."""

    def __init__(self) -> None:
        super().__init__()
        self.dtypes: set[torch.dtype] = set()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.dtypes.update(
            one.dtype
            for one in (result if isinstance(result, tuple) else (result,))
            if isinstance(one, Tensor)
        )
        return result


class _Running:
    """The modules that are being called, outermost first; after a failure the last one is where it happened."""

    def __init__(self, root: nn.Module | None) -> None:
        self.stack: list[nn.Module] = []
        self._hooks: list[Any] = []
        for module in root.modules() if root is not None else ():
            self._hooks.append(module.register_forward_pre_hook(self._enter))
            self._hooks.append(module.register_forward_hook(self._leave))

    def _enter(self, module: nn.Module, args: Any) -> None:
        self.stack.append(module)

    def _leave(self, module: nn.Module, args: Any, output: Any) -> None:
        while self.stack and self.stack.pop() is not module:
            pass  # calls that ended in an exception which the model caught

    def forget(self) -> None:
        for hook in self._hooks:
            hook.remove()


def _keep_narrow(module: nn.Module, narrow: torch.dtype, wide: torch.dtype) -> None:
    """Put a module back into its own dtype, between casts."""
    module.to(narrow)

    def before(_: nn.Module, args: Any, kwargs: Any) -> Any:
        return _cast(args, wide, narrow), _cast(kwargs, wide, narrow)

    def after(_: nn.Module, args: Any, output: Any) -> Any:
        return _cast(output, narrow, wide)

    module.register_forward_pre_hook(before, with_kwargs=True)
    module.register_forward_hook(after)


def _cast(value: Any, source: torch.dtype, target: torch.dtype) -> Any:
    if isinstance(value, Tensor):
        return value.to(target) if value.dtype == source else value
    if type(value) in (tuple, list):
        return type(value)(_cast(one, source, target) for one in value)
    if isinstance(value, dict) and type(value) is dict:
        return {key: _cast(one, source, target) for key, one in value.items()}
    return value
