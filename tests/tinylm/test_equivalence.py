"""The heart: cached logits equal uncached logits, for every checkpoint, layout and split of the prompt."""

from itertools import product

import pytest
import torch
from torch import Tensor

from tinylm import generate, tokenizer
from tinylm.cache import PastKV, empty_past_kv, reorder, truncate
from tinylm.checkpoint import load_checkpoint
from tinylm.config import CONFIGS, DEFAULT_WINDOW, LAYOUTS
from tinylm.masks import causal_mask
from tinylm.model import TinyLM

EVERY = list(product(CONFIGS, LAYOUTS))
PROMPT = "EV-2047: 0x7f"
TOLERANCE = 1e-4


@pytest.fixture(scope="module", params=EVERY, ids=lambda pair: "-".join(pair))
def model_and_layout(request: pytest.FixtureRequest) -> tuple[TinyLM, str]:
    name, layout = request.param
    return load_checkpoint(name)[0], layout


def window_of(layout: str) -> int | None:
    return DEFAULT_WINDOW if layout == "sliding" else None


@torch.inference_mode()
def uncached_logits(model: TinyLM, ids: Tensor, layout: str) -> Tensor:
    text_len = ids.shape[1]
    positions = torch.arange(text_len).expand_as(ids)
    return model(ids, positions, None, causal_mask(text_len, text_len, window_of(layout)))[0]


@torch.inference_mode()
def feed(
    model: TinyLM, ids: Tensor, start: int, past_kv: PastKV | None, layout: str
) -> tuple[Tensor, PastKV]:
    q_len = ids.shape[1]
    kv_len = q_len + (past_kv[0].past_len if past_kv else 0)
    positions = torch.arange(start, start + q_len).expand_as(ids)
    return model(ids, positions, past_kv, causal_mask(q_len, kv_len, window_of(layout)))


def fed_in_chunks(model: TinyLM, ids: Tensor, sizes: list[int], layout: str) -> Tensor:
    past_kv = empty_past_kv(layout, model.config.n_layers, capacity=ids.shape[1])
    start, pieces = 0, []
    for size in sizes:
        logits, past_kv = feed(model, ids[:, start : start + size], start, past_kv, layout)
        pieces.append(logits)
        start += size
    return torch.cat(pieces, 1)


def splits(length: int) -> list[list[int]]:
    """Every way to cut `length` tokens into chunks."""
    if length == 0:
        return [[]]
    return [[first, *rest] for first in range(1, length + 1) for rest in splits(length - first)]


def ids_of(text: str) -> Tensor:
    return torch.tensor([tokenizer.encode(text)])


def test_that_every_split_of_a_short_prompt_into_chunks_gives_the_uncached_logits(
    model_and_layout: tuple[TinyLM, str],
) -> None:
    model, layout = model_and_layout
    ids = ids_of(PROMPT[:5])
    want = uncached_logits(model, ids, layout)
    for sizes in splits(5):
        torch.testing.assert_close(fed_in_chunks(model, ids, sizes, layout), want, atol=TOLERANCE, rtol=0)


def test_that_64_tokens_one_by_one_give_the_uncached_logits_past_the_window(
    model_and_layout: tuple[TinyLM, str],
) -> None:
    model, layout = model_and_layout
    ids = generate.generate_uncached(model, ids_of(PROMPT), 64)
    assert ids.shape[1] > DEFAULT_WINDOW
    got = fed_in_chunks(model, ids, [len(PROMPT)] + [1] * 64, layout)
    torch.testing.assert_close(got, uncached_logits(model, ids, layout), atol=TOLERANCE, rtol=0)


def test_that_a_chunk_larger_than_the_window_gives_the_uncached_logits(
    model_and_layout: tuple[TinyLM, str],
) -> None:
    model, layout = model_and_layout
    ids = ids_of(
        "Evidence EV-2047: 0x7f3a paid 1,250.00 on 2024-05-17. The auditor notes that EV-2047 is settled, and more."
    )
    got = fed_in_chunks(model, ids, [30, 60, ids.shape[1] - 90], layout)
    torch.testing.assert_close(got, uncached_logits(model, ids, layout), atol=TOLERANCE, rtol=0)


@torch.inference_mode()
def test_that_decoding_after_a_rollback_gives_the_uncached_logits(
    model_and_layout: tuple[TinyLM, str],
) -> None:
    model, layout = model_and_layout
    ids, rejected = ids_of(PROMPT), ids_of("zzz")
    past_kv = empty_past_kv(layout, model.config.n_layers, capacity=64)
    _, past_kv = feed(model, ids[:, :-1], 0, past_kv, layout)
    _, past_kv = feed(model, rejected, len(PROMPT) - 1, past_kv, layout)
    past_kv = truncate(past_kv, len(PROMPT) - 1)
    got, past_kv = feed(model, ids[:, -1:], len(PROMPT) - 1, past_kv, layout)
    assert [layer.kv_len for layer in past_kv] == [len(PROMPT)] * model.config.n_layers
    torch.testing.assert_close(got, uncached_logits(model, ids, layout)[:, -1:], atol=TOLERANCE, rtol=0)


@torch.inference_mode()
def test_that_rows_follow_a_reorder_of_the_batch(model_and_layout: tuple[TinyLM, str]) -> None:
    model, layout = model_and_layout
    ids = torch.cat((ids_of("Invoice 4711"), ids_of("Account 0x3f")))
    past_kv = empty_past_kv(layout, model.config.n_layers, capacity=64)
    _, past_kv = feed(model, ids, 0, past_kv, layout)
    past_kv = reorder(past_kv, torch.tensor([1, 1]))
    next_ids = torch.tensor([[65], [66]])
    got, _ = feed(model, next_ids, ids.shape[1], past_kv, layout)
    want = uncached_logits(model, torch.cat((ids[[1, 1]], next_ids), 1), layout)[:, -1:]
    torch.testing.assert_close(got, want, atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("name", CONFIGS)
def test_that_all_layouts_without_a_window_generate_the_oracles_text(name: str) -> None:
    model = load_checkpoint(name)[0]
    ids = ids_of("Evidence EV-2047: 0x7f3a paid 1,250.00")
    want = generate.generate_uncached(model, ids, 24)
    for layout in ("concat", "static", "paged"):
        assert torch.equal(generate.generate_cached(model, ids, 24, layout), want)


@pytest.mark.parametrize("name", CONFIGS)
def test_that_a_left_padded_row_gets_the_logits_of_the_row_alone(name: str) -> None:
    model = load_checkpoint(name)[0]
    row = ids_of("EV-2047")
    padded = torch.cat((torch.zeros(1, 3, dtype=torch.int64), row), 1)
    is_token = torch.tensor([[False] * 3 + [True] * 7])
    positions = (is_token.long().cumsum(1) - 1).clamp_min(0)
    with torch.inference_mode():
        got = model(padded, positions, None, causal_mask(10, 10, None, is_token))[0][:, 3:]
    torch.testing.assert_close(got, uncached_logits(model, row, "concat"), atol=TOLERANCE, rtol=0)
