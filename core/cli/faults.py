"""`faults`: the faults that can be planted."""

import argparse
import json
import textwrap

from core import catalog

WIDTH = 96


def faults(args: argparse.Namespace) -> int:
    """Print every fault: its id, what it is, and how it happens in real code."""
    if args.json:
        rows = [
            {
                "id": fault.id,
                "title": str(fault.title),
                "how": str(fault.how),
                "needs_batch": fault.needs_batch,
                "needs_position_ids": fault.needs_position_ids,
            }
            for fault in catalog.FAULTS
        ]
        print(json.dumps(rows, indent=1))
        return 0
    for fault in catalog.FAULTS:
        print(f"{fault.id:<16}{fault.title}")
        print(textwrap.fill(str(fault.how), WIDTH, initial_indent=" " * 16, subsequent_indent=" " * 16))
    print("\nPlant one with: main.py check --fault ID")
    print(
        "Position faults cannot be seen on tiny:alibi-mqa, which uses distances between slots and no position ids;"
    )
    print("row-mixed needs a batch and shows in the scenarios batch, ragged-batch and beam-reorder.")
    return 0
