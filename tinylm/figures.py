"""What a checkpoint is worth, measured on notes that it was not trained on."""

import re
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from tinylm.masks import causal_mask
from tinylm.model import TinyLM
from tinylm.tokenizer import VOCAB_SIZE, encode

# The group is what tells one id from another; what stands before it is the same for all of them.
EVIDENCE_ID = re.compile(r"EV-(\d{4})")
ADDRESS = re.compile(r"0x([0-9a-fA-F]{4,8})")
INVOICE_NUMBER = re.compile(r"(?:nvoice|发票) (\d{4})")
ID_CHARS = frozenset(b"0123456789abcdefABCDEF")


@torch.inference_mode()
def held_out_loss(model: TinyLM, blocks: Tensor) -> float:
    """Return the mean loss in nats a token over blocks (N, T + 1), every token but the first of a block predicted."""
    losses = [_loss_of(model, rows) * len(rows) for rows in torch.split(blocks, 16)]
    return sum(losses) / len(blocks)


def unigram_and_bigram_loss(train_blocks: Tensor, blocks: Tensor) -> tuple[float, float]:
    """Return the losses, on the same tokens as `held_out_loss`, of two tables of counts fitted on `train_blocks`.

    The unigram has one pseudo-count a token; the bigram has one pseudo-count a row, spread as the unigram.
    """
    pairs = torch.zeros(VOCAB_SIZE, VOCAB_SIZE, dtype=torch.float64)
    ones = torch.ones((), dtype=torch.float64)
    pairs.index_put_((train_blocks[:, :-1].flatten(), train_blocks[:, 1:].flatten()), ones, accumulate=True)
    unigram = pairs.sum(0) + 1
    unigram /= unigram.sum()
    bigram = (pairs + unigram) / (pairs.sum(1, keepdim=True) + 1)
    before, after = blocks[:, :-1].flatten(), blocks[:, 1:].flatten()
    return -unigram[after].log().mean().item(), -bigram[before, after].log().mean().item()


@torch.inference_mode()
def copy_share(model: TinyLM, texts: Sequence[str], pattern: re.Pattern[str]) -> float:
    """Return the share of ids that greedy decoding copies rightly at their second mention.

    The prefix is the true text up to the id's first distinguishing character (after `EV-` or `0x`). A copy is right if
    greedy decoding gives all distinguishing characters of the id and then something that is no digit of an id. That is
    so exactly if the true text's own argmax is right at each of these places, so one forward a text is enough.
    """
    n_right = n_seen = 0
    for text in texts:
        spans = second_mentions(text, pattern)
        if not spans:
            continue
        true_ids = torch.tensor(encode(text))
        greedy_ids = _logits_of(model, true_ids.unsqueeze(0))[0].argmax(-1)  # greedy_ids[i] stands at i + 1
        n_seen += len(spans)
        for start, end in spans:
            copied = torch.equal(greedy_ids[start - 1 : end - 1], true_ids[start:end])
            n_right += copied and int(greedy_ids[end - 1]) not in ID_CHARS
    return n_right / max(n_seen, 1)


def second_mentions(text: str, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """Return where the distinguishing characters (group 1) of each id's second mention start and end in `text`."""
    n_mentions: dict[str, int] = {}
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        n_mentions[match[1]] = n_mentions.get(match[1], 0) + 1
        if n_mentions[match[1]] == 2:
            spans.append(match.span(1))
    return spans


def _loss_of(model: TinyLM, blocks: Tensor) -> float:
    logits = _logits_of(model, blocks[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), blocks[:, 1:].flatten()).item()


def _logits_of(model: TinyLM, input_ids: Tensor) -> Tensor:
    """Return logits (B, T, V) of whole texts (B, T) that start at position 0."""
    text_len = input_ids.shape[1]
    position_ids = torch.arange(text_len).expand_as(input_ids)
    logits: Tensor = model(input_ids, position_ids, mask=causal_mask(text_len, text_len))[0]
    return logits
