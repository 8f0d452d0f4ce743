"""`show`: what is in a trace."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from core.cli.output import check_writable, print_lines
from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_UNREADABLE
from core.report.escape import inert
from core.report.result import ScenarioResult, check_result, scenario_result
from core.report.terminal import cause_lines, invariant_lines, place_line, step_lines
from core.trace.importers import open_any
from core.trace.reader import Trace
from core.trace.save import repaired_copy
from core.verdict.consistency import check_consistent


def show(args: argparse.Namespace) -> int:
    """Print the trace; the exit code is its verdict, or 3 where the recording is not complete."""
    with open_any(args.trace) as trace:
        if args.repair is not None:
            return _repair(trace, Path(args.repair), args.force)
        check_consistent(trace)
        tolerance = trace.info.tolerance if args.tolerance is None else args.tolerance
        result = scenario_result(trace, tolerance, is_thorough=True)
        lane = trace.lanes[0] if len(trace.lanes) == 1 else None
        lines = _json_lines(trace, result) if args.json else _lines(trace, result)
        print_lines(lines, sys.stdout)
        if lane is not None:
            return _end_of_one_lane(trace, lane, bool(result.broken_invariants), args.allow_partial)
        if trace.end is None or trace.end.status != "complete":
            how = (
                trace.notice or f"the recording ended early ({trace.end.status if trace.end else 'partial'})"
            )
            print_lines(
                [f"{inert(str(trace.path))}: {how} (--allow-partial judges what is here)"], sys.stderr
            )
            if not args.allow_partial:
                return EXIT_UNREADABLE
            return (
                EXIT_EQUIVALENT
                if result.first_bad_step is None and result.steps_compared > 1
                else EXIT_DIVERGENT
            )
    return EXIT_EQUIVALENT if result.status == "pass" else EXIT_DIVERGENT


def _repair(trace: Trace, path: Path, force: bool) -> int:
    """Write what can be read as a closed trace, and say what was lost."""
    check_writable(path, force)
    n_kept = repaired_copy(trace, path)
    lost = str(trace.notice) if trace.notice is not None else f"{len(trace)} steps are in the file"
    print_lines(
        [f"{inert(str(trace.path))}: {inert(lost)}", f"{inert(str(path))}: {n_kept} complete steps"],
        sys.stdout,
    )
    return EXIT_EQUIVALENT if n_kept else EXIT_UNREADABLE


def _end_of_one_lane(trace: Trace, lane: str, is_broken: bool, allow_partial: bool) -> int:
    """One lane has no verdict: it is 1 where an invariant does not hold, and never 0 unless that is asked for."""
    print_lines(
        [
            f"{inert(str(trace.path))}: the {lane} lane only, nothing was compared; give two traces to `compare A B` (--allow-partial judges by the invariants alone)"
        ],
        sys.stderr,
    )
    if is_broken:
        return EXIT_DIVERGENT
    return EXIT_EQUIVALENT if allow_partial and trace.is_complete else EXIT_UNREADABLE


def _json_lines(trace: Trace, result: ScenarioResult) -> Iterator[str]:
    yield msgspec.json.format(msgspec.json.encode(_as_json(trace, result)), indent=1).decode()


def _as_json(trace: Trace, result: ScenarioResult) -> dict[str, Any]:
    """The check's own schema, and beside it what only a trace knows."""
    check = msgspec.to_builtins(check_result(trace.info.target, [result]))
    facts = {
        "status": trace.end.status if trace.end else "partial", "n_steps": len(trace), "notice": str(trace.notice) if trace.notice else None,
        "info": msgspec.to_builtins(trace.info), "tensors": trace.tensor_names(len(trace) - 1) if len(trace) else [],
        "lanes": list(trace.lanes),
    }  # fmt: skip
    return {
        **check,
        "first_bad_step": result.first_bad_step,
        "max_abs_diff": result.max_abs_diff,
        "trace": facts,
    }


def _lines(trace: Trace, result: ScenarioResult) -> Iterator[str]:
    info = trace.info
    planted = f", planted: {', '.join(info.faults)}" if info.faults else ""
    yield (
        f"{inert(info.target)}, {info.model.dtype}, {inert(info.layout or 'own cache')}, scenario {inert(info.scenario)}{inert(planted)}"
    )
    if info.prompt is not None:
        yield (f"prompt: {inert(info.prompt)}")
    yield from step_lines(result)
    yield from (f"note: {inert(note)}" for note in result.notes)
    if len(trace.lanes) == 1:
        yield f"\n{result.reason}"
        yield from (f"{trace.lanes[0]} lane alone, {inert(line)}" for line in invariant_lines(result))
        if not result.broken_invariants and any("/layer." in name for name in trace.tensor_names(0)):
            yield "the invariants of a cache hold in every step"
        return
    yield from (f"cached lane alone, {inert(line)}" for line in invariant_lines(result))
    if result.first_bad_step is None:
        yield (
            f"\nno step over the tolerance {result.tolerance:.1e}"
            + (f"; {result.reason}" if result.reason else "")
        )
        return
    begins = f", begins in {place_line(result.first_bad_tensor)}" if result.first_bad_tensor else ""
    yield (f"\nfirst bad step {result.first_bad_step} at tolerance {result.tolerance:.1e}{begins}")
    yield from (inert(line) for line in cause_lines(result))
