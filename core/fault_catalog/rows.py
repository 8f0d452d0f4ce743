"""Faults of rows and slots."""

from core.fault_catalog.info import FaultInfo
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS = (
    FaultInfo(
        "prefix-refed", "prefix-refed", "rows",
        Text(QT_TRANSLATE_NOOP("core", "The prefix is fed twice")),
        Text(QT_TRANSLATE_NOOP("core", "The first decode step feeds the whole text again although the cache is kept. Every row of the prefix is there twice.")),
        "ml-explore/mlx-lm PR #1039",
    ),
    FaultInfo(
        "prefix-refed-always", "prefix-refed", "rows",
        Text(QT_TRANSLATE_NOOP("core", "The whole text is fed at every step")),
        Text(QT_TRANSLATE_NOOP("core", "The caller hands over the whole text together with the cache, as it does without one. The cache grows by the length of the text at each step.")),
        "lucidrains/x-transformers #311",
    ),
    FaultInfo(
        "prefix-refed-layer", "prefix-refed", "rows",
        Text(QT_TRANSLATE_NOOP("core", "One layer appends twice")),
        Text(QT_TRANSLATE_NOOP("core", "One layer is run a second time in the prefill, to read its attention or for checkpointing, and running it appends. That layer alone holds the prompt twice.")),
        "pkunlp-icler/FastV #46",
    ),
    FaultInfo(
        "slot-lost", "slot-lost", "rows",
        Text(QT_TRANSLATE_NOOP("core", "A row is never written")),
        Text(QT_TRANSLATE_NOOP("core", "The counter moves on but the last row of the prefill is not written. Its slot stays zero and is attended to.")),
        "TrenTorch/TrenTorch PR #192",
    ),
    FaultInfo(
        "slot-newest", "slot-lost", "rows",
        Text(QT_TRANSLATE_NOOP("core", "A new token cannot see itself")),
        Text(QT_TRANSLATE_NOOP("core", "Attention reads the cache before the new row counts as part of it. Every decode step misses its own key.")),
        "harvard-edge/cs249r_book PR #1953",
    ),
    FaultInfo(
        "slot-overwritten", "slot-lost", "rows",
        Text(QT_TRANSLATE_NOOP("core", "A row is overwritten by the next")),
        Text(QT_TRANSLATE_NOOP("core", "The write index of the first decode step is one too small. The last row of the prompt is replaced, and the cache is one row short from then on.")),
        "jundot/omlx PR #2201",
    ),
    FaultInfo(
        "slot-evicted", "slot-lost", "rows",
        Text(QT_TRANSLATE_NOOP("core", "The oldest rows are evicted too early")),
        Text(QT_TRANSLATE_NOOP("core", "The cache drops its oldest rows beyond a budget of 40, although the model may still see them. Short texts never notice.")),
        "awslabs/keys_values #140", ("prompt",), from_tokens=42,
    ),
    FaultInfo(
        "slot-clamped", "slot-lost", "rows",
        Text(QT_TRANSLATE_NOOP("core", "The newest rows no longer fit")),
        Text(QT_TRANSLATE_NOOP("core", "The cache was allocated with 44 rows, and writing beyond its end is clamped without a word. Tokens after that leave nothing behind.")),
        "deepspeedai/DeepSpeed #2485", ("prompt",), from_tokens=46,
    ),
    FaultInfo(
        "stale-rows", "stale-rows", "rows",
        Text(QT_TRANSLATE_NOOP("core", "The cache of the run before is kept")),
        Text(QT_TRANSLATE_NOOP("core", "The cache outlives its run and nobody empties it. The next prompt is appended behind the rows of another text.")),
        "Lightning-AI/litgpt #1593", ("other-run",),
    ),
    FaultInfo(
        "stale-zeros", "stale-rows", "rows",
        Text(QT_TRANSLATE_NOOP("core", "Reset zeroes the rows and keeps the length")),
        Text(QT_TRANSLATE_NOOP("core", "Resetting fills the rows with zeros in place, and the length stays. The next prompt is appended behind zeros.")),
        "huggingface/transformers PR #48809", ("other-run",),
    ),
    FaultInfo(
        "stale-draft", "stale-rows", "rows",
        Text(QT_TRANSLATE_NOOP("core", "Rejected draft tokens stay")),
        Text(QT_TRANSLATE_NOOP("core", "Rolling back does nothing for this kind of cache. The rows of rejected draft tokens lie between the accepted ones.")),
        "ml-explore/mlx-lm PR #1109", ("rollback",),
    ),
)  # fmt: skip
