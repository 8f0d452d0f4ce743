"""Positions that the model is told: position ids, or the ids that an embedding of positions looks up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.verdict.diagnosis.evidence import Evidence, Ints, Lane

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Told:
    """What both lanes are told of the step's tokens, each (B, Q); `last` is the cached lane's newest one call earlier."""

    oracle: Ids
    cached: Ids
    last: Ids | None  # (B,)
    is_token: NDArray[np.bool_]  # (B, Q)

    @property
    def gap(self) -> Ids:
        """(B, Q): how far the cached lane's positions are ahead; 0 at pads."""
        return np.where(self.is_token, self.cached - self.oracle, 0)


def told_positions(evidence: Evidence) -> Told | None:
    """Return what the lanes are told, None where that is not seen in both."""
    oracle, cached, last = evidence.oracle, evidence.cached, evidence.last
    both = oracle.position_ids, cached.position_ids
    newest = None if last is None else last.position_ids
    if both[0] is None or both[1] is None:
        name = _position_table(evidence)
        if name is None:
            return None
        both = oracle.embedded[name], cached.embedded[name]
        newest = None if last is None else last.embedded.get(name)
    a, b = (_as_rows(ids, evidence) for ids in both if ids is not None)
    if a is None or b is None:
        return None
    is_token = evidence.is_token()[:, -evidence.q_len :] & (a >= 0)
    return Told(a, b, _newest(newest, evidence), is_token)


def told_alone(evidence: Evidence) -> Told | None:
    """Return what the cached lane is told, where nothing is known of the oracle."""
    ids, last = evidence.cached.position_ids, evidence.last
    rows = None if ids is None else _as_rows(ids, evidence)
    if rows is None:
        return None
    is_token = evidence.is_token()[:, -evidence.q_len :] & (rows >= 0)
    return Told(rows, rows, _newest(None if last is None else last.position_ids, evidence), is_token)


def _newest(ids: Ints | None, evidence: Evidence) -> Ids | None:
    """(B,): the last of a call's ids."""
    rows = None if ids is None else _as_rows(ids, evidence, ids.shape[-1])
    return None if rows is None else rows[:, -1]


def is_position_table(lane: Lane, evidence: Evidence, name: str) -> bool:
    """Whether an embedding was asked for places, not for tokens: every id is one more than that before."""
    ids = _as_rows(lane.embedded[name], evidence)
    if ids is None or np.array_equal(ids, evidence.text[:, -ids.shape[1] :]):
        return False
    where = evidence.is_token()[:, -ids.shape[1] :].cumsum(1) + evidence.is_token()[
        :, : -ids.shape[1] or None
    ].sum(1, keepdims=True) * (ids.shape[1] < evidence.n_tokens)
    shift = (ids - where)[evidence.is_token()[:, -ids.shape[1] :]]
    return bool(len(shift)) and bool((shift == shift[0]).all())


def _position_table(evidence: Evidence) -> str | None:
    names = [name for name in evidence.oracle.embedded if name in evidence.cached.embedded]
    return next((name for name in names if is_position_table(evidence.oracle, evidence, name)), None)


def _as_rows(ids: Ints, evidence: Evidence, q_len: int | None = None) -> Ids | None:
    """Return (B, Q), the last Q; None where the shape is another."""
    q_len = evidence.q_len if q_len is None else q_len
    if ids.ndim != 2 or ids.shape[1] < q_len or ids.shape[0] not in (1, evidence.batch):
        return None
    return np.broadcast_to(ids[:, -q_len:], (evidence.batch, q_len)).astype(np.int64)
