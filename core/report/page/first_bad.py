"""The step that is looked into: the first bad one, or the last of a run in which none is bad."""

from core.report.page.maps import attention_figures, slots_figure
from core.report.page.markup import Html, el
from core.report.page.words import Words, section, table
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace
from core.verdict.locate import RELATIVE
from core.verdict.steps import is_bad
from core.views.attention import attention
from core.views.cache import KvRow, kv_table
from core.views.findings import where_it_begins
from core.views.logits import logits
from core.views.missing import Missing, no_attention, no_cache, no_slots
from core.views.numbers import data_size, short, signed
from core.views.selection import Selection
from core.views.slot_states import HEALTHY, NO_SLOT, SlotStatesView, state_name
from core.views.slots import SlotsView, slots
from core.views.told import NOT_TOLD

MOST_SLOTS = 12
MOST_POSITIONS = 24
MOST_TOKENS = 2048  # of an attention map: it grows with the square


def first_bad_sections(trace: Trace, selection: Selection, tolerance: float, words: Words) -> list[Html]:
    """Choices, attention, cache, shapes and positions of the selected step."""
    return [
        _choices(trace, selection, tolerance, words),
        _attention(trace, selection, words),
        _cache(trace, selection, words),
        _shapes(trace, selection, words),
    ]


def _choices(trace: Trace, selection: Selection, tolerance: float, words: Words) -> Html:
    bad = is_bad(trace, selection.step, tolerance)
    template = QT_TRANSLATE_NOOP("core", "Step {step}, the first bad one") if bad else QT_TRANSLATE_NOOP("core", "Step {step}, the last one")  # fmt: skip
    title = words.say(template, step=selection.step)
    begins = el("p", words.text(where_it_begins(trace, selection.step))) if bad else None
    view = logits(trace, selection, tolerance)
    if view is None:
        return section(title, begins)
    heads = [
        (words.say(QT_TRANSLATE_NOOP("core", "next token")), "mono"),
        (words.say(QT_TRANSLATE_NOOP("core", "oracle")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "cached")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "difference")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "choice of")), ""),
    ]
    rows = []
    for row in view.rows:
        choice = [words.say(QT_TRANSLATE_NOOP("core", "oracle"))] if row.is_oracle_choice else []
        choice += [words.say(QT_TRANSLATE_NOOP("core", "cached"))] if row.is_cached_choice else []
        delta = el("span", signed(row.delta), class_="bad-text" if row.is_bad else None)
        rows.append(
            [
                f"\u201c{row.text[:40]}\u201d",
                f"{row.oracle:.3f}",
                f"{row.cached:.3f}",
                delta,
                ", ".join(choice),
            ]
        )
    said = el(
        "p",
        words.say(QT_TRANSLATE_NOOP("core", "Logits of both lanes, the oracle's best first.")),
        class_="muted",
    )
    return section(title, begins, said, table(heads, rows))


def _missing(one: Missing, words: Words) -> Html:
    return el("p", words.text(one.what), " ", words.text(one.hint), class_="muted")


def _attention(trace: Trace, selection: Selection, words: Words) -> Html:
    template = QT_TRANSLATE_NOOP("core", "Attention at step {step}, layer {layer}, head {head}")
    title = words.say(template, step=selection.step, layer=selection.layer, head=selection.head)
    is_small = trace.facts(selection.step).text_len <= MOST_TOKENS
    view = attention(trace, selection) if is_small else None
    if not is_small:
        template = QT_TRANSLATE_NOOP("core", "The text has more than {n} tokens: too many for a picture.")
        return section(title, el("p", words.say(template, n=MOST_TOKENS), class_="muted"))
    if view is None:
        return section(title, _missing(no_attention(trace, selection), words))
    said = QT_TRANSLATE_NOOP(
        "core",
        "Queries from top to bottom, keys from left to right, by the square root of the weight; in the difference orange is more weight in the cached lane, blue less. Dashed: where decoding begins; framed: what differs most.",
    )
    maps = el("div", *attention_figures(view, words.text), class_="maps")
    return section(title, el("p", words.say(said), class_="muted"), maps)


def _cache(trace: Trace, selection: Selection, words: Words) -> Html:
    title = words.say(QT_TRANSLATE_NOOP("core", "KV cache after step {step}"), step=selection.step)
    view = slots(trace, selection)
    if view is None:
        return section(title, _missing(no_slots(trace), words))
    scale = trace.tensor(selection.step, "diff/scale")
    n_layers = view.dk.shape[0]
    limits = [
        (RELATIVE, RELATIVE) if scale is None or layer >= len(scale) else (float(scale[layer][1]) * RELATIVE, float(scale[layer][2]) * RELATIVE)
        for layer in range(n_layers)
    ]  # fmt: skip
    return section(title, slots_figure(view, limits, words.text), *_slot_states(view.states, words))


def _slot_states(states: SlotStatesView | None, words: Words) -> list[Html]:
    """Name what the slots hold that are not as they should be."""
    if states is None:
        return []
    if states.is_healthy:
        return [el("p", words.say(QT_TRANSLATE_NOOP("core", "Every slot holds the row that belongs there, and none is missing.")))]  # fmt: skip
    bad = [
        (layer, slot)
        for layer in range(states.states.shape[0])
        for slot in range(states.states.shape[1])
        if states.states[layer, slot] not in (NO_SLOT, *HEALTHY)
    ]
    heads = [
        (words.say(QT_TRANSLATE_NOOP("core", "layer")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "slot")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "state")), "nowrap"),
        (words.say(QT_TRANSLATE_NOOP("core", "what it holds")), ""),
    ]
    rows = [
        [
            str(layer), str(slot), words.text(state_name(int(states.states[layer, slot]))),
            "; ".join(words.text(text) for text in states.read_out(layer, slot)),
        ]
        for layer, slot in bad[:MOST_SLOTS]
    ]  # fmt: skip
    parts = [table(heads, rows)] if rows else []
    if len(bad) > MOST_SLOTS:
        parts.append(
            el(
                "p",
                words.say(QT_TRANSLATE_NOOP("core", "and {n} more slots"), n=len(bad) - MOST_SLOTS),
                class_="muted",
            )
        )
    for layer, tokens in enumerate(states.missing):
        if tokens:
            template = QT_TRANSLATE_NOOP("core", "Layer {layer}: no slot holds the tokens {tokens}.")
            parts.append(el("p", words.say(template, layer=layer, tokens=_some(tokens))))
    return parts


def _some(tokens: tuple[int, ...]) -> str:
    return ", ".join(map(str, tokens[:MOST_SLOTS])) + (" \u2026" if len(tokens) > MOST_SLOTS else "")


def _shapes(trace: Trace, selection: Selection, words: Words) -> Html:
    title = words.say(QT_TRANSLATE_NOOP("core", "Shapes and positions"))
    view = kv_table(trace, selection)
    found = slots(trace, selection)
    positions = _positions(trace, selection, found, words) if found is not None else []
    if view is None:
        return section(title, _missing(no_cache(trace), words), *positions)
    heads = [
        (words.say(QT_TRANSLATE_NOOP("core", "layer")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "K, V of the oracle")), "nowrap"),
        (words.say(QT_TRANSLATE_NOOP("core", "K, V in the cache")), "nowrap"),
        (words.say(QT_TRANSLATE_NOOP("core", "grew by")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "dtype")), ""),
        (words.say(QT_TRANSLATE_NOOP("core", "bytes")), "num"),
        ("|\u0394K|", "num"),
        ("|\u0394V|", "num"),
    ]
    rows = [_shape_row(row, words) for row in view.rows]
    template = QT_TRANSLATE_NOOP(
        "core", "[batch, n_kv_heads, kv_len, head_dim]; rows are appended in kv_len. Together {size}."
    )
    said = el("p", words.say(template, size=data_size(view.nbytes_total)), class_="muted")
    return section(title, said, table(heads, rows), *positions)


def _shape_row(row: KvRow, words: Words) -> list[str]:
    grew = "\u2013" if row.grew is None else f"+{row.grew}"
    is_off = row.length_is_bad or (row.grew is not None and row.grew != row.expected_growth)
    if is_off:
        template = QT_TRANSLATE_NOOP("core", "{grew}, expected +{expected}")
        grew = el("span", words.say(template, grew=grew, expected=row.expected_growth), class_="bad-text")
    return [
        str(row.layer), _shape(row.oracle_shape), _shape(row.cached_shape), grew,
        f"{row.oracle_dtype} \u2260 {row.dtype}" if row.dtype_differs else row.dtype, data_size(row.nbytes),
        _difference(row.max_dk, row.dk_is_bad), _difference(row.max_dv, row.dv_is_bad),
    ]  # fmt: skip


def _shape(shape: tuple[int, ...] | None) -> str:
    return "\u2013" if shape is None else "[" + ", ".join(map(str, shape)) + "]"


def _difference(value: float | None, bad: bool) -> str:
    return "\u2013" if value is None else el("span", short(value), class_="bad-text" if bad else None)


def _positions(trace: Trace, selection: Selection, view: SlotsView, words: Words) -> list[Html]:
    """The position ids of the newest tokens in both lanes, one below the other."""
    n_tokens = min(len(view.oracle_positions), len(view.cached_positions))
    first = max(0, n_tokens - MOST_POSITIONS)
    oracle, cached = (ids[first:n_tokens].tolist() for ids in (view.oracle_positions, view.cached_positions))
    if all(one == NOT_TOLD for one in (*oracle, *cached)):
        return []
    heads = [("", "nowrap"), *((str(first + index), "num") for index in range(len(oracle)))]
    lanes = ((QT_TRANSLATE_NOOP("core", "oracle"), oracle), (QT_TRANSLATE_NOOP("core", "cached"), cached))
    rows: list[list[str]] = []
    for name, ids in lanes:
        cells: list[str] = [words.say(name)]
        for one, other in zip(ids, oracle, strict=True):
            text = "\u2013" if one == NOT_TOLD else str(one)
            differs = NOT_TOLD not in (one, other) and one != other
            cells.append(
                el("span", f"{text} \u2260" if differs else text, class_="bad-text" if differs else None)
            )
        rows.append(cells)
    said = words.say(QT_TRANSLATE_NOOP("core", "Position ids that the lanes were told, by token index"))
    return [el("h3", said), table(heads, rows)]
