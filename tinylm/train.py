"""Train a checkpoint on two CPU cores: `python -m tinylm.train rope-gqa`.

Everything that decides the result is a number in RECIPES or the seed; the clock is only a safety cap.
"""

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from tinylm.checkpoint import MODELS_DIR, save_checkpoint
from tinylm.config import CONFIGS
from tinylm.corpus import notes
from tinylm.figures import (
    ADDRESS,
    EVIDENCE_ID,
    INVOICE_NUMBER,
    copy_share,
    held_out_loss,
    unigram_and_bigram_loss,
)
from tinylm.masks import causal_mask
from tinylm.model import TinyLM
from tinylm.start import build_start
from tinylm.tokenizer import encode

SEED = 7
HELD_OUT_SEED = 1_000_007
SHORT_BLOCK, LONG_BLOCK = 256, 512
LONG_EVERY = 6
REPORT_EVERY = 100


@dataclass(frozen=True)
class Recipe:
    """What was tuned, per checkpoint."""

    n_steps: int
    peak_lr: float = 2e-3
    warmup_steps: int = 100
    final_lr_share: float = 0.03
    weight_decay: float = 0.05
    tokens_per_step: int = 2048


RECIPES = {
    "rope-gqa": Recipe(n_steps=4500),
    "learned-mha": Recipe(n_steps=2600),
    "alibi-mqa": Recipe(n_steps=2600),
}


def learning_rate(step: int, recipe: Recipe) -> float:
    """Return a linear warm-up to the peak, then half a cosine down to its final share."""
    if step < recipe.warmup_steps:
        return recipe.peak_lr * (step + 1) / recipe.warmup_steps
    done = (step - recipe.warmup_steps) / max(1, recipe.n_steps - recipe.warmup_steps)
    share = recipe.final_lr_share + (1 - recipe.final_lr_share) * (1 + math.cos(math.pi * done)) / 2
    return recipe.peak_lr * share


def block_len_at(step: int) -> int:
    """Return the block length of a step: mostly short, now and then the whole context."""
    return LONG_BLOCK if step % LONG_EVERY == LONG_EVERY - 1 else SHORT_BLOCK


def draw_blocks(stream: Iterator[str], n_rows: int, block_len: int) -> Tensor:
    """Return (n_rows, block_len + 1) ids; each row starts with a whole note, since a prompt does so too."""
    rows = []
    for _ in range(n_rows):
        row: list[int] = []
        while len(row) <= block_len:
            row += encode(next(stream) + "\n")
        rows.append(row[: block_len + 1])
    return torch.tensor(rows)


def draw_position_ids(n_rows: int, block_len: int, max_seq_len: int, generator: torch.Generator) -> Tensor:
    """Return (n_rows, block_len); half of the rows start at 0, the others anywhere, so a learned table is used whole."""
    offsets = torch.randint(0, max_seq_len - block_len + 1, (n_rows, 1), generator=generator)
    offsets[: n_rows // 2] = 0
    return torch.arange(block_len) + offsets


def train(model: TinyLM, recipe: Recipe, seed: int, deadline: float) -> tuple[int, int]:
    """Train in place until the steps are done or the deadline (monotonic seconds) has passed; return steps, tokens."""
    stream, generator = notes(seed), torch.Generator().manual_seed(seed)
    optimizer = make_optimizer(model, recipe)
    progress = Progress(recipe.n_steps)
    for step in range(recipe.n_steps):
        if time.monotonic() > deadline:
            print(f"stopped by the time cap after {step} steps", flush=True)
            return step, progress.n_tokens
        block_len = block_len_at(step)
        blocks = draw_blocks(stream, recipe.tokens_per_step // block_len, block_len)
        position_ids = draw_position_ids(len(blocks), block_len, model.config.max_seq_len, generator)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, recipe)
        progress.add(train_step(model, optimizer, blocks, position_ids), blocks[:, 1:].numel())
    return recipe.n_steps, progress.n_tokens


def train_step(
    model: TinyLM, optimizer: torch.optim.Optimizer, blocks: Tensor, position_ids: Tensor
) -> float:
    """Take one optimizer step on blocks (B, T + 1) at position_ids (B, T); return the loss before it."""
    loss = loss_of(model, blocks, position_ids)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def loss_of(model: TinyLM, blocks: Tensor, position_ids: Tensor) -> Tensor:
    """Return the mean loss of predicting each token of blocks (B, T + 1) from those before it."""
    block_len = position_ids.shape[1]
    logits, _ = model(blocks[:, :-1], position_ids, mask=causal_mask(block_len, block_len))
    return F.cross_entropy(logits.flatten(0, 1), blocks[:, 1:].flatten())


def make_optimizer(model: TinyLM, recipe: Recipe) -> torch.optim.AdamW:
    """Return AdamW that decays matrices but not the gains of the norms."""
    matrices = [weight for weight in model.parameters() if weight.dim() > 1]
    gains = [weight for weight in model.parameters() if weight.dim() == 1]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": gains, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.peak_lr, betas=(0.9, 0.98), fused=True)


class Progress:
    """Counts tokens and prints a line now and then: step, loss, tokens per second, time left."""

    def __init__(self, n_steps: int) -> None:
        self.n_steps, self.n_tokens, self.losses = n_steps, 0, list[float]()
        self.started = time.monotonic()

    def add(self, loss: float, n_tokens: int) -> None:
        self.losses.append(loss)
        self.n_tokens += n_tokens
        step = len(self.losses)
        if step % REPORT_EVERY == 0 or step == self.n_steps:
            elapsed = time.monotonic() - self.started
            recent = self.losses[-REPORT_EVERY:]
            print(
                f"step {step:5d}/{self.n_steps}  loss {sum(recent) / len(recent):.4f}"
                f"  {self.n_tokens / elapsed:6.0f} tokens/s  {elapsed / step * (self.n_steps - step):4.0f} s left",
                flush=True,
            )


def measure(model: TinyLM, seed: int) -> dict[str, Any]:
    """Return the losses and copy shares on held-out notes.

    Each share is of notes alone; `in_pairs` is of two notes in a row, where the first one's ids distract, and
    `where_single` leaves out notes with two addresses, in which the words before an address say which one it is.
    """
    stream = notes(HELD_OUT_SEED)
    blocks = draw_blocks(stream, 64, LONG_BLOCK)
    alone = [next(stream) for _ in range(400)]
    pairs = [f"{first}\n{second}" for first, second in zip(alone[::2], alone[1::2], strict=True)]
    pairs = [pair for pair in pairs if len(pair) <= LONG_BLOCK]
    single = [note for note in alone if len(set(ADDRESS.findall(note))) == 1]
    unigram, bigram = unigram_and_bigram_loss(draw_blocks(notes(seed), 4000, LONG_BLOCK), blocks)
    figures = {
        "held_out_loss": held_out_loss(model, blocks),
        "unigram_loss": unigram,
        "bigram_loss": bigram,
        "copied_evidence_ids": copy_share(model, alone, EVIDENCE_ID),
        "copied_evidence_ids_in_pairs": copy_share(model, pairs, EVIDENCE_ID),
        "copied_invoice_numbers": copy_share(model, alone, INVOICE_NUMBER),
        "copied_addresses": copy_share(model, alone, ADDRESS),
        "copied_addresses_in_pairs": copy_share(model, pairs, ADDRESS),
        "copied_addresses_where_single": copy_share(model, single, ADDRESS),
    }
    return {name: round(figure, 4) for name, figure in figures.items()}


def main() -> None:
    """Train, measure and write one checkpoint."""
    parser = argparse.ArgumentParser(prog="python -m tinylm.train", description=__doc__)
    parser.add_argument("name", choices=CONFIGS)
    parser.add_argument(
        "--minutes", type=float, default=18.0, help="stop after this long, whatever the steps"
    )
    parser.add_argument("--out", type=Path, help="default: assets/models/NAME.safetensors")
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    torch.manual_seed(SEED)
    model, started = TinyLM(CONFIGS[arguments.name]), time.monotonic()
    build_start(model)
    recipe = RECIPES[arguments.name]
    n_steps, n_tokens = train(model, recipe, SEED, started + 60 * arguments.minutes)
    seconds = round(time.monotonic() - started)
    run = {"steps": n_steps, "tokens": n_tokens, "seconds": seconds, "seed": SEED, "torch": torch.__version__}
    figures = measure(model.eval(), SEED) | run
    save_checkpoint(arguments.out or MODELS_DIR / f"{arguments.name}.safetensors", model, figures)
    for name, value in figures.items():
        print(f"{name:30} {value}")


if __name__ == "__main__":
    main()
