"""What can be chosen: models, layouts, scenarios, faults, and the defaults. No torch, so that the window can ask."""

from dataclasses import dataclass

from core.errors import UsageError
from core.text import QT_TRANSLATE_NOOP, Text
from tinylm.config import CONFIGS, DEFAULT_MODEL
from tinylm.config import LAYOUTS as LAYOUTS

TINY_PREFIX = "tiny:"
MODELS: tuple[str, ...] = tuple(TINY_PREFIX + name for name in CONFIGS)
DEFAULT_TARGET = TINY_PREFIX + DEFAULT_MODEL
HF_PREFIX = "hf:"
HF_LAYOUTS = ("dynamic", "static")  # the kinds of caches that transformers has for any model
DEVICES = ("cpu", "cuda", "mps")
SCENARIOS = (
    "decode", "single-token-prompt", "chunked-prefill", "second-run", "second-turn", "batch", "ragged-batch", "rollback",
    "beam-reorder", "interleaved", "long",
)  # fmt: skip

DEFAULT_STEPS = 12
MAX_STEPS = 100_000
LONG_STEPS = 48
DEFAULT_PROMPT = "Evidence EV-2047: 0x7f3a paid 1,250.00"
OTHER_PROMPT = "Invoice 4711 to account 0x3fA9"  # the other run, and the short row of a ragged batch
ROW_PROMPT = "Account 0x51c0 received 980.50 on 2024-05-17"  # the second row of a batch
TURN_TEXT = "\nCheck 0x7f3a: "
OTHER_IDS = (2, 7, 1, 8, 2)  # the same, for a prompt of ids
ROW_IDS = (2, 7, 1, 8, 2, 8, 1, 8)
TURN_IDS = (6, 2, 8, 3)

# Largest |logit difference| that counts as rounding. Measured: FACTS in the README, section "Tolerance".
TOLERANCES = {"float64": 1e-9, "float32": 5e-4, "float16": 0.2, "bfloat16": 1.0}
NARROW_DTYPES = ("float16", "bfloat16")  # rounding and faults overlap: judged by running the same in float32
WIDER = {"float16": "float32", "bfloat16": "float32", "float32": "float64"}
NARROW_LIMIT = 10  # times the dtype's tolerance: what lies above is no rounding, whatever the wider run says
DEFAULT_IDS = (3, 1, 4, 1, 5, 9, 2, 6)  # the prompt of a target that takes no text


def default_layout(target: str) -> str:
    """Return the layout of a target where none is asked for."""
    return HF_LAYOUTS[0] if target.startswith(HF_PREFIX) else LAYOUTS[0]


def default_tolerance(dtype: str) -> float:
    """Return the absolute tolerance on logits for a dtype name such as "float32"."""
    return TOLERANCES.get(dtype, TOLERANCES["float32"])


@dataclass(frozen=True)
class FaultInfo:
    """A fault that can be planted: `id` is its cause in the taxonomy, `how` how it happens in real code."""

    id: str
    title: Text
    how: Text
    needs_batch: bool = False
    needs_position_ids: bool = False


FAULTS: tuple[FaultInfo, ...] = (
    FaultInfo(
        "position-reset",
        Text(QT_TRANSLATE_NOOP("core", "Positions restart at 0")),
        Text(QT_TRANSLATE_NOOP("core", "Every decode step counts its positions from 0 instead of from the length of the cache: `arange(q_len)` without the offset.")),
        needs_position_ids=True,
    ),
    FaultInfo(
        "prefix-refed",
        Text(QT_TRANSLATE_NOOP("core", "The prefix is fed twice")),
        Text(QT_TRANSLATE_NOOP("core", "The first decode step feeds the whole text again although the cache is kept, so every row of the prefix is there twice.")),
    ),
    FaultInfo(
        "layer-aliased",
        Text(QT_TRANSLATE_NOOP("core", "Layers share one cache")),
        Text(QT_TRANSLATE_NOOP("core", "One buffer serves all layers (`[cache] * n_layers`): each layer overwrites the rows of the layer before it, and the last one wins.")),
    ),
    FaultInfo(
        "row-mixed",
        Text(QT_TRANSLATE_NOOP("core", "Batch rows share one cache")),
        Text(QT_TRANSLATE_NOOP("core", "The rows of the batch are looked up under one sequence: after each step every row reads the cache of row 0.")),
        needs_batch=True,
    ),
    FaultInfo(
        "mask-top-left",
        Text(QT_TRANSLATE_NOOP("core", "Mask aligned to the top left corner")),
        Text(QT_TRANSLATE_NOOP("core", "`is_causal=True` with fewer queries than keys: query i sees the first i + 1 keys of the cache, and a single query sees key 0 only.")),
    ),
    FaultInfo(
        "slot-lost",
        Text(QT_TRANSLATE_NOOP("core", "A row is never written")),
        Text(QT_TRANSLATE_NOOP("core", "The counter moves on but the last row of the prefill is not written: its slot stays zero and is attended to.")),
    ),
    FaultInfo(
        "value-degraded",
        Text(QT_TRANSLATE_NOOP("core", "bfloat16 cache in a float32 model")),
        Text(QT_TRANSLATE_NOOP("core", "The cache was allocated in another dtype than the model: K and V lose 16 bits on their way through it, and nothing fails.")),
    ),
)  # fmt: skip
FAULT_IDS = tuple(fault.id for fault in FAULTS)


def fault_info(fault_id: str) -> FaultInfo:
    """Return the fault of that id; KeyError if there is none."""
    return {fault.id: fault for fault in FAULTS}[fault_id]


def why_invisible(fault_id: str, target: str, scenario: str) -> Text | None:
    """Say why a planted fault cannot show in this run, None where it can.

    ALiBi takes the distance between cache slots and never looks at position ids; a batch of one row has no other row.
    """
    fault = fault_info(fault_id)
    config = CONFIGS.get(target.removeprefix(TINY_PREFIX))
    if fault.needs_position_ids and config is not None and config.position_scheme == "alibi":
        return Text(
            QT_TRANSLATE_NOOP(
                "core",
                "{fault} cannot be seen on {target}: ALiBi uses the distance between cache slots, and position ids are not used",
            ),
            {"fault": fault_id, "target": target},
        )
    if fault.needs_batch and scenario not in ("batch", "ragged-batch", "beam-reorder"):
        return Text(
            QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs a batch of two rows"),
            {"fault": fault_id, "scenario": scenario},
        )
    return None


def check_choices(choices: list[tuple[str, str, tuple[str, ...]]]) -> None:
    """Raise UsageError for a (what, given, known) whose name is not known; it lists what there is."""
    for what, given, known in choices:
        if given not in known:
            template = QT_TRANSLATE_NOOP("core", "unknown {what} {given!r}; choose one of: {known}")
            raise UsageError(template, what=what, given=given, known=", ".join(known))


def check_tiny(target: str, layout: str, faults: tuple[str, ...]) -> None:
    """Raise UsageError unless a built-in target can be run so."""
    check_choices([("model", target, MODELS), ("layout", layout, LAYOUTS)])
    check_choices([("fault", fault, FAULT_IDS) for fault in faults])
