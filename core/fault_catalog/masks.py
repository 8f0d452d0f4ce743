"""Faults of mask and bias."""

from core.fault_catalog.info import FaultInfo
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS = (
    FaultInfo(
        "mask-top-left", "mask-top-left", "mask",
        Text(QT_TRANSLATE_NOOP("core", "Mask aligned to the top left corner")),
        Text(QT_TRANSLATE_NOOP("core", "`is_causal=True` with fewer queries than keys: query i sees the first i + 1 keys of the cache. A single query sees key 0 only.")),
        "pytorch/pytorch #103082",
    ),
    FaultInfo(
        "mask-missing", "mask-missing", "mask",
        Text(QT_TRANSLATE_NOOP("core", "No causal mask in the prefill")),
        Text(QT_TRANSLATE_NOOP("core", "The mask is built only where no cache is passed, and the prefill passes one. Tokens of the prompt see the future, and what they saw stays in the cache.")),
        "Mikyx-1/TinyLLM #17", needs=("prompt",),
    ),
    FaultInfo(
        "mask-missing-chunk", "mask-missing", "mask",
        Text(QT_TRANSLATE_NOOP("core", "No causal mask once there is a cache")),
        Text(QT_TRANSLATE_NOOP("core", "The mask is left out as soon as there is a past, which is right for a single token. Several tokens on a warm cache see each other's future.")),
        "QwenLM/Qwen #979", needs=("chunk",),
    ),
    FaultInfo(
        "pad-not-masked", "pad-not-masked", "mask",
        Text(QT_TRANSLATE_NOOP("core", "Pads are attended to")),
        Text(QT_TRANSLATE_NOOP("core", "The mask of pads is dropped on its way to attention. The answer of a short row depends on how long its neighbour is.")),
        "lucidrains/x-transformers #187", needs=("pads",),
    ),
    FaultInfo(
        "pad-not-masked-decode", "pad-not-masked", "mask",
        Text(QT_TRANSLATE_NOOP("core", "Pads are attended to when decoding")),
        Text(QT_TRANSLATE_NOOP("core", "The prefill masks pads, and decoding passes no mask because a single token may see all of the cache. The cached rows of pads are part of it.")),
        needs=("pads",),
    ),
    FaultInfo(
        "tail-unmasked", "tail-unmasked", "mask",
        Text(QT_TRANSLATE_NOOP("core", "Unused slots are attended to")),
        Text(QT_TRANSLATE_NOOP("core", "Attention reads the preallocated buffer to its end, and no mask hides what lies behind the text. Zero rows take their share of the attention, the more the longer the buffer is.")),
        "huggingface/transformers #30400", needs=("spare-slots",),
    ),
    FaultInfo(
        "tail-not-finite", "tail-unmasked", "mask",
        Text(QT_TRANSLATE_NOOP("core", "NaN in masked slots")),
        Text(QT_TRANSLATE_NOOP("core", "The buffer came from torch.empty, and what lies behind the text is masked. Its weight is 0, but 0 times NaN is NaN.")),
        "Dao-AILab/flash-attention #1745", needs=("static",),
    ),
    FaultInfo(
        "window-wide", "window-boundary", "mask",
        Text(QT_TRANSLATE_NOOP("core", "Window one token too wide")),
        Text(QT_TRANSLATE_NOOP("core", "One place counts the token itself in the window and another does not. The cached lane keeps and sees one token more.")),
        "ml-explore/mlx-lm PR #390", ("window", "prompt"), from_tokens=49,
    ),
    FaultInfo(
        "window-short", "window-boundary", "mask",
        Text(QT_TRANSLATE_NOOP("core", "Window one token too short")),
        Text(QT_TRANSLATE_NOOP("core", "The ring was allocated with window - 1 rows, since the new token was thought to be beside them. The oldest token that may still be seen is gone.")),
        "ml-explore/mlx-examples PR #1093", ("window", "prompt"), from_tokens=48,
    ),
    FaultInfo(
        "window-decode", "window-boundary", "mask",
        Text(QT_TRANSLATE_NOOP("core", "No window when decoding")),
        Text(QT_TRANSLATE_NOOP("core", "All rows are kept and the mask has to cut the window out, but the window is not passed to the decode path. New tokens see everything.")),
        "cactus-compute/cactus PR #338", ("window", "prompt"), from_tokens=49,
    ),
    FaultInfo(
        "window-clamped", "window-boundary", "mask",
        Text(QT_TRANSLATE_NOOP("core", "Keys cut to the window before a chunk reads them")),
        Text(QT_TRANSLATE_NOOP("core", "A call of several tokens on a warm ring gets only the last rows that fit into the window. Its first queries lose keys that they may still see, and NaN follows where they lose all.")),
        "lablup/mlxcel PR #679", ("window", "chunk"), from_tokens=49,
    ),
    FaultInfo(
        "bias-wrong-row", "bias-wrong-row", "mask",
        Text(QT_TRANSLATE_NOOP("core", "The position bias of another row")),
        Text(QT_TRANSLATE_NOOP("core", "The bias is a table of query and key, and decoding takes its first rows instead of its last. A new token gets the bias of the first token of the text.")),
        "TransformerLensOrg/TransformerLens #776", needs=("alibi",),
    ),
    FaultInfo(
        "bias-missing", "bias-wrong-row", "mask",
        Text(QT_TRANSLATE_NOOP("core", "No position bias when decoding")),
        Text(QT_TRANSLATE_NOOP("core", "The bias is built over the length of the query instead of the length of the keys. For a single token it is zero and broadcasts, so nothing fails.")),
        "keras-team/keras-hub #2861", needs=("alibi",),
    ),
)  # fmt: skip
