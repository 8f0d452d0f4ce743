"""`selftest`: every planted fault on every model, layout and scenario, and healthy runs beside them."""

import argparse
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import connection, get_context, parent_process

import msgspec

from core import catalog, fault_catalog
from core.cli.output import print_lines, write_bytes
from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT
from core.report.selftest import SelftestCase, SelftestResult, is_good, lines

PAIRS = {  # two faults at once, and the scenario in which both show
    ("position-off-by-one", "row-not-reordered"): "beam-reorder",
    ("window-wide", "value-degraded"): "decode",
    ("position-reset", "mask-top-left"): "decode",
    ("scale-wrong", "layer-aliased"): "decode",
}
QUICK_SCENARIOS = ("decode", "chunked-prefill", "beam-reorder", "ragged-batch")


def selftest(args: argparse.Namespace) -> int:
    """Run the matrix in as many processes as there are cores, and return the exit code."""
    cases = list(_cases(args))
    start = time.monotonic()
    results = []
    pool = ProcessPoolExecutor(
        args.jobs or os.cpu_count() or 1, get_context("spawn"), initializer=_end_with_parent
    )
    try:
        futures = [pool.submit(_run_case, case) for case in cases]
        for n_done, future in enumerate(as_completed(futures), start=1):
            result = future.result()
            if result is not None:
                results.append(result)
            _show(n_done, len(cases))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    order = {case: index for index, case in enumerate(cases)}
    results.sort(key=lambda one: order[one.case])
    print_lines(lines(results, time.monotonic() - start), sys.stdout)
    if args.json:
        write_bytes(args.json, msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    return EXIT_EQUIVALENT if is_good(results) else EXIT_DIVERGENT


def _end_with_parent() -> None:
    """In the child: whoever started the selftest may be killed, and the cases that are queued would go on."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(
            target=lambda: (connection.wait([parent.sentinel]), os._exit(1)), daemon=True
        ).start()


def _run_case(case: SelftestCase) -> SelftestResult | None:
    """In the child: torch is loaded here, and only here."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from core.proof.selftest import run_case

    return run_case(case)


def _cases(args: argparse.Namespace) -> Iterator[SelftestCase]:
    """Yield healthy runs, then each fault wherever it can show, then pairs of faults."""
    for target in catalog.MODELS:
        for layout in catalog.LAYOUTS:
            for scenario in catalog.SCENARIOS:
                if args.quick and (layout != "concat" or scenario not in QUICK_SCENARIOS):
                    continue
                for faults in _planted(target, layout, scenario, args):
                    infos = [fault_catalog.fault_info(fault) for fault in faults]
                    yield SelftestCase(
                        target=target, layout=layout, scenario=scenario, faults=faults,
                        causes=tuple(info.cause for info in infos if not info.is_harmless),
                        looks_like=tuple(cause for info in infos for cause in info.looks_like),
                    )  # fmt: skip


def _planted(target: str, layout: str, scenario: str, args: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    pairs = [faults for faults, where in PAIRS.items() if where == scenario]
    wanted = [(), *((fault.id,) for fault in fault_catalog.FAULTS), *pairs]
    for faults in wanted:
        if args.fault and not set(faults) & set(args.fault):
            continue
        if all(fault_catalog.why_invisible(fault, target, scenario, layout) is None for fault in faults):
            yield faults


def _show(n_done: int, n_planned: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if n_done == n_planned else ""
        print(f"\rselftest: {n_done} of {n_planned} runs", end=end, file=sys.stderr, flush=True)
