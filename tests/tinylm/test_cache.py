"""The layouts as containers: they hold what was appended, and a plain list of rows is the judge."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tinylm.cache import ConcatKV, LayerKV, PagedKV, SlidingKV, StaticKV, empty_past_kv

BATCH, HEADS, DIM = 2, 2, 3


def rows(start: int, count: int) -> torch.Tensor:
    values = torch.arange(start, start + count, dtype=torch.float32)
    return values.view(1, 1, count, 1).expand(BATCH, HEADS, count, DIM).contiguous()


def new_layer(layout: str) -> LayerKV | None:
    return {"concat": lambda: None, "static": lambda: StaticKV(40), "paged": lambda: PagedKV(40, 4)}[layout]()


@settings(max_examples=60, deadline=None)
@given(
    layout=st.sampled_from(["concat", "static", "paged"]),
    actions=st.lists(
        st.one_of(
            st.tuples(st.just("append"), st.integers(1, 5)),
            st.tuples(st.just("truncate"), st.integers(0, 12)),
        ),
        max_size=8,
    ),
)
def test_that_appends_and_truncates_leave_the_rows_of_a_plain_list(
    layout: str, actions: list[tuple[str, int]]
) -> None:
    layer, model, written = new_layer(layout), [], 0
    for action, count in actions:
        if action == "append":
            k = rows(written, count)
            layer = ConcatKV(k, -k) if layer is None else layer.append(k, -k)[2]
            model += range(written, written + count)
            written += count
        elif layer is not None and model:
            layer = layer.truncate(count)
            model = model[:count]
        if layer is not None and model:
            k, v = layer.rows()
            assert k[1, 1, :, 2].tolist() == model
            assert torch.equal(v, -k)
            assert layer.kv_len == len(model)


@given(sizes=st.lists(st.integers(1, 7), min_size=1, max_size=6))
def test_that_a_ring_keeps_the_last_rows_and_returns_what_the_new_queries_reach(sizes: list[int]) -> None:
    window = 4
    layer: LayerKV = SlidingKV(window)
    seen: list[int] = []
    for size in sizes:
        new = list(range(len(seen), len(seen) + size))
        k, _, layer = layer.append(rows(len(seen), size), rows(len(seen), size))
        reach = seen[-(window - 1) :]
        assert k[0, 0, :, 0].tolist() == reach + new
        seen += new
        assert layer.rows()[0][0, 0, :, 0].tolist() == seen[-window:]


def test_that_a_ring_writes_each_token_to_its_slot_modulo_the_window() -> None:
    layer = SlidingKV(4)
    layer.append(rows(0, 6), rows(0, 6))
    assert layer.k_ring[0, 0, :, 0].tolist() == [4, 5, 2, 3]


def test_that_a_wrapped_ring_refuses_to_roll_back() -> None:
    layer = SlidingKV(4)
    layer.append(rows(0, 6), rows(0, 6))
    with pytest.raises(ValueError, match="cannot be rolled back to 3"):
        layer.truncate(3)


@pytest.mark.parametrize("layer", [StaticKV(4), PagedKV(4, 2)], ids=["static", "paged"])
def test_that_a_full_buffer_says_what_does_not_fit(layer: LayerKV) -> None:
    layer.append(rows(0, 3), rows(0, 3))
    with pytest.raises(ValueError, match="holds 4 rows, row 6 does not fit"):
        layer.append(rows(3, 3), rows(3, 3))


def test_that_pages_of_two_rows_never_share_a_block() -> None:
    layer = PagedKV(16, 4)
    layer.append(rows(0, 9), rows(0, 9))
    blocks = layer.block_table.flatten().tolist()
    assert len(set(blocks)) == len(blocks) == 6
    assert blocks != sorted(blocks)  # physical order is not logical order


def test_that_an_older_concat_value_is_unchanged_by_an_append() -> None:
    old = ConcatKV(rows(0, 2), rows(0, 2))
    old.append(rows(2, 1), rows(2, 1))
    assert old.kv_len == 2


def test_that_overwrite_replaces_the_valid_rows_of_every_layout() -> None:
    for layout in ("static", "paged"):
        layer = new_layer(layout)
        assert layer is not None
        layer.append(rows(0, 6), rows(0, 6))
        k, v = layer.overwrite(rows(50, 6), rows(60, 6)).rows()
        assert k[0, 0, :, 0].tolist() == [50, 51, 52, 53, 54, 55]
        assert v[0, 0, :, 0].tolist() == [60, 61, 62, 63, 64, 65]


def test_that_an_unknown_layout_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="choose one of concat, static, paged, sliding"):
        empty_past_kv("ring", 4, 10)
