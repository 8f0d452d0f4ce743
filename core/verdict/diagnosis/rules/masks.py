"""Masks: who may see whom differs, and the pattern of the difference has a name."""

from collections.abc import Iterator

import numpy as np

from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.hypothesis import Hypothesis, Repair
from core.verdict.diagnosis.paired import Bools
from core.verdict.diagnosis.rules.parts import layers_where, listed, place_of_query


def wrong_mask(step: Compared) -> Iterator[Hypothesis]:
    """Name what the cached lane's queries see too much or too little of the tokens that lie in their slots."""
    suspects = [call for call in step.calls if call.hidden.any() or call.extra.any()]
    if not suspects:
        return
    repair = Repair(("mask",), layers_where(suspects, len(step.calls)))
    for call in suspects[:1]:
        for cause, sentence, evidence, cells in _named(step, call):
            place = place_of_query(call, "mask", np.asarray(cells.any(-1)), float(cells.sum()))
            yield Hypothesis(cause, sentence, evidence, place, repair, step.slots.placements)


def _named(step: Compared, call: ComparedCall) -> Iterator[tuple[str, Text, tuple[Text, ...], Bools]]:
    """Yield (cause, sentence, evidence, cells (B, Q, T)) for each pattern that is there, the plainest first."""
    hidden, extra = call.hidden, call.extra
    key, query = np.arange(call.n_tokens), call.query_token[:, None]
    is_pad = ~step.evidence.is_token()[:, None, :]
    future, pads = extra & (key > query) & ~is_pad, extra & is_pad
    old = extra & (key <= query) & ~is_pad
    facts = _facts(call)
    if hidden.any() and _is_top_left(call):
        yield (
            "mask-top-left",
            Text(
                QT_TRANSLATE_NOOP(
                    "core",
                    "The mask is aligned at the top left: query i of the call sees keys 0 to i, wherever it stands in the text.",
                )
            ),
            facts,
            hidden,
        )
    if future.any():
        _, i, t = (int(at) for at in np.argwhere(future)[0])
        yield (
            "mask-missing",
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "Tokens see the future: the query of token {query} may attend to token {key}."
                ),
                {"query": int(call.query_token[i]), "key": t},
            ),
            facts,
            future,
        )
    if pads.any():
        yield (
            "pad-not-masked",
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "Left pads are not masked: tokens attend to the pad columns of their row."
                )
            ),
            facts,
            pads,
        )
    if old.any():
        yield (
            "window-boundary",
            Text(
                QT_TRANSLATE_NOOP(
                    "core",
                    "The cached lane sees further back than the window: token {key} from token {query}, {distance} tokens away.",
                ),
                _farthest(call, old),
            ),
            (*_window_facts(call, old), *facts),
            old,
        )
    if hidden.any() and not _is_top_left(call):
        yield from _hidden(call, hidden, facts)


def _hidden(
    call: ComparedCall, hidden: Bools, facts: tuple[Text, ...]
) -> Iterator[tuple[str, Text, tuple[Text, ...], Bools]]:
    """Name tokens that lie in their slots and are not seen: at the far end of the reach, the query's own, or elsewhere."""
    own = hidden & (np.arange(call.n_tokens) == call.query_token[:, None])
    if own.any() and bool((hidden == own).all()):
        yield (
            "slot-lost",
            Text(
                QT_TRANSLATE_NOOP(
                    "core",
                    "New tokens do not see themselves: their own row is written, and the mask hides it.",
                )
            ),
            facts,
            own,
        )
        return
    cause = (
        "window-boundary"
        if _is_oldest(call, hidden) or _is_before_the_newest(call, hidden)
        else "mask-missing"
        if not _is_past(call, hidden)
        else "mask-top-left"
    )
    sentence = (
        QT_TRANSLATE_NOOP("core", "The cached lane sees less far back than the oracle: token {key} is hidden from token {query}, {distance} tokens away.")
        if cause == "window-boundary"
        else QT_TRANSLATE_NOOP("core", "The mask hides tokens that the oracle sees: token {key} from token {query}, {distance} tokens away.")
    )  # fmt: skip
    yield cause, Text(sentence, _farthest(call, hidden)), facts, hidden


def _is_top_left(call: ComparedCall) -> bool:
    """Whether query i of the call sees slots 0..i and no others."""
    seen, is_query = call.seen_slots, call.is_query
    n_slots, q_len = seen.shape[-1], seen.shape[1]
    if n_slots <= q_len:
        return False
    expected = np.arange(n_slots) <= np.arange(q_len)[:, None]
    visible = expected[None] & ~_pad_slots(call)[:, None, :]
    agrees = (seen == expected[None]).all(-1) | (seen == visible).all(-1)
    return bool(agrees[is_query].all())


def _pad_slots(call: ComparedCall) -> Bools:
    is_token = call.evidence.is_token()
    rows = np.arange(len(is_token))[:, None]
    return np.asarray((call.slots.token >= 0) & ~is_token[rows, np.maximum(call.slots.token, 0)])


def _is_oldest(call: ComparedCall, hidden: Bools) -> bool:
    """Whether every hidden token is older than all that the query still sees."""
    seen = call.seen_cached & call.seen_oracle
    key = np.arange(call.n_tokens)
    first_seen = np.where(seen.any(-1), np.where(seen, key, call.n_tokens).min(-1), call.n_tokens)
    return bool((np.where(hidden, key, -1) < first_seen[..., None]).all())


def _is_before_the_newest(call: ComparedCall, hidden: Bools) -> bool:
    """Whether one run of tokens is hidden and all newer ones are seen: a window whose first tokens stay visible (sinks)."""
    key = np.arange(call.n_tokens)
    last = np.where(hidden, key, -1).max(-1, keepdims=True)
    is_newer = (key > last) & (key <= call.query_token[:, None]) & hidden.any(-1, keepdims=True)
    n_runs = (hidden & ~np.pad(hidden, ((0, 0), (0, 0), (1, 0)))[..., :-1]).sum(-1)
    seen = call.seen_cached | ~call.seen_oracle
    return bool((n_runs <= 1).all() and is_newer.any() and seen[is_newer].all())


def _is_past(call: ComparedCall, hidden: Bools) -> bool:
    return bool((hidden & (np.arange(call.n_tokens) < call.query_token[:, None])).any())


def _farthest(call: ComparedCall, cells: Bools) -> Values:
    _, i, key = (int(at) for at in np.argwhere(cells)[0])
    query = int(call.query_token[i])
    return {"query": query, "key": key, "distance": query - key}


def window_of(call: ComparedCall) -> int | None:
    """Return how many tokens the oracle's queries see at most, where some query sees fewer than there are before it."""
    seen = call.seen_oracle
    before = (call.is_key[:, None] & (np.arange(call.n_tokens) <= call.query_token[:, None])).sum(-1)
    count = seen.sum(-1)
    bounded = call.is_query & (count < before) & (count > 0)
    return int(count[bounded].max()) if bounded.any() else None


def _window_facts(call: ComparedCall, old: Bools) -> list[Text]:
    window = window_of(call)
    if window is None:
        return []
    distance = (call.query_token[:, None] - np.arange(call.n_tokens))[None] * old
    found = np.unique(distance[old])
    facts = [
        Text(
            QT_TRANSLATE_NOOP("core", "The oracle sees {window} tokens, the query's own included."),
            {"window": window},
        )
    ]
    if len(found) == 1 and int(found[0]) == window:
        facts.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "The masks differ in one diagonal, at distance {distance}: one token too wide."
                ),
                {"distance": window},
            )
        )
    elif len(found) > 1:
        facts.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "Tokens at distances {distances} are seen: the window is not applied."
                ),
                {"distances": listed(found)},
            )
        )
    return facts  # fmt: skip


def _facts(call: ComparedCall) -> tuple[Text, ...]:
    """Say how many cells differ, and what that means for the newest query."""
    counts: Values = {"extra": int(call.extra.sum()), "hidden": int(call.hidden.sum())}
    found = [
        Text(QT_TRANSLATE_NOOP("core", "The masks differ in {extra} cells that only the cached lane sees and {hidden} that only the oracle sees."), counts)
    ]  # fmt: skip
    blind = call.is_query & ~call.seen_slots.any(-1)
    if blind.any():
        tokens = [int(call.query_token[i]) for _, i in np.argwhere(blind)]
        found.append(
            Text(
                QT_TRANSLATE_NOOP("core", "Queries with nothing to attend to: tokens {tokens}."),
                {"tokens": listed(tokens)},
            )
        )
    return tuple(found)  # fmt: skip
