"""State that is no keys and values: convolutions, recurrences, counters between attention calls."""

import re
from collections.abc import Iterator

from core.text import QT_TRANSLATE_NOOP, Text
from core.verdict.diagnosis.compared import Compared
from core.verdict.diagnosis.hypothesis import Hypothesis
from core.verdict.diagnosis.rules.unknown import first_module
from core.verdict.locate import Place

RECURRENT = re.compile(
    r"conv|ssm|mamba|rnn|gru|lstm|recurr|state|delta|linear_attn|retention|mixer|rwkv|time_mix", re.IGNORECASE
)


def recurrent_state(step: Compared) -> Iterator[Hypothesis]:
    """A layer that has no keys differs, while all attention before it agrees."""
    name, difference = first_module(step)
    has_calls = bool(step.evidence.oracle.calls)
    if not name or (has_calls and not RECURRENT.search(name)) or (has_calls and not _is_first(step)):
        return
    yield Hypothesis(
        "recurrent-state",
        Text(QT_TRANSLATE_NOOP("core", "The state of a layer without keys and values is not what the oracle has: the lanes part in module {module}."), {"module": name}),
        (Text(QT_TRANSLATE_NOOP("core", "No attention call shows the difference first; what is carried from call to call there is no row of a cache.")),),
        Place(name, difference), None, step.slots.placements,
    )  # fmt: skip


def _is_first(step: Compared) -> bool:
    """Whether the first attention call agrees in all that is its own."""
    return not any(
        call.introduced.any() or call.hidden.any() or call.extra.any() or call.rows_too_many.any()
        for call in step.calls
    )
