"""Looking up equal rows finds what comparing each with each finds."""

import numpy as np
import pytest

from core.verdict.diagnosis.row_index import RowIndex
from core.verdict.diagnosis.slot_match import distances


@pytest.mark.parametrize("limit", [1e-6, 1e-2, 0.3, 2.0])
@pytest.mark.parametrize("size", [1.0, 1e4])
def test_that_rows_near_each_other_are_those_of_the_whole_table(limit: float, size: float) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(700, 24))
    rows[600:] = rows[:100] + rng.normal(size=(100, 24)) * limit * rng.uniform(0, 2, (100, 1))
    rows[5], rows[9, 3], rows[11, 0] = 0.0, np.nan, np.inf
    wanted = np.concatenate([rows[::2], rng.normal(size=(50, 24))])
    place, found = RowIndex(rows * size).near(wanted * size, limit * size)
    table = distances(wanted, rows, 1.0)
    certain = np.abs(table - limit) > 1e-6  # at the limit itself, rounding decides
    near = np.zeros(table.shape, bool)
    near[place, found] = True
    assert (near == (table <= limit))[certain].all()
    assert near.any()


def test_that_nothing_is_near_where_there_is_nothing() -> None:
    for rows, wanted in ((np.zeros((0, 4)), np.zeros((3, 4))), (np.zeros((3, 4)), np.zeros((0, 4)))):
        assert [len(found) for found in RowIndex(rows).near(wanted, 1.0)] == [0, 0]
