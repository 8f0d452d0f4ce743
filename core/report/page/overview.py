"""The parts that need no picture: verdict, findings, scenarios, settings, versions."""

from collections.abc import Callable, Sequence
from typing import Protocol

from core.report.page.markup import Html, el, join
from core.report.page.words import Words, pairs, section, table
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step
from core.views.causes import CauseView
from core.views.findings import FindingView, verdict
from core.views.numbers import percent, scientific, short
from core.views.scenarios import ScenarioRow

MOST_IDS = 400


class Skipped(Protocol):
    """A scenario without a trace to judge."""

    @property
    def name(self) -> str: ...
    @property
    def reason(self) -> Text: ...
    @property
    def is_failure(self) -> bool: ...


def header(
    target: str, traces: Sequence[Trace], rows: Sequence[ScenarioRow], skipped: Sequence[Skipped], is_pass: bool, words: Words
) -> Html:  # fmt: skip
    """The verdict, and what it rests on."""
    kind = "good" if is_pass else "bad"
    badge = words.say(QT_TRANSLATE_NOOP("core", "PASS") if is_pass else QT_TRANSLATE_NOOP("core", "FAIL"))
    n_compared = sum(row.n_compared for row in rows)
    planted = sorted({fault for trace in traces for fault in trace.info.faults})
    parts = [
        el("h1", target),
        el("p", el("span", badge, class_=f"badge {kind}"), _sentence(rows, skipped, is_pass, words), class_="lead"),
        el("p", words.say(QT_TRANSLATE_NOOP("core", "{n_steps} steps compared in {n} scenarios, {n_skipped} skipped."),
                          n_steps=n_compared, n=len(rows), n_skipped=sum(not one.is_failure for one in skipped)), class_="muted"),
    ]  # fmt: skip
    if planted:
        template = QT_TRANSLATE_NOOP("core", "Planted for a trial: {faults}.")
        parts.append(el("p", words.say(template, faults=", ".join(planted)), class_="muted"))
    return el("header", *parts, class_=kind)


def _sentence(rows: Sequence[ScenarioRow], skipped: Sequence[Skipped], is_pass: bool, words: Words) -> str:
    if is_pass:
        largest = max((row.max_abs_diff for row in rows if row.max_abs_diff is not None), default=0.0)
        template = QT_TRANSLATE_NOOP(
            "core", "Cached and uncached decoding agree; the largest logit difference is {largest}."
        )
        return words.say(template, largest=short(largest))
    for row in rows:
        if row.first_bad is not None:
            template = QT_TRANSLATE_NOOP(
                "core",
                "Cached decoding diverges from step {step} of {scenario} on; {n} of {n_ran} scenarios diverge.",
            )
            n_bad = sum(one.status == "fail" for one in rows)
            return words.say(template, step=row.first_bad, scenario=row.name, n=n_bad, n_ran=len(rows))
    failed = [one.reason for one in skipped if one.is_failure]
    failed += [row.where for row in rows if row.status == "fail"]
    return words.text(failed[0]) if failed else words.say(QT_TRANSLATE_NOOP("core", "Nothing was compared."))


def findings(traces: Sequence[Trace], tolerance_of: Callable[[Trace], float], words: Words) -> list[Html]:
    """What was found in each scenario; causes that another one has shown already are told by name only."""
    seen: set[tuple[str, ...]] = set()
    parts: list[Html] = []
    for trace in traces:
        view = verdict(trace, tolerance_of(trace))
        if first_bad_step(trace, tolerance_of(trace)) is None:
            continue
        causes = tuple(one.cause.id for one in view.findings if one.cause)
        if causes in seen:
            continue
        seen.add(causes)
        name = el(
            "h3", words.say(QT_TRANSLATE_NOOP("core", "Scenario {scenario}"), scenario=trace.info.scenario)
        )
        parts += [name, *(_finding(one, words) for one in view.findings)]
    if not parts:
        return []
    return [section(words.say(QT_TRANSLATE_NOOP("core", "Findings")), *parts)]


def _finding(one: FindingView, words: Words) -> Html:
    if one.cause is None:
        return el(
            "div", el("p", words.text(one.headline)), el("p", words.text(one.detail), class_="muted small")
        )
    cause = one.cause
    parts = [
        el("p", el("span", cause.id, class_="badge bad mono"), el("strong", words.text(one.headline))),
        el("p", " \u00b7 ".join(words.text(part) for part in cause.place), class_="muted small"),
        el("p", words.text(one.detail)),
        el("p", _proof(cause, words)),
    ]
    if cause.evidence:
        parts.append(el("ul", *(el("li", words.text(text)) for text in cause.evidence)))
    if cause.remains is not None:
        parts.append(el("p", words.text(cause.remains)))
    if cause.suggestion is not None:
        in_code = words.say(QT_TRANSLATE_NOOP("core", "In the code:"))
        parts.append(el("p", el("strong", in_code), " ", words.text(cause.suggestion)))
    return el("div", *parts, class_="cause")


def _proof(cause: CauseView, words: Words) -> str:
    """How the cause is known."""
    if cause.healed is None:
        return words.say(
            QT_TRANSLATE_NOOP("core", "Inferred from the recorded numbers; no repair was tried.")
        )
    template = QT_TRANSLATE_NOOP(
        "core", "Repair: with the oracle's tensor in its place {healed} of the difference heals."
    )
    said = words.say(template, healed=percent(cause.healed))
    if cause.null_control is not None:
        template = QT_TRANSLATE_NOOP("core", "An equally large repair elsewhere heals {share}.")
        said += " " + words.say(template, share=percent(cause.null_control))
    if cause.also:
        template = QT_TRANSLATE_NOOP("core", "The repair cannot tell it from {causes}.")
        said += " " + words.say(template, causes=", ".join(cause.also))
    return said


def scenario_table(rows: Sequence[ScenarioRow], skipped: Sequence[Skipped], words: Words) -> Html:
    """One line a scenario."""
    heads = [
        (words.say(QT_TRANSLATE_NOOP("core", "scenario")), "nowrap"),
        (words.say(QT_TRANSLATE_NOOP("core", "result")), "nowrap"),
        (words.say(QT_TRANSLATE_NOOP("core", "compared")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "largest difference")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "first bad step")), "num"),
        (words.say(QT_TRANSLATE_NOOP("core", "cause, or where it begins")), ""),
    ]
    lines: list[list[str]] = [_row(row, words) for row in rows]
    for one in skipped:
        word = QT_TRANSLATE_NOOP("core", "failed") if one.is_failure else QT_TRANSLATE_NOOP("core", "skipped")
        said = el("span", words.say(word), class_="bad-text" if one.is_failure else "muted")
        lines.append([one.name, said, "\u2013", "\u2013", "\u2013", words.text(one.reason)])
    return section(words.say(QT_TRANSLATE_NOOP("core", "Scenarios")), table(heads, lines))


def _row(row: ScenarioRow, words: Words) -> list[str]:
    is_pass = row.status == "pass"
    said = words.say(QT_TRANSLATE_NOOP("core", "pass") if is_pass else QT_TRANSLATE_NOOP("core", "fail"))
    mark = el(
        "span", "\u2713 " if is_pass else "\u2717 ", said, class_="good-text" if is_pass else "bad-text"
    )
    difference = (
        words.say(QT_TRANSLATE_NOOP("core", "not finite"))
        if row.max_abs_diff is None
        else short(row.max_abs_diff)
    )
    where = words.text(row.where)
    if row.cause is not None:
        healed = "" if row.healed is None else f" ({percent(row.healed)})"
        where = join(el("code", row.cause), healed)
    step = "\u2013" if row.first_bad is None else str(row.first_bad)
    return [row.name, mark, str(row.n_compared), difference, step, where]


def settings(trace: Trace, tolerance: float, command: str | None, words: Words) -> Html:
    """What was run, and how to run it again."""
    info = trace.info
    shape = info.model
    rows = [
        (words.say(QT_TRANSLATE_NOOP("core", "target")), info.target),
        (words.say(QT_TRANSLATE_NOOP("core", "dtype")), shape.dtype),
        (words.say(QT_TRANSLATE_NOOP("core", "layout")), info.layout or words.say(QT_TRANSLATE_NOOP("core", "its own cache"))),
        (words.say(QT_TRANSLATE_NOOP("core", "tolerance")), scientific(tolerance)),
        (words.say(QT_TRANSLATE_NOOP("core", "mode")), info.mode),
    ]  # fmt: skip
    sizes = (
        ("vocab_size", shape.vocab_size or None), ("n_layers", shape.n_layers), ("n_heads", shape.n_heads),
        ("n_kv_heads", shape.n_kv_heads), ("head_dim", shape.head_dim), ("max_length", shape.max_length), ("window", shape.window),
        ("position_scheme", shape.position_scheme),
    )  # fmt: skip
    known = ", ".join(f"{name} {value}" for name, value in sizes if value is not None)
    rows.append((words.say(QT_TRANSLATE_NOOP("core", "model")), known))
    if info.prompt is not None:
        rows.append((words.say(QT_TRANSLATE_NOOP("core", "prompt")), info.prompt))
    ids = " | ".join(",".join(map(str, row[:MOST_IDS])) for row in info.prompt_ids)
    rows.append((words.say(QT_TRANSLATE_NOOP("core", "prompt ids")), el("span", ids, class_="mono small")))
    parts = [pairs(rows)]
    if command is not None:
        parts += [el("h3", words.say(QT_TRANSLATE_NOOP("core", "To run it again"))), el("pre", command)]
    return section(words.say(QT_TRANSLATE_NOOP("core", "Settings")), *parts)


def versions(trace: Trace, words: Words) -> Html:
    """What it was recorded with, as the trace says."""
    rows = [(name, version) for name, version in trace.info.versions.items()]
    return section(words.say(QT_TRANSLATE_NOOP("core", "Versions and machine")), pairs(list(rows)))
