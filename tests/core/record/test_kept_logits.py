"""Of a large vocabulary the top of both lanes is kept, and the window's table reads it like full logits."""

from pathlib import Path

import numpy as np
import torch

from core.record.kept_logits import LARGE_VOCABULARY, MAX_ROWS, N_KEPT, kept_logits
from core.record.recorder import to_numpy
from core.trace.reader import Trace
from core.trace.records import ModelShape, RunInfo, StepFacts
from core.trace.writer import TraceWriter
from core.views.logits import LogitsView, logits
from core.views.selection import Selection

VOCAB = 3 * LARGE_VOCABULARY


def two_lanes(n_rows: int = 1, vocab: int = VOCAB) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    oracle = torch.randn(2, n_rows, vocab, generator=generator)
    cached = oracle + 0.01 * torch.randn(oracle.shape, generator=generator)
    cached[:, -1, 7] = 100.0  # the cached lane's choice is nowhere near the oracle's top
    oracle[:, -1, 7] = -100.0
    return oracle, cached


def test_that_a_small_vocabulary_is_kept_whole() -> None:
    oracle, cached = two_lanes(vocab=50)
    assert kept_logits(oracle, cached) == {"oracle/logits": oracle, "cached/logits": cached}


def test_that_the_top_of_both_lanes_is_kept_with_both_lanes_values() -> None:
    oracle, cached = two_lanes()
    kept = kept_logits(oracle, cached)
    ids = kept["oracle/top_ids"].long()
    assert ids.shape == (2, 1, N_KEPT)
    assert torch.equal(kept["oracle/top_ids"], kept["cached/top_ids"])
    for row in range(2):
        assert len(set(ids[row, 0].tolist())) == N_KEPT
        for lane in (oracle, cached):
            assert set(lane[row, 0].topk(N_KEPT // 2).indices.tolist()) <= set(ids[row, 0].tolist())
    assert torch.equal(kept["cached/top_logits"], cached.gather(-1, ids))
    assert torch.equal(kept["oracle/top_logits"], oracle.gather(-1, ids))


def test_that_of_a_long_prefill_only_the_newest_row_is_kept() -> None:
    assert kept_logits(*two_lanes(MAX_ROWS))["oracle/top_ids"].shape[1] == MAX_ROWS
    oracle, cached = two_lanes(MAX_ROWS + 1)
    kept = kept_logits(oracle, cached)
    assert kept["oracle/top_ids"].shape[1] == 1
    assert torch.equal(
        kept["oracle/top_logits"], kept_logits(oracle[:, -1:], cached[:, -1:])["oracle/top_logits"]
    )


def view_of(path: Path, tensors: dict[str, torch.Tensor]) -> LogitsView | None:
    info = RunInfo(
        target="x", scenario="decode", model=ModelShape(dtype="float32", vocab_size=VOCAB), prompt_ids=[[1]],
        steps=1, tolerance=5e-4,
    )  # fmt: skip
    writer = TraceWriter(path, info)
    facts = StepFacts(
        step_index=0, kind="prefill", tokens=[[1], [1]], text_len=1, max_abs_diff=200.0,
        argmax_oracle=[0, 0], argmax_cached=[7, 7], worst_at=[0, 0, 7],
    )  # fmt: skip
    writer.add_step(facts, to_numpy(tensors))
    with Trace.open(writer.close("complete")) as trace:
        return logits(trace, Selection(step=0), 5e-4)


def test_that_the_table_is_the_same_from_the_top_as_from_all_logits(tmp_path: Path) -> None:
    oracle, cached = two_lanes()
    whole = view_of(tmp_path / "a.kvtrace", {"oracle/logits": oracle, "cached/logits": cached})
    top = view_of(tmp_path / "b.kvtrace", kept_logits(oracle, cached))
    assert top == whole
    assert next(row for row in top.rows if row.token_id == 7).is_cached_choice
    assert np.isclose(next(row for row in top.rows if row.token_id == 7).delta, 200)


def test_that_another_engines_tops_meet_where_both_kept_a_token(tmp_path: Path) -> None:
    tensors = {
        "oracle/top_ids": torch.tensor([[[5, 3, 9]]]), "oracle/top_logits": torch.tensor([[[3.0, 2.0, 1.0]]]),
        "cached/top_ids": torch.tensor([[[3, 5, 8]]]), "cached/top_logits": torch.tensor([[[2.5, 2.0, 1.0]]]),
    }  # fmt: skip
    view = view_of(tmp_path / "a.kvtrace", tensors)
    assert [(row.token_id, row.oracle, row.cached) for row in view.rows] == [(5, 3.0, 2.0), (3, 2.0, 2.5)]
    tensors["cached/top_ids"] = torch.tensor([[[20, 21, 22]]])
    assert view_of(tmp_path / "b.kvtrace", tensors) is None
