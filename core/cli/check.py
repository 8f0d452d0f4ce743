"""`check`: the gate. Every scenario is recorded into a trace by the engine, and judged from that trace."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from core import catalog
from core.cli.arguments import run_spec
from core.cli.output import Progress, check_writable, write_bytes
from core.engine.client import EngineClient
from core.engine.messages import (
    Event,
    Paused,
    RunEnded,
    RunFailed,
    RunSkipped,
    RunSpec,
    RunStarted,
    StepRecorded,
)
from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_INTERRUPTED, UsageError
from core.report.result import CheckResult, ScenarioResult, check_result, scenario_result
from core.report.terminal import check_lines
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace


def check(args: argparse.Namespace) -> int:
    """Run the scenarios of the command line and return the exit code."""
    scenarios = scenario_names(args.scenario)
    if args.json and args.json != "-":
        check_writable(Path(args.json), args.force)
    with tempfile.TemporaryDirectory(prefix="kvscope-") as scratch:
        paths = trace_paths(args, scenarios, Path(scratch))
        client = EngineClient()
        try:
            results = [_run(client, run_spec(args, name), paths[name], args.quiet) for name in scenarios]
        except KeyboardInterrupt:
            print("interrupted; what was recorded is kept where --trace said", file=sys.stderr)
            return EXIT_INTERRUPTED
        finally:
            client.close()
    return _report(args, check_result(run_spec(args, "decode").target, results))


def scenario_names(name: str) -> tuple[str, ...]:
    if name == "all":
        return catalog.SCENARIOS
    if name not in catalog.SCENARIOS:
        raise UsageError(
            QT_TRANSLATE_NOOP("core", "unknown {what} {given!r}; choose one of: {known}"),
            what="scenario",
            given=name,
            known=", ".join(("all", *catalog.SCENARIOS)),
        )
    return (name,)


def trace_paths(args: argparse.Namespace, scenarios: tuple[str, ...], scratch: Path) -> dict[str, Path]:
    """Return where each scenario's trace goes: the named file, files in the named folder, or a scratch folder."""
    if args.trace is None:
        return {name: scratch / f"{name}.kvtrace" for name in scenarios}
    named = Path(args.trace)
    if len(scenarios) == 1:
        check_writable(named, args.force)
        return {scenarios[0]: named}
    if named.exists() and not named.is_dir():
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core",
                "{path} is a file, and several scenarios need a folder; name a folder, or one --scenario",
            ),
            path=str(named),
        )
    named.mkdir(parents=True, exist_ok=True)
    paths = {name: named / f"{name}.kvtrace" for name in scenarios}
    for path in paths.values():
        check_writable(path, args.force)
    return paths


def _run(client: EngineClient, spec: RunSpec, path: Path, quiet: bool) -> ScenarioResult:
    """Record one scenario and judge its trace."""
    progress = Progress(spec.scenario, quiet)
    client.start_run(spec, str(path.absolute()))
    client.make_steps(None)
    n_planned, started = 0, time.monotonic()
    while True:
        for event in client.wait(None):
            outcome = _outcome(event, spec)
            if outcome is not None:
                progress.done()
                return outcome
            if isinstance(event, RunStarted):
                n_planned = event.n_planned
            elif isinstance(event, StepRecorded):
                progress.show(event.step_index + 1, n_planned, time.monotonic() - started)


def _outcome(event: Event, spec: RunSpec) -> ScenarioResult | None:
    """Return the result when the run has ended, None while it goes on."""
    match event:
        case RunEnded(path):
            with Trace.open(path) as trace:
                return scenario_result(trace, trace.info.tolerance)
        case RunSkipped():
            return ScenarioResult(name=spec.scenario, status="skipped", reason=str(event.text))
        case RunFailed():
            raise event.error
        case RunStarted() | StepRecorded() | Paused():
            return None


def _report(args: argparse.Namespace, result: CheckResult) -> int:
    to_stdout = args.json == "-"
    if not args.quiet:
        for line in check_lines(result):
            print(line, file=sys.stderr if to_stdout else sys.stdout)
    if args.json:
        data = msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n"
        write_bytes(args.json, data)
    return EXIT_EQUIVALENT if result.verdict == "equivalent" else EXIT_DIVERGENT
