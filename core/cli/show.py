"""`show`: what is in a trace."""

import argparse
import sys
from typing import Any

import msgspec

from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_UNREADABLE
from core.report.escape import inert
from core.report.result import ScenarioResult, check_result, scenario_result
from core.report.terminal import place_line, step_lines
from core.trace.reader import Trace


def show(args: argparse.Namespace) -> int:
    """Print the trace; the exit code is its verdict, or 3 where the recording was not closed."""
    with Trace.open(args.trace) as trace:
        tolerance = trace.info.tolerance if args.tolerance is None else args.tolerance
        result = scenario_result(trace, tolerance)
        if args.json:
            sys.stdout.write(
                msgspec.json.format(msgspec.json.encode(_as_json(trace, result)), indent=1).decode() + "\n"
            )
        else:
            _print(trace, result)
        if not trace.is_complete and not args.allow_partial:
            print(
                f"{inert(str(trace.path))}: {trace.notice} (--allow-partial judges what is here)",
                file=sys.stderr,
            )
            return EXIT_UNREADABLE
    return EXIT_EQUIVALENT if result.first_bad_step is None and result.steps_compared > 1 else EXIT_DIVERGENT


def _as_json(trace: Trace, result: ScenarioResult) -> dict[str, Any]:
    """The check's own schema, and beside it what only a trace knows."""
    check = msgspec.to_builtins(check_result(trace.info.target, [result]))
    facts = {
        "status": trace.end.status if trace.end else "partial", "n_steps": len(trace), "notice": str(trace.notice) if trace.notice else None,
        "info": msgspec.to_builtins(trace.info), "tensors": trace.tensor_names(len(trace) - 1) if len(trace) else [],
    }  # fmt: skip
    return {
        **check,
        "first_bad_step": result.first_bad_step,
        "max_abs_diff": result.max_abs_diff,
        "trace": facts,
    }


def _print(trace: Trace, result: ScenarioResult) -> None:
    info = trace.info
    planted = f", planted: {', '.join(info.faults)}" if info.faults else ""
    print(
        f"{inert(info.target)}, {info.model.dtype}, {inert(info.layout or 'own cache')}, scenario {inert(info.scenario)}{inert(planted)}"
    )
    if info.prompt is not None:
        print(f"prompt: {inert(info.prompt)}")
    for line in step_lines(result):
        print(line)
    if result.first_bad_step is None:
        print(
            f"\nno step over the tolerance {result.tolerance:.1e}"
            + (f"; {result.reason}" if result.reason else "")
        )
        return
    begins = f", begins in {place_line(result.first_bad_tensor)}" if result.first_bad_tensor else ""
    print(f"\nfirst bad step {result.first_bad_step} at tolerance {result.tolerance:.1e}{begins}")
