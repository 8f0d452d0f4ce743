"""Heads of both lanes side by side: one for every kv head, however they were repeated."""

import numpy as np
import pytest

from core.verdict.diagnosis.paired import one_per_kv_head

ROWS = np.random.default_rng(0).normal(size=(1, 2, 5, 4))  # (B, G, S, D)


@pytest.mark.parametrize("n_repeats", [1, 2, 3, 4])
def test_that_heads_that_are_repeated_next_to_each_other_count_once(n_repeats: int) -> None:
    oracle, cached = one_per_kv_head(ROWS.repeat(n_repeats, 1), ROWS.repeat(n_repeats, 1))
    assert np.array_equal(oracle, ROWS)
    assert np.array_equal(cached, ROWS)


@pytest.mark.parametrize("n_repeats", [2, 3, 4])
def test_that_heads_that_are_repeated_in_turn_are_not_taken_for_equal(n_repeats: int) -> None:
    """With 3 repeats the first head of each group is the right one by chance: all heads are set side by side."""
    oracle, cached = one_per_kv_head(ROWS.repeat(n_repeats, 1), np.tile(ROWS, (1, n_repeats, 1, 1)))
    assert oracle.shape == cached.shape == (1, 2 * n_repeats, 5, 4)
    assert not np.array_equal(oracle, cached)
