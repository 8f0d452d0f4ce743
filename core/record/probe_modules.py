"""Outputs of a model's layers, embeddings and final norm, by forward hooks; how they are named and how many are kept."""

import contextlib
import inspect
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from core.record.probe_rows import Frame

MAX_MODULES = 100
_watched: WeakKeyDictionary[nn.Module, dict[str, nn.Module]] = WeakKeyDictionary()
# by paths: a model that were held here would never go
_position_places: WeakKeyDictionary[nn.Module, list[tuple[str, int]]] = WeakKeyDictionary()


def watched_modules(module: nn.Module) -> dict[str, nn.Module]:
    """Return modules by name, in the order of the model, at most MAX_MODULES of them.

    Those are the elements of each outermost nn.ModuleList (the layers), and beside the lists embeddings and norms.
    The answer is remembered: walking through a large model takes as long as a layer of it.
    """
    if module not in _watched:
        _watched[module] = _find_watched(module)
    return _watched[module]


def _find_watched(module: nn.Module) -> dict[str, nn.Module]:
    found: dict[str, nn.Module] = {}
    lists: list[str] = []
    for name, one in module.named_modules():
        if any(name.startswith(f"{outer}.") for outer in lists) or isinstance(one, torch.jit.ScriptModule):
            continue
        if isinstance(one, nn.ModuleList):
            lists.append(name)
            found.update((f"{name}.{place}", layer) for place, layer in one.named_children())
        elif name and (isinstance(one, nn.Embedding) or "norm" in type(one).__name__.lower()):
            found[name] = one
    return dict(list(found.items())[:MAX_MODULES])


def keep_outputs(
    module: nn.Module, outputs: dict[str, Tensor], frame: Frame, kept: Callable[[str], None] = lambda _: None
) -> list[RemovableHandle]:  # fmt: skip
    """Hook the watched modules: `outputs` gets the last rows [B, R, ...] of what each returned last, copied.

    `kept` is told the name of each as it returns.
    """

    def keeper(name: str) -> Callable[[nn.Module, Any, Any], None]:
        def keep(_: nn.Module, __: Any, output: Any) -> None:
            if isinstance(output, tuple | list) and output:
                output = output[0]
            if isinstance(output, Tensor) and _is_per_token(output, frame):
                rows = output.detach()
                outputs[name] = (rows if frame.n_rows is None else rows[:, -frame.n_rows :]).clone()
                kept(name)

        return keep

    return [one.register_forward_hook(keeper(name)) for name, one in watched_modules(module).items()]


def _is_per_token(output: Tensor, frame: Frame) -> bool:
    return (
        output.dim() >= 3
        and output.is_floating_point()
        and frame.batch in (None, output.shape[0])
        and output.shape[1]
        >= (frame.q_len or 1)  # a target may feed the model more tokens than it was asked for
    )


def keep_positions(module: nn.Module, keep: Callable[[Tensor], None]) -> list[RemovableHandle]:
    """Hook the calls that take `position_ids`: `keep` gets those of the first call to which they are given.

    A wrapper need not take them: the model inside it does, or makes them itself and hands them to its parts.
    """
    if module not in _position_places:
        _position_places[module] = _find_position_places(module)
    hooks: list[RemovableHandle] = []
    is_kept = False

    def reader(place: int) -> Callable[[nn.Module, tuple[Any, ...], dict[str, Any]], None]:
        def read(_: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            nonlocal is_kept
            if is_kept:
                return
            position_ids = args[place] if len(args) > place else kwargs.get("position_ids")
            if isinstance(position_ids, Tensor):
                is_kept = True
                keep(position_ids.detach().clone())

        return read

    for path, place in _position_places[module]:
        hooks.append(module.get_submodule(path).register_forward_pre_hook(reader(place), with_kwargs=True))
    return hooks


def _find_position_places(module: nn.Module) -> list[tuple[str, int]]:
    """Return the paths of modules whose forward names `position_ids`, and where; of a list of layers the first one is enough."""
    found: list[tuple[str, int]] = []
    behind: list[str] = []  # the other layers of a list, and what is in them
    for name, one in module.named_modules():
        if isinstance(one, torch.jit.ScriptModule) or any(
            name.startswith(f"{layer}.") or name == layer for layer in behind
        ):
            continue
        if isinstance(one, nn.ModuleList):
            behind += [f"{name}.{place}" if name else place for place, _ in list(one.named_children())[1:]]
        with contextlib.suppress(TypeError, ValueError):  # a forward without a signature
            names = list(inspect.signature(one.forward).parameters)
            if "position_ids" in names:
                found.append((name, names.index("position_ids")))
    return found
