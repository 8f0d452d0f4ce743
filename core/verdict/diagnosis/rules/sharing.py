"""Sharing: layers, rows of the batch, or runs hold each other's rows."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.evidence import Floats
from core.verdict.diagnosis.hypothesis import Hypothesis, Part
from core.verdict.diagnosis.paired import Bools
from core.verdict.diagnosis.rules.parts import listed, percent, place_of_slot, slots_repair
from core.verdict.diagnosis.slot_map import OWN_TEXT, LayerSlots, Origin
from core.verdict.diagnosis.slot_match import flat_rows

Chosen = list[tuple[ComparedCall, Bools]]
MOST = 0.5  # share of the wrong rows that a sentence must explain
ROWS_MIXED = QT_TRANSLATE_NOOP(
    "core", "Rows of the batch are mixed up: batch row {row} holds what belongs to row {other}."
)


def layers_mixed(step: Compared) -> Iterator[Hypothesis]:
    """Slots hold the right token's row of another layer."""
    chosen = _explained(
        step,
        lambda call, origin: (
            (origin.text == OWN_TEXT) & (origin.layer != call.layer) & (origin.token == call.slots.token)
        ),
    )
    if not chosen:
        return
    call, mask = chosen[0]
    other = int(np.bincount(_any_origin(call.slots).layer[mask]).argmax())
    repair = slots_repair(step, ("k", "v"), chosen)
    if step.evidence.is_row_by_row and call.layer // step.evidence.batch == other // step.evidence.batch:
        yield Hypothesis(
            "row-mixed",
            Text(ROWS_MIXED, {"row": call.layer % step.evidence.batch, "other": other % step.evidence.batch}),
            (
                Text(QT_TRANSLATE_NOOP("core", "The rows of the batch attend one after the other.")),
                *_counted(step, chosen),
            ),
            place_of_slot(call, "k", mask),
            repair,
            step.slots.placements,
        )
        return
    if _is_loop_over_heads(step):
        yield Hypothesis(
            "head-map-wrong",
            Text(
                QT_TRANSLATE_NOOP(
                    "core",
                    "Query heads read the wrong kv heads: attention call {layer} reads the rows that call {other} should read.",
                ),
                {"layer": call.layer, "other": other},
            ),
            (
                Text(
                    QT_TRANSLATE_NOOP(
                        "core", "Attention is called head by head, and several heads share keys."
                    )
                ),
                *_counted(step, chosen),
            ),
            place_of_slot(call, "k", mask),
            repair,
            step.slots.placements,
        )
    sentence = Text(
        QT_TRANSLATE_NOOP(
            "core", "Layers share one cache: the slots of layer {layer} hold the rows of layer {other}."
        ),
        {"layer": call.layer, "other": other},
    )
    facts = [*_counted(step, chosen), *_shared_storage(step)]
    yield Hypothesis(
        "layer-aliased", sentence, tuple(facts), place_of_slot(call, "k", mask), repair, step.slots.placements
    )


def _is_loop_over_heads(step: Compared) -> bool:
    """Whether each call is one head, and neighbours read the same keys: groups of query heads, one after the other."""
    keys = [call.pair.oracle.k for call in step.calls]
    one_head = all(call.pair.oracle.q.shape[1] == 1 for call in step.calls)
    return one_head and any(np.array_equal(a, b) for a, b in pairwise(keys))


def _shared_storage(step: Compared) -> list[Text]:
    """Say which layers of a known cache lie in the same memory."""
    layers: dict[int, list[int]] = {}
    for layer, stored in enumerate(step.evidence.cached.stored):
        layers.setdefault(stored.storage, []).append(layer)
    shared = [one for one in layers.values() if len(one) > 1]
    return [
        Text(QT_TRANSLATE_NOOP("core", "Layers {layers} lie in the same memory."), {"layers": listed(one)})
        for one in shared
    ]


def batch_rows_mixed(step: Compared) -> Iterator[Hypothesis]:
    """Rows of the batch hold what belongs to another sequence of the batch."""
    if step.evidence.batch < 2:
        return
    chosen = _explained(
        step,
        lambda call, origin: (
            (origin.text == OWN_TEXT)
            & (origin.batch_row != np.arange(step.evidence.batch)[:, None])
            & (origin.batch_row >= 0)
            & (origin.layer == call.layer)
        ),
    )
    if chosen:
        call, mask = chosen[0]
        b = int(np.argwhere(mask)[0][0])
        other = int(np.bincount(_any_origin(call.slots).batch_row[b][mask[b]]).argmax())
        sentence = Text(ROWS_MIXED, {"row": b, "other": other})
        repair = slots_repair(step, ("k", "v"), chosen)
        yield Hypothesis(
            "row-mixed",
            sentence,
            _counted(step, chosen),
            place_of_slot(call, "k", mask),
            repair,
            step.slots.placements,
        )
    yield from _not_reordered(step)


def _not_reordered(step: Compared) -> Iterator[Hypothesis]:
    """The beams were reordered just before the step, and the cached rows are still where they were."""
    before, last = step.evidence.before or "", step.evidence.last
    if not before.startswith("reorder") or last is None or len(last.calls) != len(step.calls):
        return
    order = [int(row) for row in before.removeprefix("reorder").split(",")]
    stayed: dict[Part, Chosen] = {"k": [], "v": []}
    for call, old in zip(step.calls, last.calls, strict=True):
        tensors: dict[Part, tuple[Floats, Floats]] = {
            "k": (call.pair.k_cached, old.k),
            "v": (call.pair.v_cached, old.v),
        }
        for name, (now, then) in tensors.items():
            then = then[:, :: max(1, then.shape[1] // now.shape[1])]
            mask = call.introduced & _as_it_was(now, then, order)
            if mask.any():
                stayed[name].append((call, mask))
    found = [name for name in stayed if stayed[name]]
    if not found:
        return
    call, mask = stayed[found[0]][0]
    if mask.sum() < MOST * (call.introduced & ~call.is_new).sum():
        return
    b = int(np.argwhere(mask)[0][0])
    values: Values = {"row": b, "wanted": order[b]}
    sentence = {
        ("k", "v"): Text(QT_TRANSLATE_NOOP("core", "The cache was not reordered with the beams: batch row {row} still holds its own history, expected that of row {wanted}."), values),
        ("v",): Text(QT_TRANSLATE_NOOP("core", "Keys were reordered with the beams and values were not: batch row {row} still holds its own values, expected those of row {wanted}."), values),
        ("k",): Text(QT_TRANSLATE_NOOP("core", "Values were reordered with the beams and keys were not: batch row {row} still holds its own keys, expected those of row {wanted}."), values),
    }[tuple(found)]  # fmt: skip
    repair = slots_repair(step, tuple(found), stayed[found[0]])
    yield Hypothesis(
        "row-mixed",
        sentence,
        _counted(step, stayed[found[0]]),
        place_of_slot(call, found[0], mask),
        repair,
        step.slots.placements,
    )


def _as_it_was(now: Floats, then: Floats, order: list[int]) -> Bools:
    """Return (B, S): slots that equal what the same batch row held before, and not what the reorder should have put there."""
    n, rows = min(now.shape[2], then.shape[2]), len(order)
    found = np.zeros((now.shape[0], now.shape[2]), dtype=bool)
    if then.shape[0] < rows or now.shape[1] != then.shape[1] or now.shape[3] != then.shape[3]:
        return found
    a, b = flat_rows(now), flat_rows(then)
    for shift in {0, then.shape[2] - n}:  # a rolling cache may have dropped its oldest rows
        own, wanted = b[:rows, shift : shift + n], b[order, shift : shift + n]
        m = own.shape[1]
        stayed = (a[:, :m] == own).all(-1) & ~(own == wanted).all(-1)
        if stayed.sum() > found.sum():
            found[:] = False
            found[:, :m] = stayed
    return found


def texts_mixed(step: Compared) -> Iterator[Hypothesis]:
    """Slots of this text hold rows of another: of a run that is alive beside this one, or of the one before."""
    chosen = _explained(step, lambda call, origin: origin.text > OWN_TEXT)
    if not chosen:
        return
    call, mask = chosen[0]
    text = int(np.bincount(_any_origin(call.slots).text[mask]).argmax())
    what = step.evidence.others[text - 1].what
    values: Values = {"tokens": listed(call.slots.token[mask])}
    cause, template = {
        "beside": ("shared-state", QT_TRANSLATE_NOOP("core", "Two runs share one cache: the slots of tokens {tokens} hold rows of the other run.")),
        "before": ("stale-rows", QT_TRANSLATE_NOOP("core", "The slots of tokens {tokens} still hold rows of the run before.")),
        "draft": ("stale-rows", QT_TRANSLATE_NOOP("core", "The slots of tokens {tokens} still hold rows of rejected draft tokens.")),
    }[what]  # fmt: skip
    repair = slots_repair(step, ("k", "v"), chosen)
    yield Hypothesis(
        cause,
        Text(template, values),
        _counted(step, chosen),
        place_of_slot(call, "k", mask),
        repair,
        step.slots.placements,
    )


def _explained(step: Compared, is_so: Callable[[ComparedCall, Origin], Bools]) -> Chosen:
    """Return the slots that went wrong and whose k or v was found where `is_so` says; nothing if they are the lesser part."""
    chosen: Chosen = []
    n_wrong = 0
    for call in step.calls:
        wrong = call.introduced
        mask = wrong & (_wrong_and(call, is_so, "k") | _wrong_and(call, is_so, "v"))
        n_wrong += int(wrong.sum())
        if mask.any():
            chosen.append((call, mask))
    n_explained = sum(int(mask.sum()) for _, mask in chosen)
    return chosen if n_explained >= MOST * n_wrong else []


def _wrong_and(call: ComparedCall, is_so: Callable[[ComparedCall, Origin], Bools], name: str) -> Bools:
    distance, origin = (
        (call.slots.k_distance, call.slots.k_origin)
        if name == "k"
        else (call.slots.v_distance, call.slots.v_origin)
    )
    return np.asarray((distance > call.tolerance) & is_so(call, origin))


def _any_origin(slots: LayerSlots) -> Origin:
    """Return where k was found, or else v."""
    k, v = slots.k_origin, slots.v_origin
    use_k = k.text >= 0
    return Origin(
        *(
            np.where(use_k, a, b)
            for a, b in ((k.text, v.text), (k.layer, v.layer), (k.batch_row, v.batch_row), (k.token, v.token))
        )
    )


def _counted(step: Compared, chosen: Chosen) -> tuple[Text, ...]:
    n_wrong = sum(int(call.introduced.sum()) for call in step.calls)
    n_found = sum(int(mask.sum()) for _, mask in chosen)
    values: Values = {
        "found": n_found, "wrong": n_wrong, "share": percent(n_found / max(1, n_wrong)), "layers": listed(call.layer for call, _ in chosen),
    }  # fmt: skip
    return (
        Text(
            QT_TRANSLATE_NOOP(
                "core", "{found} of {wrong} wrong rows ({share}) were found there, in layers {layers}."
            ),
            values,
        ),
    )
