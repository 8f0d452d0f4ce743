"""A small decoder in numpy that makes evidence of one decode step, with a place for every kind of fault.

Two layers, four query heads on two kv heads, rotary positions or an addition to the embedding. The cached lane starts from
the oracle's own rows of the step before; what a test changes is what went wrong.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.verdict.diagnosis.evidence import Attention, Evidence, Lane

Array = NDArray[np.float64]
LAYERS, HEADS, KV_HEADS, SIZE, WIDTH, VOCAB = 2, 4, 2, 8, 32, 23
TEXT = np.array([[3, 1, 4, 1, 5, 9, 2, 6, 5]])
Spoil = Callable[[int, Array, Array], tuple[Array, Array]]  # (layer, k, v) -> what attention reads


@dataclass(frozen=True)
class Fault:
    """What the cached lane does otherwise; every field is harmless as it stands."""

    position: Callable[[Array], Array] = lambda position: position  # of q and new keys
    q_position: Callable[[Array], Array] = lambda position: position
    told: Callable[[Array], Array] | None = None  # None: told what is used
    spoil: Spoil = lambda layer, k, v: (k, v)
    mask: Callable[[NDArray[np.bool_]], NDArray[np.bool_]] = lambda seen: seen
    scale: float = 1.0
    q_factor: float = 1.0
    bias: Callable[[Array], Array] = lambda distance: -0.3 * distance
    knows_positions: bool = True


def evidence(
    fault: Fault = Fault(),
    text: NDArray[np.int64] = TEXT,
    q_len: int = 1,
    has_bias: bool = False,
    is_absolute: bool = False,
    **facts: object,
) -> Evidence:
    """Return the step in which the last `q_len` tokens of `text` (B, T) are fed."""
    model = Model(is_absolute, has_bias)
    whole = model.run(text, None, Fault())
    past = (
        [(call.k, call.v) for call in model.run(text[:, :-q_len], None, Fault())[1]]
        if q_len < text.shape[1]
        else None
    )
    logits, calls = model.run(text, past, fault)
    n_old = text.shape[1] - q_len
    true = np.broadcast_to(np.arange(n_old, text.shape[1], dtype=np.int64), (len(text), q_len))
    told = (fault.told or fault.position)(true.astype(float)).astype(np.int64)
    last = None
    if past is not None:
        before = model.run(text[:, :-q_len], None, Fault())
        last = Lane(before[0][:, -1:], tuple(_last_rows(call, 1) for call in before[1]), true[:, :1] - 1)
    oracle = Lane(whole[0][:, -q_len:], tuple(_last_rows(call, q_len) for call in whole[1]), true)
    cached = Lane(logits, tuple(calls), told)
    if not fault.knows_positions:
        oracle, cached = replace(oracle, position_ids=None), replace(cached, position_ids=None)
    known: dict[str, object] = {
        "step_index": 0 if past is None else 1,
        "kind": "decode",
        "scenario": "decode",
        "last_q_len": n_old,
        "first_q_len": n_old,
    }
    return Evidence(
        text=text,
        q_len=q_len,
        pads=(0,) * len(text),
        oracle=oracle,
        cached=cached,
        last=last,
        **{**known, **facts},
    )  # type: ignore[arg-type]


@dataclass(frozen=True)
class Model:
    is_absolute: bool
    has_bias: bool

    def run(
        self, text: NDArray[np.int64], past: list[tuple[Array, Array]] | None, fault: Fault
    ) -> tuple[Array, list[Attention]]:
        """Return logits and calls of the tokens that `past` does not hold."""
        rng = np.random.default_rng(7)
        embed, places = rng.normal(size=(VOCAB, WIDTH)), rng.normal(size=(64, WIDTH))
        n_old = 0 if past is None else past[0][0].shape[2]
        position = np.arange(n_old, text.shape[1], dtype=float)
        x = embed[text[:, n_old:]]
        if self.is_absolute:
            x = x + places[fault.position(position).astype(int)]
        calls = []
        for layer in range(LAYERS):
            weights = [
                rng.normal(size=(WIDTH, n)) / np.sqrt(WIDTH)
                for n in (HEADS * SIZE, KV_HEADS * SIZE, KV_HEADS * SIZE, WIDTH)
            ]
            n = x / np.sqrt((x**2).mean(-1, keepdims=True))
            q, k, v = (heads(n @ w) for w in weights[:3])
            if not self.is_absolute:
                q, k = (
                    rotated(q, fault.q_position(fault.position(position))),
                    rotated(k, fault.position(position)),
                )
            if past is not None:
                k, v = np.concatenate((past[layer][0], k), 2), np.concatenate((past[layer][1], v), 2)
            k, v = fault.spoil(layer, k, v)
            call = self.attend(q * fault.q_factor, k, v, position, fault)
            calls.append(call)
            out = (
                (call.weights @ np.repeat(call.v, HEADS // KV_HEADS, 1))
                .transpose(0, 2, 1, 3)
                .reshape(*x.shape[:2], -1)
            )
            x = x + np.tanh(out @ weights[3][: out.shape[-1]])
        return x @ embed.T, calls

    def attend(self, q: Array, k: Array, v: Array, position: Array, fault: Fault) -> Attention:
        n_slots = k.shape[2]
        distance = position[:, None] - np.arange(n_slots)
        seen = fault.mask(np.broadcast_to(distance >= 0, (len(q), *distance.shape)))
        scores = q @ np.repeat(k, HEADS // KV_HEADS, 1).swapaxes(2, 3) * fault.scale / np.sqrt(SIZE)
        if self.has_bias:
            scores = scores + fault.bias(np.maximum(distance, 0)) * np.arange(1, HEADS + 1)[:, None, None]
        scores = np.where(seen[:, None], scores, -np.inf)
        with np.errstate(invalid="ignore"):
            shifted = np.exp(scores - scores.max(-1, keepdims=True))
            return Attention(q, k, v, scores, shifted / shifted.sum(-1, keepdims=True))


def heads(x: Array) -> Array:
    return x.reshape(*x.shape[:2], -1, SIZE).transpose(0, 2, 1, 3)


def rotated(x: Array, position: Array) -> Array:
    """Turn the halves of (B, heads, T, D) by positions (T)."""
    angle = position[:, None] * 10000.0 ** (-np.arange(SIZE // 2) / (SIZE // 2))
    a, b = x[..., : SIZE // 2], x[..., SIZE // 2 :]
    return np.concatenate((a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)), -1)


def _last_rows(call: Attention, n: int) -> Attention:
    return replace(call, q=call.q[:, :, -n:], scores=call.scores[:, :, -n:], weights=call.weights[:, :, -n:])
