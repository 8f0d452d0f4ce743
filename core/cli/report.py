"""`report`: one HTML file, and lab notes, from a trace; and what `check` writes besides its table."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from core.cli.output import check_apart, check_writable, print_lines, write_bytes
from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_UNREADABLE, KVScopeError, UsageError
from core.report.command import command_of_trace
from core.report.escape import inert
from core.report.language import translator
from core.report.notes import lab_notes
from core.report.page import ReportInput, SkippedScenario, html_report
from core.report.page.profile import profile_section
from core.report.page.words import Words
from core.report.profile import ProfileResult
from core.report.result import scenario_result
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.consistency import check_consistent
from core.views.sensitive import check_pattern


def report(args: argparse.Namespace) -> int:
    """Write what was asked for; the exit code is the trace's verdict, or 3 where the recording is not complete."""
    outputs = [name for name in (args.output, args.notes) if name is not None]
    if not outputs:
        raise UsageError(QT_TRANSLATE_NOOP("core", "nothing to write; give -o F.html or --notes F.md"))
    sensitive = patterns(args)
    files = [Path(name) for name in outputs if name != "-"]
    for file in files:
        check_writable(file, args.force)
    check_apart(Path(args.trace), *files)
    with Trace.open(args.trace) as trace:
        check_consistent(trace)
        tolerance = trace.info.tolerance if args.tolerance is None else args.tolerance
        result = scenario_result(trace, tolerance)
        if args.output is not None:
            made = ReportInput(
                trace.info.target,
                [trace],
                command=command_of_trace(trace),
                tolerance=tolerance,
                sensitive=sensitive,
            )
            write_bytes(args.output, html_report(made, args.lang))
        if args.notes is not None:
            write_bytes(args.notes, lab_notes([trace], args.lang, tolerance=tolerance))
        if trace.end is None or trace.end.status != "complete":
            how = trace.notice or "the recording ended early"
            print_lines([f"{inert(str(trace.path))}: {how}"], sys.stderr)
            return EXIT_UNREADABLE
    return EXIT_EQUIVALENT if result.status == "pass" else EXIT_DIVERGENT


def patterns(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the reader's own patterns of text that matters."""
    return tuple(check_pattern(regex) for regex in args.sensitive)


def write_check_report(
    args: argparse.Namespace,
    target: str,
    paths: dict[str, Path],
    skipped: Sequence[SkippedScenario],
    command: str,
    profile: ProfileResult | None = None,
) -> None:
    """Write report and notes of a check over the traces that it made; a scenario that left none is among `skipped`."""
    without = {one.name for one in skipped}
    with ExitStack() as stack:
        traces = [
            stack.enter_context(Trace.open(path)) for name, path in paths.items() if name not in without
        ]
        if args.report:
            extra = [profile_section(profile, Words(translator(args.lang)))] if profile is not None else []
            made = ReportInput(target, traces, skipped, command, args.tolerance, patterns(args), extra)
            write_bytes(args.report, html_report(made, args.lang))
        if args.notes:
            write_bytes(args.notes, lab_notes(traces, args.lang, profile, args.tolerance))


def failed_scenario(name: str, error: KVScopeError) -> SkippedScenario:
    return SkippedScenario(name, Text(error.text.template, error.text.values), is_failure=True)
