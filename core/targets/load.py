"""From the name of a target to a loader: something that makes fresh instances of it, one for each lane."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch

from core import catalog
from core.catalog import check_choices
from core.engine.messages import RunSpec
from core.errors import TargetError, UnreadableError, UsageError
from core.targets.base import Target
from core.targets.faults import planted
from core.targets.python_file import PythonTarget, read_code
from core.targets.tiny import TinyTarget
from core.text import QT_TRANSLATE_NOOP
from tinylm.checkpoint import load_checkpoint

_CHECK_IDS = (3, 1, 4, 1, 5)


@dataclass(frozen=True)
class Loader:
    """`scratch` is nobody's lane: it is asked for shape and tokens. `fresh` makes a lane's instance, `wide` the same in a wider dtype."""

    scratch: Target
    fresh: Callable[[], Target]
    wide: Callable[[], Target] | None = None

    @property
    def wide_dtype(self) -> str | None:
        return catalog.WIDER.get(self.scratch.shape.dtype) if self.wide is not None else None


def make_loader(spec: RunSpec) -> Loader:
    """Return the loader of a target.

    Raises:
        UsageError: the spec names a target, layout, fault or dtype that there is not.
        TargetError: the target cannot be loaded, or two loads of it differ.
    """
    if spec.target.startswith(catalog.HF_PREFIX):
        return _hf_loader(spec)
    if spec.device not in (None, "cpu"):
        template = QT_TRANSLATE_NOOP(
            "core", "{option} is for hf: targets; {target} runs where its weights are"
        )
        raise UsageError(template, option="--device", target=spec.target)
    if spec.target.startswith(catalog.TINY_PREFIX):
        return _tiny_loader(spec)
    return _python_loader(spec)


def _hf_loader(spec: RunSpec) -> Loader:
    from core.targets.hf_load import load_hf  # late: what it needs is an extra

    fresh, wide = load_hf(spec)
    return Loader(fresh(), fresh, wide)


def _tiny_loader(spec: RunSpec) -> Loader:
    """The built-in models share their weights, which nothing changes."""
    catalog.check_tiny(spec.target, spec.layout, spec.faults)
    model = _built_in(spec.target)
    if spec.dtype is not None:
        check_choices([("dtype", spec.dtype, tuple(catalog.TOLERANCES))])
        model = copy.deepcopy(model).to(getattr(torch, spec.dtype))

    def instance_of(weights: torch.nn.Module) -> Target:
        return TinyTarget(spec.target, weights, spec.layout, planted(spec.faults))  # type: ignore[arg-type]

    @cache  # most runs never ask for it
    def wide_weights() -> torch.nn.Module:
        return copy.deepcopy(model).to(getattr(torch, str(wide_dtype)))

    wide_dtype = catalog.WIDER.get(str(next(model.parameters()).dtype).removeprefix("torch."))
    wide = None if wide_dtype is None else lambda: instance_of(wide_weights())
    return Loader(instance_of(model), lambda: instance_of(model), wide)


@cache
def _built_in(target: str) -> torch.nn.Module:
    try:
        return load_checkpoint(target.removeprefix(catalog.TINY_PREFIX))[0]
    except (ValueError, OSError) as error:
        template = QT_TRANSLATE_NOOP("core", "cannot load {target}: {reason}")
        raise UnreadableError(template, target=target, reason=str(error)) from error


def _python_loader(spec: RunSpec) -> Loader:
    path = Path(spec.target)
    if path.suffix != ".py" and not path.exists():
        check_choices([("model", spec.target, (*catalog.MODELS, "a Python file my_model.py"))])
    if not path.is_file():
        template = QT_TRANSLATE_NOOP(
            "core",
            "there is no target {target}; give one of {known}, or a Python file that defines full() and cached()",
        )
        raise TargetError(template, target=spec.target, known=", ".join(catalog.MODELS))
    for what, given in (("--fault", spec.faults), ("--dtype", spec.dtype)):
        if given:
            template = QT_TRANSLATE_NOOP("core", "{option} is for built-in models; {target} brings its own")
            raise UsageError(template, option=what, target=spec.target)
    file = read_code(path, spec.allowed_sha256)
    scratch = PythonTarget(file)
    if not spec.shared:
        _check_reproducible(scratch, lambda: PythonTarget(file, scratch.shape))

    @cache
    def shared(is_wide: bool) -> PythonTarget:
        return PythonTarget(file, scratch.shape) if is_wide else scratch

    def fresh(is_wide: bool = False) -> PythonTarget:
        return shared(is_wide) if spec.shared else PythonTarget(file, scratch.shape)

    dtype = catalog.WIDER.get(scratch.shape.dtype)
    if scratch.module is None or dtype is None:
        return Loader(scratch, fresh)
    return Loader(scratch, fresh, lambda: fresh(is_wide=True).widen(dtype))


def _check_reproducible(first: Target, load: Callable[[], Target]) -> None:
    """Two loads must give the same logits, and one of them the same twice; else nothing can be said about a cache."""
    second = load()
    ids = torch.tensor(
        [[token_id % first.shape.vocab_size for token_id in _CHECK_IDS[: first.shape.max_length]]]
    )
    once, again, other = first.full(ids.clone()), first.full(ids.clone()), second.full(ids.clone())
    if not _is_same(once, again):
        raise TargetError(
            QT_TRANSLATE_NOOP("core", "full() of {target} is not reproducible: the same ids give other logits when it is called again; switch dropout off (module.eval()) and seed what is drawn"),
            target=first.name,
        )  # fmt: skip
    if _is_same(once, other):
        return
    if _is_same(
        other, load().full(ids.clone())
    ):  # fresh ones agree: the first has been asked for its shape before
        raise TargetError(
            QT_TRANSLATE_NOOP("core", "full() of {target} keeps something from its calls: other ids fed before change its logits; it must be a function of its ids alone"),
            target=first.name,
        )  # fmt: skip
    raise TargetError(
        QT_TRANSLATE_NOOP("core", "two loads of {target} give different logits: its weights are not seeded; call torch.manual_seed before they are made, or load them from a file"),
        target=first.name,
    )  # fmt: skip


def _is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and torch.equal(one.nan_to_num(), other.nan_to_num())
