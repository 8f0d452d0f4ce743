"""Do the parts of a profile add up, and does concat's append grow with length while the preallocated one's does not?

    python -m tests.bench.bench_profile

One thread, batch 8, tiny:rope-gqa; bars: parts within 5 % of the whole, concat's append at 440 tokens at least twice
that at 32, static's less than half as much again.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

LENGTHS = (32, 128, 440)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "p.json"
        subprocess.run(
            [
                sys.executable, "main.py", "profile", "--scenario", "decode", "--lengths", ",".join(map(str, LENGTHS)),
                "--batches", "8", "--threads", "1", "--repeats", "9", "--quiet", "--json", str(out),
            ],
            check=True,
        )  # fmt: skip
        points = [one for one in json.loads(out.read_bytes())["points"] if one["kind"] == "decode"]
    print(f"{'layout':<8} {'length':>6} {'append ms':>10} {'parts/whole':>12} {'oracle/cached':>14}")
    for one in sorted(points, key=lambda point: (point["layout"], point["length"])):
        cached, oracle = one["cached"], one["oracle"]["total"]["median"]
        parts = sum(cached[name]["median"] for name in ("append", "attention", "rest"))
        whole = cached["total"]["median"]
        print(
            f"{one['layout']:<8} {one['length']:>6} {cached['append']['median']:>10.3f} {parts / whole:>12.3f} {oracle / whole:>14.2f}"
        )


if __name__ == "__main__":
    main()
