"""Results as lines for a terminal."""

from collections.abc import Iterator

from core.report.escape import inert
from core.report.result import CauseResult, CheckResult, PlaceResult, ScenarioResult
from core.views.numbers import percent

COLUMNS = "{:<20}  {:<7}  {:>8}  {:>11}  {:>9}  {}"
STEP_COLUMNS = "{:>5} {} {:<8} {:>6}  {:>11}  {:>7}  {:>7}  {:>7}"


def check_lines(result: CheckResult) -> Iterator[str]:
    """Yield the table of a check and its last line, which says what was compared."""
    yield COLUMNS.format("scenario", "result", "compared", "max |delta|", "bad step", "")
    for one in result.scenarios:
        yield COLUMNS.format(
            one.name, one.status.upper(), f"{one.steps_compared}" if one.status != "skipped" else "-",
            number(one.max_abs_diff) if one.steps_compared else "-", _dash(one.first_bad_step), inert(_remark(one)),
        ).rstrip()  # fmt: skip
        yield from (f"{'':<20}  {inert(line)}" for line in cause_lines(one))
        yield from (f"{'':<20}  note: {inert(note)}" for note in one.notes)
        yield from (f"{'':<20}  {line}" for line in free_lines(one))
    yield ""
    yield verdict_line(result)


def cause_lines(result: ScenarioResult) -> Iterator[str]:
    """Yield each cause with its proof; its evidence and what to look at in the code below."""
    for one in (result.cause, *result.other_causes):
        if one is not None:
            yield f"cause: {one.id} ({proof(one)}): {one.sentence}"
            yield from (f"  - {line}" for line in one.evidence)
            if one.suggestion is not None:
                yield f"  in the code: {one.suggestion}"


def invariant_lines(result: ScenarioResult) -> Iterator[str]:
    """Yield what the cached lane breaks by itself, each invariant at its first step."""
    first = {one.name: one for one in reversed(result.broken_invariants)}
    for one in sorted(first.values(), key=lambda broken: broken.step):
        more = [other.step for other in result.broken_invariants if other.name == one.name][1:]
        yield f"step {one.step}: {one.sentence}" + (f" ({len(more)} more steps)" if more else "")


def free_lines(result: ScenarioResult) -> Iterator[str]:
    """Yield the two texts of a free run, and where they part."""
    for row in result.free or []:
        yield f"free: {inert(row.sentence)}"
        yield f"  oracle {inert(row.oracle)}"
        yield f"  cached {inert(row.cached)}"


def proof(cause: CauseResult) -> str:
    """Say how the cause is known, such as "healed 99.9 %, elsewhere 0.0 %"."""
    if cause.healed is None:
        return "inferred"
    elsewhere = "" if cause.null_control is None else f", elsewhere {percent(cause.null_control)}"
    also = f", or {', '.join(cause.also)}" if cause.also else ""
    return f"healed {percent(cause.healed)}{elsewhere}{also}"


def verdict_line(result: CheckResult) -> str:
    ran = [one for one in result.scenarios if one.status != "skipped"]
    compared = sum(one.steps_compared for one in ran)
    if result.verdict == "equivalent":
        largest = max((one.max_abs_diff for one in ran if one.max_abs_diff is not None), default=0.0)
        return (
            f"PASS  {inert(result.target)}: cached and uncached decoding agree, {compared} steps compared in {len(ran)} "
            f"scenarios, largest logit difference {number(largest)}"
        )
    failed = [one for one in ran if one.status == "fail"]
    if not failed:
        return f"FAIL  {inert(result.target)}: nothing was compared"
    worst = failed[0]
    where = (
        f"first bad step {worst.first_bad_step} ({worst.name})"
        if worst.first_bad_step is not None
        else f"{worst.reason} ({worst.name})"
    )
    return f"FAIL  {inert(result.target)}: {where}, {len(failed)} of {len(ran)} scenarios diverge, {compared} steps compared"


def step_lines(result: ScenarioResult) -> Iterator[str]:
    """Yield one line a step."""
    yield STEP_COLUMNS.format("step", " ", "kind", "tokens", "max |delta|", "oracle", "cached", "kv_len")
    for step in result.steps:
        yield STEP_COLUMNS.format(
            step.step, "x" if step.is_bad else " ", step.kind, len(step.tokens[0]) * len(step.tokens),
            number(step.max_abs_diff), ",".join(map(str, step.argmax_oracle)), ",".join(map(str, step.argmax_cached)),
            _dash(step.kv_len),
        )  # fmt: skip


def place_line(place: PlaceResult) -> str:
    """Say where it begins, such as "layer 0, k, slot 38, head 1"."""
    parts = [f"layer {place.layer}" if place.layer is not None else "", place.tensor]
    parts += [
        f"{name} {value}"
        for name, value in (("slot", place.slot), ("head", place.head), ("row", place.batch_row))
        if value is not None
    ]
    return ", ".join(part for part in parts if part)


def number(value: float | None) -> str:
    """Return a figure in three digits; None was not finite."""
    if value is None:
        return "not finite"
    return "0" if value == 0 else f"{value:.2e}"


def _remark(one: ScenarioResult) -> str:
    if one.first_bad_tensor is not None:
        return f"begins in {place_line(one.first_bad_tensor)}"
    return one.reason or one.classification or ""


def _dash(value: int | None) -> str:
    return "-" if value is None else str(value)
