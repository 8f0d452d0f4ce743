"""Which tokens of two traces are the same: by token ids, whatever steps they were fed in."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace
from core.verdict.recorded_evidence import text_at

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Alignment:
    """`n_steps` steps of B are compared; in `same_steps` step i of B is step i of A, else rows are found by token_index."""

    n_steps: int
    same_steps: bool


class OneIsLonger(UnreadableError):
    """What both traces have could be compared, if that is asked for."""


def does_not_fit(why: str) -> UnreadableError:
    return UnreadableError(QT_TRANSLATE_NOOP("core", "the traces cannot be compared: {why}"), why=why)


def aligned(a: Trace, b: Trace, is_prefix: bool) -> Alignment:
    """Return how the steps of B lie on A.

    Raises:
        UnreadableError: they are not of the same tokens; with `is_prefix` what both begin with is enough.
    """
    for name, trace in (("A", a), ("B", b)):
        if not len(trace):
            raise does_not_fit(f"{name} has no steps")
        if not trace.is_complete and not is_prefix:
            template = QT_TRANSLATE_NOOP(
                "core",
                "the traces cannot be compared: {name} was not closed; --prefix compares what is there",
            )
            raise OneIsLonger(template, name=name)
    rows = len(a.facts(0).tokens), len(b.facts(0).tokens)
    if rows[0] != rows[1]:
        raise does_not_fit(f"A has {rows[0]} batch rows, B has {rows[1]}")
    n_same = _n_same_steps(a, b)
    if n_same == max(len(a), len(b)) or (n_same and is_prefix and n_same == min(len(a), len(b))):
        return Alignment(n_same, same_steps=True)
    if _is_moved(a) or _is_moved(b):  # token_index alone does not say which token is meant
        if is_prefix and n_same:
            return Alignment(n_same, same_steps=True)
        raise does_not_fit(f"their steps part at step {n_same}, and the cache was cropped or reordered")
    return Alignment(_n_steps_in(b, _n_common(a, b, is_prefix)), same_steps=False)


def _n_same_steps(a: Trace, b: Trace) -> int:
    """Return how many steps from the first on feed the same tokens."""
    for step in range(min(len(a), len(b))):
        one, other = a.facts(step), b.facts(step)
        if (one.tokens, one.text_len, one.before) != (other.tokens, other.text_len, other.before):
            return step
        if (any(one.pads) or any(other.pads)) and one.pads != other.pads:
            return step
    return min(len(a), len(b))


def _is_moved(trace: Trace) -> bool:
    return any(trace.facts(step).before for step in range(len(trace)))


def _n_common(a: Trace, b: Trace, is_prefix: bool) -> int:
    """Return how many tokens of the text both have."""
    if a.facts(0).pads != b.facts(0).pads and (any(a.facts(0).pads) or any(b.facts(0).pads)):
        raise does_not_fit(f"A has left pads {a.facts(0).pads}, B has {b.facts(0).pads}")
    texts: list[Ints] = [text_at(trace, len(trace) - 1) for trace in (a, b)]
    n_common = min(text.shape[1] for text in texts)
    differ = np.argwhere(texts[0][:, :n_common] != texts[1][:, :n_common])
    if len(differ):
        row, at = differ[differ[:, 1].argmin()].tolist()
        if not is_prefix or at == 0:
            ids = [int(text[row, at]) for text in texts]
            raise does_not_fit(f"token {at} of batch row {row} is {ids[0]} in A and {ids[1]} in B")
        return int(at)
    lengths = [text.shape[1] for text in texts]
    if lengths[0] != lengths[1] and not is_prefix:
        template = QT_TRANSLATE_NOOP(
            "core",
            "the traces cannot be compared: A has {n_a} tokens and B has {n_b}; --prefix compares what both have",
        )
        raise OneIsLonger(template, n_a=lengths[0], n_b=lengths[1])
    return int(n_common)


def _n_steps_in(trace: Trace, n_tokens: int) -> int:
    n_steps = sum(trace.facts(step).text_len <= n_tokens for step in range(len(trace)))
    if not n_steps:
        raise does_not_fit(f"they share {n_tokens} tokens, fewer than the first step of B feeds")
    return n_steps
