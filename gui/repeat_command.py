"""The line for a terminal that repeats the run of the window."""

import shlex

from core.catalog import default_layout
from core.engine.messages import RunSpec
from gui.comparison import Comparison

DEFAULTS = RunSpec()


def compare_command(asked: Comparison) -> str:
    """`python main.py compare A B ...`."""
    words = ["python", "main.py", "compare", str(asked.a), str(asked.b)]
    if asked.map_file is not None:
        words += ["--map", str(asked.map_file)]
    words += ["--logits-only"] * asked.is_logits_only + ["--prefix"] * asked.is_prefix
    return shlex.join(words)


def check_command(spec: RunSpec) -> str:
    """`python main.py check ...` with what differs from its defaults."""
    words = ["python", "main.py", "check", spec.target]
    if spec.scenario != DEFAULTS.scenario:
        words += ["--scenario", spec.scenario]
    if spec.layout != default_layout(spec.target):
        words += ["--layout", spec.layout]
    for fault in spec.faults:
        words += ["--fault", fault]
    if spec.prompt_ids is not None:
        words += ["--prompt-ids", ",".join(map(str, spec.prompt_ids))]
    elif spec.prompt is not None:
        words += ["--prompt", spec.prompt]
    if spec.steps != DEFAULTS.steps:
        words += ["--steps", str(spec.steps)]
    for option, value in (
        ("--tolerance", spec.tolerance),
        ("--dtype", spec.dtype),
        ("--device", spec.device),
    ):
        if value is not None:
            words += [option, f"{value:g}" if isinstance(value, float) else value]
    if spec.mode == "free":
        words += ["--mode", "free"]
    if spec.shared:
        words.append("--shared")
    return shlex.join(words)
