"""`check`: the gate. Every scenario is recorded into a trace by the engine, and judged from that trace."""

import argparse
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from core import catalog
from core.cli.arguments import run_spec
from core.cli.output import Progress, check_apart, check_recordable, check_writable, print_lines, write_bytes
from core.cli.report import failed_scenario, patterns, write_check_report
from core.engine.client import EngineClient
from core.engine.hang import allowance_s, hang_failure
from core.engine.messages import (
    Diagnosed,
    Diagnosing,
    Event,
    Paused,
    RunEnded,
    RunFailed,
    RunSkipped,
    RunSpec,
    RunStarted,
    StepRecorded,
    Working,
)
from core.errors import (
    EXIT_DIVERGENT,
    EXIT_EQUIVALENT,
    EXIT_INTERRUPTED,
    EXIT_TARGET_FAILED,
    KVScopeError,
    TargetError,
    UsageError,
)
from core.report.command import check_command
from core.report.escape import inert
from core.report.junit import junit_xml
from core.report.page import SkippedScenario
from core.report.result import CheckResult, ScenarioResult, check_result, scenario_result
from core.report.terminal import check_lines
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.trace.writer import disk_errors

STOP_S = 10.0


class Hangs(TargetError):
    """A step did not come back; another way of running it is not tried."""


class ScenarioSkipped(Exception):
    """The target cannot do the scenario."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(str(text))


class ScenarioFailed(Exception):
    """The target raised in a step: this scenario is over, others may be run."""

    def __init__(self, error: KVScopeError, result: ScenarioResult) -> None:
        self.error, self.result = error, result
        super().__init__(str(error))


@dataclass
class Checked:
    """What the scenarios came to, in their order."""

    results: list[ScenarioResult] = field(default_factory=list)
    failures: list[KVScopeError] = field(default_factory=list)
    without: list[SkippedScenario] = field(default_factory=list)  # scenarios that left no trace to judge
    seconds: dict[str, float] = field(default_factory=dict)


def check(args: argparse.Namespace) -> int:
    """Run the scenarios of the command line and return the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # CI stops us as Ctrl-C does
    scenarios = scenario_names(args.scenario)
    spec = run_spec(args, scenarios[0])
    if spec.target.startswith(catalog.TINY_PREFIX):  # the engine would say the same, two seconds later
        catalog.check_tiny(spec.target, spec.layout, spec.faults)
    patterns(args)  # a wrong one is told before the run
    check_outputs(args, spec.target, args.json, args.report, args.junit, args.notes)
    with tempfile.TemporaryDirectory(prefix="kvscope-") as scratch:
        paths = trace_paths(args, scenarios, Path(scratch))
        try:
            done = run_scenarios(
                args, {name: run_spec(args, name) for name in scenarios}, paths, Path(scratch)
            )
        except KeyboardInterrupt:
            print("kvscope: interrupted; the steps so far are kept where --trace says", file=sys.stderr)
            return EXIT_INTERRUPTED
        result = check_result(spec.target, done.results)
        if args.report or args.notes:
            write_check_report(args, spec.target, paths, done.without, check_command(spec, args.scenario))
    if args.junit:
        write_bytes(args.junit, junit_xml(result, done.seconds))
    code = report(args, result)
    _tell(done.failures)
    return EXIT_TARGET_FAILED if done.failures else code


def check_outputs(args: argparse.Namespace, target: str, *names: str | None) -> None:
    """Refuse outputs that cannot be written, or are inputs or one another: before the run."""
    if names.count("-") > 1:
        raise UsageError(QT_TRANSLATE_NOOP("core", "only one output can go to stdout (-)"))
    outputs = [name for name in names if name not in (None, "-")]
    for name in outputs:
        check_writable(Path(str(name)), args.force)
    trace = getattr(args, "trace", None)
    check_apart(*(Path(name) for name in (target, trace, *outputs) if name is not None))


def run_scenarios(
    args: argparse.Namespace,
    specs: dict[str, RunSpec],
    paths: dict[str, Path],
    scratch: Path,
    diagnoses: bool = True,
) -> Checked:
    """Run one scenario after the other in one engine; names of `specs` and `paths` are those of the results.

    Raises:
        KeyboardInterrupt: once the step that ran is in its trace.
    """
    client = EngineClient(scratch)
    done = Checked()
    try:
        for name, spec in specs.items():
            started = time.monotonic()
            try:
                done.results.append(_run_again(client, spec, paths[name], args, diagnoses))
            except ScenarioSkipped as skipped:
                done.results.append(ScenarioResult(name=spec.scenario, status="skipped", reason=str(skipped)))
                done.without.append(SkippedScenario(name, skipped.text))
            except ScenarioFailed as failed:
                done.results.append(failed.result)
                done.failures.append(failed.error)
                done.without.append(failed_scenario(name, failed.error))
            done.seconds[name] = time.monotonic() - started
    except KeyboardInterrupt:
        _stop(client)
        raise
    finally:
        client.close()
    return done


def _tell(failures: list[KVScopeError]) -> None:
    """Each failure once, however many scenarios it ended."""
    told = {(error.traceback, str(error)): None for error in failures}
    for traceback, message in told:
        if traceback is not None:
            print(traceback, file=sys.stderr)
        print(f"kvscope: {inert(message)}", file=sys.stderr)


def scenario_names(name: str) -> tuple[str, ...]:
    if name == "all":
        return catalog.SCENARIOS
    catalog.check_choices([("scenario", name, ("all", *catalog.SCENARIOS))])
    return (name,)


def trace_paths(args: argparse.Namespace, scenarios: tuple[str, ...], scratch: Path) -> dict[str, Path]:
    """Return where each scenario's trace goes: the named file, files in the named folder, or a scratch folder."""
    if args.trace is None:
        return {name: scratch / f"{name}.kvtrace" for name in scenarios}
    named = Path(args.trace)
    if len(scenarios) == 1:
        check_recordable(named, args.force)
        return {scenarios[0]: named}
    if named.exists() and not named.is_dir():
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core",
                "{path} is a file, and several scenarios need a folder; name a folder, or one --scenario",
            ),
            path=str(named),
        )
    with disk_errors(named):
        named.mkdir(parents=True, exist_ok=True)
    paths = {name: named / f"{name}.kvtrace" for name in scenarios}
    for path in paths.values():
        check_recordable(path, args.force)
    return paths


def _run_again(
    client: EngineClient, spec: RunSpec, path: Path, args: argparse.Namespace, diagnoses: bool = True
) -> ScenarioResult:
    """Run a scenario; what fails while the oracle runs in one pass is run stepwise, which is the reference."""
    try:
        result = _run(
            client,
            msgspec.structs.replace(spec, diagnoses=diagnoses and spec.oracle == "stepwise"),
            path,
            args,
        )
    except ScenarioFailed:
        if spec.oracle == "stepwise":
            raise
    except KVScopeError as error:
        if spec.oracle == "stepwise" or error.exit_code != EXIT_TARGET_FAILED or isinstance(error, Hangs):
            raise
    else:
        if spec.oracle == "stepwise" or result.status != "fail":
            return result
    return _run(client, msgspec.structs.replace(spec, oracle="stepwise", diagnoses=diagnoses), path, args)


def _run(client: EngineClient, spec: RunSpec, path: Path, args: argparse.Namespace) -> ScenarioResult:
    """Record one scenario and judge its trace."""
    progress = Progress(spec.scenario, args.quiet)
    client.start_run(spec, str(path.absolute()))
    client.make_steps(None)
    n_planned, n_done, started = 0, 0, time.monotonic()
    while True:
        is_started = n_planned > 0
        events = client.wait(allowance_s(spec, is_started))
        if not events:
            stack = client.where_it_hangs()
            client.close(0)
            raise _hangs(hang_failure(spec, is_started, n_done, stack))
        for event in events:
            if isinstance(event, RunFailed) and n_planned and client.is_alive:
                _raise_for_scenario(event, spec, path)
            outcome = _outcome(event)
            if outcome is not None:
                progress.done()
                return outcome
            if isinstance(event, RunStarted):
                n_planned = event.n_planned
            elif isinstance(event, StepRecorded):
                n_done = event.step_index + 1
                progress.show(n_done, n_planned, time.monotonic() - started)
            elif isinstance(event, Diagnosing):
                progress.show_repairs(event.n_tried, event.n_planned)


def _raise_for_scenario(event: RunFailed, spec: RunSpec, path: Path) -> None:
    """What the target raised in a step is the end of this scenario; the steps before it are in the closed trace."""
    if event.exit_code != EXIT_TARGET_FAILED:
        return
    reason = str(event.text)
    try:
        with Trace.open(path) as trace:
            result = scenario_result(trace, trace.info.tolerance)
    except KVScopeError:
        result = ScenarioResult(name=spec.scenario, status="fail")
    raise ScenarioFailed(event.error, msgspec.structs.replace(result, status="fail", reason=reason))


def _hangs(event: RunFailed) -> Hangs:
    error = Hangs(event.template, **event.values)
    error.traceback = event.traceback
    return error


def _stop(client: EngineClient) -> None:
    """Let the step end and the trace be closed; a second Ctrl-C does not wait."""
    client.stop_run()
    deadline = time.monotonic() + STOP_S
    while time.monotonic() < deadline and client.is_alive:
        if any(isinstance(event, (RunEnded, RunFailed)) for event in client.wait(0.2)):
            return


def _outcome(event: Event) -> ScenarioResult | None:
    """Return the result when the run has ended, None while it goes on."""
    match event:
        case RunEnded(path):
            with Trace.open(path) as trace:
                return scenario_result(trace, trace.info.tolerance)
        case RunSkipped():
            raise ScenarioSkipped(event.text)
        case RunFailed():
            raise event.error
        case RunStarted() | StepRecorded() | Working() | Diagnosing() | Diagnosed() | Paused():
            return None


def report(args: argparse.Namespace, result: CheckResult) -> int:
    to_stdout = "-" in (getattr(args, name, None) for name in ("json", "report", "junit", "notes"))
    if not args.quiet:
        print_lines(check_lines(result), sys.stderr if to_stdout else sys.stdout)
    if args.json:
        data = msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n"
        write_bytes(args.json, data)
    return EXIT_EQUIVALENT if result.verdict == "equivalent" else EXIT_DIVERGENT
