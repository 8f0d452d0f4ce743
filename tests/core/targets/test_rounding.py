"""Rounding or a fault: two targets whose float32 differences have the same size, told apart by the wider rerun."""

import json
from pathlib import Path

import pytest

from core.errors import EXIT_DIVERGENT, EXIT_EQUIVALENT
from tests.core.support import main

SOURCE = """
import torch
from torch import nn
torch.manual_seed(0)
V, D, GAIN, DEFECT = 19, 16, {gain}, {defect}

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.q, self.k, self.v = nn.Embedding(V, D), nn.Linear(D, D), nn.Linear(D, D), nn.Linear(D, D)
        self.head, self.gain = nn.Linear(D, V), nn.Parameter(torch.tensor(GAIN))

    def forward(self, ids, past=None):
        x = self.embed(ids)
        q, k, v = self.q(x), self.k(x), self.v(x)
        if past is not None:
            k, v = torch.cat((past[0], k), 1), torch.cat((past[1], v), 1)
        t, s = q.shape[1], k.shape[1]
        mask = torch.ones(t, s, dtype=torch.bool).tril(s - t)
        mixed = (q @ k.mT / 4).masked_fill(~mask, float("-inf")).softmax(-1) @ v
        return self.head(mixed + (DEFECT if t == 1 else 0.0)) * self.gain, (k, v)

module = Layer().eval().requires_grad_(False)
vocab_size = V

def full(ids):
    return module(ids)[0]

def cached(ids, cache):
    return module(ids, cache)
"""
RUN = ("--scenario", "decode", "--steps", "8", "--json", "-")


@pytest.mark.parametrize(
    ("gain", "defect", "classification"),
    [(8000.0, 0.0, "rounding"), (1.0, 8e-4, "defect"), (1.0, 3e-4, "defect")],
    ids=["amplified rounding", "a fault over the tolerance", "a fault below the tolerance"],
)
def test_that_a_wider_rerun_settles_what_float32_cannot(
    tmp_path: Path, gain: float, defect: float, classification: str
) -> None:
    target, trace = tmp_path / "target.py", tmp_path / "a.kvtrace"
    target.write_text(SOURCE.format(gain=gain, defect=defect))
    done = main("check", str(target), *RUN, "--trace", str(trace))
    scenario = json.loads(done.stdout)["scenarios"][0]
    assert 1e-4 < scenario["max_abs_diff"] < 5e-3
    assert scenario["classification"] == classification
    assert done.returncode == (EXIT_EQUIVALENT if classification == "rounding" else EXIT_DIVERGENT)
    assert scenario["first_bad_step"] == (None if classification == "rounding" else 1)
    assert any("judged in float64" in note for note in scenario["notes"])
    shown = json.loads(main("show", str(trace), "--json").stdout)
    assert shown["scenarios"] == [scenario]  # the trace that is kept is the one that settled it
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".kvtrace"] == ["a.kvtrace"]
