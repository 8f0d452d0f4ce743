"""A recorded run of a few letters with made-up differences: no model has run for it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from core.trace.records import FreeFacts, ModelShape, RunInfo, StepFacts
from core.trace.writer import TraceWriter

LETTERS = "abcdefghijklmnopqrstuvwxyz"
N_PROMPT = 3


def write_small_trace(
    path: Path,
    diffs: Sequence[float | None],
    bookmarks: Iterable[int] = (),
    free: FreeFacts | None = None,
) -> None:
    """The prompt is abc; each step after it feeds one more letter."""
    shape = ModelShape(dtype="float32", vocab_size=8, n_layers=2, n_heads=2)
    info = RunInfo(
        target="tiny:rope-gqa", scenario="decode", model=shape, prompt_ids=[[0, 1, 2]], steps=len(diffs),
        tolerance=1e-3, prompt="abc",
    )  # fmt: skip
    writer = TraceWriter(path, info)
    for step, diff in enumerate(diffs):
        tokens = list(range(N_PROMPT)) if step == 0 else [N_PROMPT - 1 + step]
        facts = StepFacts(
            step_index=step, kind="prefill" if step == 0 else "decode", tokens=[tokens], text_len=N_PROMPT + step,
            max_abs_diff=diff, argmax_oracle=[N_PROMPT + step], argmax_cached=[N_PROMPT + step],
            token_texts={str(i): letter for i, letter in enumerate(LETTERS)},
        )  # fmt: skip
        logits = np.zeros((1, len(tokens), 8), dtype=np.float32)
        writer.add_step(facts, {"oracle/logits": logits, "cached/logits": logits})
    writer.close("complete", bookmarks=bookmarks, free=free)
