"""Faults of positions."""

from core.fault_catalog.info import FaultInfo
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS = (
    FaultInfo(
        "position-reset", "position-reset", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Positions restart at 0")),
        Text(QT_TRANSLATE_NOOP("core", "Every decode step counts its positions from 0 instead of from the length of the cache. The offset was left out: `arange(q_len)` where `arange(past, past + q_len)` was meant.")),
        "pytorch/executorch PR #2010", ("positions",),
    ),
    FaultInfo(
        "position-off-by-one", "position-drift", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Decode positions are one too large")),
        Text(QT_TRANSLATE_NOOP("core", "The offset of a decode step is past + 1, while the prefill counted from 0. Every new token stands one place too far from all that came before.")),
        "tenstorrent/tt-metal #5253", ("positions",),
    ),
    FaultInfo(
        "position-double-advance", "position-drift", "positions",
        Text(QT_TRANSLATE_NOOP("core", "The offset advances by the prompt twice")),
        Text(QT_TRANSLATE_NOOP("core", "After the first decode step the offset grows by the size of the prompt again instead of by one. That step is still right, and from the next one on a gap of prompt - 1 stays.")),
        "skyzh/tiny-llm PR #46", ("positions", "prompt"),
    ),
    FaultInfo(
        "position-frozen", "position-drift", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Positions stop at the window")),
        Text(QT_TRANSLATE_NOOP("core", "The offset is taken from the number of rows that a layer keeps, and a sliding layer keeps 48 at most. From then on every token gets the same position.")),
        "huggingface/transformers PR #38156", ("positions", "prompt"), from_tokens=50,
    ),
    FaultInfo(
        "position-stale", "position-drift", "positions",
        Text(QT_TRANSLATE_NOOP("core", "The offset of an earlier run is used")),
        Text(QT_TRANSLATE_NOOP("core", "The offset of decoding is stored on the module at the first prefill and never renewed. The first run is right, and a later one counts on from the length of another prompt.")),
        "huggingface/transformers PR #36013", ("positions", "other-run"),
    ),
    FaultInfo(
        "position-turn", "position-drift", "positions",
        Text(QT_TRANSLATE_NOOP("core", "A later turn forgets the prompt")),
        Text(QT_TRANSLATE_NOOP("core", "The start position counts generated tokens only, so a later call of several tokens leaves the prompt out. Single tokens take their position from the cache and are right.")),
        "pytorch/torchchat PR #1462", ("positions", "chunk"), looks_like=("position-reset",),
    ),
    FaultInfo(
        "pad-positions", "pad-positions", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Pads are counted when decoding")),
        Text(QT_TRANSLATE_NOOP("core", "The prefill gives pads no position, but decoding takes one position for the whole batch, pads included. Padded rows jump ahead by their number of pads, the longest row is right.")),
        "unslothai/unsloth #3699", ("positions", "pads"),
    ),
    FaultInfo(
        "pad-positions-everywhere", "pad-positions", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Pads are counted from the prefill on")),
        Text(QT_TRANSLATE_NOOP("core", "Positions are the places in the padded row, in the prefill and in decoding alike. With RoPE that is harmless, since all tokens of a row move together; a learned table gives other embeddings.")),
        "huggingface/transformers #21080", ("learned", "pads"),
    ),
    FaultInfo(
        "rope-mismatch", "rope-mismatch", "positions",
        Text(QT_TRANSLATE_NOOP("core", "The rotation of an earlier call is replayed")),
        Text(QT_TRANSLATE_NOOP("core", "cos and sin are remembered by the number of tokens alone, without the offset. The first call of each length is right, and every later one is rotated like it although its position is right.")),
        "lucidrains/rotary-embedding-torch #11", ("rope",),
    ),
    FaultInfo(
        "rope-twice", "rope-mismatch", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Cached keys are rotated again when read")),
        Text(QT_TRANSLATE_NOOP("core", "Keys go into the cache rotated, and the code that reads them rotates them once more. Old keys stand at twice their position, the new one is right.")),
        "google-deepmind/gemma PR #392", ("rope",),
    ),
    FaultInfo(
        "rope-compounding", "rope-mismatch", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Cached keys are rotated anew at every step")),
        Text(QT_TRANSLATE_NOOP("core", "The rotation runs over the whole cache at each step and its result is written back. A row that should never change turns further with every token.")),
        "google-deepmind/gemma #368", ("rope",),
    ),
    FaultInfo(
        "rope-raw", "rope-mismatch", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Keys are cached without rotation")),
        Text(QT_TRANSLATE_NOOP("core", "The cache is written before the rotation, and nobody rotates the keys when they are read. Queries are rotated, so all distances are lost.")),
        needs=("rope",),
    ),
    FaultInfo(
        "rope-query", "rope-mismatch", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Queries use the offset after it moved on")),
        Text(QT_TRANSLATE_NOOP("core", "The cache advances its offset when keys are appended, and queries are rotated afterwards. They stand as many places too far as the call has tokens, keys are right.")),
        "ml-explore/mlx-lm #1384", ("rope",),
    ),
    FaultInfo(
        "rope-fragments", "rope-mismatch", "positions",
        Text(QT_TRANSLATE_NOOP("core", "Joined pieces keep their own rotation")),
        Text(QT_TRANSLATE_NOOP("core", "The keys of a later piece of text were computed as if it stood at the beginning, and are appended as they are. Their rotation starts at 0 again in the middle of the cache.")),
        "MemTensor/MemOS #2315", ("rope", "chunk"),
    ),
)  # fmt: skip
