"""Starting weights for training, in which copying is already half built.

Copying needs two heads that find each other: one that looks k tokens back, and, a layer above, one that looks for the
place whose previous token is the current one (an induction head, Olsson et al. 2022, arXiv 2209.11895). From random
weights that takes far longer than the minutes that a checkpoint is given here; all weights stay free to change.
"""

import torch
from torch import Tensor, nn

from tinylm.config import ModelConfig
from tinylm.model import TinyLM

EMBEDDING_STD = 0.08
BACK_SHARPNESS = 6.0
MATCH_SHARPNESS = 4.0
WRITE_SCALE = 0.2
N_POSITION_WAVES = 8
N_MATCH_PAIRS = 7


@torch.no_grad()
def build_start(model: TinyLM) -> None:
    """Overwrite the weights of an untrained model, with the global generator."""
    config = model.config
    for name, weight in model.named_parameters():
        if weight.dim() == 2:
            nn.init.normal_(weight, std=EMBEDDING_STD if "embedding" in name else weight.shape[1] ** -0.5)
            if name.endswith(("out.weight", "down.weight")):
                weight *= WRITE_SCALE
    if config.position_scheme == "alibi":  # its bias falls too slowly to single out one token back
        return
    waves = _mark_positions(model)
    for head in (0, 1):
        _look_back(model, waves, head, distance=head + 1)
    _look_for_repeat(model)


def _mark_positions(model: TinyLM) -> Tensor:
    """Give the residual stream what a head needs to see distances; return the frequencies (waves,) of its rotation."""
    config = model.config
    if config.position_scheme == "rope":
        model.token_embedding.weight[:, 0] = 1.0  # a constant, which rope then turns by the position
        return config.rope_theta ** (-torch.arange(N_POSITION_WAVES) * 2 / config.head_dim)
    waves = 0.63 ** torch.arange(N_POSITION_WAVES)
    angles = torch.outer(torch.arange(config.max_seq_len), waves)
    model.token_embedding.weight[:, : 2 * N_POSITION_WAVES] = 0.0
    model.position_embedding.weight[:, 2 * N_POSITION_WAVES :] *= 0.1
    model.position_embedding.weight[:, : 2 * N_POSITION_WAVES] = 0.3 * torch.cat((angles.cos(), angles.sin()), dim=1)
    return waves


def _look_back(model: TinyLM, waves: Tensor, head: int, distance: int) -> None:
    """Make a head of the first layer attend `distance` tokens back."""
    config, block = model.config, model.blocks[0]
    q_rows = _rows(config, head)
    k_rows = _rows(config, config.n_heads + head * config.n_kv_heads // config.n_heads)
    block.qkv.weight[q_rows] *= 0.1
    block.qkv.weight[k_rows] *= 0.1
    n, turn_cos, turn_sin = len(waves), (distance * waves).cos(), (distance * waves).sin()
    q, k = block.qkv.weight[q_rows], block.qkv.weight[k_rows]
    if config.position_scheme == "rope":
        strength = BACK_SHARPNESS / 8.4
        half = config.head_dim // 2
        q[:n, 0], q[half : half + n, 0] = strength * turn_cos, -strength * turn_sin
        k[:n, 0] = strength
    else:
        strength, index = BACK_SHARPNESS / 2.7, torch.arange(n)
        q[index, index], q[index, n + index] = strength * turn_cos, strength * turn_sin
        q[n + index, n + index], q[n + index, index] = strength * turn_cos, -strength * turn_sin
        k[index, index], k[n + index, n + index] = strength, strength
    block.out.weight[:, _rows(config, head)] = WRITE_SCALE * torch.randn_like(q.T) * config.d_model**-0.5


def _look_for_repeat(model: TinyLM) -> None:
    """Make head 0 of the second layer attend to where the previous token was the current one, and read what is there."""
    config = model.config
    first, second = model.blocks[0], model.blocks[1]
    half = config.head_dim // 2
    slow = torch.arange(half - N_MATCH_PAIRS, half)  # the pairs that rope hardly turns over a note
    dims = torch.cat((slow, slow + half))
    read_token = first.qkv.weight[_rows(config, config.n_heads + config.n_kv_heads)][: len(dims)]  # v of kv head 0
    read_previous = first.out.weight[:, : len(dims)].T / WRITE_SCALE
    second.qkv.weight[_rows(config, 0)] *= 0.1
    second.qkv.weight[_rows(config, config.n_heads)] *= 0.1
    second.qkv.weight[dims] = MATCH_SHARPNESS * read_token
    second.qkv.weight[config.n_heads * config.head_dim + dims] = MATCH_SHARPNESS * read_previous
    copied = second.qkv.weight[_rows(config, config.n_heads + config.n_kv_heads)]
    second.out.weight[:, _rows(config, 0)] = copied.T


def _rows(config: ModelConfig, head: int) -> slice:
    return slice(head * config.head_dim, (head + 1) * config.head_dim)
