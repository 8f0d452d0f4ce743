"""The profile as a section of the report: a picture of the growth, and a table for each layout and batch."""

import math
from collections.abc import Sequence

from core.report.page.markup import Html, el
from core.report.page.words import Words, section, table
from core.report.profile import Point, ProfileResult, Timing, fits, no_gain, series
from core.text import QT_TRANSLATE_NOOP
from core.views.numbers import data_size

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 240, 52, 30
DASHES = ("", "6 3", "2 3", "9 3 2 3")  # layouts are told apart by more than colour


def profile_section(result: ProfileResult, words: Words) -> Html:
    """Return the section."""
    spec = result.spec
    template = QT_TRANSLATE_NOOP(
        "core",
        "{machine}, {threads} threads, {dtype}. Median of at least {repeats} repeats after {warm_up} for warming up, lanes and layouts interleaved.",
    )
    said = words.say(
        template,
        machine=result.machine,
        threads=result.threads,
        dtype=result.dtype,
        repeats=spec.repeats,
        warm_up=spec.warm_up,
    )
    parts = [el("p", said, class_="muted"), *(el("p", note, class_="muted") for note in result.notes)]
    found = series(result)
    for batch in sorted({key[1] for key in found}):
        lines = {layout: points for (layout, of), points in found.items() if of == batch}
        parts.append(
            el("h3", words.say(QT_TRANSLATE_NOOP("core", "One decode step, batch {batch}"), batch=batch))
        )
        parts.append(_growth(lines, words))
        for layout, points in lines.items():
            parts += _layout(layout, points, words)
    parts += _orders(result, words)
    return section(words.say(QT_TRANSLATE_NOOP("core", "Time and memory")), *parts)


def _growth(lines: dict[str | None, list[Point]], words: Words) -> Html:
    """Both axes logarithmic: a straight line is a power of the length, its slope the order."""
    curves = [
        (
            [(one.length, one.cached.total.median) for one in points],
            "var(--cached)",
            DASHES[index % len(DASHES)],
            layout,
        )
        for index, (layout, points) in enumerate(lines.items())
    ]
    first = next(iter(lines.values()))
    curves.append(([(one.length, one.oracle.total.median) for one in first], "var(--oracle)", "", None))
    values = [value for curve, *_ in curves for _, value in curve]
    lengths = [length for length, _ in curves[0][0]]
    low, high = math.log10(min(values)) - 0.15, math.log10(max(values)) + 0.15
    spread = max(math.log(max(lengths) / min(lengths)), 1e-9)

    def x(length: float) -> float:
        return round(LEFT + 12 + (WIDTH - LEFT - 120) * math.log(length / min(lengths)) / spread, 1)

    def y(value: float) -> float:
        return round(10 + (HEIGHT - BOTTOM - 10) * (high - math.log10(value)) / (high - low), 1)

    parts: list[Html] = []
    for exponent in range(math.floor(low), math.ceil(high) + 1):
        for digit in (1, 2, 5):
            value = digit * 10.0**exponent
            if low <= math.log10(value) <= high:
                parts.append(
                    el("line", x1=LEFT, x2=WIDTH - 100, y1=y(value), y2=y(value), stroke="var(--line)")
                )
                parts.append(
                    el("text", f"{value:g}", x=LEFT - 5, y=y(value) + 4, text_anchor="end", font_size=11)
                )
    parts += [
        el("text", str(length), x=x(length), y=HEIGHT - 8, text_anchor="middle", font_size=11)
        for length in lengths
    ]
    taken: list[float] = []
    for curve, colour, dash, layout in curves:
        path = " ".join(f"{x(length)},{y(value)}" for length, value in curve)
        parts.append(
            el(
                "polyline",
                points=path,
                fill="none",
                stroke=colour,
                stroke_width=2,
                stroke_dasharray=dash or None,
            )
        )
        parts += [el("circle", cx=x(length), cy=y(value), r=3, fill=colour) for length, value in curve]
        place = y(curve[-1][1]) + 4
        while any(abs(place - one) < 12 for one in taken):
            place += 12
        taken.append(place)
        is_oracle = colour == "var(--oracle)"
        name = (
            words.say(QT_TRANSLATE_NOOP("core", "oracle"))
            if is_oracle
            else layout or words.say(QT_TRANSLATE_NOOP("core", "cached"))
        )
        parts.append(el("text", name, x=WIDTH - 96, y=place, font_size=11))
    title = words.say(QT_TRANSLATE_NOOP("core", "Milliseconds of a step by length, both logarithmic"))
    picture = el("svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title)
    return el("figure", el("figcaption", title), el("div", picture, class_="scroll"))


def _layout(layout: str | None, points: Sequence[Point], words: Words) -> list[Html]:
    say = words.say
    name = layout or say(QT_TRANSLATE_NOOP("core", "its own cache"))
    heads = [
        (say(QT_TRANSLATE_NOOP("core", "length")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "cached, ms")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "append")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "attention")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "rest")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "oracle, ms")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "saves")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "cache: valid / allocated / peak")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "step's peak: cached / oracle")), "num"),
    ]
    rows = [_row(point) for point in points]
    lost = no_gain(points)
    if lost:
        template = QT_TRANSLATE_NOOP("core", "Caching does not pay at length {lengths}.")
        verdict = say(template, lengths=", ".join(map(str, lost)))
    else:
        verdict = say(QT_TRANSLATE_NOOP("core", "Caching pays at every length that was measured."))
    return [el("p", el("strong", name), " \u00b7 ", verdict), table(heads, rows)]


def _row(point: Point) -> list[str]:
    cached, cache = point.cached, point.cache
    sizes = (
        "\u2013" if cache is None else " / ".join(map(data_size, (cache.valid, cache.allocated, cache.peak)))
    )
    peaks = " / ".join(
        "\u2013" if one is None else data_size(one) for one in (point.cached_peak, point.oracle_peak)
    )
    spread = f"{cached.total.median:.2f} ({cached.total.low:.2f}\u2013{cached.total.high:.2f})"
    append = _ms(cached.append)
    if cached.gather is not None:
        append += f" ({cached.gather.median:.3f})"
    return [
        str(point.length), spread, append, _ms(cached.attention), _ms(cached.rest), f"{point.oracle.total.median:.2f}",
        f"{point.ratio:.1f}\u00d7", sizes, peaks,
    ]  # fmt: skip


def _ms(one: Timing | None) -> str:
    return "\u2013" if one is None else f"{one.median:.3f}"


def _orders(result: ProfileResult, words: Words) -> list[Html]:
    found = fits(result)
    if not found:
        return []
    say = words.say
    heads = [
        (say(QT_TRANSLATE_NOOP("core", "time of")), ""),
        (say(QT_TRANSLATE_NOOP("core", "layout")), ""),
        (say(QT_TRANSLATE_NOOP("core", "batch")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "grows as length to the")), "num"),
        (say(QT_TRANSLATE_NOOP("core", "microseconds a token")), "num"),
    ]
    names = {
        "cached": QT_TRANSLATE_NOOP("core", "cached"), "oracle": QT_TRANSLATE_NOOP("core", "oracle"), "append": QT_TRANSLATE_NOOP("core", "append"),
    }  # fmt: skip
    rows = [
        [say(names[fit.what]), fit.layout or "", str(fit.batch), f"{fit.order:.2f}", f"{fit.per_token:+.2f}"]
        for fit in found
    ]
    title = say(QT_TRANSLATE_NOOP("core", "How it grows"))
    note = say(
        QT_TRANSLATE_NOOP(
            "core", "In brackets behind append: the share that gathers the blocks of a paged cache."
        )
    )
    return [el("p", note, class_="muted small"), el("h3", title), table(heads, rows)]
