"""A trace of 1 GB and 500 steps: opening, a step, one attention row of one head over all steps, memory. Run it by hand.

python -m tests.bench.bench_trace [--gb 1] [--keep FILE]
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from core.trace.reader import Trace
from core.trace.records import LaneFacts, LayerFacts, ModelShape, RunInfo, StepFacts
from core.trace.writer import TraceWriter
from core.verdict.steps import first_bad_step
from core.views.attention import attention
from core.views.selection import Selection
from core.views.timeline import timeline
from core.views.tokens import token_strip

N_STEPS = 500
N_LAYERS, N_HEADS, N_KV, HEAD_DIM = 30, 9, 3, 64
N_PROMPT = 12
BARS = {
    "open to first paint, s": 1.0, "a step, ms": 20.0, "one attention row over all steps, ms": 60.0, "memory above start, MB": 300.0,
}  # fmt: skip


def resident_mb() -> float:
    """Return the peak since it was last reset, so that a passing peak counts as well."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def write(path: Path, n_bytes: int) -> None:
    """Steps as SmolLM2's are, filled up to the wanted size with module outputs."""
    random = np.random.default_rng(0)
    info = RunInfo(
        target="bench", scenario="decode", prompt_ids=[[1] * N_PROMPT], steps=N_STEPS, tolerance=5e-4,
        model=ModelShape(dtype="float32", vocab_size=49152, n_layers=N_LAYERS, n_heads=N_HEADS, n_kv_heads=N_KV, head_dim=HEAD_DIM),
    )  # fmt: skip
    writer, text_len = TraceWriter(path, info), 0
    fill = random.normal(size=n_bytes // N_STEPS // 4).astype(np.float32)
    for step in range(N_STEPS):
        q_len = 1 if step else N_PROMPT
        text_len += q_len
        layer = LayerFacts(k_shape=[1, N_KV, text_len, HEAD_DIM], v_shape=[1, N_KV, text_len, HEAD_DIM], dtype="float32", nbytes=1, allocated_nbytes=1)  # fmt: skip
        lane = LaneFacts(elapsed_ms=40.0, layers=[layer] * N_LAYERS)
        tensors = {"tokens": np.ones((1, q_len), np.int64)}
        for name in ("oracle", "cached"):
            tensors[f"{name}/top_ids"] = np.arange(256, dtype=np.int32)[None, None]
            tensors[f"{name}/top_logits"] = random.normal(size=(1, 1, 256)).astype(np.float32)
            tensors[f"{name}/position_ids"] = np.arange(text_len - q_len, text_len)[None]
            for at in range(N_LAYERS):
                prefix = f"{name}/layer.{at}/"
                tensors[prefix + "q"] = np.ones((1, N_HEADS, q_len, HEAD_DIM), np.float32)
                tensors[prefix + "k"] = tensors[prefix + "v"] = np.ones(
                    (1, N_KV, q_len, HEAD_DIM), np.float32
                )
                tensors[prefix + "attn_weights"] = np.full(
                    (1, N_HEADS, q_len, text_len), 1 / text_len, np.float32
                )
        used = sum(array.nbytes for array in tensors.values())
        tensors["cached/module/fill"] = fill[None, None, : max(1, len(fill) - used // 4)]
        facts = StepFacts(
            step_index=step, kind="decode" if step else "prefill", tokens=[[1] * q_len], text_len=text_len, max_abs_diff=1e-5,
            argmax_oracle=[7], argmax_cached=[7], oracle=lane, cached=lane, token_texts={str(one): f" t{one}" for one in range(34)},
        )  # fmt: skip
        writer.add_step(facts, tensors)
    writer.close("complete")


def measure(path: Path) -> dict[str, float]:
    """Return the figures; the view functions are those of the window, without its painting."""
    before, start = resident_mb(), time.perf_counter()
    cpu = time.process_time()
    found: dict[str, float] = {}
    with Trace.open(path) as trace:
        found["index, ms"] = 1e3 * (time.perf_counter() - start)
        selection = Selection()
        timeline(trace, selection, 5e-4)
        token_strip(trace, selection, 5e-4)
        first_bad_step(trace, 5e-4)
        attention(trace, selection)
        found["open to first views, s"] = time.perf_counter() - start
        found["open to first views, s of the processor"] = time.process_time() - cpu
        cpu = time.process_time()
        steps = np.random.default_rng(1).permutation(N_STEPS)[:100]
        times = []
        for step in steps.tolist():
            start = time.perf_counter()
            trace.tensor(step, "cached/layer.3/k")
            times.append(1e3 * (time.perf_counter() - start))
        found["a step, ms"] = float(np.median(times))
        found["a step, slowest, ms"] = max(times)
        found["a step, ms of the processor"] = 1e3 * (time.process_time() - cpu) / len(steps)
        trace._parsed.clear()
        cpu = time.process_time()
        start = time.perf_counter()
        for step in range(N_STEPS):
            assert trace.rows(step, "cached/layer.17/attn_weights", (0, 5)) is not None
        found["one attention row over all steps, ms"] = 1e3 * (time.perf_counter() - start)
        found["one attention row, ms of the processor"] = 1e3 * (time.process_time() - cpu)
        start = time.perf_counter()
        attention(trace, Selection(step=N_STEPS - 1, layer=17, head=5))
        found["attention map of all steps, ms"] = 1e3 * (time.perf_counter() - start)
        found["memory above start, MB"] = resident_mb() - before
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gb", type=float, default=1.0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read is not None:  # a process of its own: writing has not warmed it up
        for name, value in measure(args.read).items():
            bar = f"   (bar {BARS[name]:g})" if name in BARS else ""
            print(f"{name:<40} {value:9.2f}{bar}")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = args.keep or Path(folder) / "large.kvtrace"
        start = time.perf_counter()
        write(path, int(args.gb * 2**30))
        print(f"{'file, MB':<40} {path.stat().st_size / 2**20:9.0f}")
        print(f"{'writing, ms a step':<40} {1e3 * (time.perf_counter() - start) / N_STEPS:9.2f}")
        subprocess.run([sys.executable, "-m", "tests.bench.bench_trace", "--read", str(path)], check=True)


if __name__ == "__main__":
    main()
