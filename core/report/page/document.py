"""The page: what the report is made from, and its sections in the order in which a reader asks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.report.language import Language, translator
from core.report.page.first_bad import first_bad_sections
from core.report.page.free import free_section
from core.report.page.markup import Html, el, join
from core.report.page.overview import findings, header, scenario_table, settings, versions
from core.report.page.strip import timeline_section, token_section
from core.report.page.style import STYLE
from core.report.page.words import Words
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step
from core.views.findings import selection_at
from core.views.scenarios import ScenarioRow, scenario_row
from core.views.selection import Selection

# no script, no request, no form, nothing but what stands in the file
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
LANGUAGE_TAGS = {"en": "en", "zh": "zh-Hans"}


@dataclass(frozen=True)
class SkippedScenario:
    """A scenario that the target cannot do, or one that ended before there was anything to judge."""

    name: str
    reason: Text
    is_failure: bool = False


@dataclass(frozen=True)
class ReportInput:
    """What was recorded. `tolerance` None means each trace's own; `sensitive` are patterns of the reader's own."""

    target: str
    traces: Sequence[Trace]
    skipped: Sequence[SkippedScenario] = ()
    command: str | None = None
    tolerance: float | None = None
    sensitive: tuple[str, ...] = ()
    extra: Sequence[Html] = ()  # sections of others, such as the profile

    def tolerance_of(self, trace: Trace) -> float:
        return trace.info.tolerance if self.tolerance is None else self.tolerance


def html_report(report: ReportInput, language: Language = "en") -> bytes:
    """Return the file, UTF-8."""
    words = Words(translator(language))
    rows = _rows(report)
    is_pass = any(row.status == "pass" for row in rows) and not _has_failed(rows, report.skipped)
    shown = _shown(report.traces, rows)
    sections = [header(report.target, report.traces, rows, report.skipped, is_pass, words)]
    sections += findings(report.traces, report.tolerance_of, words)
    if shown is not None:
        tolerance = report.tolerance_of(shown)
        selection = _selection(shown, tolerance)
        sections.append(timeline_section(shown, selection, tolerance, words))
        sections.append(token_section(shown, selection, tolerance, report.sensitive, words))
        sections += free_section(shown, report.sensitive, words)
        sections += first_bad_sections(shown, selection, tolerance, words)
    sections.append(scenario_table(rows, report.skipped, words))
    sections += report.extra
    if shown is not None:
        sections.append(settings(shown, report.tolerance_of(shown), report.command, words))
        sections.append(versions(shown, words))
    return _document(report.target, sections, language, words).encode("utf-8")


def _rows(report: ReportInput) -> list[ScenarioRow]:
    """One a trace; where they are of several layouts, the layout is told."""
    rows = [scenario_row(trace, report.tolerance_of(trace)) for trace in report.traces]
    layouts = [trace.info.layout for trace in report.traces]
    if len(set(layouts)) > 1:
        rows = [replace(row, name=f"{row.name}, {layout}") for row, layout in zip(rows, layouts, strict=True)]
    return rows


def _has_failed(rows: Sequence[ScenarioRow], skipped: Sequence[SkippedScenario]) -> bool:
    return any(row.status == "fail" for row in rows) or any(one.is_failure for one in skipped)


def _shown(traces: Sequence[Trace], rows: Sequence[ScenarioRow]) -> Trace | None:
    """Return the trace that is looked into: the first that diverges, else the first with a step."""
    diverging = (trace for trace, row in zip(traces, rows, strict=True) if row.first_bad is not None)
    return next(diverging, next((trace for trace in traces if len(trace)), None))


def _selection(trace: Trace, tolerance: float) -> Selection:
    """Look at the first bad step, where it begins; where none is bad, at the last."""
    first_bad = first_bad_step(trace, tolerance)
    return Selection(len(trace) - 1) if first_bad is None else Selection(**selection_at(trace, first_bad))


def _document(target: str, sections: Sequence[Html], language: Language, words: Words) -> str:
    title = words.say(QT_TRANSLATE_NOOP("core", "KVScope report: {target}"), target=target)
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", title),
        el("style", Html(STYLE)),
    )
    page = el("html", head, el("body", el("main", join(*sections))), lang=LANGUAGE_TAGS[language])
    return f"<!DOCTYPE html>\n{page}\n"
