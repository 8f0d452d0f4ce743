"""What a selftest ran and found: cases, results, and the table that sums them up. No torch, so that the command can print it."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

HEALED = 0.99
NAMED = 0.98  # share of the visible runs whose cause must be named


class SelftestCase(Struct, frozen=True, kw_only=True):
    """One run of a built-in model with planted faults; none for a healthy run."""

    target: str
    layout: str
    scenario: str
    faults: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()  # of the planted faults that are no harmless ones
    looks_like: tuple[str, ...] = ()  # causes that they cannot be told from in some runs

    @property
    def name(self) -> str:
        return "+".join(self.faults) or "healthy"


class SelftestResult(Struct, frozen=True, kw_only=True):
    """`expected_step` comes from the bare lanes, compared without the recorder; None = the fault does not show."""

    case: SelftestCase
    expected_step: int | None = None
    found_step: int | None = None
    causes: tuple[str, ...] = ()
    healed: float | None = None  # by the repairs of the first bad step together
    null_control: float | None = None
    place: str | None = None
    seconds: float = 0.0
    error: str | None = None

    @property
    def is_visible(self) -> bool:
        return self.expected_step is not None

    @property
    def is_detected(self) -> bool:
        return self.is_visible and self.found_step is not None

    @property
    def is_exact(self) -> bool:
        return self.is_visible and self.found_step == self.expected_step

    @property
    def is_named(self) -> bool:
        """Whether the first cause is the planted one; of several planted faults all must be among the causes."""
        named = self.is_detected and bool(self.causes)
        if len(self.case.faults) > 1:
            return named and set(self.case.causes) <= set(self.causes)
        return named and self.causes[0] in (*self.case.causes, *self.case.looks_like)

    @property
    def is_false_alarm(self) -> bool:
        """Whether a run in which nothing differs was said to fail, or a run without a real fault got a cause."""
        nothing_planted = not self.case.causes
        return (not self.is_visible and self.found_step is not None) or (
            nothing_planted and bool(self.causes)
        )


class Row(Struct, frozen=True, kw_only=True):
    """One line of the table: a fault over all models, layouts and scenarios."""

    name: str
    n_runs: int
    n_visible: int
    n_detected: int
    n_exact: int
    n_named: int
    lowest_healed: float | None
    highest_null: float | None
    n_false_alarms: int
    n_errors: int


def rows(results: Sequence[SelftestResult]) -> list[Row]:
    """Return a row for each fault, in the order of the results."""
    names = dict.fromkeys(result.case.name for result in results)
    return [_row(name, [one for one in results if one.case.name == name]) for name in names]


def _row(name: str, results: Sequence[SelftestResult]) -> Row:
    healed = [one.healed for one in results if one.is_named and one.healed is not None]
    nulls = [one.null_control for one in results if one.is_named and one.null_control is not None]
    return Row(
        name=name, n_runs=len(results), n_visible=sum(one.is_visible for one in results),
        n_detected=sum(one.is_detected for one in results), n_exact=sum(one.is_exact for one in results),
        n_named=sum(one.is_named for one in results), lowest_healed=min(healed, default=None),
        highest_null=max(nulls, default=None), n_false_alarms=sum(one.is_false_alarm for one in results),
        n_errors=sum(one.error is not None for one in results),
    )  # fmt: skip


def is_good(results: Sequence[SelftestResult]) -> bool:
    """Whether all that shows is found at its exact step and named often enough, and nothing else is said to fail."""
    visible = [one for one in results if one.is_visible and one.case.causes]
    n_named = sum(one.is_named for one in visible)
    return (
        bool(visible)
        and all(one.is_exact for one in results if one.is_visible)
        and n_named >= NAMED * len(visible)
        and not any(one.is_false_alarm or one.error for one in results)
    )


COLUMNS = "{:<34} {:>5} {:>8} {:>9} {:>6} {:>6} {:>8} {:>10} {:>7}"


def lines(results: Sequence[SelftestResult], seconds: float) -> Iterator[str]:
    """Yield the table and its sum; what fell short is listed."""
    yield COLUMNS.format(
        "planted", "runs", "visible", "detected", "exact", "named", "healed", "elsewhere", "alarms"
    )
    for row in rows(results):
        yield COLUMNS.format(
            row.name, row.n_runs, row.n_visible, row.n_detected, row.n_exact, row.n_named, _share(row.lowest_healed),
            _share(row.highest_null), row.n_false_alarms + row.n_errors,
        ).rstrip()  # fmt: skip
    yield ""
    for one in results:
        if short := _short_of(one):
            yield f"{one.case.target} {one.case.layout} {one.case.scenario} {one.case.name}: {short}"
    visible = [one for one in results if one.is_visible]
    faulty = [one for one in visible if one.case.causes]
    n_named = sum(one.is_named for one in faulty)
    yield (
        f"{'PASS' if is_good(results) else 'FAIL'}  {len(results)} runs in {seconds:.0f} s: {len(visible)} with a difference, "
        f"{sum(one.is_exact for one in visible)} found at the exact step, {n_named} of {len(faulty)} causes named "
        f"({100 * n_named / max(1, len(faulty)):.1f} %), {sum(one.is_false_alarm for one in results)} false alarms, "
        f"{sum(one.error is not None for one in results)} errors"
    )


def _short_of(one: SelftestResult) -> str:
    if one.error is not None:
        return one.error
    if one.is_false_alarm:
        return f"false alarm at step {one.found_step}: {', '.join(one.causes) or 'no cause'}"
    if one.is_visible and not one.is_exact:
        return f"first bad step {one.expected_step}, found {one.found_step}"
    if one.is_visible and one.case.causes and not one.is_named:
        return (
            f"named {', '.join(one.causes) or 'nothing'} at {one.place}, planted {', '.join(one.case.causes)}"
        )
    return ""


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"
