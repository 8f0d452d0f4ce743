"""Time and memory: refused while the check fails, split into parts that add up, sizes of storages counted once."""

from pathlib import Path

import pytest
import torch

from core.engine.messages import RunSpec
from core.errors import EXIT_DIVERGENT
from core.profile.measure import measure
from core.profile.memory import cache_bytes, peak_of
from core.profile.stopwatch import stopwatch
from core.report.language import translator
from core.report.page.profile import profile_section
from core.report.page.words import Words
from core.report.profile import (
    Point,
    ProfileResult,
    ProfileSpec,
    Split,
    Timing,
    fits,
    no_gain,
    series,
    timing,
)
from core.report.profile_lines import profile_lines
from core.targets.base import CacheLayer
from core.targets.load import make_loader
from tests.core.support import main


@pytest.mark.slow
def test_that_a_divergent_target_is_not_measured(tmp_path: Path) -> None:
    done = main("profile", "--scenario", "decode", "--layout", "concat", "--steps", "2", "--fault", "position-reset", "--json", str(tmp_path / "p"))  # fmt: skip
    assert done.returncode == EXIT_DIVERGENT
    assert "first bad step 1" in done.stderr
    assert "must pass first" in done.stderr
    assert not (tmp_path / "p").exists()


def test_that_a_profile_has_both_lanes_at_every_length() -> None:
    spec = ProfileSpec(lengths=(8, 16), batches=(2,), layouts=("concat", "paged"), repeats=1, warm_up=1)
    told: list[tuple[int, ...]] = []
    result = measure(RunSpec(), spec, lambda *piece: told.append(piece))
    assert told == [(2, 8, 0, 2), (2, 16, 1, 2)]
    assert [(one.kind, one.layout, one.length) for one in result.points] == [
        (kind, layout, length) for length in (8, 16) for kind in ("prefill", "decode") for layout in ("concat", "paged")
    ]  # fmt: skip
    decode = {(one.layout, one.length): one for one in result.points if one.kind == "decode"}
    for (layout, length), one in decode.items():
        assert one.cached.append is not None
        assert one.cached.attention is not None
        assert (one.cached.gather is not None) == (layout == "paged")
        assert one.oracle.append is None
        assert one.cache is not None
        assert (
            one.cache.valid == 2 * 4 * 2 * 2 * (length + 1) * 32 * 4
        )  # K and V, layers, batch, kv heads, rows, D, fp32
        assert one.oracle_peak is not None
        assert one.cached_peak is not None
        assert one.oracle_peak > one.cached_peak > 0
    assert decode["concat", 8].cache.peak == 2 * 4 * 2 * 2 * (8 + 9) * 32 * 4  # the old and the new one
    assert (
        decode["paged", 8].cache.peak == decode["paged", 8].cache.allocated > decode["paged", 8].cache.valid
    )


def test_that_a_foreign_target_gets_total_attention_and_remainder(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(FOREIGN, encoding="utf-8")
    result = measure(
        RunSpec(target=str(path)), ProfileSpec(lengths=(6,), repeats=1, warm_up=1), lambda *_: None
    )
    decode = result.points[-1]
    assert (decode.layout, decode.cached.append) == (None, None)
    assert decode.cached.attention is not None


def test_that_lengths_beyond_the_context_are_left_out_and_named() -> None:
    spec = ProfileSpec(lengths=(8, 511), batches=(1,), layouts=("concat",), repeats=1, warm_up=0)
    result = measure(RunSpec(), spec, lambda *_: None)
    assert {one.length for one in result.points} == {8}
    assert "511" in result.notes[0]


def test_that_the_stopwatch_takes_its_hands_off() -> None:
    target = make_loader(RunSpec(layout="static")).fresh()
    before = torch.nn.functional.scaled_dot_product_attention
    with stopwatch(lambda: None) as parts:
        target.cached(torch.tensor([[1, 2, 3]]), None)
    assert parts.calls == {"append": 4, "gather": 0, "attention": 4}
    assert parts.spent["append"] > 0
    target.cached(torch.tensor([[1, 2, 3]]), None)
    assert parts.calls["append"] == 4
    assert torch.nn.functional.scaled_dot_product_attention is before


def test_that_a_shared_storage_is_counted_once() -> None:
    buffer = torch.zeros(2, 1, 1, 10, 4)
    layer = CacheLayer(buffer[0, :, :, :3], buffer[1, :, :, :3], (buffer[0], buffer[1]), 10)
    sizes = cache_bytes([layer], [layer, layer])
    assert (sizes.valid, sizes.allocated, sizes.peak) == (4 * 3 * 4 * 4, 320, 320)


def test_that_the_peak_is_what_is_held_at_once() -> None:
    def call() -> torch.Tensor:
        first = torch.zeros(1000)
        second = torch.zeros(2000)
        del first
        return second + torch.zeros(1)

    assert peak_of(call, "cpu") == pytest.approx(16_000, abs=200)


def _point(length: int, cached: float, oracle: float, append: float) -> Point:
    def split(total: float, of: float | None = None) -> Split:
        part = None if of is None else Timing(median=of, low=of, high=of)
        rest = Timing(median=total - (of or 0), low=0, high=0)
        return Split(total=Timing(median=total, low=total, high=total), rest=rest, append=part)

    return Point(
        kind="decode",
        layout="concat",
        batch=1,
        length=length,
        cached=split(cached, append),
        oracle=split(oracle),
    )


RESULT = ProfileResult(
    target="<b>x", dtype="float32", threads=1, machine="here", spec=ProfileSpec(),
    points=[_point(n, 1.0, n / 64, 0.01 * n) for n in (256, 32, 64, 128)],
)  # fmt: skip


def test_that_the_fitted_order_is_that_of_the_growth() -> None:
    orders = {one.what: round(one.order, 6) for one in fits(RESULT)}
    assert orders == {"cached": 0, "oracle": 1, "append": 1}
    assert next(one.per_token for one in fits(RESULT) if one.what == "oracle") == pytest.approx(1000 / 64)


def test_that_lengths_without_a_gain_are_named_in_lines_and_report() -> None:
    assert no_gain(series(RESULT)["concat", 1]) == [32, 64]
    text = "\n".join(profile_lines(RESULT))
    assert "caching does not pay at length 32, 64" in text
    assert "100 %" in text
    page = profile_section(RESULT, Words(translator("en")))
    assert "Caching does not pay at length 32, 64." in page
    assert "4.0\u00d7" in page


def test_that_timing_is_median_and_quartiles() -> None:
    assert timing([3.0, 1.0, 2.0, 100.0, 4.0]) == Timing(median=3.0, low=2.0, high=4.0)


FOREIGN = """
import torch
from torch.nn import functional as F
torch.manual_seed(0)
table = torch.randn(16, 8)
vocab_size = 16
max_length = 512
def look(x, past):
    k = x if past is None else torch.cat((past, x), 1)
    mask = torch.ones(x.shape[1], k.shape[1], dtype=torch.bool).tril(k.shape[1] - x.shape[1])
    out = F.scaled_dot_product_attention(x[:, None], k[:, None], k[:, None], attn_mask=mask)
    return out[:, 0] @ table.T, k
def full(ids):
    return look(table[ids], None)[0]
def cached(ids, cache):
    return look(table[ids], cache)
"""
