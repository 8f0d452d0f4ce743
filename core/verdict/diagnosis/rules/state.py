"""State that is no keys and values: convolutions, recurrences, counters between attention calls."""

import re
from collections.abc import Iterator

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text
from core.verdict.diagnosis.compared import Compared
from core.verdict.diagnosis.hypothesis import Hypothesis
from core.verdict.diagnosis.rules.unknown import first_module
from core.verdict.locate import Place

RECURRENT = re.compile(
    r"conv|ssm|mamba|rnn|gru|lstm|recurr|state|delta|linear_attn|retention|mixer|rwkv|time_mix", re.IGNORECASE
)

FIRST_AGREES = 1e-4  # of the largest value of an input: an embedding has nothing to round


def recurrent_state(step: Compared) -> Iterator[Hypothesis]:
    """A layer that has no keys differs, while all attention before it agrees: no repair of a row can show it."""
    name, difference = first_module(step, times=1.0)
    if not (name and _has_no_attention(step, name)):
        name, difference = first_module(step)
        has_calls = bool(step.evidence.oracle.calls)
        if not name or (has_calls and not (RECURRENT.search(name) and _is_first(step))):
            return
    yield Hypothesis(
        "recurrent-state",
        Text(QT_TRANSLATE_NOOP("core", "The state of a layer without keys and values is not what the oracle has: the lanes part in module {module}."), {"module": name}),
        (Text(QT_TRANSLATE_NOOP("core", "No attention call shows the difference first; what is carried from call to call there is no row of a cache.")),),
        Place(name, difference), None, step.slots.placements,
    )  # fmt: skip


def _has_no_attention(step: Compared, name: str) -> bool:
    """Whether the module is a layer that makes no attention call, and was given what the oracle's was.

    It is the first that differs, and two calls of a layer on equal inputs differ by what it remembers.
    """
    calls = step.evidence.oracle.calls_by_then
    names = list(calls)
    if name not in calls or not name.rpartition(".")[2].isdecimal():
        return False
    at = names.index(name)
    n_before = calls[names[at - 1]] if at else 0
    return calls[name] == n_before and not (n_before == 0 and _starts_wrong(step))


def _starts_wrong(step: Compared) -> bool:
    """Whether the first layer gets another input."""
    oracle, cached = step.evidence.oracle.first_input, step.evidence.cached.first_input
    if oracle is None or cached is None or oracle.shape != cached.shape:
        return True
    is_token = step.evidence.is_token()[:, -oracle.shape[1] :]
    far = np.abs(oracle - cached)[is_token].max(initial=0.0)
    return not far <= FIRST_AGREES * max(float(np.abs(oracle).max(initial=0.0)), 1e-30)


def _is_first(step: Compared) -> bool:
    """Whether the first attention call agrees in all that is its own."""
    return not any(
        call.introduced.any() or call.hidden.any() or call.extra.any() or call.rows_too_many.any()
        for call in step.calls
    )
