"""What the toolbar says about the target of the run that is shown."""

from core.engine.messages import RunSpec
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from gui.targets import is_builtin, shown_name


def target_name(spec: RunSpec, trace: Trace | None) -> str:
    """A short name: of a foreign trace, what it says."""
    return shown_name(spec.target or (trace.info.target if trace is not None else ""))


def takes_text(spec: RunSpec, trace: Trace | None) -> bool:
    """Whether the prompt is text; a target without a tokenizer is given ids, which its trace tells."""
    if is_builtin(spec.target) or trace is None or trace.info.target != spec.target:
        return True
    return trace.info.prompt is not None


def why_not_run(spec: RunSpec, trace: Trace | None) -> Text:
    """For a target that is known from a trace only."""
    template = QT_TRANSLATE_NOOP(
        "core", "This trace was recorded from {target}. A target that a trace names is never run: open it yourself, or choose a built-in model."
    )  # fmt: skip
    return Text(template, {"target": target_name(spec, trace)})
