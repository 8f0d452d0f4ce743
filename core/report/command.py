"""The command that repeats a run, ready for a shell."""

import shlex

from core import catalog
from core.engine.messages import RunSpec
from core.report.escape import inert
from core.trace.reader import Trace


def check_command(spec: RunSpec, scenario: str) -> str:
    """Return the `check` that makes the same comparison; `scenario` may be "all"."""
    words = ["python", "main.py", "check", spec.target]
    words += ["--scenario", scenario] if scenario != "all" else []
    words += (
        ["--layout", spec.layout]
        if _has_layout(spec.target) and spec.layout != catalog.default_layout(spec.target)
        else []
    )
    words += [word for fault in spec.faults for word in ("--fault", fault)]
    words += _prompt(spec.prompt, spec.prompt_ids)
    words += ["--steps", str(spec.steps)] if spec.steps != catalog.DEFAULT_STEPS else []
    words += ["--tolerance", f"{spec.tolerance:g}"] if spec.tolerance is not None else []
    words += ["--dtype", spec.dtype] if spec.dtype is not None else []
    words += ["--device", spec.device] if spec.device is not None else []
    words += ["--shared"] if spec.shared else []
    words += ["--mode", "free"] if spec.mode == "free" else []
    if spec.temperature is not None:
        words += ["--sample", "--temperature", f"{spec.temperature:g}", "--seed", str(spec.seed)]
    return shlex.join(words)


def command_of_trace(trace: Trace) -> str:
    """Return the `check` that records such a trace again, as far as the trace tells.

    The target's name comes from a stranger: it is quoted for a shell, to be read before it is run.
    """
    info = trace.info
    words = ["python", "main.py", "check", inert(info.target), "--scenario", inert(info.scenario)]
    words += ["--layout", inert(info.layout)] if info.layout else []
    words += [word for fault in info.faults for word in ("--fault", inert(fault))]
    rows = info.prompt_ids
    words += _prompt(info.prompt, tuple(rows[0]) if rows else None)
    decode_steps = sum(trace.facts(step).kind == "decode" for step in range(len(trace)))
    words += ["--steps", str(max(1, decode_steps))]
    return shlex.join(words)


def _prompt(prompt: str | None, ids: tuple[int, ...] | None) -> list[str]:
    """Text where it can be typed, else ids."""
    if prompt is not None and inert(prompt) == prompt:
        return ["--prompt", prompt] if prompt != catalog.DEFAULT_PROMPT else []
    return ["--prompt-ids", ",".join(map(str, ids))] if ids else []


def _has_layout(target: str) -> bool:
    return target.startswith((catalog.TINY_PREFIX, catalog.HF_PREFIX))
