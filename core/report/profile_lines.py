"""A profile as lines for a terminal."""

from collections.abc import Iterator

from core.report.escape import inert
from core.report.profile import Fit, Point, ProfileResult, Timing, fits, no_gain, series
from core.views.numbers import data_size

COLUMNS = "{:>7} {:>9} {:>15} {:>9} {:>9} {:>9} {:>9} {:>6} {:>9} {:>9} {:>10} {:>10}"


def profile_lines(result: ProfileResult) -> Iterator[str]:
    """Yield a table for each layout and batch, what it grows with, and where caching does not pay."""
    spec = result.spec
    yield f"{inert(result.target)}, {result.dtype}, {result.threads} threads, {inert(result.machine)}"
    yield f"median of {spec.repeats} or more repeats after {spec.warm_up}, lanes and layouts interleaved; times in ms"
    yield from (f"note: {inert(note)}" for note in result.notes)
    found = fits(result)
    prefills = series(result, "prefill")
    for key, points in series(result).items():
        layout, batch = key
        yield ""
        yield f"{layout or 'its own cache'}, batch {batch}: one decode step"
        yield COLUMNS.format(
            "length",
            "cached",
            "spread",
            "append",
            "(gather)",
            "attention",
            "rest",
            "sum",
            "oracle",
            "saves",
            "cache",
            "peak",
        ).rstrip()
        yield from (_line(point) for point in points)
        yield from (f"  {_grows(fit)}" for fit in found if (fit.layout, fit.batch) == key)
        yield from (
            f"  prefill of {one.length}: cached {one.cached.total.median:.2f}, oracle {one.oracle.total.median:.2f}"
            for one in prefills.get(key, [])
        )
        lost = no_gain(points)
        yield (
            f"  caching does not pay at length {', '.join(map(str, lost))}"
            if lost
            else "  caching pays at every length measured"
        )


def _line(point: Point) -> str:
    cached, cache = point.cached, point.cache
    return COLUMNS.format(
        point.length, f"{cached.total.median:.3f}", f"{cached.total.low:.2f}..{cached.total.high:.2f}", _ms(cached.append), _ms(cached.gather),
        _ms(cached.attention), _ms(cached.rest), f"{100 * cached.covered:.0f} %", f"{point.oracle.total.median:.2f}", f"{point.ratio:.1f}x",
        "-" if cache is None else data_size(cache.allocated), "-" if point.cached_peak is None else data_size(point.cached_peak),
    )  # fmt: skip


def _ms(one: Timing | None) -> str:
    return "-" if one is None else f"{one.median:.3f}"


def _grows(fit: Fit) -> str:
    return f"{fit.what} grows as length^{fit.order:.2f}, {fit.per_token:+.2f} microseconds a token"
