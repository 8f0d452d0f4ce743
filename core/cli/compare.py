"""`compare`: two traces of the same tokens, judged as a check is."""

import argparse
from pathlib import Path

from core.cli.check import report
from core.cli.output import check_apart, check_writable
from core.compare.names import read_map
from core.compare.pair import compared
from core.report.result import check_result, scenario_result
from core.trace.importers import open_any
from core.trace.save import save_copy


def compare(args: argparse.Namespace) -> int:
    """Print what differs first; the exit code is the verdict."""
    outputs = [Path(name) for name in (args.json, args.trace) if name not in (None, "-")]
    for path in outputs:
        check_writable(path, args.force)
        check_apart(Path(args.a), Path(args.b), path)
    check_apart(*outputs)
    names = read_map(args.map, (*args.without, *(["*"] if args.logits_only else [])))
    with open_any(args.a) as a, open_any(args.b) as b:
        pair = compared(a, b, names, args.lane, args.prefix, args.tolerance)
        result = check_result(pair.info.target, [scenario_result(pair, pair.info.tolerance)])
        if args.trace is not None:
            save_copy(pair, Path(args.trace))
    return report(args, result)
