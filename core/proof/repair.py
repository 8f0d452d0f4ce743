"""Applies repairs: while the cached lane's call runs again, parts of its attention are the oracle's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import torch
from torch import Tensor

from core.proof.inside import FIRST_INPUT, POSITION_IDS, rows_like
from core.proof.replay import Changes
from core.proof.scores import Scores, split
from core.record.attention import AttentionCall, attention_scores
from core.verdict.diagnosis.evidence import Attention, Evidence, Floats
from core.verdict.diagnosis.hypothesis import NO_PLACE, Placement, Repair

Placements = tuple[Placement, ...]


@dataclass(frozen=True)
class Parts:
    """One attention call that is being repaired; `token` (B, S) says what each slot should hold."""

    q: Tensor
    k: Tensor
    v: Tensor
    scores: Scores
    token: Tensor


def changes(evidence: Evidence, repairs: Sequence[tuple[Repair, Placements]]) -> Changes:
    """Return what to change in the cached lane's call so that these repairs are made, one after the other."""
    inside = [repair for repair, _ in repairs if {"positions", "input"} & set(repair.parts)]

    def told(name: str, value: Tensor) -> Tensor | None:
        rows = _what_to_tell(evidence, inside, name)
        return None if rows is None else rows_like(value, rows)

    def attention(index: int, call: AttentionCall) -> Tensor | None:
        if evidence.calls_at:
            index = (
                evidence.calls_at.index(index) if index in evidence.calls_at else len(evidence.oracle.calls)
            )
        if index >= len(evidence.oracle.calls):
            return None
        wanted = [one for one in repairs if _concerns(one[0], index)]
        return _repaired(evidence.oracle.calls[index], call, index, wanted) if wanted else None

    return Changes(attention, told if inside else None)


def _concerns(repair: Repair, index: int) -> bool:
    inside = set(repair.parts) <= {"positions", "input"}
    return not inside and (repair.layers is None or index in repair.layers)


def _what_to_tell(evidence: Evidence, repairs: Sequence[Repair], name: str) -> Tensor | None:
    """Return the oracle's value (B, Q, ...) of what a module is told, None where it is not repaired."""
    parts = {part for repair in repairs for part in repair.parts}
    oracle = evidence.oracle
    if name == FIRST_INPUT:
        return (
            torch.from_numpy(oracle.first_input)
            if "input" in parts and oracle.first_input is not None
            else None
        )
    if "positions" not in parts:
        return None
    if name == POSITION_IDS:
        ids = oracle.position_ids
        return None if ids is None else torch.from_numpy(np.maximum(ids, 0))
    ids = oracle.embedded.get(name)
    if ids is None or np.array_equal(ids, evidence.text[:, -ids.shape[1] :]):  # tokens, not positions
        return None
    return torch.from_numpy(ids)


def _repaired(
    oracle: Attention, call: AttentionCall, index: int, repairs: Sequence[tuple[Repair, Placements]]
) -> Tensor | None:
    """Return the output (B, H, Q, D) that attention gives with the repaired parts."""
    n_rows = call.q.shape[2]
    if oracle.q.shape[:3] != call.q.shape[:3] or oracle.q.shape[0] != call.k.shape[0]:
        return None
    q, k, v = (x.detach().to(torch.promote_types(x.dtype, torch.float32)) for x in (call.q, call.k, call.v))
    own = msgspec.structs.replace(call, q=q, k=k, v=v, mask=_at_least_float(call.mask))
    scores = split(q, k, attention_scores(own, n_rows), call.scale if call.weights is None else None)
    wanted = _scores_of_oracle(oracle, q.dtype)
    parts = Parts(q, k, v, scores, torch.empty(0))
    for repair, placements in repairs:
        token = _token(placements, index, parts.k, oracle)
        parts = _with(replace(parts, token=token), repair, oracle, wanted)
        if "output" in repair.parts:
            return _attend(wanted.whole(), _tensor(oracle.v, q.dtype))
    return _attend(parts.scores.of(parts.q, parts.k), parts.v)


def _at_least_float(mask: Tensor | None) -> Tensor | None:
    return mask if mask is None or mask.dtype == torch.bool else mask.float()


def _token(placements: Placements, index: int, k: Tensor, oracle: Attention) -> Tensor:
    """Return (B, S); without a placement the slots are in the order of the text, and the newest are the last."""
    n_slots, n_tokens = k.shape[2], oracle.k.shape[2]
    if index < len(placements):
        given = torch.from_numpy(placements[index].token)
        return torch.nn.functional.pad(given, (0, n_slots - given.shape[1]), value=NO_PLACE)
    slots = torch.arange(n_slots) + max(0, n_tokens - n_slots)
    slots = torch.where(slots < n_tokens, slots, torch.tensor(NO_PLACE))
    return slots.expand(k.shape[0], -1)


def _scores_of_oracle(oracle: Attention, dtype: torch.dtype) -> Scores:
    q, k, scores = (_tensor(x, dtype) for x in (oracle.q, oracle.k, oracle.scores))
    return split(q, k, scores, oracle.scale)


def _with(parts: Parts, repair: Repair, oracle: Attention, wanted: Scores) -> Parts:
    """Make one repair."""
    chosen = _chosen(parts, repair)
    if "k" in repair.parts:
        parts = replace(parts, k=_rows(parts.k, oracle.k, parts.token, chosen))
    if "v" in repair.parts:
        parts = replace(parts, v=_rows(parts.v, oracle.v, parts.token, chosen))
    rows = _batch_rows(parts, repair)
    if "q" in repair.parts:
        parts = replace(parts, q=torch.where(rows, _tensor(oracle.q, parts.q.dtype), parts.q))
    if "heads" in repair.parts:
        parts = replace(parts, k=_regrouped(parts.k), v=_regrouped(parts.v), scores=parts.scores.unbiased())
    if "scale" in repair.parts:
        parts = replace(parts, scores=replace(parts.scores, scale=wanted.scale))
    if {"mask", "bias", "scores"} & set(repair.parts):
        parts = replace(parts, scores=_scores(parts, repair, wanted, rows))
    if "drop" in repair.parts:
        parts = replace(parts, scores=parts.scores.hiding(chosen))
    return _with_missing(parts, oracle, wanted) if "add" in repair.parts else parts


def _scores(parts: Parts, repair: Repair, wanted: Scores, rows: Tensor) -> Scores:
    """Take who sees whom, what is added, or the scores as a whole from the oracle, at the slots that have a place."""
    placed = wanted.at(parts.token)
    own = parts.scores
    if "scores" in repair.parts:
        other = placed.fixed()
    elif "bias" in repair.parts:
        other = replace(own, added=placed.added, exact=None)
    else:
        seen = torch.where(torch.isfinite(own.added), own.added, placed.added)
        other = replace(own, added=seen.masked_fill(~torch.isfinite(placed.added), float("-inf")), exact=None)
    return other if bool(rows.all()) else Scores.mixed(rows, other, own, parts.q, parts.k)


def _chosen(parts: Parts, repair: Repair) -> Tensor:
    """Return (B, S): the slots that the repair is for."""
    if repair.slots is None:
        chosen = torch.ones_like(parts.token, dtype=torch.bool)
    else:
        chosen = torch.zeros_like(parts.token, dtype=torch.bool)
        for batch_row, slot in repair.slots:
            if batch_row < chosen.shape[0] and slot < chosen.shape[1]:
                chosen[batch_row, slot] = True
    return chosen & _batch_rows(parts, repair)[:, 0, 0]


def _batch_rows(parts: Parts, repair: Repair) -> Tensor:
    """Return (B, 1, 1, 1): the batch rows that the repair is for."""
    rows = torch.ones(parts.q.shape[0], dtype=torch.bool)
    if repair.batch_rows is not None:
        rows = torch.tensor([row in repair.batch_rows for row in range(len(rows))])
    return rows.view(-1, 1, 1, 1)


def _rows(own: Tensor, oracle: Floats, token: Tensor, chosen: Tensor) -> Tensor:
    """Return (B, G, S, D) with the chosen slots as the oracle has them, where they have a place."""
    right = _gather(_like_heads(_tensor(oracle, own.dtype), own.shape[1]), token)
    if right.shape != own.shape:
        return own
    return torch.where((chosen & (token != NO_PLACE))[:, None, :, None], right, own)


def _gather(rows: Tensor, token: Tensor) -> Tensor:
    """Return the rows (B, G, S, D) of the tokens (B, S)."""
    index = token.clamp_min(0)[:, None, :, None].expand(-1, rows.shape[1], -1, rows.shape[3])
    return rows.gather(2, index)


def _like_heads(rows: Tensor, n_heads: int) -> Tensor:
    """Bring (B, G, S, D) to a number of heads: models hand kv heads over as they are or repeated."""
    if rows.shape[1] > n_heads:
        return rows[:, :: rows.shape[1] // n_heads]
    return rows.repeat_interleave(n_heads // rows.shape[1], 1)


def _regrouped(rows: Tensor) -> Tensor:
    """Undo heads that were laid out [0, 1, 0, 1] where [0, 0, 1, 1] was meant: each distinct head in turn, repeated."""
    distinct: list[Tensor] = []
    for head in rows.unbind(1):
        if not any(torch.equal(head, other) for other in distinct):
            distinct.append(head)
    if rows.shape[1] % len(distinct):
        return rows
    return torch.stack(distinct, 1).repeat_interleave(rows.shape[1] // len(distinct), 1)


def _with_missing(parts: Parts, oracle: Attention, wanted: Scores) -> Parts:
    """Append the tokens that no slot holds, as the oracle has them."""
    n_tokens = oracle.k.shape[2]
    held = torch.zeros(parts.token.shape[0], n_tokens + 1, dtype=torch.bool)
    held.scatter_(1, torch.where(parts.token == NO_PLACE, n_tokens, parts.token), True)
    missing = [row.logical_not()[:n_tokens].nonzero().flatten() for row in held]
    count = max((len(row) for row in missing), default=0)
    if count == 0:
        return parts
    token = torch.stack(
        [torch.nn.functional.pad(row, (0, count - len(row)), value=NO_PLACE) for row in missing]
    )
    k = _gather(_like_heads(_tensor(oracle.k, parts.k.dtype), parts.k.shape[1]), token)
    v = _gather(_like_heads(_tensor(oracle.v, parts.v.dtype), parts.v.shape[1]), token)
    added = torch.cat((parts.scores.added, wanted.at(token).added), -1)
    return Parts(
        parts.q, torch.cat((parts.k, k), 2), torch.cat((parts.v, v), 2),
        replace(parts.scores, added=added, exact=None), torch.cat((parts.token, token), 1),
    )  # fmt: skip


def _attend(scores: Tensor, v: Tensor) -> Tensor:
    weights = scores.softmax(-1).nan_to_num(0.0)  # a query that sees nothing gets zeros
    return weights @ v.nan_to_num(0.0).repeat_interleave(weights.shape[1] // v.shape[1], 1)


def _tensor(x: Floats, dtype: torch.dtype) -> Tensor:
    return torch.from_numpy(x).to(dtype)
