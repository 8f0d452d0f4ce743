"""What recording holds in memory at 512 tokens, beside the bare lanes.

    python -m tests.bench.bench_memory [--smollm2 FOLDER]

Each way runs in a process of its own; the figure is the peak of its resident memory (VmHWM) from when the model is loaded
and warm. The text is fed in ever shorter pieces, the last of one token: the attention rows of a long prompt fed at once
would be the larger part, T x T in every head, and are not what is measured here.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# for the children: what is freed goes back at once, so that a peak is what is held
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", "65536")
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", "65536")

import argparse
import subprocess
import sys

import torch

from core.record.recorder import record
from core.record.scenarios import Feed, Plan
from core.targets.load import Loader, make_loader
from tests.bench.bench_recording import smollm2, spec_of

N_TOKENS = 512
PIECES = (*(32,) * 8, *(16,) * 8, *(8,) * 8, *(4,) * 12, *(1,) * 16)
WORDS = {
    "cached": "cached lane, bare", "oracle": "oracle, bare", "both": "both lanes, bare",
    "recorded": "both, recorded and compared",
}  # fmt: skip
WAYS = tuple(WORDS)


def peak_mb() -> float:
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1024


def run_way(way: str, loader: Loader, pieces: tuple[int, ...]) -> None:
    """Feed a text in pieces, in one of the ways."""
    ids = torch.arange(sum(pieces)) % 1000 + 100
    if way == "recorded":
        plan = Plan(tuple(Feed((tuple(chunk.tolist()),), "chunk") for chunk in ids.split(pieces)))
        for _ in record(plan, loader):
            pass
        return
    oracle, tested, cache = loader.fresh(), loader.fresh(), None
    n_tokens = 0
    for piece in pieces:
        n_tokens += piece
        if way in ("oracle", "both"):
            oracle.full(ids[:n_tokens].unsqueeze(0))
        if way in ("cached", "both"):
            _, cache = tested.cached(ids[n_tokens - piece : n_tokens].unsqueeze(0), cache)


def child(way: str, target: str) -> None:
    """Print the peak above what the warm model takes, and the bytes of one copy of K and V."""
    loader = make_loader(spec_of(target))
    run_way(way, loader, (8, 1, 1))
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")  # the peak counts from here
    before = peak_mb()
    run_way(way, loader, PIECES)
    shape = loader.scratch.shape
    assert None not in (shape.n_layers, shape.n_kv_heads, shape.head_dim)
    one_copy = 2 * shape.n_layers * shape.n_kv_heads * shape.head_dim * 4 * N_TOKENS / 2**20
    print(peak_mb() - before, one_copy)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--smollm2", metavar="FOLDER")
    parser.add_argument("--way", choices=WAYS)
    args = parser.parse_args()
    if args.way:
        child(args.way, smollm2(args.smollm2))
        return
    own = [sys.executable, "-m", "tests.bench.bench_memory", *sys.argv[1:], "--way"]
    peaks = {}
    for way in WAYS:
        out = subprocess.run([*own, way], capture_output=True, text=True, check=True).stdout
        peaks[way], one_copy = (float(number) for number in out.split())
    print(
        f"peak of resident memory over the loaded model at {N_TOKENS} tokens; K and V once are {one_copy:.1f} MB"
    )
    for way in WAYS:
        more = f"  ({peaks[way] - peaks['both']:+.1f} to both lanes bare)" if way == "recorded" else ""
        print(f"    {WORDS[way]:<40}{peaks[way]:8.1f} MB{more}")


if __name__ == "__main__":
    main()
