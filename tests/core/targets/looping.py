"""Source of a decoder whose attention runs in loops, over the heads or the rows of a batch, with an encoder's output beside.

No module: weights are plain tensors, so positions and inputs are seen from the numbers alone.
"""

SOURCE = """
import torch

FAULT = {fault!r}
LOOP = {loop!r}
V, E, H, G, D, L = 47, 36, 6, 2, 6, 2
draw = torch.Generator().manual_seed(8)


def weight(*shape):
    return torch.randn(*shape, generator=draw) * 1.5 / shape[0] ** 0.5


embed, places, encoded = weight(V, E) * 5, weight(128, E) * 6, weight(1, 40, E) * 5
layers = [dict(q=weight(E, H * D), k=weight(E, G * D), v=weight(E, G * D), o=weight(H * D, E), cross=weight(E, E)) for _ in range(L)]
vocab_size, max_length = V, 128


def attend(q, k, v, past):
    t, s = q.shape[-2], k.shape[-2]
    hidden = torch.ones(s, s, dtype=torch.bool).triu(1)[-t:]
    if FAULT == "mask-missing" and past:
        hidden = torch.zeros_like(hidden)
    if FAULT == "scale-wrong" and past:
        q = q * D ** 0.5
    q = q * D ** -0.5
    return (q @ k.transpose(-2, -1)).masked_fill(hidden, float("-inf")).softmax(-1) @ v


def by_head(q, k, v, past):
    b, t = q.shape[:2]
    q, k, v = q.view(b, t, H, D), k.view(b, -1, G, D), v.view(b, -1, G, D)
    group = [h % G if FAULT == "head-map-wrong" and past else h // (H // G) for h in range(H)]
    return torch.cat([attend(q[:, :, h], k[:, :, g], v[:, :, g], past) for h, g in enumerate(group)], -1)


def by_row(q, k, v, past):
    rows = []
    for row in range(len(q)):
        at = 0 if FAULT == "row-mixed" and past else row
        one_q = q[row].view(-1, H, D).transpose(0, 1)
        one_k, one_v = (x[at].view(-1, G, D).transpose(0, 1) for x in (k, v))
        tiled = FAULT == "head-map-wrong" and past
        one_k, one_v = (x.repeat(H // G, 1, 1) if tiled else x.repeat_interleave(H // G, 0) for x in (one_k, one_v))
        rows.append(attend(one_q, one_k, one_v, past).transpose(0, 1).flatten(1))
    return torch.stack(rows)


def run(ids, cache):
    past = cache[0][0].shape[1] if cache else 0
    x, kept = embed[ids] + places[past:past + ids.shape[1]], []
    for i, w in enumerate(layers):
        k, v = x @ w["k"], x @ w["v"]
        if cache:
            k, v = torch.cat((cache[i][0], k), 1), torch.cat((cache[i][1], v), 1)
        kept.append((k, v))
        x = x + (by_head if LOOP == "heads" else by_row)(x @ w["q"], k, v, past) @ w["o"]
        x = x + (x @ encoded.mT / E ** 0.5).softmax(-1) @ encoded @ w["cross"]
        x = x / x.std(-1, keepdim=True)
    return 2 * x @ embed.T / E ** 0.5, kept


def full(ids):
    return run(ids, None)[0]


first = {{}}


def cached(ids, cache):
    if FAULT == "shared-state":
        logits, first["cache"] = run(ids, first["cache"] if cache else None)
        return logits, first["cache"]
    if cache is None:
        first["ids"] = ids
    elif FAULT == "prefix-refed" and cache[0][0].shape[1] == first["ids"].shape[1]:
        cache = run(first["ids"], cache)[1]
    return run(ids, cache)


def crop(cache, length):
    return cache if FAULT == "stale-rows" else [(k[:, :length], v[:, :length]) for k, v in cache]


def reorder(cache, rows):
    return [(k[rows], v[rows]) for k, v in cache]
"""


def source(fault: str = "none", loop: str = "heads") -> str:
    return SOURCE.format(fault=fault, loop=loop)
