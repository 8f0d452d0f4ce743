"""The audit: runs of prompts in which a wrong token matters, as data and lines. `kvscope.audit/1`."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from core.report.escape import inert
from core.trace.reader import Trace
from core.verdict.steps import first_bad_step
from core.views.sensitive_tokens import sensitive_tokens

SCHEMA = "kvscope.audit/1"
FILE = Path(__file__).resolve().parent.parent.parent / "assets" / "audit" / "prompts.json"
PROMPT_COLUMNS = "{:<16} {:<8} {:>8} {:>9} {:>10} {:>9} {:>8}"
FAULT_COLUMNS = "{:<26} {:<9} {:<20} {:>8} {:>9} {:>8} {:>10} {:>6}"


class AuditPrompt(Struct, frozen=True):
    """A prompt of the suite."""

    id: str
    language: Literal["en", "zh"]
    kind: str
    text: str


class AuditRun(Struct, frozen=True, kw_only=True):
    """One prompt. `first_flip` is the first step at which the lanes choose different tokens: there free text would part."""

    prompt: str
    fault: str | None
    layout: str | None
    scenario: str
    status: Literal["pass", "fail", "skipped"]
    reason: str | None = None
    first_bad_step: int | None = None
    first_flip: int | None = None
    n_sensitive: int = 0
    n_changed: int = 0
    smallest_margin: float | None = None


class AuditResult(Struct, frozen=True, kw_only=True):
    """All prompts, of a target as it is or with one fault after the other."""

    target: str
    verdict: Literal["equivalent", "divergent"]
    runs: list[AuditRun]
    schema: str = SCHEMA


class FaultRow(Struct, frozen=True, kw_only=True):
    """A planted fault over the prompts: in how many the logits diverge, the text does, a token that matters does."""

    fault: str
    layout: str
    scenario: str
    n_prompts: int
    n_diverge: int
    n_text: int
    n_sensitive: int

    @property
    def is_missed(self) -> bool:
        """Whether the logits diverge and no text shows it."""
        return self.n_diverge > 0 and self.n_text == 0


@lru_cache(maxsize=1)
def audit_prompts() -> tuple[AuditPrompt, ...]:
    """Return the prompts that ship with the project."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[AuditPrompt, ...])


def audit_run(prompt: str, fault: str | None, trace: Trace, sensitive: tuple[str, ...] = ()) -> AuditRun:
    """Judge a recorded run of a prompt at the trace's own tolerance."""
    tolerance = trace.info.tolerance
    first_bad = first_bad_step(trace, tolerance)
    found = sensitive_tokens(trace, tolerance, sensitive)
    flips = (step for step in range(len(trace)) if trace.facts(step).flips)
    is_whole = trace.end is not None and trace.end.status == "complete" and len(trace) > 1
    return AuditRun(
        prompt=prompt, fault=fault, layout=trace.info.layout, scenario=trace.info.scenario,
        status="fail" if first_bad is not None or not is_whole else "pass", first_bad_step=first_bad, first_flip=next(flips, None),
        n_sensitive=found.n_compared, n_changed=found.n_changed, smallest_margin=found.smallest_margin,
    )  # fmt: skip


def fault_rows(runs: Sequence[AuditRun]) -> list[FaultRow]:
    """Return a row for each planted fault, in the order of the runs."""
    rows = []
    for fault in dict.fromkeys(run.fault for run in runs if run.fault is not None):
        of = [run for run in runs if run.fault == fault and run.status != "skipped"]
        if of:
            rows.append(
                FaultRow(
                    fault=fault, layout=of[0].layout or "", scenario=of[0].scenario, n_prompts=len(of),
                    n_diverge=sum(run.status == "fail" for run in of), n_text=sum(run.first_flip is not None for run in of),
                    n_sensitive=sum(run.n_changed > 0 for run in of),
                )
            )  # fmt: skip
    return rows


def audit_lines(result: AuditResult) -> Iterator[str]:
    """Yield a line for each prompt, or for each fault where they were planted one after the other."""
    rows = fault_rows(result.runs)
    if len(rows) > 1:
        yield from _fault_lines(result, rows)
        return
    yield PROMPT_COLUMNS.format("prompt", "result", "bad step", "text from", "sensitive", "changed", "margin")
    for run in result.runs:
        margin = "-" if run.smallest_margin is None else f"{run.smallest_margin:.2f}"
        yield PROMPT_COLUMNS.format(
            run.prompt,
            run.status.upper(),
            _dash(run.first_bad_step),
            _dash(run.first_flip),
            run.n_sensitive,
            run.n_changed,
            margin,
        )
    yield ""
    compared, changed = (
        sum(of) for of in zip(*((run.n_sensitive, run.n_changed) for run in result.runs), strict=True)
    )
    bad = [run for run in result.runs if run.status == "fail"]
    silent = sum(run.first_flip is None for run in bad)
    margins = [run.smallest_margin for run in result.runs if run.smallest_margin is not None]
    word = "PASS" if result.verdict == "equivalent" else "FAIL"
    said = f"{word}  {inert(result.target)}: {len(bad)} of {len(result.runs)} prompts diverge"
    said += f" ({silent} of them without a different token)" if bad else ""
    said += f", {changed} of {compared} tokens that matter change"
    yield said + (f", smallest margin among them {min(margins):.2f}" if margins else "")


def _fault_lines(result: AuditResult, rows: Sequence[FaultRow]) -> Iterator[str]:
    yield FAULT_COLUMNS.format("planted", "layout", "scenario", "prompts", "diverge", "text", "sensitive", "")
    for row in rows:
        mark = "missed" if row.is_missed else ""
        yield FAULT_COLUMNS.format(
            row.fault,
            row.layout,
            row.scenario,
            row.n_prompts,
            row.n_diverge,
            row.n_text,
            row.n_sensitive,
            mark,
        ).rstrip()
    seen = [row for row in rows if row.n_diverge]
    missed = sum(row.is_missed for row in seen)
    runs = [run for run in result.runs if run.status == "fail"]
    silent = sum(run.first_flip is None for run in runs)
    yield ""
    yield (
        f"{inert(result.target)}: {len(seen)} of {len(rows)} planted faults diverge; the text alone would have missed {missed} of them on every "
        f"prompt, and {silent} of the {len(runs)} runs that diverge"
    )


def _dash(value: int | None) -> str:
    return "-" if value is None else str(value)
