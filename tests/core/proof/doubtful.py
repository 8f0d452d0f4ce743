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

# healthy, with attention that computes in float32 whatever the model is in; large sums make its rounding large
FLOAT32_INSIDE = source(
    body="hidden = (F.gelu(self.up(x)) + SIZE).float()\n"
    "        x = x + (hidden @ self.down.weight.float().T - SIZE * self.down.weight.float().sum(1)).to(x.dtype) + self.down.bias",
    settings="SIZE = 4e3",
)
# healthy, with a module that does not run in float64
NO_FLOAT64 = source(
    settings="SIZE = 4e3\n\nclass Fused(nn.Linear):\n    def forward(self, x):\n"
    "        if x.dtype == torch.float64:\n            raise RuntimeError('this kernel takes no float64')\n"
    "        return super().forward(x) - SIZE * self.weight.sum(1)\n",
    body="x = x + self.down(F.gelu(self.up(x)) + SIZE)",
).replace("nn.Linear(4 * D, D)", "Fused(4 * D, D)")
# the same with a clamp that is missing
NO_FLOAT64_NO_CLAMP = NO_CLAMP.replace("\nclass Decoder", "\nclass Fused(nn.Linear):\n    def forward(self, x):\n"
    "        if x.dtype == torch.float64:\n            raise RuntimeError('this kernel takes no float64')\n"
    "        return super().forward(x)\n\nclass Decoder").replace("nn.Linear(4 * D, D)", "Fused(4 * D, D)")  # fmt: skip
# healthy, and nothing of it runs in float64: the failure is outside all modules
ALL_FLOAT32 = LARGE_SUMS.replace(
    "    return module(ids)[0]",
    "    assert module.head.weight.dtype == torch.float32\n    return module(ids)[0]",
)
NO_MODULE = LARGE_SUMS.replace("module", "decoder")


def in_bfloat16(target: str) -> str:
    """The target with its parameters in bfloat16; its logits are float32, as many return them."""
    return target.replace(".requires_grad_(False)", ".requires_grad_(False).bfloat16()").replace(
        "return self.head(x), (k, v)", "return self.head(x).float(), (k, v)"
    )


_LOST = (
    "    cache = None if cache is None or ids.shape[1] > 1 else tuple(rows[:, 1:] for rows in cache)\n    "
)
FIRST_ROW_LOST = source(call=_LOST.strip() + "\n    " + CALL)
BFLOAT16, BFLOAT16_FAULT = in_bfloat16(source()), in_bfloat16(FIRST_ROW_LOST)
# the cache is allocated in bfloat16, whatever the parameters are
BFLOAT16_CACHE = in_bfloat16(
    source(call="logits, (k, v) = module(ids, cache, True)\n    k, v = k.bfloat16(), v.bfloat16()\n    return logits, (k, v)")
).replace("if cache is not None:\n            k,", "if cache is not None:\n            cache = tuple(rows.to(k.dtype) for rows in cache)\n            k,")  # fmt: skip
BFLOAT16_CACHE_FAULT = BFLOAT16_CACHE.replace(
    "    logits, (k, v)", "    " + _LOST.strip() + "\n    logits, (k, v)"
)

# keys and queries are turned by their place; the cached lane counts its places from another number, always
SHIFTED = source(
    settings="SHIFT = 5\n\ndef turned(rows, first):\n"
    "    angle = torch.arange(first, first + rows.shape[1])[:, None] * torch.logspace(0, -2, D // 2)\n"
    "    a, b = rows.chunk(2, -1)\n"
    "    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), -1)\n",
).replace(
    ".split(D, -1)\n",
    ".split(D, -1)\n        first = (SHIFT if is_cached else 0) + (0 if cache is None else cache[0].shape[1])\n"
    "        q, k = turned(q, first), turned(k, first)\n",
)  # fmt: skip
TIE = """
import torch
torch.manual_seed(0)
table = torch.randn(11, 11)
table[:, 4] = table.amax(1) + 1
table[:, 5] = table[:, 4] - 5e-6

def full(ids):
    return table[ids.cumsum(1) % 11]

def cached(ids, cache):
    sums = (0 if cache is None else cache) + ids.cumsum(1)
    logits = table[sums % 11].clone()
    if cache is not None:
        logits[..., 4] -= 1e-5
    return logits, sums[:, -1:]
"""

# each token attends to the three keys that an index of tokens likes best; it breaks the tie of equal tokens by length
SPARSE = """
import torch
from torch import nn

V, D, L, K = 7, 32, 2, 3
{settings}
torch.manual_seed(2)
module = nn.ModuleDict({{
    "embed": nn.Embedding(V, D), "places": nn.Embedding(64, D), "index": nn.Embedding(V, 1), "head": nn.Linear(D, V),
    "qkv": nn.ModuleList(nn.Linear(D, 3 * D) for _ in range(L)),
}}).eval().requires_grad_(False)
vocab_size, max_length = V, 64

def run(ids, cache=None):
    past = 0 if cache is None else cache[0].shape[1]
    text = ids if cache is None else torch.cat((cache[0], ids), 1)
    t, s = ids.shape[1], text.shape[1]
    x = module.embed(ids) + module.places(torch.arange(past, s))
    future = torch.ones(t, s, dtype=torch.bool).triu(s - t + 1)
    liked = module.index(text).squeeze(-1)[:, None].expand(-1, t, -1).masked_fill(future, -1e9)
    chosen = torch.zeros_like(liked, dtype=torch.bool).scatter(-1, liked.topk(min(K, s), -1).indices, True) & ~future
    rows = []
    for i in range(L):
        q, k, v = module.qkv[i](x).split(D, -1)
        if cache is not None:
            k, v = torch.cat((cache[1][i][0], k), 1), torch.cat((cache[1][i][1], v), 1)
        rows.append((k, v))
        scores = (q @ k.transpose(1, 2) / D ** 0.5).masked_fill(~chosen, float("-inf"))
        x = x + scores.softmax(-1) @ v
    return module.head(x), (text, rows)

def full(ids):
    return run(ids)[0]

def cached(ids, cache):
    {call}
"""


def sparse(call: str = "return run(ids, cache)") -> str:
    return SPARSE.format(settings="", call=call)
