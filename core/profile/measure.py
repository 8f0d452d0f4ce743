"""Both lanes timed side by side: every round makes one call of each, so that a slow spell of the machine hits all alike."""

import copy
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import torch
from torch import Tensor

from core import catalog
from core.engine.messages import RunSpec
from core.engine.texts import texts_of
from core.profile.memory import cache_bytes, peak_of
from core.profile.stopwatch import Parts, Sync, stopwatch
from core.report.profile import CacheBytes, Kind, Point, ProfileResult, ProfileSpec, Split, timing
from core.targets.base import Cache, Target
from core.targets.load import make_loader
from core.targets.tiny import TinyTarget

PARTS = ("append", "gather", "attention")
LENGTHS = (32, 96, 224, 440)
FOREIGN_LENGTHS = (16, 64, 256)
SLOW_MS = 150.0  # a call that takes longer is no longer noisy: a few of them will do
SLOW_REPEATS = 3
CLOSE = 0.05  # how near the sum of the parts must come to the whole
REST_S = 0.002
MORE = 4  # times the repeats, at most, until it does


@dataclass
class Lane:
    """One lane of one layout: what is called, what comes before each call untimed, and what it took."""

    call: Callable[[], Any]
    prepare: Callable[[], None] = lambda: None
    totals: list[float] = field(default_factory=list)
    parts: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in (*PARTS, "rest")})
    seen: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    peak: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether its calls are so slow that a few tell enough."""
        return len(self.totals) >= SLOW_REPEATS and min(self.totals) > SLOW_MS

    @property
    def is_close(self) -> bool:
        return abs(self.split().covered - 1) <= CLOSE

    def run(self, sync: Sync, is_warm: bool) -> None:
        """Call twice: bare for the whole, with the stopwatch inside for the parts."""
        self.prepare()
        total = _clocked(self.call, sync)
        self.prepare()
        with stopwatch(sync) as parts:
            inside = _clocked(self.call, sync)
        if is_warm:
            self.totals.append(total)
            self._keep(parts, inside)

    def _keep(self, parts: Parts, total: float) -> None:
        for name in PARTS:
            self.parts[name].append(parts.spent[name])
            self.seen[name] += parts.calls[name]
        self.parts["rest"].append(total - parts.spent["append"] - parts.spent["attention"])

    def split(self) -> Split:
        seen = {name: timing(self.parts[name]) if self.seen[name] else None for name in PARTS}
        return Split(total=timing(self.totals), rest=timing(self.parts["rest"]), **seen)


class CachedLane:
    """A cache that each decode call gives one token more, and that is taken back to its length between two calls.

    A target that cannot be rolled back goes on: its cache is a few tokens longer at the last repeat than at the first.
    """

    def __init__(self, target: Target, ids: Tensor, length: int) -> None:
        self.target, self.ids, self.length = target, ids, length
        self.cache: Cache = None
        self.fed = 0
        self.is_value = getattr(target, "layout", None) == "concat"
        self.can_crop = not self.is_value and target.why_not("rollback") is None
        self.is_ring = isinstance(target, TinyTarget) and target.shape.window is not None
        self.kept: Cache = None  # of a ring, which forgets what it overwrites

    def prefill(self) -> None:
        _, self.cache = self.target.cached(self.ids[:, : self.length].clone(), None)
        self.fed = self.length

    def settle(self) -> None:
        """Fill the cache to its length, the last token by itself: after a prefill it may be a view of a larger tensor."""
        whole, self.length = self.length, max(1, self.length - 1)
        self.prefill()
        self.length = whole
        while self.fed < whole:
            _, self.cache = self.target.cached(self.ids[:, self.fed : self.fed + 1].clone(), self.cache)
            self.fed += 1

    def decode(self) -> None:
        _, cache = self.target.cached(self.ids[:, self.fed : self.fed + 1].clone(), self.cache)
        if not self.is_value:  # the concat cache is a value: the old one is still good
            self.cache, self.fed = cache, self.fed + 1

    def go_back(self) -> None:
        """Before a timed call, outside of its time."""
        if self.is_ring:
            self.kept = copy.deepcopy(self.cache) if self.kept is None else self.kept
            self.cache, self.fed = copy.deepcopy(self.kept), self.length
        elif self.can_crop and self.fed > self.length:
            crop: Any = self.target
            self.cache, self.fed = crop.crop(self.cache, self.length), self.length

    def decode_bytes(self) -> CacheBytes | None:
        """Feed one token more and say what the cache takes."""
        self.go_back()
        before = self.target.inspect(self.cache)
        _, self.cache = self.target.cached(self.ids[:, self.fed : self.fed + 1].clone(), self.cache)
        self.fed += 1
        after = self.target.inspect(self.cache)
        return cache_bytes(before or [], after) if after else None


def measure(
    spec: RunSpec, wanted: ProfileSpec, tell: Callable[[int, int, int, int], object]
) -> ProfileResult:
    """Return the profile; `tell` gets batch, length, number and count before each piece of the work."""
    layouts = wanted.layouts or (spec.layout,)
    targets = {
        layout: make_loader(msgspec.structs.replace(spec, layout=layout)).fresh() for layout in layouts
    }
    first = targets[layouts[0]]
    wanted, notes = _fitting(wanted, first, spec)
    room = _room(wanted, first)
    prompt = list(texts_of(spec, first).prompt)
    sync = torch.cuda.synchronize if spec.device == "cuda" else _nothing
    points: list[Point] = []
    pieces = [(batch, length) for batch in wanted.batches for length in wanted.lengths]
    for number, (batch, length) in enumerate(pieces):
        tell(batch, length, number, len(pieces))
        ids = _text(prompt, batch, length + room)
        points += _points(targets, ids, length, wanted, sync, spec)
    return ProfileResult(
        target=spec.target, dtype=first.shape.dtype, threads=torch.get_num_threads(), machine=_machine(spec), spec=wanted,
        points=points, notes=notes,
    )  # fmt: skip


def _nothing() -> None:
    """The CPU does what it is told at once."""


def _machine(spec: RunSpec) -> str:
    if spec.device == "cuda":
        return str(torch.cuda.get_device_name())
    return f"{platform.system()} {platform.machine()}, {platform.processor() or 'CPU'}"


def _fitting(wanted: ProfileSpec, target: Target, spec: RunSpec) -> tuple[ProfileSpec, list[str]]:
    """Fill in what was not asked for, and leave out what does not fit into the context."""
    is_tiny = spec.target.startswith(catalog.TINY_PREFIX)
    lengths = wanted.lengths or (LENGTHS if is_tiny else FOREIGN_LENGTHS)
    room = _room(wanted, target)
    most = target.shape.max_length
    kept = tuple(sorted({one for one in lengths if most is None or one + room <= most}))
    left_out = [one for one in lengths if one not in kept]
    notes = (
        [f"lengths {', '.join(map(str, left_out))} and {room} tokens of measuring do not fit into {most}"]
        if left_out
        else []
    )
    batches = wanted.batches or ((1, 8) if is_tiny else (1,))
    return msgspec.structs.replace(wanted, lengths=kept, batches=batches), notes


def _room(wanted: ProfileSpec, target: Target) -> int:
    """Tokens that a cache grows by while it is measured: only one that cannot be taken back does."""
    if isinstance(target, TinyTarget) or target.why_not("rollback") is None:
        return 2
    return 2 * (wanted.warm_up + MORE * wanted.repeats) + 2


def _text(prompt: list[int], batch: int, length: int) -> Tensor:
    """The prompt over and over: what is timed does not depend on the words."""
    row = (prompt * (length // len(prompt) + 1))[:length]
    return torch.tensor([row] * batch, dtype=torch.int64)


def _points(
    targets: dict[str, Target], ids: Tensor, length: int, wanted: ProfileSpec, sync: Sync, spec: RunSpec
) -> Iterator[Point]:
    """Prefill beside decode, all layouts and both lanes in each round."""
    kinds: tuple[Kind, ...] = ("prefill", "decode")
    runs = {layout: CachedLane(target, ids, length) for layout, target in targets.items()}
    is_tiny = spec.target.startswith(catalog.TINY_PREFIX)
    for kind in kinds:
        cached = {layout: _cached_lane(run, kind) for layout, run in runs.items()}
        oracle = {
            layout: Lane(_full(target, ids[:, : length + (kind == "decode")]))
            for layout, target in _oracles(targets)
        }
        _interleave([*cached.values(), *oracle.values()], wanted, sync)
        for lane in (*cached.values(), *oracle.values()):
            lane.prepare()
            lane.peak = peak_of(lane.call, spec.device or "cpu")
        for layout, lane in cached.items():
            full = oracle.get(layout) or next(iter(oracle.values()))
            yield Point(
                kind=kind, layout=layout if is_tiny else None, batch=len(ids), length=length, cached=lane.split(), oracle=full.split(),
                cached_peak=lane.peak, oracle_peak=full.peak, cache=runs[layout].decode_bytes() if kind == "decode" else None,
            )  # fmt: skip


def _cached_lane(run: CachedLane, kind: Kind) -> Lane:
    if kind == "prefill":
        return Lane(run.prefill)
    run.settle()
    return Lane(run.decode, run.go_back)


def _interleave(lanes: list[Lane], wanted: ProfileSpec, sync: Sync) -> None:
    """Let every lane have its turn, round by round, and more rounds where a busy machine keeps parts and whole apart."""
    for step in range(wanted.warm_up + MORE * wanted.repeats):
        is_extra = step >= wanted.warm_up + wanted.repeats
        waiting = [lane for lane in lanes if not lane.is_done and not (is_extra and lane.is_close)]
        if not waiting:
            return
        for lane in lanes if not is_extra else waiting:
            if not lane.is_done:
                lane.run(sync, is_warm=step >= wanted.warm_up)


def _oracles(targets: dict[str, Target]) -> Iterator[tuple[str, Target]]:
    """One oracle for all layouts but those with a window, whose oracle has the window too."""
    is_first = True
    for layout, target in targets.items():
        if is_first or target.shape.window is not None:
            yield layout, target
            is_first = False


def _full(target: Target, ids: Tensor) -> Callable[[], Tensor]:
    return lambda: target.full(ids.clone())


def _clocked(call: Callable[[], Any], sync: Sync) -> float:
    """Return the milliseconds of a call; a process that has just rested is rarely interrupted in the middle of one."""
    sync()
    time.sleep(REST_S)
    start = time.perf_counter()
    call()
    sync()
    return 1e3 * (time.perf_counter() - start)
