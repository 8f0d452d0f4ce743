"""What a check costs whose oracle runs in one pass: 64 steps of SmolLM2, recorded, beside the bare cached lane.

    python -m tests.bench.bench_one_pass [--smollm2 FOLDER]

Rounds alternate, so that a slow spell hits both. The model is loaded before. A check adds the start of its process.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import torch

from core.engine.run import Run
from core.targets.load import make_loader
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step
from tests.bench.bench_recording import smollm2, spec_of

N_STEPS = 64


def bare_ms(target: str) -> float:
    """Decode greedily with the cached lane alone."""
    spec = spec_of(target, N_STEPS)
    loader = make_loader(spec)
    ids, cache = torch.tensor([loader.scratch.encode(spec.prompt or "")]), None
    lane = loader.fresh()
    start = time.perf_counter()
    for _ in range(N_STEPS + 1):
        logits, cache = lane.cached(ids, cache)
        ids = logits[:, -1:].argmax(-1)
    return (time.perf_counter() - start) * 1e3


def check_ms(target: str, folder: Path) -> float:
    """Record a run from its spec to the closed trace, and judge it."""
    path = folder / "bench.kvtrace"
    start = time.perf_counter()
    run = Run(spec_of(target, N_STEPS, oracle="one-pass"), path)
    for _ in run.steps():
        pass
    run.close("complete")
    with Trace.open(path) as trace:
        assert first_bad_step(trace, trace.info.tolerance) is None
        assert len(trace) == N_STEPS + 1
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--smollm2", metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    target = smollm2(args.smollm2)
    with tempfile.TemporaryDirectory() as folder:
        bare_ms(target)  # loads the model
        rounds = [(bare_ms(target), check_ms(target, Path(folder))) for _ in range(args.rounds)]
    bare, check = (statistics.median(times) for times in zip(*rounds, strict=True))
    ratios = [whole / lane for lane, whole in rounds]
    print(f"{N_STEPS} steps, {torch.get_num_threads()} threads, median of {args.rounds} rounds")
    print(f"    bare cached lane            {bare:8.0f} ms")
    print(
        f"    check, oracle in one pass   {check:8.0f} ms   {statistics.median(ratios):6.3f} times ({min(ratios):.3f} to {max(ratios):.3f})"
    )


if __name__ == "__main__":
    main()
