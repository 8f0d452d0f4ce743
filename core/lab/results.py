"""What was measured in a step of the lab, as sentences; nothing is said of what was not measured."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from core.report.profile import ProfileResult, fits, no_gain, series
from core.text import QT_TRANSLATE_NOOP, Text, Value
from core.trace.reader import Trace
from core.verdict.steps import bad_steps, first_bad_step, generated_tokens, max_abs_diff
from core.views.cache import APPEND_DIM, KvTableView, kv_table
from core.views.causes import causes_of
from core.views.numbers import data_size, percent, scientific, short
from core.views.selection import Selection
from core.views.tokens import token_text
from core.views.told import NOT_TOLD, told_positions

SHOWN_CHARACTERS = 48


@dataclass(frozen=True)
class Measured:
    """One figure in words; `holds` says whether it is as it should be, None where that is not the question."""

    text: Text
    holds: bool | None = None


@dataclass(frozen=True)
class Found:
    """What a session of the lab has so far: complete runs by name, and the profile of the healthy one."""

    runs: Mapping[str, Trace]
    profile: ProfileResult | None = None


def measured(step_id: str, found: Found) -> tuple[Measured, ...]:
    """Return what is known for a step, in its order."""
    return tuple(_BY_STEP[step_id](found))


def largest_step(trace: Trace) -> int:
    """Return the step with the largest difference."""
    diffs = [trace.facts(step).max_abs_diff for step in range(len(trace))]
    return max(
        range(len(diffs)), key=lambda step: float("inf") if diffs[step] is None else diffs[step] or 0.0
    )


def _oracle(found: Found) -> Iterator[Measured]:
    trace = found.runs.get("healthy")
    if trace is None:
        return
    facts = [trace.facts(step) for step in range(len(trace))]
    template = QT_TRANSLATE_NOOP(
        "core",
        "{n} prompt tokens, {steps} decode steps: the oracle was fed {oracle} tokens in all, the cached lane {cached}.",
    )
    yield Measured(
        Text(
            template,
            {
                "n": facts[0].text_len,
                "steps": len(facts) - 1,
                "oracle": sum(one.text_len for one in facts),
                "cached": sum(one.q_len for one in facts),
            },
        )
    )
    yield Measured(Text(QT_TRANSLATE_NOOP("core", "They wrote “{text}”."), {"text": _written(trace)}))


def _written(trace: Trace) -> str:
    last = trace.facts(len(trace) - 1)
    texts: dict[int, str] = {}
    for step in range(len(trace)):
        facts = trace.facts(step)
        texts |= {int(token): token_text(facts, int(token)) for token in facts.token_texts}
    text = "".join(texts.get(token, token_text(last, token)) for token in generated_tokens(trace))
    return text[:SHOWN_CHARACTERS] + ("…" if len(text) > SHOWN_CHARACTERS else "")


def _past(found: Found) -> Iterator[Measured]:
    trace = found.runs.get("healthy")
    table = _table(trace, 1)
    if trace is None or table is None:
        return
    facts = trace.facts(1)
    template = QT_TRANSLATE_NOOP(
        "core",
        "Step 1: the oracle computed K and V of {n} tokens in each of {layers} layers, the cached lane of {new}.",
    )
    yield Measured(Text(template, {"n": facts.text_len, "layers": len(table.rows), "new": facts.q_len}))
    dk, dv = _largest(table, "max_dk"), _largest(table, "max_dv")
    if dk is not None and dv is not None:
        template = QT_TRANSLATE_NOOP("core", "All rows agree: K differs by at most {dk}, V by {dv}.")
        differ = QT_TRANSLATE_NOOP("core", "The rows differ: K by up to {dk}, V by up to {dv}.")
        is_good = not any(row.dk_is_bad or row.dv_is_bad for row in table.rows)
        yield Measured(Text(template if is_good else differ, {"dk": short(dk), "dv": short(dv)}), is_good)


def _prefill(found: Found) -> Iterator[Measured]:
    trace = found.runs.get("healthy")
    table = _table(trace, 0)
    if trace is None or table is None:
        return
    yield _lengths(trace, table)
    shapes = sorted({str(list(row.cached_shape)) for row in table.rows if row.cached_shape})
    tables = [_table(trace, step) for step in range(1, len(trace))]
    grew = sorted({row.grew for one in tables if one is not None for row in one.rows if row.grew is not None})
    template = QT_TRANSLATE_NOOP(
        "core", "K and V are {shape}; dim {dim} grew by {grew} in every decode step."
    )
    values: dict[str, Value] = {
        "shape": "; ".join(shapes),
        "dim": APPEND_DIM,
        "grew": ", ".join(map(str, grew)),
    }
    yield Measured(Text(template, values), grew == [1])


def _lengths(trace: Trace, table: KvTableView) -> Measured:
    template = QT_TRANSLATE_NOOP(
        "core", "Tokens in the prompt: {n}; kv_len in layers 0 to {last}: {lengths}."
    )
    lengths = [row.kv_len for row in table.rows]
    n = trace.facts(0).text_len
    values: dict[str, Value] = {"n": n, "last": len(lengths) - 1, "lengths": ", ".join(map(str, lengths))}
    return Measured(Text(template, values), all(one == n for one in lengths))


def _offset(found: Found) -> Iterator[Measured]:
    faulty, healthy = found.runs.get("faulty"), found.runs.get("healthy")
    if faulty is not None:
        yield from _planted(faulty)
    if healthy is not None:
        told, slot = told_positions(healthy, 1, 0), healthy.facts(1).text_len - 1
        template = QT_TRANSLATE_NOOP(
            "core",
            "Without the fault: the token in slot {slot} is told position {cached} in both lanes; the largest logit difference is {diff}.",
        )
        both = {int(told[lane][slot]) for lane in ("oracle", "cached")}
        if len(both) == 1 and NOT_TOLD not in both:
            values: dict[str, Value] = {
                "slot": slot,
                "cached": both.pop(),
                "diff": _diff(max_abs_diff(healthy)),
            }
            yield Measured(Text(template, values), first_bad_step(healthy, healthy.info.tolerance) is None)


def _planted(trace: Trace) -> Iterator[Measured]:
    step = first_bad_step(trace, trace.info.tolerance)
    if step is None:
        return
    facts = trace.facts(step)
    told, slot = told_positions(trace, step, 0), facts.text_len - 1
    template = QT_TRANSLATE_NOOP(
        "core",
        "With the fault: the token in slot {slot} is told position {cached}, the oracle is told {oracle}.",
    )
    values: dict[str, Value] = {
        "slot": slot,
        "cached": int(told["cached"][slot]),
        "oracle": int(told["oracle"][slot]),
    }
    yield Measured(Text(template, values), bool(told["cached"][slot] == told["oracle"][slot]))
    table = _table(trace, step)
    if table is not None and all(row.cached_shape == row.oracle_shape for row in table.rows):
        template = QT_TRANSLATE_NOOP(
            "core", "No error: all {n} steps ran, and K and V are {shape} in both lanes of step {step}."
        )
        shape = str(list(table.rows[0].cached_shape or ()))
        yield Measured(Text(template, {"n": len(trace), "shape": shape, "step": step}))
    template = QT_TRANSLATE_NOOP(
        "core", "The logits differ by {diff} in step {step}; the tolerance is {tolerance}."
    )
    shown: dict[str, Value] = {
        "diff": _diff(facts.max_abs_diff),
        "step": step,
        "tolerance": scientific(trace.info.tolerance),
    }
    yield Measured(Text(template, shown), False)
    for one in causes_of(trace, step)[:1]:
        if one.healed is not None:
            template = QT_TRANSLATE_NOOP(
                "core", "Found as {cause}: its repair heals {share} of the difference."
            )
            yield Measured(Text(template, {"cause": one.cause, "share": percent(one.healed)}))


def _compare(found: Found) -> Iterator[Measured]:
    healthy, faulty = found.runs.get("healthy"), found.runs.get("faulty")
    if healthy is not None:
        yield from _compared(healthy)
    if faulty is not None:
        template = QT_TRANSLATE_NOOP(
            "core",
            "With the position fault: {bad} of {n} steps are over the tolerance; the argmax still agrees in {agree}.",
        )
        bad = len(bad_steps(faulty, faulty.info.tolerance))
        yield Measured(Text(template, {"bad": bad, "n": len(faulty), "agree": _agreeing(faulty)}), bad == 0)


def _compared(trace: Trace) -> Iterator[Measured]:
    tolerance, n = trace.info.tolerance, len(trace)
    template = QT_TRANSLATE_NOOP(
        "core",
        "{n} of {planned} steps compared: the largest logit difference is {diff}, in step {step}; the tolerance is {tolerance}.",
    )
    values: dict[str, Value] = {
        "n": n, "planned": trace.info.steps, "diff": _diff(max_abs_diff(trace)), "step": largest_step(trace),
        "tolerance": scientific(tolerance),
    }  # fmt: skip
    yield Measured(Text(template, values), first_bad_step(trace, tolerance) is None)
    agree = _agreeing(trace)
    template = QT_TRANSLATE_NOOP("core", "The argmax agrees in {agree} of {n} steps.")
    yield Measured(Text(template, {"agree": agree, "n": n}), agree == n)
    margins = {step: margin for step in range(n) if (margin := trace.facts(step).margin) is not None}
    if margins:
        step = min(margins, key=lambda one: margins[one])
        template = QT_TRANSLATE_NOOP("core", "The smallest margin is {margin}, in step {step}.")
        yield Measured(Text(template, {"margin": short(margins[step]), "step": step}))


def _agreeing(trace: Trace) -> int:
    return sum(not trace.facts(step).flips for step in range(len(trace)))


def _costs(found: Found) -> Iterator[Measured]:
    profile = found.profile
    if profile is None:
        return
    template = QT_TRANSLATE_NOOP("core", "{machine}, {threads} threads, {dtype}.")
    yield Measured(
        Text(template, {"machine": profile.machine, "threads": profile.threads, "dtype": profile.dtype})
    )
    (layout, batch), points = next(iter(series(profile).items()))
    for one in points:
        template = QT_TRANSLATE_NOOP(
            "core",
            "{layout}, length {length}: a cached step takes {cached} ms, the oracle {oracle} ms: {ratio} times as long.",
        )
        values: dict[str, Value] = {
            "layout": layout or "-", "length": one.length, "cached": f"{one.cached.total.median:.2f}",
            "oracle": f"{one.oracle.total.median:.2f}", "ratio": f"{one.ratio:.1f}",
        }  # fmt: skip
        yield Measured(Text(template, values))
    orders = {
        fit.what: f"{fit.order:.2f}" for fit in fits(profile) if (fit.layout, fit.batch) == (layout, batch)
    }
    if "cached" in orders and "oracle" in orders:
        template = QT_TRANSLATE_NOOP(
            "core", "The cached step grows as length to the {cached}, the oracle's as length to the {oracle}."
        )
        yield Measured(Text(template, {"cached": orders["cached"], "oracle": orders["oracle"]}))
    sizes = [(one.length, one.cache.allocated) for one in points if one.cache is not None]
    if len(sizes) > 1:
        template = QT_TRANSLATE_NOOP(
            "core", "The cache takes {first} at length {short} and {last} at length {long}."
        )
        (start, first), (end, last) = sizes[0], sizes[-1]
        sizes_said: dict[str, Value] = {
            "first": data_size(first),
            "short": start,
            "last": data_size(last),
            "long": end,
        }
        yield Measured(Text(template, sizes_said))
    yield from _where_it_pays(profile)


def _where_it_pays(profile: ProfileResult) -> Iterator[Measured]:
    lost = {key: no_gain(points) for key, points in series(profile).items()}
    for (layout, _), lengths in lost.items():
        if lengths:
            template = QT_TRANSLATE_NOOP("core", "{layout}: caching does not pay at length {lengths}.")
            yield Measured(Text(template, {"layout": layout or "-", "lengths": ", ".join(map(str, lengths))}))
    if not any(lost.values()):
        yield Measured(
            Text(QT_TRANSLATE_NOOP("core", "Caching pays at every length and layout that was measured."))
        )


def _edge(found: Found) -> Iterator[Measured]:
    trace = found.runs.get("single")
    table = _table(trace, 0)
    if trace is None or table is None:
        return
    yield _lengths(trace, table)
    yield from _compared(trace)


def _table(trace: Trace | None, step: int) -> KvTableView | None:
    return kv_table(trace, Selection(step)) if trace is not None and step < len(trace) else None


def _largest(table: KvTableView, name: str) -> float | None:
    return max((value for row in table.rows if (value := getattr(row, name)) is not None), default=None)


def _diff(value: float | None) -> str:
    return "NaN" if value is None else short(value)


_BY_STEP: dict[str, Callable[[Found], Iterator[Measured]]] = {
    "oracle": _oracle,
    "past": _past,
    "prefill": _prefill,
    "offset": _offset,
    "compare": _compare,
    "costs": _costs,
    "edge": _edge,
}
