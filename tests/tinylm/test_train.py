"""The pieces of training: batches, schedule, one step, and how copying is counted."""

import math
from itertools import islice

import pytest
import torch

from tinylm.checkpoint import random_model
from tinylm.config import CONFIGS
from tinylm.corpus import notes
from tinylm.figures import ADDRESS, EVIDENCE_ID, copy_share, second_mentions, unigram_and_bigram_loss
from tinylm.model import TinyLM
from tinylm.start import build_start
from tinylm.tokenizer import VOCAB_SIZE, encode
from tinylm.train import (
    LONG_BLOCK,
    RECIPES,
    Recipe,
    block_len_at,
    draw_blocks,
    draw_position_ids,
    learning_rate,
    loss_of,
    make_optimizer,
    train,
)


def test_that_every_checkpoint_has_a_recipe() -> None:
    assert RECIPES.keys() == CONFIGS.keys()


def test_that_each_row_of_a_batch_starts_with_a_whole_note() -> None:
    first, second, third = islice(notes(1), 3)
    blocks = draw_blocks(iter((first, second, third)), n_rows=1, block_len=len(first) + 5)
    assert blocks.tolist() == [encode(f"{first}\n{second}")[: len(first) + 6]]


def test_that_the_whole_context_is_trained_now_and_then() -> None:
    assert CONFIGS["rope-gqa"].max_seq_len == LONG_BLOCK
    assert {block_len_at(step) for step in range(10)} == {256, 512}


def test_that_short_blocks_reach_every_row_of_the_position_table() -> None:
    generator = torch.Generator().manual_seed(0)
    drawn = torch.cat([draw_position_ids(8, 256, 512, generator).flatten() for _ in range(300)])
    assert set(drawn.tolist()) == set(range(512))


def test_that_the_learning_rate_rises_to_its_peak_and_ends_near_zero() -> None:
    recipe = Recipe(n_steps=1000)
    rates = [learning_rate(step, recipe) for step in range(recipe.n_steps)]
    assert max(rates) == pytest.approx(recipe.peak_lr)
    assert rates.index(max(rates)) == pytest.approx(recipe.warmup_steps, abs=1)
    assert rates[-1] == pytest.approx(recipe.peak_lr * recipe.final_lr_share, rel=0.01)


def test_that_a_few_steps_down_the_gradient_lower_the_loss_of_a_batch() -> None:
    """Plain steps: torch loads its compiler, seconds of it, when an optimizer first moves."""
    model = random_model(CONFIGS["rope-gqa"]).requires_grad_(True)
    blocks, position_ids = draw_blocks(notes(0), 1, 32), torch.arange(32).expand(1, 32)
    losses = []
    for _ in range(10):
        loss = loss_of(model, blocks, position_ids)
        losses.append(loss.item())
        gradients = torch.autograd.grad(loss, list(model.parameters()))
        with torch.no_grad():
            for weight, gradient in zip(model.parameters(), gradients, strict=True):
                weight.sub_(0.1 * gradient)
    assert losses[0] == pytest.approx(math.log(VOCAB_SIZE), abs=0.3)
    assert losses[-1] < losses[0] - 1


def test_that_the_gains_of_the_norms_do_not_decay() -> None:
    decayed, kept = make_optimizer(random_model(CONFIGS["learned-mha"]), Recipe(n_steps=1)).param_groups
    assert decayed["weight_decay"] > 0
    assert kept["weight_decay"] == 0
    assert {weight.dim() for weight in decayed["params"]} == {2}
    assert {weight.dim() for weight in kept["params"]} == {1}


def test_that_training_stops_at_the_deadline() -> None:
    assert train(random_model(CONFIGS["rope-gqa"]), Recipe(n_steps=5), seed=0, deadline=0.0) == (0, 0)


def test_that_a_bigram_knows_a_text_of_two_alternating_tokens_and_a_unigram_does_not() -> None:
    blocks = torch.tensor([[5, 6] * 200])
    unigram, bigram = unigram_and_bigram_loss(blocks.repeat(50, 1), blocks)
    assert unigram == pytest.approx(math.log(2), abs=0.05)
    assert bigram < 0.01


def test_that_only_the_second_mention_of_an_id_counts() -> None:
    text = "EV-2047 and EV-9000; EV-2047, EV-2047."
    assert second_mentions(text, EVIDENCE_ID) == [(24, 28)]
    assert text[24:28] == "2047"


@pytest.mark.parametrize(("tail", "share"), [(" ", 1.0), ("a", 0.0)], ids=["stops", "runs on"])
def test_that_a_copy_counts_only_if_it_also_stops(
    monkeypatch: pytest.MonkeyPatch, tail: str, share: float
) -> None:
    """A stand-in for the model predicts the text itself, and `tail` after the address."""
    text = "from 0x3fA9 to 0x3fA9."
    predicted = encode(text[1:-1] + tail + "\n")
    logits = torch.nn.functional.one_hot(torch.tensor([predicted]), VOCAB_SIZE).float()
    monkeypatch.setattr("tinylm.figures._logits_of", lambda model, input_ids: logits)
    assert copy_share(random_model(CONFIGS["rope-gqa"]), [text], ADDRESS) == share


@pytest.mark.parametrize("name", CONFIGS)
def test_that_training_starts_from_a_model_that_already_continues_a_repetition(name: str) -> None:
    torch.manual_seed(0)
    model = TinyLM(CONFIGS[name])
    build_start(model)
    model.eval().requires_grad_(False)
    unit = "3fA9 0x7c42e1 EV-2058-6-b-d"
    ids = torch.tensor([encode(unit * 3)])
    logits, _ = model(ids, torch.arange(ids.shape[1]).unsqueeze(0), mask=_causal(ids.shape[1]))
    copied = logits[0, 2 * len(unit) : -1].argmax(-1) == ids[0, 2 * len(unit) + 1 :]
    assert copied.float().mean() > 0.5


def _causal(text_len: int) -> torch.Tensor:
    return torch.ones(text_len, text_len, dtype=torch.bool).tril()
