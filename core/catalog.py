"""What can be chosen: models, layouts, scenarios, faults, and the defaults. No torch, so that the window can ask."""

from core.errors import UsageError
from core.fault_catalog import FAULT_IDS as FAULT_IDS
from core.fault_catalog import FAULTS as FAULTS
from core.fault_catalog import FaultInfo as FaultInfo
from core.fault_catalog import fault_info as fault_info
from core.fault_catalog import notes_of as notes_of
from core.fault_catalog import why_invisible as why_invisible
from core.text import QT_TRANSLATE_NOOP
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
WIDER = {"float16": "float32", "bfloat16": "float32"}
NARROW_LIMIT = 10  # times the dtype's tolerance: what lies above is no rounding, whatever the wider run says
DEFAULT_IDS = (3, 1, 4, 1, 5, 9, 2, 6)  # the prompt of a target that takes no text


def default_layout(target: str) -> str:
    """Return the layout of a target where none is asked for."""
    return HF_LAYOUTS[0] if target.startswith(HF_PREFIX) else LAYOUTS[0]


def default_tolerance(dtype: str) -> float:
    """Return the absolute tolerance on logits for a dtype name such as "float32"."""
    return TOLERANCES.get(dtype, TOLERANCES["float32"])


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
