"""From the name of a target to a function that makes fresh instances of it."""

from collections.abc import Callable

import torch

from core import catalog
from core.engine.messages import RunSpec
from core.errors import UnreadableError, UsageError
from core.targets.base import Target
from core.targets.faults import FAULTS
from core.targets.tiny import TinyTarget
from core.text import QT_TRANSLATE_NOOP
from tinylm.checkpoint import load_checkpoint


def target_loader(spec: RunSpec) -> Callable[[], Target]:
    """Return a function that makes one instance; the built-in models share their weights, which nothing changes.

    Raises:
        UsageError: the spec names a target, layout, fault or dtype that there is not.
    """
    check_names(spec)
    name = spec.target.removeprefix(catalog.TINY_PREFIX)
    try:
        model, _ = load_checkpoint(name)
    except (ValueError, OSError) as error:
        raise UnreadableError(
            QT_TRANSLATE_NOOP("core", "cannot load {target}: {reason}"), target=spec.target, reason=str(error)
        ) from error
    if spec.dtype is not None:
        model = model.to(getattr(torch, spec.dtype))
    return lambda: TinyTarget(spec.target, model, spec.layout, [FAULTS[fault]() for fault in spec.faults])


def check_names(spec: RunSpec) -> None:
    """Raise UsageError for a name that is not in the catalog; it lists what there is."""
    choices: list[tuple[str, str, tuple[str, ...]]] = [
        ("model", spec.target, catalog.MODELS),
        ("layout", spec.layout, catalog.LAYOUTS),
        ("scenario", spec.scenario, catalog.SCENARIOS),
        *(("fault", fault, catalog.FAULT_IDS) for fault in spec.faults),
        *([("dtype", spec.dtype, tuple(catalog.TOLERANCES))] if spec.dtype else []),
    ]
    for what, given, known in choices:
        if given not in known:
            raise UsageError(
                QT_TRANSLATE_NOOP("core", "unknown {what} {given!r}; choose one of: {known}"),
                what=what,
                given=given,
                known=", ".join(known),
            )
