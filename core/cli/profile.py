"""`profile`: time and memory, once the check of the same target and settings has passed."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from core import catalog
from core.cli.arguments import run_spec
from core.cli.check import Checked, check_outputs, run_scenarios, scenario_names
from core.cli.output import print_lines, write_bytes
from core.cli.report import patterns, write_check_report
from core.engine.hang import STARTUP_S
from core.engine.messages import RunFailed, RunSpec
from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_INTERRUPTED, TargetError
from core.profile.client import END_S, ProfileClient
from core.profile.process import NO_ANSWER, Measured, Measuring
from core.report.command import check_command
from core.report.profile import ProfileResult, ProfileSpec
from core.report.profile_lines import profile_lines
from core.report.result import CheckResult, check_result
from core.report.terminal import verdict_line


def profile(args: argparse.Namespace) -> int:
    """Check, then measure; the exit code is 1 where the check fails, and nothing is measured then."""
    scenarios = scenario_names(args.scenario)
    spec = run_spec(args, scenarios[0])
    is_tiny = spec.target.startswith(catalog.TINY_PREFIX)
    if is_tiny:
        catalog.check_tiny(spec.target, spec.layout, spec.faults)
    patterns(args)
    check_outputs(args, spec.target, args.json, args.report, args.notes)
    layouts = (catalog.LAYOUTS if args.layout is None else (args.layout,)) if is_tiny else ()
    with tempfile.TemporaryDirectory(prefix="kvscope-") as scratch:
        specs = _gate(args, scenarios, layouts)
        paths = {name: Path(scratch) / f"{index}.kvtrace" for index, name in enumerate(specs)}
        try:
            done = run_scenarios(args, specs, paths, Path(scratch))
            result = check_result(spec.target, done.results)
            if done.failures or result.verdict != "equivalent":
                return _refuse(done, result)
            wanted = ProfileSpec(
                lengths=args.lengths, batches=args.batches, layouts=layouts, repeats=args.repeats
            )
            measured = _measure(spec, wanted, args)
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
        write_check_report(
            args, spec.target, paths, done.without, check_command(spec, args.scenario), measured
        )
    _write(args, measured)
    return EXIT_EQUIVALENT


def _gate(
    args: argparse.Namespace, scenarios: tuple[str, ...], layouts: tuple[str, ...]
) -> dict[str, RunSpec]:
    """The scenarios of the command line, and one run of each layout that will stand beside them."""
    specs = {name: run_spec(args, name) for name in scenarios}
    for layout in layouts:
        if layout != specs[scenarios[0]].layout:
            specs[f"decode, {layout}"] = msgspec.structs.replace(run_spec(args, "decode"), layout=layout)
    return specs


def _refuse(done: Checked, result: CheckResult) -> int:
    """Time and memory of something that computes other numbers mean nothing."""
    print_lines([verdict_line(result)], sys.stderr)
    print_lines(
        ["kvscope: not measured: the check of the same target and settings must pass first"], sys.stderr
    )
    for error in done.failures:
        raise error
    return EXIT_DIVERGENT


def _measure(spec: RunSpec, wanted: ProfileSpec, args: argparse.Namespace) -> ProfileResult:
    client = ProfileClient(spec, wanted, args.threads)
    patience_s = 0.0
    try:
        result = _result(client, spec, args)
        patience_s = END_S
        return result
    finally:
        client.close(patience_s)


def _result(client: ProfileClient, spec: RunSpec, args: argparse.Namespace) -> ProfileResult:
    is_shown = not args.quiet and sys.stderr.isatty()
    started = time.monotonic()
    while True:
        if not client.is_ready(spec.step_timeout_s + STARTUP_S):
            raise TargetError(NO_ANSWER, seconds=round(time.monotonic() - started))
        report = client.receive()
        match report:
            case Measuring():
                if is_shown:
                    print(f"\rmeasuring {report.what}".ljust(50), end="", file=sys.stderr, flush=True)
            case Measured(result):
                if is_shown:
                    print("\r".ljust(50) + "\r", end="", file=sys.stderr, flush=True)
                return result
            case RunFailed():
                raise report.error


def _write(args: argparse.Namespace, result: ProfileResult) -> None:
    if not args.quiet:
        print_lines(
            profile_lines(result), sys.stderr if "-" in (args.json, args.report, args.notes) else sys.stdout
        )
    if args.json:
        write_bytes(args.json, msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
