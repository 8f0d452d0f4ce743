"""What to look at in the code: for each cause the usual spelling of the bug, and the one that is right."""

from core.text import QT_TRANSLATE_NOOP, Text

_ADVICE = {
    "position-reset": QT_TRANSLATE_NOOP(
        "core",
        "Look where the decode call builds its positions: arange(q_len) starts at 0 again. Start at what the cache holds, arange(past_len, past_len + q_len).",
    ),
    "position-drift": QT_TRANSLATE_NOOP(
        "core",
        "Look where the offset is advanced: off by one, advanced by the prompt twice, or taken from a cache length that stops growing. Keep one counter of tokens fed, and add q_len to it once per call.",
    ),
    "pad-positions": QT_TRANSLATE_NOOP(
        "core",
        "Look for positions that all rows share, such as arange or a 1-D cache_position: they count left pads. Count tokens row by row, (attention_mask.cumsum(-1) - 1)[:, -q_len:].",
    ),
    "rope-mismatch": QT_TRANSLATE_NOOP(
        "core",
        "Look at what cos and sin are taken for: a table remembered by length, an offset read after the cache has advanced, or cached keys rotated again when read. Rotate q and the new k once, by position_ids, before k is stored.",
    ),
    "mask-top-left": QT_TRANSLATE_NOOP(
        "core",
        "Look for is_causal=True or tril(ones(q_len, kv_len)) with q_len < kv_len: the triangle starts at the first key and hides the past. Align it to the last key, tril(ones(q_len, kv_len), diagonal=kv_len - q_len).",
    ),
    "mask-missing": QT_TRANSLATE_NOOP(
        "core",
        "Look for a causal mask that is left out as soon as there is a cache, or is only built when q_len equals kv_len. Chunks and turns feed several tokens to a filled cache, so mask whenever q_len > 1.",
    ),
    "pad-not-masked": QT_TRANSLATE_NOOP(
        "core",
        "Look where the decode step builds its mask: it is as long as the new tokens, or is dropped, so old pads can be seen. Hand on attention_mask for all kv_len columns, at every step.",
    ),
    "tail-unmasked": QT_TRANSLATE_NOOP(
        "core",
        "Look where attention reads a preallocated cache: it gets the whole buffer, with rows that nobody has written. Slice k and v to the valid length, k[:, :, :kv_len], or mask what lies behind it.",
    ),
    "window-boundary": QT_TRANSLATE_NOOP(
        "core",
        "Look at both places that know the window, the mask of the prefill and the cache of the decode: > q - W and >= q - W differ by one key. Let both see exactly the last W keys, the token itself included.",
    ),
    "bias-wrong-row": QT_TRANSLATE_NOOP(
        "core",
        "Look where the position bias (ALiBi, relative) is cut to size: bias[:q_len] takes the rows of the first tokens. The new tokens are the last rows, bias[kv_len - q_len : kv_len].",
    ),
    "prefix-refed": QT_TRANSLATE_NOOP(
        "core",
        "Look at what the decode call is fed: all ids again, or a layer that appends twice, so that tokens are in the cache more than once. Feed only what the cache does not hold, input_ids[:, past_len:].",
    ),
    "slot-lost": QT_TRANSLATE_NOOP(
        "core",
        "Look at the write index and at what happens when the buffer is full: the newest row left out, the one before overwritten, or old rows evicted. Write slots past_len up to past_len + q_len, and grow before writing.",
    ),
    "stale-rows": QT_TRANSLATE_NOOP(
        "core",
        "Look for a cache that outlives its text: made once in __init__ and not cleared between runs, or not cropped when drafts are rejected. Make a new cache for each run, and crop it to the accepted length in every layer.",
    ),
    "layer-aliased": QT_TRANSLATE_NOOP(
        "core",
        "Look for [cache] * n_layers, a default argument, or a layer_idx that is accepted and not used: the layers write into one storage. Make one buffer a layer, [make_cache() for _ in range(n_layers)].",
    ),
    "row-mixed": QT_TRANSLATE_NOOP(
        "core",
        "Look for expand() where rows need storage of their own, and at the reordering of beams: its result dropped, or only k reordered. Use index_select(0, rows) on k and on v, and keep what it returns.",
    ),
    "layout-scrambled": QT_TRANSLATE_NOOP(
        "core",
        "Look for view or reshape where heads and tokens should change places: the numbers stay, their places do not. Write x.view(B, T, H, D).transpose(1, 2), and copy row by row when a buffer grows.",
    ),
    "head-map-wrong": QT_TRANSLATE_NOOP(
        "core",
        "Look where kv heads are spread over the query heads: repeat() gives 0 1 0 1, and query heads need 0 0 1 1. Use repeat_interleave(n_heads // n_kv_heads, dim=1).",
    ),
    "value-degraded": QT_TRANSLATE_NOOP(
        "core",
        "Look at the dtype of the cache and at its quantisation: allocated in a narrower dtype than the model, or with scales that do not fit their rows. Allocate with dtype=k.dtype, and store the scales beside the codes.",
    ),
    "scale-wrong": QT_TRANSLATE_NOOP(
        "core",
        "Look at the softmax scale of the cached path: applied twice, left out, or taken from another head_dim than the uncached path takes. Hand the same scale to both, head_dim ** -0.5 where the model has no other.",
    ),
    "kv-swapped": QT_TRANSLATE_NOOP(
        "core",
        "Look for a copied line in the code that stores, selects or returns the cache: values filled from keys, or the pair unpacked in the other order. Each append, reorder and repeat needs k from k and v from v.",
    ),
    "context-overflow": QT_TRANSLATE_NOOP(
        "core",
        "Look at what happens past max_length: the text is cut and moved, so old tokens get new positions, and cached rows no longer fit. Stop at max_length, or build the cache anew when the text has moved.",
    ),
    "shared-state": QT_TRANSLATE_NOOP(
        "core",
        "Look for state on the module or at module level, such as self.cache, self.offset or a global dict: two runs that take turns read each other's. Keep all of it in the cache object that is handed in and out.",
    ),
    "recurrent-state": QT_TRANSLATE_NOOP(
        "core",
        "Look at the convolution or state-space state at the end of the prefill: pads or chunk filling have gone into it, or the last inputs were not kept. Update it by real tokens only, and hand on the final state.",
    ),
    "oracle-broken": QT_TRANSLATE_NOOP(
        "core",
        "Look at full() first: logits of old tokens change when tokens are added, so it is no reference. Usual are a missing causal mask, positions that start elsewhere, and layers that only work with a cache.",
    ),
    "rounding": QT_TRANSLATE_NOOP(
        "core",
        "There is nothing to repair: matrix products of other shapes add in another order. If the difference disturbs you, run both lanes in a wider dtype, or raise the tolerance.",
    ),
    "tie": QT_TRANSLATE_NOOP(
        "core",
        "There is nothing to repair: the two best logits are closer than rounding. Compare logits instead of the chosen tokens, or break ties by the lowest token id.",
    ),
    "harmless-shift": QT_TRANSLATE_NOOP(
        "core",
        "There is nothing to repair: all positions, or all scores of a row, are shifted by one constant, which softmax does not see. Make both lanes count from the same start if they are to be compared tensor by tensor.",
    ),
    "unknown": QT_TRANSLATE_NOOP(
        "core",
        "No known fault fits: compare both lanes' code for the tensor where it begins. Everything before it agrees, so the line that makes this tensor is the place for a breakpoint.",
    ),
}


def advice(cause: str) -> Text | None:
    """Return two sentences for a cause of the taxonomy, None for one that is not in it."""
    template = _ADVICE.get(cause)
    return None if template is None else Text(template)


def causes() -> tuple[str, ...]:
    """Return the ids of the taxonomy."""
    return tuple(_ADVICE)
