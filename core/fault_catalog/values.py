"""Faults of values and heads."""

from core.fault_catalog.info import FaultInfo
from core.text import QT_TRANSLATE_NOOP, Text

FAULTS = (
    FaultInfo(
        "value-degraded", "value-degraded", "values",
        Text(QT_TRANSLATE_NOOP("core", "bfloat16 cache in a float32 model")),
        Text(QT_TRANSLATE_NOOP("core", "The cache was allocated in another dtype than the model. K and V lose 16 bits on their way through it, and nothing fails.")),
        "TransformerLensOrg/TransformerLens PR #1260",
    ),
    FaultInfo(
        "value-float16", "value-degraded", "values",
        Text(QT_TRANSLATE_NOOP("core", "float16 cache in a float32 model")),
        Text(QT_TRANSLATE_NOOP("core", "The cache takes a default dtype of half the width. Numbers keep 11 bits, which is little to see and more than rounding.")),
        "meta-pytorch/torchtune #398",
    ),
    FaultInfo(
        "value-bits", "value-degraded", "values",
        Text(QT_TRANSLATE_NOOP("core", "bfloat16 bits read as float16")),
        Text(QT_TRANSLATE_NOOP("core", "The rows are written in one 16-bit format and read in the other. The numbers are finite and plausible, and all of them are wrong.")),
        "vllm-project/vllm PR #54338",
    ),
    FaultInfo(
        "value-int8", "value-degraded", "values",
        Text(QT_TRANSLATE_NOOP("core", "int8 cache")),
        Text(QT_TRANSLATE_NOOP("core", "K and V are kept as 8-bit codes with one scale each, and read back with it. That is a different function of the text, however well it is meant.")),
        "ggml-org/llama.cpp PR #7412",
    ),
    FaultInfo(
        "value-int8-no-scale", "value-degraded", "values",
        Text(QT_TRANSLATE_NOOP("core", "int8 codes read without their scale")),
        Text(QT_TRANSLATE_NOOP("core", "The cache is quantised when it is written, and one reader takes the codes for values. K and V are whole numbers, many times too large.")),
        "FlashML-org/FreeToken PR #309",
    ),
    FaultInfo(
        "value-int8-wrong-scale", "value-degraded", "values",
        Text(QT_TRANSLATE_NOOP("core", "int8 codes read with another's scale")),
        Text(QT_TRANSLATE_NOOP("core", "The scales are read from the wrong place: those of keys and of values are swapped. The rows are right up to a constant factor.")),
        "vllm-project/vllm #49716",
    ),
    FaultInfo(
        "scale-wrong", "scale-wrong", "values",
        Text(QT_TRANSLATE_NOOP("core", "Scores are not scaled when decoding")),
        Text(QT_TRANSLATE_NOOP("core", "The decode path is another kernel, and it leaves the division by sqrt(head_dim) to its caller. Attention becomes far too sharp.")),
    ),
    FaultInfo(
        "scale-twice", "scale-wrong", "values",
        Text(QT_TRANSLATE_NOOP("core", "Scores are scaled twice when decoding")),
        Text(QT_TRANSLATE_NOOP("core", "The query is divided by sqrt(head_dim) before the kernel does it too. Attention becomes almost even.")),
    ),
    FaultInfo(
        "scale-keys", "scale-wrong", "values",
        Text(QT_TRANSLATE_NOOP("core", "Keys are cached already scaled")),
        Text(QT_TRANSLATE_NOOP("core", "The scale is folded into the keys when they are written, and the scores are divided by sqrt(head_dim) all the same. Every key is too short by one factor.")),
    ),
    FaultInfo(
        "head-map-wrong", "head-map-wrong", "values",
        Text(QT_TRANSLATE_NOOP("core", "Query heads read the wrong kv head")),
        Text(QT_TRANSLATE_NOOP("core", "The decode path tiles the kv heads (0, 1, 0, 1) where the query heads expect each of them repeated (0, 0, 1, 1). Models with as many kv heads as query heads never notice.")),
        "apple/axlearn PR #842", ("shared-kv-heads",),
    ),
    FaultInfo(
        "kv-swapped", "kv-swapped", "values",
        Text(QT_TRANSLATE_NOOP("core", "Values are filled from the keys")),
        Text(QT_TRANSLATE_NOOP("core", "Copy and paste: the keys are appended to both lists. Attention finds the right rows and reads keys from them.")),
        "ikawrakow/ik_llama.cpp PR #1592",
    ),
    FaultInfo(
        "kv-swapped-reorder", "kv-swapped", "values",
        Text(QT_TRANSLATE_NOOP("core", "Values are taken from the keys when beams are reordered")),
        Text(QT_TRANSLATE_NOOP("core", "The helper that selects rows of the batch takes both tensors from the list of keys. Greedy decoding never calls it.")),
        "huggingface/transformers #34232", ("beams",),
    ),
    FaultInfo(
        "layout-scrambled", "layout-scrambled", "values",
        Text(QT_TRANSLATE_NOOP("core", "Reshaped where it should be transposed")),
        Text(QT_TRANSLATE_NOOP("core", "New rows have the shape [batch, tokens, heads, dim], and a reshape turns them into [batch, heads, tokens, dim]. All numbers are there, in the places of other heads and tokens.")),
        needs=("several-kv-heads", "prompt"),
    ),
    FaultInfo(
        "layout-growth", "layout-scrambled", "values",
        Text(QT_TRANSLATE_NOOP("core", "The buffer grows under its rows")),
        Text(QT_TRANSLATE_NOOP("core", "A full buffer is enlarged with `resize_()`, which reads the same numbers with new strides. Rows move to other layers, heads and slots when the cache first grows, at 44 rows or at the prompt's length.")),
        "karpathy/nanochat #187", ("static", "prompt"), from_tokens=45,
    ),
)  # fmt: skip
