"""A profile as a panel shows it: curves over the length, rows of figures, and what follows from them."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.report.profile import PAYS, CacheBytes, Fit, Point, ProfileResult, Timing, fits, no_gain, series
from core.text import QT_TRANSLATE_NOOP, Text, Value
from core.views.cells import Cells


@dataclass(frozen=True)
class Curve:
    """Medians in ms by length of one lane; `layout` is None for the oracle and for a target's own cache."""

    is_oracle: bool
    layout: str | None
    lengths: tuple[int, ...]
    times: tuple[float, ...]
    order: float | None  # grows as length to this, None where too few lengths were measured


@dataclass(frozen=True)
class ProfileRow:
    """One decode step at one length; times in ms, sizes in bytes, `ratio` is oracle over cached."""

    layout: str | None
    length: int
    cached: Timing
    append: Timing | None
    gather: Timing | None
    attention: Timing | None
    rest: Timing
    oracle: Timing
    ratio: float
    cache: CacheBytes | None
    cached_peak: int | None
    oracle_peak: int | None

    @property
    def pays(self) -> bool:
        return self.ratio >= PAYS


@dataclass(frozen=True)
class ProfileView:
    """One batch size of a profile."""

    curves: tuple[Curve, ...]
    rows: tuple[ProfileRow, ...]
    conclusions: tuple[Text, ...]
    machine: Text


def profile_view(result: ProfileResult, batch: int | None = None) -> ProfileView:
    """Return the decode steps at a batch size, the smallest one where None."""
    found = series(result)
    batch = min(of for _, of in found) if batch is None and found else batch
    lines = {layout: points for (layout, of), points in found.items() if of == batch}
    known = [fit for fit in fits(result) if fit.batch == batch]
    template = QT_TRANSLATE_NOOP(
        "core",
        "{machine}, {threads} threads, {dtype}, batch {batch}. Median of at least {repeats} repeats after {warm_up} for warming up, lanes and layouts interleaved.",
    )
    values: dict[str, Value] = {
        "machine": result.machine, "threads": result.threads, "dtype": result.dtype, "batch": batch or 1,
        "repeats": result.spec.repeats, "warm_up": result.spec.warm_up,
    }  # fmt: skip
    return ProfileView(
        curves=tuple(_curves(lines, known)),
        rows=tuple(_row(layout, one) for layout, points in lines.items() for one in points),
        conclusions=(*_gains(lines), *(Text("{note}", {"note": note}) for note in result.notes)),
        machine=Text(template, values),
    )


def _curves(lines: dict[str | None, list[Point]], known: list[Fit]) -> Iterator[Curve]:
    orders = {(fit.layout, fit.what): fit.order for fit in known}
    for layout, points in lines.items():
        lengths, times = _times(points, is_oracle=False)
        yield Curve(False, layout, lengths, times, orders.get((layout, "cached")))
    for layout, points in list(lines.items())[:1]:
        lengths, times = _times(points, is_oracle=True)
        yield Curve(True, None, lengths, times, orders.get((layout, "oracle")))


def _times(points: list[Point], is_oracle: bool) -> tuple[tuple[int, ...], tuple[float, ...]]:
    lanes = [one.oracle if is_oracle else one.cached for one in points]
    return tuple(one.length for one in points), tuple(lane.total.median for lane in lanes)


def _row(layout: str | None, one: Point) -> ProfileRow:
    return ProfileRow(
        layout, one.length, one.cached.total, one.cached.append, one.cached.gather, one.cached.attention, one.cached.rest,
        one.oracle.total, one.ratio, one.cache, one.cached_peak, one.oracle_peak,
    )  # fmt: skip


def _gains(lines: dict[str | None, list[Point]]) -> Iterator[Text]:
    lost = {layout: no_gain(points) for layout, points in lines.items()}
    for layout, lengths in lost.items():
        if lengths:
            template = QT_TRANSLATE_NOOP("core", "{layout}: caching does not pay at length {lengths}.")
            own = QT_TRANSLATE_NOOP("core", "Caching does not pay at length {lengths}.")
            values: dict[str, Value] = {"layout": layout or "", "lengths": ", ".join(map(str, lengths))}
            yield Text(template if layout else own, values)
    if lines and not any(lost.values()):
        yield Text(QT_TRANSLATE_NOOP("core", "Caching pays at every length and layout that was measured."))


def profile_cells(result: ProfileResult) -> Cells:
    """Return every point as figures; times are medians in ms, sizes bytes."""
    rows = tuple(
        (
            one.kind, one.layout or "own", one.batch, one.length, one.cached.total.median, _median(one.cached.append),
            _median(one.cached.gather), _median(one.cached.attention), one.cached.rest.median, one.oracle.total.median,
            one.ratio, *((one.cache.valid, one.cache.allocated, one.cache.peak) if one.cache else (None,) * 3),
            one.cached_peak, one.oracle_peak,
        )
        for one in result.points
    )  # fmt: skip
    return Cells(
        (
            "kind", "layout", "batch", "length", "cached_ms", "append_ms", "gather_ms", "attention_ms", "rest_ms", "oracle_ms",
            "ratio", "cache_valid", "cache_allocated", "cache_peak", "cached_peak", "oracle_peak",
        ),
        rows,
    )  # fmt: skip


def _median(one: Timing | None) -> float | None:
    return None if one is None else one.median
