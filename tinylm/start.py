"""Starting weights for training, in which copying is already half built.

Copying an id needs two heads that find each other: one that looks a token back, and, a layer above, one that looks for
the place whose previous tokens are the current ones (an induction head: Olsson et al. 2022, arXiv 2209.11895). From
random weights that takes far longer than the minutes a checkpoint is given. All weights stay free to change.

The residual stream starts with four groups of channels: the token's code, copies of the codes one and two tokens back,
marks of the position, and the rest, which belongs to the token like the code.
"""

import torch
from torch import Tensor, nn

from tinylm.config import ModelConfig
from tinylm.model import TinyLM

N_CODE = 16
CODE, ONE_BACK, TWO_BACK, MARKS, REST = (slice(0, 16), slice(16, 32), slice(32, 48), slice(48, 64), slice(64, 128))
EMBEDDING_STD = 0.1
WRITE_SCALE = 0.03
N_WAVES = 8
BACK_SHARPNESS = 6.0
MATCH_SHARPNESS = 2.5
COPY_SCALE = 1.0


@torch.no_grad()
def build_start(model: TinyLM) -> None:
    """Overwrite the weights of an untrained model, with the global generator."""
    for name, weight in model.named_parameters():
        if weight.dim() == 2:
            nn.init.normal_(weight, std=EMBEDDING_STD if "embedding" in name else weight.shape[1] ** -0.5)
            if name.endswith(("out.weight", "down.weight")):
                weight *= WRITE_SCALE
    if model.config.position_scheme == "alibi":  # its bias falls too slowly to single out one token back
        return
    model.token_embedding.weight[:, 16:64] = 0.0
    waves = _mark_positions(model)
    for head, channels in enumerate((ONE_BACK, TWO_BACK)):
        _look_back(model, waves, head, channels)
    _look_for_repeat(model)


def _mark_positions(model: TinyLM) -> Tensor:
    """Fill MARKS with what a head needs to see distances; return how far each mark turns from token to token."""
    config = model.config
    if config.position_scheme == "rope":
        model.token_embedding.weight[:, MARKS.start] = 1.0  # a constant, which rope then turns by the position
        return config.rope_theta ** (-torch.arange(N_WAVES) * 2 / config.head_dim)
    waves = 0.63 ** torch.arange(N_WAVES)
    angles = torch.outer(torch.arange(config.max_seq_len), waves)
    model.position_embedding.weight[:] = 0.0
    model.position_embedding.weight[:, MARKS] = 0.35 * torch.cat((angles.cos(), angles.sin()), dim=1)
    return waves


def _look_back(model: TinyLM, waves: Tensor, head: int, channels: slice) -> None:
    """Let a head of the first layer attend head + 1 tokens back, and copy the code that stands there to `channels`."""
    config, block = model.config, model.blocks[0]
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
    v[:N_CODE, CODE] = torch.eye(N_CODE) * 0.35
    out = block.out.weight[:, head * config.head_dim : (head + 1) * config.head_dim]
    out[:] = 0.0
    out[channels, :N_CODE] = torch.eye(N_CODE) * 0.35


def _look_for_repeat(model: TinyLM) -> None:
    """Let a head of the second layer attend where the last two tokens stood before, and write what came next."""
    config, block = model.config, model.blocks[1]
    q, k, v = (block.qkv.weight[rows] for rows in _qkv_rows(config, 0, 0))
    half = config.head_dim // 2
    slow = torch.arange(half - N_CODE // 2, half)  # the pairs that rope hardly turns within a note
    dims = torch.cat((slow, slow + half))
    q[:], k[:], v[:] = 0.0, 0.0, 0.0
    newest, older = (MATCH_SHARPNESS * torch.linalg.qr(torch.randn(N_CODE, N_CODE))[0] for _ in range(2))
    q[dims, CODE], q[dims, ONE_BACK] = newest, older
    k[dims, ONE_BACK], k[dims, TWO_BACK] = newest, older
    own = torch.cat((torch.arange(16), torch.arange(REST.start, REST.stop)))
    v[:, own] = torch.linalg.qr(torch.randn(len(own), config.head_dim))[0].T
    block.out.weight[:, : config.head_dim] = COPY_SCALE * v.T


def _qkv_rows(config: ModelConfig, head: int, kv_head: int) -> tuple[slice, slice, slice]:
    """Return the rows of the qkv matrix that make q of a head, and k and v of a kv head."""
    starts = (head, config.n_heads + kv_head, config.n_heads + config.n_kv_heads + kv_head)
    q, k, v = (slice(start * config.head_dim, (start + 1) * config.head_dim) for start in starts)
    return q, k, v
