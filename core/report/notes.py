"""Lab notes as Markdown: five headings, filled with what was measured and nothing else, empty where nothing was."""

import re
from collections.abc import Iterator, Sequence

from core.report.escape import inert
from core.report.language import Language, translator
from core.report.page.words import Words
from core.report.profile import ProfileResult, fits, no_gain, series
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.steps import bad_steps, first_bad_step, max_abs_diff, n_compared
from core.views.cache import APPEND_DIM, kv_table
from core.views.findings import verdict, where_it_begins
from core.views.numbers import data_size, percent, scientific, short
from core.views.selection import Selection
from core.views.sensitive_tokens import sensitive_tokens
from core.views.told import NOT_TOLD, told_positions

HEADINGS = (
    Text(QT_TRANSLATE_NOOP("core", "Cache shape and append dim")),
    Text(QT_TRANSLATE_NOOP("core", "Position handling")),
    Text(QT_TRANSLATE_NOOP("core", "Correctness comparison")),
    Text(QT_TRANSLATE_NOOP("core", "Time and memory")),
    Text(QT_TRANSLATE_NOOP("core", "One failure boundary")),
)
_MARKUP = re.compile(r"([\\`*\[#!|~])")
NO_MENTION = "@\u200b"
STEPS = 4  # of positions


def lab_notes(
    traces: Sequence[Trace],
    language: Language = "en",
    profile: ProfileResult | None = None,
    tolerance: float | None = None,
) -> bytes:
    """Return the notes on a run: of several scenarios the first is looked into, and the first that diverges for its boundary."""
    words = Words(translator(language))
    target = traces[0].info.target if traces else (profile.target if profile else "")
    lines = [f"# {plain(words.say(QT_TRANSLATE_NOOP('core', 'Lab notes: {target}'), target=target))}"]
    sections = (
        _cache(traces, words),
        _positions(traces, words),
        _comparison(traces, tolerance, words),
        _costs(traces, profile, words),
        _boundary(traces, tolerance, words),
    )
    for heading, section in zip(HEADINGS, sections, strict=True):
        lines += ["", f"## {words.text(heading)}", "", *(f"- {plain(line)}" for line in section)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def plain(text: str) -> str:
    """Return text that Markdown shows as it is: no markup, no HTML, nobody is mentioned."""
    escaped = inert(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\1", escaped).replace("@", NO_MENTION)


def _judge(trace: Trace, tolerance: float | None) -> float:
    return trace.info.tolerance if tolerance is None else tolerance


def _name(trace: Trace) -> str:
    """The scenario, and what was planted in it: the same one may be there twice."""
    return " + ".join((trace.info.scenario, *trace.info.faults))


def _cache(traces: Sequence[Trace], words: Words) -> Iterator[str]:
    for trace in traces[:1]:
        tables = [kv_table(trace, Selection(step)) for step in range(len(trace))]
        first, last = tables[0] if tables else None, tables[-1] if tables else None
        if first is None or last is None:
            return
        shapes = {row.cached_shape for row in first.rows}
        lengths = sorted({row.kv_len for row in first.rows})
        template = QT_TRANSLATE_NOOP(
            "core",
            "After the prefill of {n} tokens K and V are {shape} in {layers} layers; kv_len is {lengths}.",
        )
        yield words.say(
            template, n=trace.facts(0).q_len, shape="; ".join(str(list(shape)) for shape in shapes if shape), layers=len(first.rows),
            lengths=", ".join(map(str, lengths)),
        )  # fmt: skip
        grew = sorted(
            {row.grew for table in tables[1:] if table for row in table.rows if row.grew is not None}
        )
        if grew:
            template = QT_TRANSLATE_NOOP(
                "core", "Rows are appended in dim {dim} (kv_len); a step adds {grew}, {expected} were fed."
            )
            fed = sorted({trace.facts(step).q_len for step in range(1, len(trace))})
            yield words.say(
                template, dim=APPEND_DIM, grew=", ".join(map(str, grew)), expected=", ".join(map(str, fed))
            )
        template = QT_TRANSLATE_NOOP("core", "After the last step, {step}, they are {shape}.")
        yield words.say(template, step=len(trace) - 1, shape=str(list(last.rows[0].cached_shape or ())))


def _positions(traces: Sequence[Trace], words: Words) -> Iterator[str]:
    for trace in traces[:1]:
        for step in range(min(STEPS, len(trace))):
            facts = trace.facts(step)
            told = told_positions(trace, step, 0)
            oracle, cached = (
                told[lane][facts.text_len - facts.q_len :].tolist() for lane in ("oracle", "cached")
            )
            if all(one == NOT_TOLD for one in (*oracle, *cached)):
                continue
            template = QT_TRANSLATE_NOOP(
                "core", "Step {step}, {n} tokens: the oracle was told {oracle}, the cached lane {cached}."
            )
            yield words.say(template, step=step, n=facts.q_len, oracle=_span(oracle), cached=_span(cached))


def _span(ids: list[int]) -> str:
    """Consecutive positions as first..last."""
    if len(ids) > 2 and ids == list(range(ids[0], ids[0] + len(ids))):
        return f"{ids[0]}..{ids[-1]}"
    return ", ".join("-" if one == NOT_TOLD else str(one) for one in ids[:12])


def _comparison(traces: Sequence[Trace], tolerance: float | None, words: Words) -> Iterator[str]:
    for trace in traces:
        if not n_compared(trace):
            template = QT_TRANSLATE_NOOP("core", "{scenario}: nothing was compared.")
            yield words.say(template, scenario=_name(trace))
            continue
        limit = _judge(trace, tolerance)
        largest = max_abs_diff(trace)
        agree = sum(not trace.facts(step).flips for step in range(len(trace)))
        template = QT_TRANSLATE_NOOP(
            "core",
            "{scenario}: {n} steps compared, largest logit difference {largest}, tolerance {tolerance}; argmax agrees in {agree} of {n}, {bad} steps are over the tolerance.",
        )
        yield words.say(
            template, scenario=_name(trace), n=len(trace), agree=agree, bad=len(bad_steps(trace, limit)), tolerance=scientific(limit),
            largest=words.say(QT_TRANSLATE_NOOP("core", "not finite")) if largest is None else short(largest),
        )  # fmt: skip
    for trace in traces[:1]:
        found = sensitive_tokens(trace, _judge(trace, tolerance))
        if found.n_compared and found.smallest_margin is not None:
            template = QT_TRANSLATE_NOOP(
                "core",
                "{n} of the generated tokens belong to amounts, dates, addresses or ids; {changed} of them change, their smallest margin is {margin}.",
            )
            yield words.say(
                template, n=found.n_compared, changed=found.n_changed, margin=short(found.smallest_margin)
            )


def _costs(traces: Sequence[Trace], profile: ProfileResult | None, words: Words) -> Iterator[str]:
    if profile is None:  # the steps of a trace are timed with a probe inside: no measurement of the model
        return
    template = QT_TRANSLATE_NOOP("core", "{machine}, {threads} threads, {dtype}.")
    yield words.say(template, machine=profile.machine, threads=profile.threads, dtype=profile.dtype)
    for (layout, batch), points in series(profile).items():
        for one in points:
            template = QT_TRANSLATE_NOOP(
                "core", "{layout}, batch {batch}, length {length}: a cached step takes {cached} ms, the oracle {oracle} ms, {ratio} times as long; the cache holds {size}."
            )  # fmt: skip
            yield words.say(
                template, layout=layout or words.say(QT_TRANSLATE_NOOP("core", "its own cache")), batch=batch, length=one.length,
                cached=f"{one.cached.total.median:.2f}", oracle=f"{one.oracle.total.median:.2f}", ratio=f"{one.ratio:.1f}",
                size="-" if one.cache is None else data_size(one.cache.allocated),
            )  # fmt: skip
        if lost := no_gain(points):
            template = QT_TRANSLATE_NOOP("core", "Caching does not pay at length {lengths}.")
            yield words.say(template, lengths=", ".join(map(str, lost)))
    for fit in fits(profile):
        template = QT_TRANSLATE_NOOP(
            "core", "{what}, {layout}, batch {batch}: grows as length to the {order}."
        )
        yield words.say(
            template, what=fit.what, layout=fit.layout or "-", batch=fit.batch, order=f"{fit.order:.2f}"
        )


def _boundary(traces: Sequence[Trace], tolerance: float | None, words: Words) -> Iterator[str]:
    """Where it begins to fail; of a run that does not, how far it was tried."""
    for trace in traces:
        step = first_bad_step(trace, _judge(trace, tolerance))
        if step is None:
            continue
        template = QT_TRANSLATE_NOOP(
            "core", "{scenario} fails from step {step} on, at {n} tokens; step {good} was still right."
        )
        first = QT_TRANSLATE_NOOP("core", "{scenario} fails from step {step} on, at {n} tokens.")
        n_tokens = trace.facts(step).text_len
        yield words.say(
            template if step else first, scenario=_name(trace), step=step, n=n_tokens, good=step - 1
        )
        yield words.text(where_it_begins(trace, step))
        for one in verdict(trace, _judge(trace, tolerance)).findings:
            if one.cause is not None:
                healed = "" if one.cause.healed is None else f" ({percent(one.cause.healed)})"
                yield f"{one.cause.id}{healed}: {words.text(one.headline)}"
        return
    longest = max(
        (trace for trace in traces if n_compared(trace)),
        key=lambda trace: trace.facts(len(trace) - 1).text_len if len(trace) else 0,
        default=None,
    )
    if longest is not None and len(longest):
        template = QT_TRANSLATE_NOOP(
            "core", "No step failed; the longest text that was compared has {n} tokens ({scenario})."
        )
        yield words.say(template, n=longest.facts(len(longest) - 1).text_len, scenario=_name(longest))
        if longest.info.model.max_length is not None:
            template = QT_TRANSLATE_NOOP("core", "The model's context ends at {n} tokens.")
            yield words.say(template, n=longest.info.model.max_length)
