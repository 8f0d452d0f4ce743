"""Faults of the oracle."""

from core.fault_catalog.info import FaultInfo
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS = (
    FaultInfo(
        "oracle-broken", "oracle-broken", "oracle",
        Text(QT_TRANSLATE_NOOP("core", "The oracle has no causal mask")),
        Text(QT_TRANSLATE_NOOP("core", "The path without a cache is the one that forgets the mask, and the cached lane is right. Its own old rows change whenever a token is added.")),
        "EricLBuehler/mistral.rs #765",
    ),
    FaultInfo(
        "oracle-next", "oracle-broken", "oracle",
        Text(QT_TRANSLATE_NOOP("core", "The oracle sees one token ahead")),
        Text(QT_TRANSLATE_NOOP("core", "The path without a cache draws the diagonal of its mask one place to the right. Every token sees the next one, except the last.")),
        "pytorch/executorch PR #21749",
    ),
    FaultInfo(
        "oracle-positions", "oracle-broken", "oracle",
        Text(QT_TRANSLATE_NOOP("core", "The oracle starts at its newest token")),
        Text(QT_TRANSLATE_NOOP("core", "The path without a cache gives the whole text the offset that is meant for its newest token. RoPE does not mind, since all tokens move together; a learned table gives other embeddings.")),
        "huggingface/candle PR #1517", ("learned",),
    ),
    FaultInfo(
        "context-overflow", "context-overflow", "oracle",
        Text(QT_TRANSLATE_NOOP("core", "The oracle crops its text")),
        Text(QT_TRANSLATE_NOOP("core", "The path without a cache keeps the last 48 tokens and counts them from 0 (`ids[-48:]`), while cached rows keep their positions and what they have seen. Both are right, and they are two different functions.")),
        "lucidrains/x-transformers #219", ("prompt",), from_tokens=49,
    ),
)  # fmt: skip
