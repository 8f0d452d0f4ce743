"""What a profile measured, as data: `kvscope.profile/1`. Times are milliseconds of one call, sizes are bytes."""

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

SCHEMA = "kvscope.profile/1"
Kind = Literal["decode", "prefill"]
PAYS = 1.05  # a ratio below is no gain: the spread of the measurements is as large


class ProfileSpec(Struct, frozen=True, kw_only=True):
    """What to measure. Lengths are tokens in the cache before the timed call; `layouts` is empty for a foreign target."""

    lengths: tuple[int, ...] = ()
    batches: tuple[int, ...] = ()
    layouts: tuple[str, ...] = ()
    repeats: int = 7
    warm_up: int = 2


class Timing(Struct, frozen=True, kw_only=True):
    """Median and quartiles over the repeats."""

    median: float
    low: float
    high: float


class Split(Struct, frozen=True, kw_only=True):
    """Where the time of a call goes. `total` is measured without a stopwatch inside, the parts with one.

    `append` is the writing into the cache with all copies that it makes, `gather` the share of it that reads a paged
    cache's blocks together; None where such a part cannot be seen.
    """

    total: Timing
    rest: Timing
    append: Timing | None = None
    gather: Timing | None = None
    attention: Timing | None = None

    @property
    def covered(self) -> float:
        """The sum of the parts over the whole: 1 where the stopwatch costs nothing."""
        parts = sum(one.median for one in (self.append, self.attention, self.rest) if one is not None)
        return parts / self.total.median if self.total.median else math.nan


class CacheBytes(Struct, frozen=True, kw_only=True):
    """The cache after a call, each storage counted once; `peak` while the call held the old and the new one."""

    valid: int
    allocated: int
    peak: int
    layers: list[tuple[int, int]]  # valid and allocated of each


class Point(Struct, frozen=True, kw_only=True):
    """One kind of call at one length and batch, in both lanes; peaks are what a call allocates beyond what was there."""

    kind: Kind
    layout: str | None
    batch: int
    length: int
    cached: Split
    oracle: Split
    cached_peak: int | None = None
    oracle_peak: int | None = None
    cache: CacheBytes | None = None

    @property
    def ratio(self) -> float:
        """How many times longer the oracle takes."""
        return self.oracle.total.median / self.cached.total.median if self.cached.total.median else math.inf


class ProfileResult(Struct, frozen=True, kw_only=True):
    """All that was measured, and on what."""

    target: str
    dtype: str
    threads: int
    machine: str
    spec: ProfileSpec
    points: list[Point]
    notes: list[str] = []
    schema: str = SCHEMA


class Fit(Struct, frozen=True, kw_only=True):
    """How a time grows with the length: as length^order over the measured range, and `per_token` microseconds a token."""

    what: Literal["cached", "oracle", "append"]
    layout: str | None
    batch: int
    order: float
    per_token: float


def timing(samples: Sequence[float]) -> Timing:
    """Return median and quartiles of samples in ms."""
    ordered = sorted(samples)
    return Timing(median=_at(ordered, 0.5), low=_at(ordered, 0.25), high=_at(ordered, 0.75))


def _at(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def series(result: ProfileResult, kind: Kind = "decode") -> dict[tuple[str | None, int], list[Point]]:
    """Return the points of each layout and batch, by length."""
    found: dict[tuple[str | None, int], list[Point]] = {}
    for point in result.points:
        if point.kind == kind:
            found.setdefault((point.layout, point.batch), []).append(point)
    return {key: sorted(points, key=lambda one: one.length) for key, points in found.items()}


def fits(result: ProfileResult) -> list[Fit]:
    """Fit the decode steps of each layout and batch that was measured at three lengths or more."""
    out: list[Fit] = []
    for (layout, batch), points in series(result).items():
        if len(points) < 3:
            continue
        lengths = [float(one.length) for one in points]
        times = {
            "cached": [one.cached.total.median for one in points],
            "oracle": [one.oracle.total.median for one in points],
        }
        appends = [one.cached.append.median for one in points if one.cached.append is not None]
        if len(appends) == len(points):
            times["append"] = appends
        for what, values in times.items():
            order, per_token = (
                _slope([*map(math.log, lengths)], [math.log(max(one, 1e-6)) for one in values]),
                _slope(lengths, values),
            )
            out.append(Fit(what=what, layout=layout, batch=batch, order=order, per_token=1e3 * per_token))  # type: ignore[arg-type]
    return out


def _slope(x: Sequence[float], y: Sequence[float]) -> float:
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((one - mean_x) ** 2 for one in x)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / spread if spread else 0.0


def no_gain(points: Sequence[Point]) -> list[int]:
    """Return the lengths at which caching does not pay."""
    return [one.length for one in points if one.ratio < PAYS]
