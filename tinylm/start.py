"""Starting weights for training, in which copying is already half built.

Copying an id needs two heads that find each other: one that looks back a little, and, a layer above, one that looks for
the place whose past is the current past and writes what came next (an induction head: Olsson et al. 2022, arXiv
2209.11895). From random weights that takes far longer than the minutes a checkpoint is given. All weights stay free.

The residual stream starts with groups of channels: the token's code, what the first head found in the past, marks of
the position, and the rest, which belongs to the token like the code.
"""

import math
from typing import cast

import torch
from torch import Tensor, nn

from tinylm.config import ModelConfig
from tinylm.model import Block, TinyLM

CODE, ONE_BACK, TWO_BACK = slice(0, 16), slice(16, 32), slice(32, 48)
MARKS, REST = slice(48, 64), slice(64, 128)
N_CODE, N_WAVES = 16, 8
EMBEDDING_STD = 0.1
WRITE_SCALE = 0.03  # of the other heads and the MLPs: small at first, so that they do not drown the copying
BACK_SHARPNESS, MATCH_SHARPNESS = 6.0, 2.5
READ_SCALE, COPY_SCALE = 0.35, 1.0

# ALiBi needs no marks: their channels join the code, which has room to keep the characters of ids at right angles.
ALIBI_CODE, ALIBI_HISTORY = torch.cat((torch.arange(0, 16), torch.arange(48, 64))), torch.arange(16, 48)
ID_CHARS = b"0123456789abcdefABCDEFxV-.: "
ALIBI_READ_SCALE = 0.42
ALIBI_GAIN = 2.0  # of the history over the code: the read scale squared, times the norm's factor of 11.5
NEWEST_SHARE, OLDER_SHARE, HISTORY_SHARPNESS = 1.0, 2.0, 4.0


@torch.no_grad()
def build_start(model: TinyLM) -> None:
    """Overwrite the weights of an untrained model, with the global generator."""
    for name, weight in model.named_parameters():
        if weight.dim() == 2:
            nn.init.normal_(weight, std=EMBEDDING_STD if "embedding" in name else weight.shape[1] ** -0.5)
            if name.endswith(("out.weight", "down.weight")):
                weight.mul_(WRITE_SCALE)
    if model.config.position_scheme == "alibi":
        _keep_history(model)
        _look_for_same_history(model)
        return
    model.token_embedding.weight[:, ONE_BACK.start : MARKS.stop] = 0.0
    waves = _mark_positions(model)
    for head, channels in enumerate((ONE_BACK, TWO_BACK)):
        _look_back(model, waves, head, channels)
    _look_for_repeat(model)


def _mark_positions(model: TinyLM) -> Tensor:
    """Fill MARKS with what a head needs to see distances; return how far each mark turns from token to token."""
    config = model.config
    if config.position_scheme == "rope":
        model.token_embedding.weight[:, MARKS.start] = (
            1.0  # a constant, which rope then turns by the position
        )
        return config.rope_theta ** (-torch.arange(N_WAVES) * 2 / config.head_dim)
    waves = 0.63 ** torch.arange(N_WAVES)
    angles = torch.outer(torch.arange(config.max_seq_len), waves)
    position_embedding = model.position_embedding.weight
    position_embedding[:] = 0.0
    position_embedding[:, MARKS] = 0.35 * torch.cat((angles.cos(), angles.sin()), dim=1)
    return waves


def _look_back(model: TinyLM, waves: Tensor, head: int, channels: slice) -> None:
    """Let a head of the first layer attend head + 1 tokens back, and copy the code that stands there to `channels`."""
    config, block = model.config, _block(model, 0)
    kv_head = head * config.n_kv_heads // config.n_heads
    q, k, v = (block.qkv.weight[rows] for rows in _qkv_rows(config, head, kv_head))
    q[:], k[:], v[:N_CODE] = 0.0, 0.0, 0.0
    cos, sin = ((head + 1) * waves).cos(), ((head + 1) * waves).sin()
    first = torch.arange(N_WAVES)
    second = first + config.head_dim // 2  # rope turns row i with row i + D/2
    if config.position_scheme == "rope":
        strength, mark = BACK_SHARPNESS / 8.4, MARKS.start
        q[first, mark], q[second, mark], k[first, mark] = strength * cos, -strength * sin, strength
    else:
        strength, mark_cos = BACK_SHARPNESS / 3.0, first + MARKS.start
        mark_sin = mark_cos + N_WAVES
        q[first, mark_cos], q[first, mark_sin] = strength * cos, strength * sin
        q[second, mark_sin], q[second, mark_cos] = strength * cos, -strength * sin
        k[first, mark_cos], k[second, mark_sin] = strength, strength
    v[:N_CODE, CODE] = READ_SCALE * torch.eye(N_CODE)
    out = block.out.weight[:, head * config.head_dim : (head + 1) * config.head_dim]
    out[:] = 0.0
    out[channels, :N_CODE] = READ_SCALE * torch.eye(N_CODE)


def _look_for_repeat(model: TinyLM) -> None:
    """Let head 0 of the second layer attend where the last two tokens stood before, and write what came next."""
    config, block = model.config, _block(model, 1)
    q, k, _ = (block.qkv.weight[rows] for rows in _qkv_rows(config, 0, 0))
    half = config.head_dim // 2
    slow = torch.arange(half - N_CODE // 2, half)  # the pairs that rope hardly turns within a note
    dims = torch.cat((slow, slow + half))
    q[:], k[:] = 0.0, 0.0
    newest, older = (MATCH_SHARPNESS * torch.linalg.qr(torch.randn(N_CODE, N_CODE))[0] for _ in range(2))
    q[dims, CODE], q[dims, ONE_BACK] = newest, older
    k[dims, ONE_BACK], k[dims, TWO_BACK] = newest, older
    _write_what_is_there(model, 0, torch.cat((torch.arange(N_CODE), torch.arange(REST.start, REST.stop))))


def _keep_history(model: TinyLM) -> None:
    """Let ALiBi's steepest head average the past: it reads the code, and weighs a token by r to the power of its age.

    The bias falls too slowly to single out one token back, but h(i) = (1 - r) code(i) + r h(i - 1) tells as much.
    """
    embedding, block = model.token_embedding.weight, _block(model, 0)
    embedding[:, ALIBI_HISTORY] = 0.0
    size = len(ALIBI_CODE)
    apart = torch.linalg.qr(torch.randn(size, size))[0] * EMBEDDING_STD * size**0.5
    embedding[torch.tensor(list(ID_CHARS)).unsqueeze(1), ALIBI_CODE] = apart[: len(ID_CHARS)]
    q, _, v = (block.qkv.weight[rows] for rows in _qkv_rows(model.config, 0, 0))
    q[:], v[:] = 0.0, 0.0  # no query: the bias alone decides
    v[:, ALIBI_CODE] = ALIBI_READ_SCALE * torch.eye(size)
    out = block.out.weight[:, : model.config.head_dim]
    out[:] = 0.0
    out[ALIBI_HISTORY] = ALIBI_READ_SCALE * torch.eye(size)


def _look_for_same_history(model: TinyLM) -> None:
    """Let ALiBi's flattest head attend where the history before a token is the current history, newest token first."""
    config, block = model.config, _block(model, 1)
    head, r = config.n_heads - 1, math.exp(-float(model.alibi_slopes[0]))
    q, k, _ = (block.qkv.weight[rows] for rows in _qkv_rows(config, head, 0))
    eye = HISTORY_SHARPNESS * torch.eye(len(ALIBI_CODE))
    q[:], k[:] = 0.0, 0.0
    q[:, ALIBI_CODE] = (NEWEST_SHARE - OLDER_SHARE * (1 - r) / r) * eye
    q[:, ALIBI_HISTORY] = OLDER_SHARE / (r * ALIBI_GAIN) * eye
    k[:, ALIBI_CODE], k[:, ALIBI_HISTORY] = -(1 - r) * eye, eye / ALIBI_GAIN
    _write_what_is_there(model, head, torch.cat((ALIBI_CODE, torch.arange(REST.start, REST.stop))))


def _write_what_is_there(model: TinyLM, head: int, channels: Tensor) -> None:
    """Let a head of the second layer add the token that it attends to (its `channels`) to the residual stream."""
    config, block = model.config, _block(model, 1)
    v = block.qkv.weight[_qkv_rows(config, head, head * config.n_kv_heads // config.n_heads)[2]]
    v[:] = 0.0
    v[:, channels] = torch.linalg.qr(torch.randn(len(channels), config.head_dim))[0].T
    block.out.weight[:, head * config.head_dim : (head + 1) * config.head_dim] = COPY_SCALE * v.T


def _qkv_rows(config: ModelConfig, head: int, kv_head: int) -> tuple[slice, slice, slice]:
    """Return the rows of the qkv matrix that make q of a head, and k and v of a kv head."""
    starts = (head, config.n_heads + kv_head, config.n_heads + config.n_kv_heads + kv_head)
    q, k, v = (slice(start * config.head_dim, (start + 1) * config.head_dim) for start in starts)
    return q, k, v


def _block(model: TinyLM, layer: int) -> Block:
    return cast(Block, model.blocks[layer])
