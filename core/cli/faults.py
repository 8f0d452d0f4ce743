"""`faults`: the faults that can be planted."""

import argparse
import json
import textwrap

from core import catalog
from core.fault_catalog import GROUPS, FaultInfo

WIDTH = 100
INDENT = " " * 4


def faults(args: argparse.Namespace) -> int:
    """Print every fault by what it breaks: its id, what it is, how it happens in real code, and a public report."""
    if args.json:
        print(json.dumps([_row(fault) for fault in catalog.FAULTS], indent=1))
        return 0
    for group, title in GROUPS.items():
        print(str(title).upper())
        for fault in catalog.FAULTS:
            if fault.group == group:
                _show(fault)
        print()
    print("Plant one with: main.py check --fault ID (several at once: give the option again).")
    print("Where a fault cannot show, because of the model, the layout or the scenario, the run says why.")
    return 0


def _show(fault: FaultInfo) -> None:
    print(f"  {fault.id:<26}{fault.title}")
    lines = [str(fault.how)]
    if fault.cause not in (fault.id, "none"):
        lines.append(f"Cause: {fault.cause}.")
    if fault.report is not None:
        lines.append(f"As in {fault.report}.")
    text = " ".join(lines)
    print(textwrap.fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False))


def _row(fault: FaultInfo) -> dict[str, object]:
    return {
        "id": fault.id,
        "cause": fault.cause,
        "group": fault.group,
        "title": str(fault.title),
        "how": str(fault.how),
        "report": fault.report,
        "harmless": fault.is_harmless,
        "needs": list(fault.needs),
        "from_tokens": fault.from_tokens,
    }
