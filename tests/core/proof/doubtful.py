"""Targets whose float32 differences lie where rounding and faults overlap, as source; each is written to a file by a test.

One decoder without positions, summing over the text as attention does: `SHARP` scales its logits and so its rounding.
"""

SOURCE = """
import torch
from torch import nn
from torch.nn import functional as F

V, D = 23, 64
{settings}

class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.qkv, self.out = nn.Embedding(V, D), nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.up, self.down, self.head = nn.Linear(D, 4 * D), nn.Linear(4 * D, D), nn.Linear(D, V)
        self.reach = nn.Parameter(torch.tensor(1.0))

    def forward(self, ids, cache=None, is_cached=False):
        x = self.embed(ids)
        q, k, v = self.qkv(x).split(D, -1)
        if cache is not None:
            k, v = torch.cat((cache[0], k), 1), torch.cat((cache[1], v), 1)
        scores = q @ k.transpose(1, 2) / D ** 0.5
        t, s = scores.shape[1:]
        seen = torch.ones(t, s, dtype=torch.bool).tril(s - t)
        x = x + self.out(scores.masked_fill(~seen, float("-inf")).softmax(-1) @ v)
        {body}
        return self.head(x), (k, v)

torch.manual_seed(3)
module = Decoder().eval().requires_grad_(False)
vocab_size, max_length = V, 64

def full(ids):
    return module(ids)[0]

def cached(ids, cache):
    {call}
"""

CALL = "return module(ids, cache, True)"


def source(body: str = "x = x + self.down(F.gelu(self.up(x)))", call: str = CALL, settings: str = "") -> str:
    return SOURCE.format(body=body, call=call, settings=settings)


def no_clamp(limit: float) -> str:
    """The clamp is missing in the path of one token; it would cut one value, the less the higher the limit."""
    return source(
        body="hidden = F.gelu(self.up(x))\n        if not (is_cached and ids.shape[1] == 1):\n"
        "            hidden = hidden.clamp(max=LIMIT)\n        x = x + self.down(hidden)",
        settings=f"LIMIT = {limit}",
    )


NO_CLAMP, HARDLY_NO_CLAMP = no_clamp(1.984), no_clamp(1.992)
# large activations that cancel: their sums lose digits, and sums over another shape lose other ones
LARGE_SUMS = source(
    body="hidden = F.gelu(self.up(x)) + SIZE\n        x = x + self.down(hidden) - SIZE * self.down.weight.sum(1)",
    settings="SIZE = 4e3",
)
AUTOCAST = source(
    call="with torch.autocast('cpu', dtype=torch.bfloat16):\n        logits, cache = module(ids, cache, True)\n"
    "    return logits.to(module.reach.dtype), tuple(rows.to(module.reach.dtype) for rows in cache)"
)
