"""A small decoder as a user writes one, with a switch for each kind of cache fault: the project's own faulty targets.

`source(fault)` is a target file. The decoder is hand-written (learned positions, relative bias, GQA, a window on layer 1,
concat cache) so that every kind of fault has a place in it. FIRST_BAD says where each must be found.
"""

SOURCE = """
import math
import torch
from torch import nn

FAULT = {fault!r}
V, D, H, G, L, W, LONGEST = 31, 32, 4, 2, 2, {window}, 96


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.places = nn.Embedding(V, D), nn.Embedding(LONGEST, D)
        self.q = nn.ModuleList(nn.Linear(D, D) for _ in range(L))
        self.kv = nn.ModuleList(nn.Linear(D, 2 * G * D // H) for _ in range(L))
        self.o = nn.ModuleList(nn.Linear(D, D) for _ in range(L))
        self.ff = nn.ModuleList(nn.Sequential(nn.Linear(D, 2 * D), nn.GELU(), nn.Linear(2 * D, D)) for _ in range(L))
        self.bias = nn.Parameter(torch.randn(H, 2 * LONGEST))
        self.head = nn.Linear(D, V)

    def forward(self, ids, cache=None, mask=None):
        b, t = ids.shape
        past = 0 if cache is None else cache["n"]
        decoding = past > 0
        place = torch.arange(past, past + t).expand(b, t)
        if mask is not None:
            place = (mask.cumsum(1) - 1).clamp_min(0)[:, -t:]
            if FAULT == "pad-positions" and decoding:
                place = torch.arange(past, past + t).expand(b, t)
        if FAULT == "position-reset" and decoding:
            place = torch.arange(t).expand(b, t)
        if FAULT == "position-drift" and decoding:
            place = place + 1
        x = self.embed(ids) + self.places(place)
        new = {{"n": past + t, "rows": []}}
        for i in range(L):
            q = self.q[i](x).view(b, t, H, -1).transpose(1, 2)
            k, v = self.kv[i](x).view(b, t, 2 * G, -1).transpose(1, 2).chunk(2, 1)
            if cache is not None:
                k_old, v_old = cache["rows"][0 if FAULT == "layer-aliased" else i]
                if FAULT == "kv-swapped" and past == {swap_at}:
                    v_old = k_old
                k, v = torch.cat((k_old, k), 2), torch.cat((v_old, v), 2)
            new["rows"].append(self.kept(k, v, decoding))
            x = x + self.o[i](self.attend(i, q, k, v, past, mask))
            x = x + self.ff[i](x)
        return self.head(x), new

    def kept(self, k, v, decoding):
        if FAULT == "value-degraded":
            return k.bfloat16().float(), v.bfloat16().float()
        if FAULT == "slot-lost" and not decoding:
            k, v = k.clone(), v.clone()
            k[:, :, -1], v[:, :, -1] = 0, 0
        if FAULT == "row-mixed":
            return k[:1].expand_as(k), v[:1].expand_as(v)
        return k, v

    def attend(self, i, q, k, v, past, mask):
        b, _, t, d = q.shape
        s = k.shape[2]
        if FAULT == "head-map-wrong" and past:
            k, v = k.repeat(1, H // G, 1, 1), v.repeat(1, H // G, 1, 1)
        else:
            k, v = k.repeat_interleave(H // G, 1), v.repeat_interleave(H // G, 1)
        scale = 1.0 if FAULT == "scale-wrong" and past else d ** -0.5
        rows = torch.arange(s - t, s) if not (FAULT == "bias-wrong-row" and past) else torch.arange(t)
        distance = rows[:, None] - torch.arange(s)
        scores = (q @ k.transpose(2, 3)) * scale + self.bias[:, distance + LONGEST]
        true = torch.arange(s - t, s)[:, None] - torch.arange(s)
        window = W + 1 if FAULT == "window-boundary" and past else W
        seen = (true >= 0) & ((true < window) if i == 1 else True)
        if FAULT == "mask-top-left" and past:
            seen = torch.ones(t, s).tril().bool()
        if FAULT == "mask-missing" and not past and self.is_cached:
            seen = torch.ones(t, s).bool()
        if mask is not None and not (FAULT == "pad-not-masked" and past):
            seen = (seen & mask[:, None, None, -s:].bool()) | (true == 0)
        scores = scores.masked_fill(~seen, float("-inf"))
        return (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, -1)


torch.manual_seed(5)
module = Decoder().eval().requires_grad_(False)
for p in module.parameters():
    if p.dim() == 2:
        p.mul_(1.6)
vocab_size, max_length = V, LONGEST
stale = None


def full(ids, attention_mask=None):
    module.is_cached = FAULT == "oracle-broken"
    if FAULT == "oracle-broken":
        return module(ids.flip(1))[0].flip(1)
    return module(ids, None, attention_mask)[0]


def cached(ids, cache, attention_mask=None):
    global stale
    module.is_cached = True
    if FAULT == "stale-rows" and cache is None and stale is not None:
        cache = {{"n": 0, "rows": stale}}
    if FAULT == "prefix-refed" and cache is not None and cache["n"] == cache["first"]:
        ids_now = torch.cat((cache["text"], ids), 1)
        logits, new = module(ids_now, {{"n": 0, "rows": cache["rows"]}}, attention_mask)
        new.update(first=-1, text=ids_now)
        return logits[:, -ids.shape[1]:], new
    logits, new = module(ids, cache, attention_mask)
    new["first"] = ids.shape[1] if cache is None else cache.get("first", -1)
    new["text"] = ids if cache is None else torch.cat((cache.get("text", ids[:, :0]), ids), 1)
    stale = new["rows"]
    return logits, new


def crop(cache, length):
    if FAULT == "not-cropped":
        return cache
    return {{**cache, "n": length, "rows": [(k[:, :, :length], v[:, :, :length]) for k, v in cache["rows"]]}}


def reorder(cache, rows):
    if FAULT == "not-reordered":
        return cache
    keys_only = FAULT == "half-reordered"
    return {{**cache, "rows": [(k[rows], v if keys_only else v[rows]) for k, v in cache["rows"]]}}
"""

WINDOW = 12

# fault -> {scenario: first bad step}; scenarios that are not named must pass
FIRST_BAD: dict[str, dict[str, int]] = {
    "none": {},
    "position-reset": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "position-drift": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "pad-positions": {"ragged-batch": 1},
    "pad-not-masked": {"ragged-batch": 1},
    "mask-top-left": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "mask-missing": {"decode": 0, "batch": 0, "long": 0},
    "layer-aliased": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "slot-lost": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "row-mixed": {"batch": 1},
    "value-degraded": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "head-map-wrong": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "scale-wrong": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "bias-wrong-row": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "window-boundary": {"decode": 5, "batch": 5, "single-token-prompt": 12, "long": 5},
    "kv-swapped": {"decode": 3, "batch": 3, "single-token-prompt": 10, "long": 3},
    "prefix-refed": {"decode": 1, "batch": 1, "single-token-prompt": 1, "long": 1},
    "stale-rows": {"second-run": 0, "interleaved": 0},
    "not-cropped": {"rollback": 4},
    "not-reordered": {"beam-reorder": 3},
    "half-reordered": {"beam-reorder": 3},
    "oracle-broken": {"decode": 0, "batch": 0, "long": 0, "single-token-prompt": 1},
}


def source(fault: str) -> str:
    """Return the target file with one fault, "none" for the healthy one."""
    return SOURCE.format(fault=fault, window=WINDOW, swap_at=10)
