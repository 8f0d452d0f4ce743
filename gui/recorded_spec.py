"""From a recorded run back to the settings that made it."""

from core.engine.messages import RunSpec
from core.trace.reader import Trace
from gui.targets import is_builtin

NO_TARGET = ""  # whatever else a trace names may be a program: it is shown, but never run or filled in


def spec_of(trace: Trace) -> RunSpec:
    """The settings that a trace was recorded with, as far as the toolbar can show them."""
    info = trace.info
    return RunSpec(
        target=info.target if is_builtin(info.target) else NO_TARGET,
        scenario=info.scenario,
        layout=info.layout or "concat",
        faults=tuple(info.faults),
        prompt=info.prompt,
        steps=max(1, info.steps - 1),  # the prompt is a step, too
        tolerance=info.tolerance,
    )
