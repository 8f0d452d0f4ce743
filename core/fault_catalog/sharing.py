"""Faults of sharing."""

from core.fault_catalog.info import FaultInfo
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS = (
    FaultInfo(
        "layer-aliased", "layer-aliased", "sharing",
        Text(QT_TRANSLATE_NOOP("core", "Layers share one cache")),
        Text(QT_TRANSLATE_NOOP("core", "One buffer serves all layers (`[cache] * n_layers`). Each layer overwrites the rows of the layer before it, and the last one wins.")),
        "EfficientMoE/MoE-Infinity PR #195",
    ),
    FaultInfo(
        "layer-aliased-pair", "layer-aliased", "sharing",
        Text(QT_TRANSLATE_NOOP("core", "Two layers share one cache")),
        Text(QT_TRANSLATE_NOOP("core", "Layers 1 and 2 were given the same index into the cache. Layer 1 reads what layer 2 wrote, all others are right.")),
        "EfficientMoE/MoE-Infinity PR #195",
    ),
    FaultInfo(
        "row-mixed", "row-mixed", "sharing",
        Text(QT_TRANSLATE_NOOP("core", "Batch rows share one cache")),
        Text(QT_TRANSLATE_NOOP("core", "The rows of the batch are looked up under one sequence. After each step every row reads the cache of row 0.")),
        "gittensor-ai-lab/sparkinfer #289", ("batch",),
    ),
    FaultInfo(
        "row-not-reordered", "row-mixed", "sharing",
        Text(QT_TRANSLATE_NOOP("core", "The cache does not follow the beams")),
        Text(QT_TRANSLATE_NOOP("core", "Tokens are permuted by the beam index, and the permuted cache is returned and never taken. A beam goes on from the cache of another one.")),
        "awslabs/sockeye PR #731", ("beams",),
    ),
    FaultInfo(
        "row-half-reordered", "row-mixed", "sharing",
        Text(QT_TRANSLATE_NOOP("core", "Keys follow the beams, values do not")),
        Text(QT_TRANSLATE_NOOP("core", "The reordering forgets one of the two tensors. Attention looks in the right row and reads the values of another beam.")),
        "pytorch/translate PR #353", ("beams",),
    ),
    FaultInfo(
        "shared-state", "shared-state", "sharing",
        Text(QT_TRANSLATE_NOOP("core", "Two runs share one cache")),
        Text(QT_TRANSLATE_NOOP("core", "The cache hangs on the module instead of the run. Whoever ran last left its rows there, and the next call takes them for its own.")),
        "openai/whisper PR #2842", ("run-beside",),
    ),
)  # fmt: skip
