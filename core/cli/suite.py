"""`check --suite audit`: prompts in which a wrong token matters, and what the text alone would have shown of a fault."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from core import catalog
from core.cli.arguments import run_spec
from core.cli.check import Checked, check_outputs, run_scenarios
from core.cli.output import print_lines, write_bytes
from core.cli.report import patterns
from core.engine.messages import RunSpec
from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT, EXIT_INTERRUPTED, EXIT_TARGET_FAILED, UsageError
from core.report.audit import AuditResult, AuditRun, audit_lines, audit_prompts, audit_run
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace

EVERY_FAULT = "all"


def audit(args: argparse.Namespace) -> int:
    """Run every prompt, with what is planted; `--fault all` plants one fault after the other where it can show."""
    for name in ("trace", "report", "junit", "notes", "prompt", "prompt_ids"):
        if getattr(args, name) is not None:
            template = QT_TRANSLATE_NOOP(
                "core", "--{option} is for a check of one prompt; a suite brings its own"
            )
            raise UsageError(template, option=name.replace("_", "-"))
    target = args.target or catalog.DEFAULT_TARGET
    sensitive = patterns(args)
    check_outputs(args, target, args.json)
    specs = dict(_specs(args, target))
    with tempfile.TemporaryDirectory(prefix="kvscope-") as scratch:
        paths = {name: Path(scratch) / f"{index}.kvtrace" for index, name in enumerate(specs)}
        try:
            done = run_scenarios(args, specs, paths, Path(scratch), diagnoses=False)
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
        runs = [_judge(name, spec, paths[name], done, sensitive) for name, spec in specs.items()]
    ran = [run for run in runs if run.status != "skipped"]
    is_good = bool(ran) and all(run.status == "pass" for run in ran)
    result = AuditResult(target=target, verdict="equivalent" if is_good else "divergent", runs=runs)
    if not args.quiet:
        print_lines(audit_lines(result), sys.stderr if args.json == "-" else sys.stdout)
    if args.json:
        write_bytes(args.json, msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    for error in done.failures[:1]:
        print_lines([f"kvscope: {error}"], sys.stderr)
    if done.failures:
        return EXIT_TARGET_FAILED
    return EXIT_EQUIVALENT if is_good else EXIT_DIVERGENT


def _specs(args: argparse.Namespace, target: str) -> Iterator[tuple[str, RunSpec]]:
    """Yield a run for each prompt, and for each fault where all are asked for."""
    scenario = "decode" if args.scenario == "all" else args.scenario
    if args.fault != [EVERY_FAULT]:
        spec = run_spec(args, scenario)
        if target.startswith(catalog.TINY_PREFIX):
            catalog.check_tiny(target, spec.layout, spec.faults)
        for prompt in audit_prompts():
            yield prompt.id, msgspec.structs.replace(spec, prompt=prompt.text)
        return
    catalog.check_choices([("model", target, catalog.MODELS)])
    args.fault = []
    spec = run_spec(args, scenario)
    layouts = catalog.LAYOUTS if args.layout is None else (args.layout,)
    for fault in catalog.FAULTS:
        place = _where_it_shows(fault.id, target, layouts)
        if place is None or fault.is_harmless:
            continue
        for prompt in audit_prompts():
            planted = msgspec.structs.replace(
                spec, layout=place[0], scenario=place[1], faults=(fault.id,), prompt=prompt.text
            )
            yield f"{fault.id}, {prompt.id}", planted


def _where_it_shows(fault: str, target: str, layouts: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the first layout and scenario in which a fault can show on a model."""
    places = ((layout, scenario) for scenario in catalog.SCENARIOS for layout in layouts)
    return next(
        (place for place in places if catalog.why_invisible(fault, target, place[1], place[0]) is None), None
    )


def _judge(name: str, spec: RunSpec, path: Path, done: Checked, sensitive: tuple[str, ...]) -> AuditRun:
    prompt = name.rpartition(", ")[2]
    fault = "+".join(spec.faults) or None
    without = next((one for one in done.without if one.name == name), None)
    if without is not None:
        return AuditRun(
            prompt=prompt, fault=fault, layout=spec.layout, scenario=spec.scenario, status="fail" if without.is_failure else "skipped",
            reason=str(without.reason),
        )  # fmt: skip
    with Trace.open(path) as trace:
        return audit_run(prompt, fault, trace, sensitive)
