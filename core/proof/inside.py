"""What modules are told before attention: ids that embeddings look up, and what the first layer gets."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from core.record.probe import Observation
from core.record.probe_modules import watched_modules

Told = Callable[[str, Tensor], Tensor | None]  # (name of what is told, its value) -> another value
_known: WeakKeyDictionary[nn.Module, dict[str, str]] = WeakKeyDictionary()
FIRST_INPUT = "first_input"
POSITION_IDS = "position_ids"


@contextmanager
def told(module: nn.Module | None, seen: dict[str, Tensor], change: Told | None = None) -> Iterator[None]:
    """Note what the modules are told inside the block, by name; `change` may tell them something else."""
    with ExitStack() as stack:
        for name, one in {} if module is None else _listeners(module).items():
            hook = one.register_forward_pre_hook(_listener(name, one, seen, change), with_kwargs=True)
            stack.callback(hook.remove)
        yield


def keep(seen: dict[str, Tensor], observation: Observation, n_rows: int) -> None:
    """Put what was noted beside what the probe saw, the last `n_rows` tokens of it."""
    for name, value in seen.items():
        if name == FIRST_INPUT:
            observation.first_input = value[:, -n_rows:]
        elif name != POSITION_IDS and value.dim() == 2:
            observation.embedded[name] = value[:, -n_rows:]


def _listeners(module: nn.Module) -> dict[str, nn.Module]:
    """Return modules that are told something of interest; looked for once, since a large model has thousands."""
    if module not in _known:
        paths = {one: path for path, one in module.named_modules()}
        # paths, since a module that were held here would never go
        _known[module] = {name: paths[one] for name, one in _found_listeners(module).items()}
    return {name: module.get_submodule(path) for name, path in _known[module].items()}


def _found_listeners(module: nn.Module) -> dict[str, nn.Module]:
    """Return modules that are told something of interest: embeddings, the first layer, and who takes position ids."""
    found: dict[str, nn.Module] = {
        name: one for name, one in module.named_modules() if isinstance(one, nn.Embedding) and name
    }
    layers = [one for name, one in watched_modules(module).items() if name.rpartition(".")[2] == "0"]
    if layers:
        found[FIRST_INPUT] = layers[0]
    for name, one in module.named_modules():
        if (
            name not in found
            and one not in layers
            and POSITION_IDS in inspect.signature(one.forward).parameters
        ):
            found[f"{POSITION_IDS} {name}"] = one
    return found


def _listener(
    name: str, module: nn.Module, seen: dict[str, Tensor], change: Told | None
) -> Callable[[nn.Module, tuple[Any, ...], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]] | None]:
    is_position = name.startswith(POSITION_IDS)
    names = list(inspect.signature(module.forward).parameters)
    place = names.index(POSITION_IDS) if is_position else 0
    key = POSITION_IDS if is_position else name

    def listen(
        _: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        given = args[place] if len(args) > place else kwargs.get(names[place] if names else "")
        if not isinstance(given, Tensor):
            return None
        if key not in seen:
            seen[key] = given.detach().clone()
        other = change(key, given) if change is not None else None
        if other is None:
            return None
        other = other.to(given.dtype).view_as(given) if other.numel() == given.numel() else given
        if len(args) > place:
            return (*args[:place], other, *args[place + 1 :]), kwargs
        return args, {**kwargs, names[place]: other}

    return listen


def rows_like(value: Tensor, rows: Tensor) -> Tensor | None:
    """Return `value` with its last rows replaced by `rows` (B, R, ...), None where they do not fit."""
    if value.dim() == 1 and rows.shape[0] == 1:
        rows = rows[0]
    axis = 0 if value.dim() == 1 else 1
    if value.dim() > 1 and rows.shape[0] != value.shape[0]:
        if value.shape[0] != 1 or not bool((rows == rows[:1]).all()):
            return None
        rows = rows[:1]
    n_rows = min(rows.shape[axis], value.shape[axis])
    if value.shape[axis + 1 :] != rows.shape[axis + 1 :]:
        return None
    kept = value.narrow(axis, 0, value.shape[axis] - n_rows)
    return torch.cat((kept, rows.narrow(axis, rows.shape[axis] - n_rows, n_rows).to(value.dtype)), axis)
