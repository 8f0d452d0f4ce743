"""Source of a decoder with recurrent layers beside attention, and its faults; attention is written by hand.

With a summary, attention reads one key more than there are tokens.
"""

SOURCE = """
import torch
from torch import nn

FAULT = {fault!r}
HAS_SUMMARY = {has_summary}
V, E, H = 53, 32, 4


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.value = nn.Linear(E, E), nn.Linear(E, E)

    def forward(self, x, state):
        state = torch.zeros_like(x[:, 0]) if state is None else state
        rows = []
        for t in range(x.shape[1]):
            keep = torch.sigmoid(self.gate(x[:, t]))
            state = keep * state + (1 - keep) * self.value(x[:, t])
            rows.append(state)
        return x + torch.stack(rows, 1), state


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(E, 3 * E), nn.Linear(E, E)

    def forward(self, x, past):
        b, t, _ = x.shape
        q, k, v = (part.view(b, t, H, E // H).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        if past is not None:
            k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
        kept, s = (k, v), k.shape[2]
        hidden = torch.ones(s, s, dtype=torch.bool).triu(1)[-t:]
        if HAS_SUMMARY:
            first = k[:, :, :1].mean(1, keepdim=True).expand(-1, H, -1, -1)
            k, v = torch.cat((k, first), 2), torch.cat((v, first if FAULT != "summary" or past is None else first * 0), 2)
            hidden = torch.cat((hidden, torch.zeros(t, 1, dtype=torch.bool)), 1)
        scores = (q @ k.transpose(2, 3) / (E // H) ** 0.5).masked_fill(hidden, float("-inf"))
        return x + self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2)), kept


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.places = nn.Embedding(V, E), nn.Embedding(96, E)
        self.layers = nn.ModuleList([Recurrent(), Attention(), Recurrent(), Attention()])
        self.head = nn.Linear(E, V)

    def forward(self, ids, cache):
        n_old = 0 if cache is None else cache[1][0].shape[2]
        start = 0 if FAULT == "position-reset" else n_old
        x, kept = self.embed(ids) + self.places(torch.arange(start, start + ids.shape[1])), []
        for place, layer in enumerate(self.layers):
            state = None if cache is None else cache[place]
            if FAULT == "state-lost" and isinstance(layer, Recurrent) and ids.shape[1] > 1:
                state = None
            x, state = layer(x, state)
            kept.append(state)
        return self.head(x), kept


torch.manual_seed(3)
module = Decoder().eval().requires_grad_(False)
for p in module.parameters():
    if p.dim() == 2:
        p.mul_(1.5)
vocab_size, max_length = V, 96


def full(ids):
    return module(ids, None)[0]


def cached(ids, cache):
    return module(ids, cache)


"""


def source(fault: str = "none", has_summary: bool = False) -> str:
    return SOURCE.format(fault=fault, has_summary=has_summary)
