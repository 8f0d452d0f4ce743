"""Heads and layout: the numbers are all there, and lie under another head or in another place."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.evidence import Floats
from core.verdict.diagnosis.hypothesis import Hypothesis, Repair
from core.verdict.diagnosis.paired import Bools, one_per_kv_head, rms
from core.verdict.diagnosis.row_index import RowIndex
from core.verdict.diagnosis.rules.parts import (
    layers_from,
    listed,
    percent,
    place_of_query,
    place_of_slot,
    slots_repair,
)
from core.verdict.diagnosis.rules.values import WrongRows
from core.verdict.diagnosis.slot_map import State

Vectors = NDArray[np.float64]
FOUND = 0.7  # share of the misplaced vectors that must be found elsewhere
FEWEST = 0.2  # share of the wrong rows that must not be zeros
SAME_NUMBER = 1e-6  # of the tensor's rms


def head_map(step: Compared) -> Iterator[Hypothesis]:
    """Every query head reads a whole kv head, of the oracle's rows too, and it is the wrong one."""
    for call in step.calls:
        found = _heads_read(call)
        if found is None:
            continue
        cached, oracle = found
        if np.array_equal(cached, oracle):
            continue
        head = int(np.flatnonzero(cached != oracle)[0])
        mask = call.introduced
        values: Values = {
            "head": head, "cached": int(cached[head]), "oracle": int(oracle[head]),
            "map": ", ".join(map(str, cached)), "wanted": ", ".join(map(str, oracle)),
        }  # fmt: skip
        one = Hypothesis(
            "head-map-wrong",
            Text(QT_TRANSLATE_NOOP("core", "Query heads read the wrong kv heads: query head {head} reads kv head {cached}, expected {oracle}."), values),
            (Text(QT_TRANSLATE_NOOP("core", "The cached lane reads kv heads {map}; the oracle reads {wanted}."), values),
             Text(QT_TRANSLATE_NOOP("core", "Each head's rows agree with those of the kv head that it reads: only the order of the heads is wrong."))),
            place_of_slot(call, "k", mask), Repair(("heads",)), step.slots.placements,
        )  # fmt: skip
        yield one
        yield replace(one, repair=Repair(("k", "v"), layers_from(step, call.layer)))
        return


def _heads_read(call: ComparedCall) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return which kv head each query head reads, in the cached lane and the oracle; None where a row is no whole head."""
    mask = call.introduced
    if not mask.any():
        return None
    n_heads = call.pair.oracle.q.shape[1]
    if n_heads % call.pair.cached.k.shape[1]:
        return None
    distinct = one_per_kv_head(call.pair.oracle.k, call.pair.oracle.k)[0]
    b, token = np.argwhere(mask)[:, 0], call.slots.token[mask] - call.pair.first_token
    wanted = distinct[b, :, token].astype(np.float64)  # (n, G, D)
    own = _for_queries(call.pair.cached.k, n_heads)[b, :, np.argwhere(mask)[:, 1]].astype(np.float64)
    error = np.sqrt(((own[:, :, None] - wanted[:, None]) ** 2).mean((0, -1))) / call.pair.k_scale  # (H, G)
    if not (error.min(-1) <= call.tolerance).all():
        return None
    return error.argmin(-1), np.arange(n_heads) // (n_heads // distinct.shape[1])


def _for_queries(x: Floats, n_heads: int) -> Floats:
    return np.repeat(x, n_heads // x.shape[1], axis=1)


def query_heads(step: Compared) -> Iterator[Hypothesis]:
    """Keys and values agree, and the query heads are the oracle's in another order."""
    for call in step.calls:
        bad = call.q_distance > call.tolerance
        if call.differs.any() or not bad.any():
            continue
        n = call.pair.q_len
        cached, oracle = (
            x.q[:, :, -n:].transpose(0, 2, 1, 3)[bad].astype(np.float64)
            for x in (call.pair.cached, call.pair.oracle)
        )
        error = np.sqrt(((cached[:, :, None] - oracle[:, None]) ** 2).mean((0, -1))) / rms(
            call.pair.oracle.q
        )  # (H, H)
        order = error.argmin(-1)
        if sorted(order) != list(range(len(order))) or not (error.min(-1) <= call.tolerance).all():
            return
        values: Values = {"map": ", ".join(map(str, order))}
        yield Hypothesis(
            "head-map-wrong",
            Text(QT_TRANSLATE_NOOP("core", "Query heads are in another order than the kv heads that they read."), values),
            (Text(QT_TRANSLATE_NOOP("core", "Keys and values agree; the query heads are the oracle's heads {map}."), values),),
            place_of_query(call, "q", bad, float(call.q_distance.max())),
            Repair(("q",), layers_from(step, call.layer)), step.slots.placements,
        )  # fmt: skip
        return


def scrambled(step: Compared) -> Iterator[Hypothesis]:
    """Pieces of rows are found whole in other places: the memory is read with another shape than it was written with."""
    chosen: list[tuple[ComparedCall, Bools]] = []
    filled: list[WrongRows] = []
    found = 0
    for call in step.calls:
        mask = call.introduced & np.isin(call.slots.state, _DISPLACED)
        if not mask.any():
            continue
        chosen.append((call, mask))
        rows = _displaced(call, mask & (call.slots.state != State.ZERO))
        if rows.mask.any():
            filled.append(rows)
            found += int(_is_piecewise_elsewhere(step, rows).sum())
    total = sum(int(rows.mask.sum()) for rows in filled)
    if not total or total < FEWEST * sum(int(mask.sum()) for _, mask in chosen):
        return
    if found < FOUND * total:
        yield from _same_numbers(step, chosen, filled[0])
        return
    yield _hypothesis(step, chosen, Text(
        QT_TRANSLATE_NOOP("core", "Of {total} wrong rows, {share} consist of whole vectors that belong to other slots, heads or layers."),
        {"total": total, "share": percent(found / total)},
    ))  # fmt: skip


def _displaced(call: ComparedCall, mask: Bools) -> WrongRows:
    """Return the rows of k that are wrong, of v where k is right."""
    is_wrong = mask & (call.slots.k_distance > call.tolerance)
    return WrongRows(call, "k", is_wrong) if is_wrong.any() else WrongRows(call, "v", mask)


_DISPLACED = (
    State.DIFFERENT,
    State.MISPLACED,
    State.OTHER_LAYER,
    State.OTHER_ROW,
    State.DUPLICATE,
    State.ZERO,
)


def _hypothesis(step: Compared, chosen: list[tuple[ComparedCall, Bools]], evidence: Text) -> Hypothesis:
    call, mask = chosen[0]
    values: Values = {"layers": listed(one.layer for one, _ in chosen)}
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core",
            "The cache's numbers are right and lie in wrong places (layers {layers}): memory is read with another shape than it was written with.",
        ),
        values,
    )
    zero = int((call.slots.state[mask] == State.ZERO).sum())
    more = (
        (
            Text(
                QT_TRANSLATE_NOOP("core", "{zero} slots of layer {layer} hold zeros."),
                {"zero": zero, "layer": call.layer},
            ),
        )
        if zero
        else ()
    )
    repair = slots_repair(step, ("k", "v"), chosen)
    return Hypothesis(
        "layout-scrambled",
        sentence,
        (evidence, *more),
        place_of_slot(call, "k", mask),
        repair,
        step.slots.placements,
    )


def _is_piecewise_elsewhere(step: Compared, rows: WrongRows) -> NDArray[np.bool_]:
    """Return (n,): whether each head of a row is some head's key or value of the oracle."""
    call, size = (
        rows.call,
        (rows.call.pair.k_cached if rows.name == "k" else rows.call.pair.v_cached).shape[-1],
    )
    cached = rows.cached.reshape(len(rows.cached), -1, size)  # (n, G, D)
    pool = [
        x.transpose(0, 2, 1, 3).reshape(-1, x.shape[-1])
        for one in step.calls
        for x in (one.pair.k_oracle, one.pair.v_oracle)
    ]
    known = np.concatenate([x for x in pool if x.shape[-1] == cached.shape[-1]]).astype(np.float64)
    vectors = cached.reshape(-1, cached.shape[-1])
    limit = call.tolerance * (call.pair.k_scale if rows.name == "k" else call.pair.v_scale)
    hits = np.zeros(len(vectors), dtype=bool)
    hits[RowIndex(known).near(vectors, limit)[0]] = True
    return np.asarray(hits.reshape(cached.shape[:2]).all(-1))


def _same_numbers(
    step: Compared, chosen: list[tuple[ComparedCall, Bools]], rows: WrongRows
) -> Iterator[Hypothesis]:
    """The same numbers as the oracle's, one by one, in another order."""
    if rows.is_alike:  # number by number they are the oracle's, damaged
        return
    call, cached = rows.call, rows.cached.ravel()
    known = np.sort(
        np.concatenate(
            [x.ravel() for one in step.calls for x in (one.pair.k_oracle, one.pair.v_oracle)]
        ).astype(np.float64)
    )
    at = np.clip(np.searchsorted(known, cached), 1, len(known) - 1)
    gap = np.minimum(np.abs(known[at] - cached), np.abs(known[at - 1] - cached))
    limit = SAME_NUMBER * call.pair.k_scale
    by_chance = min(1.0, 2 * limit * len(known) / max(float(known[-1] - known[0]), 1e-30) * 3)
    share = float((gap <= limit).mean())
    if share >= FOUND and by_chance < 0.3:
        yield _hypothesis(step, chosen, Text(
            QT_TRANSLATE_NOOP("core", "{share} of the numbers in the wrong rows are numbers of the oracle's cache, in another order."), {"share": percent(share)}
        ))  # fmt: skip
