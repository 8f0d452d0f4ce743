"""What kind of target a name stands for, and what the toolbar can offer for it. Nothing here loads or runs one."""

from pathlib import Path

from msgspec.structs import replace

from core.catalog import DEFAULT_TARGET, HF_LAYOUTS, HF_PREFIX, LAYOUTS, MODELS, default_layout
from core.engine.messages import RunSpec
from core.trace.importers import SUFFIXES

PYTHON_SUFFIX = ".py"
GGUF_SUFFIX = ".gguf"
TRACE_SUFFIXES = SUFFIXES


def is_builtin(target: str) -> bool:
    """One of our own models: faults can be planted, and the layout of the cache chosen."""
    return target in MODELS


def is_hugging_face(target: str) -> bool:
    """A model folder or a GGUF file: data that is read, never code that is run."""
    return target.startswith(HF_PREFIX)


def is_program(target: str) -> bool:
    """Whatever else there is would be executed, with the user's rights."""
    return not (is_builtin(target) or is_hugging_face(target))


def target_of_path(path: Path) -> str | None:
    """The target that a file or folder stands for; None where it is to be read as a trace."""
    if path.is_dir() or path.suffix.lower() == GGUF_SUFFIX:
        return HF_PREFIX + str(path.resolve())
    return str(path.resolve()) if path.suffix == PYTHON_SUFFIX else None


def absolute(target: str) -> str:
    """The same target wherever the engine's directory is."""
    if is_program(target) and target:
        return str(Path(target).resolve())
    if is_hugging_face(target):
        path = Path(target.removeprefix(HF_PREFIX))
        return HF_PREFIX + str(path.resolve()) if path.exists() else target
    return target


def shown_name(target: str) -> str:
    """A short name: that of the file or folder. Without control characters, since it may come from a foreign trace."""
    name = target if is_builtin(target) else Path(target.removeprefix(HF_PREFIX)).name or target
    return "".join(char if char.isprintable() else "\ufffd" for char in name)


def layouts_of(target: str) -> tuple[str, ...]:
    """The caches that can be chosen for it; none where it brings its own."""
    if is_builtin(target):
        return LAYOUTS
    return HF_LAYOUTS if is_hugging_face(target) else ()


def with_target(spec: RunSpec, target: str) -> RunSpec:
    """The settings for another target: what does not fit it goes back to its default."""
    keeps_text = is_builtin(target) and is_builtin(spec.target)
    return replace(
        spec,
        target=target,
        layout=spec.layout if spec.layout in layouts_of(target) else default_layout(target or DEFAULT_TARGET),
        faults=spec.faults if is_builtin(target) else (),
        prompt=spec.prompt if keeps_text else None,
        prompt_ids=spec.prompt_ids if keeps_text else None,
        tolerance=spec.tolerance if keeps_text else None,
        dtype=spec.dtype if not is_program(target) else None,
    )
