"""A target that does not come back: how long is waited for it, and what is said then."""

from core.engine.messages import RunFailed, RunSpec
from core.errors import EXIT_TARGET_FAILED
from core.text import QT_TRANSLATE_NOOP, Value

STARTUP_S = 60.0  # until the run has started, the process itself and the target are loading


def allowance_s(spec: RunSpec, is_started: bool) -> float:
    """Return how long may pass without a word from the engine."""
    return spec.step_timeout_s + (0 if is_started else STARTUP_S)


def hang_failure(spec: RunSpec, is_started: bool, step: int, stack: str) -> RunFailed:
    """Return the failure of a target that was ended since it did not come back; `stack` says where it was."""
    template = (
        QT_TRANSLATE_NOOP("core", "step {step} of {target} ({scenario}) did not end within {timeout} s, and was ended; give it more with --step-timeout")
        if is_started
        else QT_TRANSLATE_NOOP("core", "loading {target} ({scenario}) did not end within {timeout} s, and was ended; give it more with --step-timeout")
    )  # fmt: skip
    values: dict[str, Value] = {
        "step": step, "target": spec.target, "scenario": spec.scenario, "timeout": f"{allowance_s(spec, is_started):g}",
    }  # fmt: skip
    return RunFailed(template, values, EXIT_TARGET_FAILED, stack or None)
