"""What looks like a fault and is none: the run must stay equivalent."""

from core.fault_catalog.info import FaultInfo
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS = (
    FaultInfo(
        "harmless-shift", "harmless-shift", "harmless",
        Text(QT_TRANSLATE_NOOP("core", "All positions are 3 too large")),
        Text(QT_TRANSLATE_NOOP("core", "The cached lane counts from 3, in the prefill and in decoding alike. Queries and keys are rotated otherwise, and RoPE sees only their difference.")),
        needs=("rope",),
    ),
    FaultInfo(
        "harmless-bias", "harmless-shift", "harmless",
        Text(QT_TRANSLATE_NOOP("core", "The bias is one step too large for all keys")),
        Text(QT_TRANSLATE_NOOP("core", "ALiBi counts the distance from one place too far, for every key of a query. Softmax does not see what all keys share.")),
        "vllm-project/vllm PR #945", ("alibi",),
    ),
    FaultInfo(
        "healthy-order", "none", "harmless",
        Text(QT_TRANSLATE_NOOP("core", "Rows in another order")),
        Text(QT_TRANSLATE_NOOP("core", "The rows of the prompt lie in the cache in reverse, and mask and bias follow them. Attention is a sum over rows, and does not care.")),
    ),
    FaultInfo(
        "healthy-raw-keys", "none", "harmless",
        Text(QT_TRANSLATE_NOOP("core", "Keys are rotated when read")),
        Text(QT_TRANSLATE_NOOP("core", "Keys are cached without rotation, and the code that reads them rotates each by its own position. The slots hold other numbers, attention gets the same.")),
        "EleutherAI/gpt-neox PR #363", ("rope",),
    ),
    FaultInfo(
        "healthy-growth", "none", "harmless",
        Text(QT_TRANSLATE_NOOP("core", "The buffer grows and is copied")),
        Text(QT_TRANSLATE_NOOP("core", "A full buffer is replaced by a larger one, and every row is copied to its slot. Storage changes, rows do not.")),
        needs=("static",),
    ),
)  # fmt: skip
