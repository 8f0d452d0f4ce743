"""A user's Python file as a target: executed afresh for every instance, watched for what the contract promises.

The file runs with the user's rights in the engine process; that is robustness, not a sandbox.
"""

import hashlib
import inspect
import itertools
import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.errors import TargetError, UsageError
from core.targets.base import Cache, CacheLayer
from core.targets.surroundings import Surroundings
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import ModelShape

_NEEDS = {"rollback": "crop", "beam-reorder": "reorder"}
_PROBE_IDS = (3, 1, 4, 1)
_counter = itertools.count()
_OURS = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class TargetCode:
    """The compiled file: read once, so that what was allowed is what every instance runs."""

    path: Path
    code: CodeType


def read_code(path: Path, allowed_sha256: tuple[str, ...] | None = None) -> TargetCode:
    """Read and compile a target file.

    Raises:
        TargetError: it cannot be read, or its content is not among those that the user has allowed.
        SyntaxError: it is not valid Python.
    """
    path = path.resolve()
    try:
        content = path.read_bytes()
    except OSError as error:
        template = QT_TRANSLATE_NOOP("core", "cannot read {path}: {reason}")
        raise TargetError(template, path=str(path), reason=error.strerror or str(error)) from error
    if allowed_sha256 is not None and hashlib.sha256(content).hexdigest() not in allowed_sha256:
        template = QT_TRANSLATE_NOOP("core", "{path} has changed since it was allowed to run; open it again")
        raise TargetError(template, path=str(path))
    try:
        return TargetCode(path, compile(content, str(path), "exec", dont_inherit=True))
    except ValueError as error:  # a NUL in the source
        template = QT_TRANSLATE_NOOP("core", "{place}: the target is not valid Python: {reason}")
        raise TargetError(template, place=str(path), reason=str(error)) from error


class PythonTarget:
    """One execution of the file; what it keeps between calls (modules, globals, directory, dtype) is its own."""

    def __init__(self, file: TargetCode, shape: ModelShape | None = None) -> None:
        """Execute the file. `shape` is what another instance found out: asking this one could leave traces in it."""
        path = file.path
        self.path = path
        self.name = str(path)
        self._surroundings = Surroundings()
        with self._surroundings:
            self._contract = _contract(_execute(file))
        self._full, self._cached = (_function(self._contract, name, path) for name in ("full", "cached"))
        module = getattr(self._contract, "module", None)
        self.module: nn.Module | None = module if isinstance(module, nn.Module) else None
        self.takes_mask = all(_takes_mask(function) for function in (self._full, self._cached))
        self.crop = self._optional("crop")
        self.reorder = self._optional("reorder")
        self.shape = shape or self._find_shape()

    def full(self, ids: Tensor) -> Tensor:
        with self._surroundings:
            logits = self._full(ids)
        return as_tensor(logits, "full")

    def cached(self, ids: Tensor, cache: Cache, attention_mask: Tensor | None = None) -> tuple[Tensor, Cache]:
        with self._surroundings:
            if attention_mask is None:
                result = self._cached(ids, cache)
            else:
                result = self._cached(ids, cache, attention_mask=attention_mask)
        if not isinstance(result, tuple) or len(result) != 2:
            raise TargetError(
                QT_TRANSLATE_NOOP("core", "cached() returned {kind}, expected a pair (logits, cache)"),
                kind=type(result).__name__,
            )
        return as_tensor(result[0], "cached"), result[1]

    def widen(self, dtype: str) -> "PythonTarget":
        """Turn the parameters into a wider dtype, on this instance."""
        assert self.module is not None
        with self._surroundings:
            self.module.to(getattr(torch, dtype))
        return self

    def inspect(self, cache: Cache) -> list[CacheLayer] | None:
        return None  # its layout is the target's own business; what attention reads is seen by the probe

    def why_not(self, scenario: str) -> Text | None:
        needed = _NEEDS.get(scenario)
        if needed is not None and getattr(self, needed) is None:
            return Text(QT_TRANSLATE_NOOP("core", "the target has no {function}()"), {"function": needed})
        if scenario == "ragged-batch" and not self.takes_mask:
            return Text(
                QT_TRANSLATE_NOOP("core", "full() and cached() do not both take the keyword attention_mask")
            )
        return None

    def encode(self, text: str) -> list[int]:
        encode = getattr(self._contract, "encode", None)
        if not callable(encode):
            raise UsageError(
                QT_TRANSLATE_NOOP(
                    "core", "{path} has no encode(text); give the prompt as ids with --prompt-ids 3,1,4"
                ),
                path=self.name,
            )
        with self._surroundings:
            ids = encode(text)
        try:
            return [operator.index(token_id) for token_id in ids]
        except TypeError as error:
            template = QT_TRANSLATE_NOOP("core", "encode() returned {shown}, expected a list of token ids")
            raise TargetError(template, shown=_short(ids)) from error

    @property
    def has_text(self) -> bool:
        return callable(getattr(self._contract, "encode", None))

    def decode(self, ids: list[int]) -> str:
        decode = getattr(self._contract, "decode", None)
        if not callable(decode):
            return " ".join(f"#{token_id}" for token_id in ids)
        with self._surroundings:
            return str(decode(list(ids)))

    def _optional(self, name: str) -> Callable[..., Any] | None:
        function = getattr(self._contract, name, None)
        if not callable(function):
            return None

        def called(*args: Any) -> Any:
            with self._surroundings:
                return function(*args)

        return called

    def _find_shape(self) -> ModelShape:
        """Ask for what the file does not say: the vocabulary and, without a module, the dtype of its logits."""
        vocab_size, max_length = (
            _count(self._contract, name, self.path) for name in ("vocab_size", "max_length")
        )
        dtype = _parameter_dtype(self.module)
        if vocab_size is None or dtype is None:
            ids = [token_id % (vocab_size or 1) for token_id in _PROBE_IDS[:max_length]]
            logits = self.full(torch.tensor([ids]))
            if logits.dim() != 3:
                raise TargetError(
                    QT_TRANSLATE_NOOP(
                        "core",
                        "full() returned logits of shape {shown}, expected [batch, tokens, vocabulary]",
                    ),
                    shown=str(tuple(logits.shape)),
                )
            # logits in float64 do not mean that the model computed in float64: without parameters to ask, float32
            narrow = torch.float32 if logits.dtype == torch.float64 else logits.dtype
            vocab_size, dtype = vocab_size or logits.shape[-1], dtype or narrow
        return ModelShape(
            dtype=str(dtype).removeprefix("torch."), vocab_size=vocab_size, max_length=max_length
        )


def _short(value: object) -> str:
    return f"{type(value).__name__} {value!r}"[:80]


def as_tensor(logits: object, function: str) -> Tensor:
    """Return a detached copy on the CPU; numpy arrays are taken too.

    Raises:
        TargetError: it is neither, or a tensor without values (meta, sparse).
    """
    if isinstance(logits, np.ndarray):
        logits = torch.from_numpy(np.ascontiguousarray(logits))
    if (
        not isinstance(logits, Tensor)
        or logits.layout != torch.strided
        or logits.is_meta
        or not logits.is_floating_point()
    ):
        shown = (
            f"a {logits.layout} tensor of {logits.dtype} on {logits.device}"
            if isinstance(logits, Tensor)
            else type(logits).__name__
        )
        raise TargetError(
            QT_TRANSLATE_NOOP("core", "{function}() returned {shown} as logits, expected a float tensor [batch, tokens, vocabulary] or the same as a numpy array (numpy.asarray makes one of lists and of other libraries' arrays)"),
            function=function, shown=shown,
        )  # fmt: skip
    return logits.detach().cpu().clone()


def _execute(file: TargetCode) -> ModuleType:
    """Run the code in a module of its own; modules beside the file are imported afresh, since they hold state too."""
    folder = file.path.parent
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if origin is not None and _is_beside(Path(origin), folder):
            del sys.modules[name]
    module = ModuleType(f"kvscope_target_{next(_counter)}")
    module.__file__ = str(file.path)
    sys.modules[module.__name__] = module  # dataclasses and pickling look it up
    sys.path.insert(0, str(folder))
    try:
        exec(file.code, module.__dict__)  # a target is a program, and naming or allowing it is the consent
    finally:
        sys.path.remove(str(folder))
    return module


def _is_beside(origin: Path, folder: Path) -> bool:
    """Whether a module is the user's own: below the target's folder, and neither installed there nor part of KVScope."""
    is_installed = "site-packages" in origin.parts or "dist-packages" in origin.parts
    return origin.is_relative_to(folder) and not is_installed and not origin.is_relative_to(_OURS)


def _contract(module: ModuleType) -> Any:
    load = getattr(module, "load", None)
    return load() if callable(load) else module


def _function(contract: Any, name: str, path: Path) -> Callable[..., Any]:
    function = getattr(contract, name, None)
    if not callable(function):
        raise TargetError(
            QT_TRANSLATE_NOOP("core", "{path} defines no {name}(); a target needs full(ids) and cached(ids, cache), see the README"),
            path=str(path), name=name,
        )  # fmt: skip
    return function  # type: ignore[no-any-return]


def _takes_mask(function: Callable[..., Any]) -> bool:
    try:
        return "attention_mask" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        return False


def _count(contract: Any, name: str, path: Path) -> int | None:
    value = getattr(contract, name, None)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise TargetError(
            QT_TRANSLATE_NOOP("core", "{name} of {path} is {value}, expected a whole number from 1 on"),
            name=name, path=str(path), value=repr(value)[:80],
        )  # fmt: skip
    return value


def _parameter_dtype(module: nn.Module | None) -> torch.dtype | None:
    """Return the narrowest float dtype of the parameters: it sets the size of rounding."""
    dtypes = (
        {p.dtype for p in module.parameters() if p.dtype.is_floating_point} if module is not None else set()
    )
    return min(dtypes, key=lambda dtype: torch.finfo(dtype).bits, default=None)
