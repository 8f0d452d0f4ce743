"""A shorter row of a batch is padded at its left: what lies at the pads is no token, and no finding."""

import numpy as np
import pytest

from core.trace.reader import Trace
from core.verdict.locate import first_bad_tensor
from core.verdict.pads import compared, n_pads
from core.views.attention import attention, layer_grid
from core.views.cache import kv_table
from core.views.selection import Selection
from core.views.slots import slots
from core.views.tokens import token_strip
from tests.core.support import record_trace

ROW = Selection(step=0, batch_row=1)
N_PADS, N_TOKENS = 8, 30


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    return record_trace(tmp_path_factory.mktemp("t") / "r.kvtrace", scenario="ragged-batch", steps=2)


def test_that_the_chips_of_pads_are_marked(trace: Trace) -> None:
    chips = token_strip(trace, ROW, 5e-4).chips
    assert [chip.is_pad for chip in chips[: N_PADS + 1]] == [True] * N_PADS + [False]
    assert not any(chip.is_pad for chip in token_strip(trace, Selection(), 5e-4).chips)


def test_that_pads_are_not_compared(trace: Trace) -> None:
    assert n_pads(trace, 0, 1) == N_PADS
    assert (compared(trace, 0, "k")[:, 1, :, :N_PADS] == -1).all()
    assert (compared(trace, 0, "attn_weights")[:, 1, :, :N_PADS] == -1).all()
    assert (compared(trace, 1, "attn_weights") >= 0).all()  # a decode step feeds no pad
    assert first_bad_tensor(trace, 0) is None


def test_that_the_panels_show_the_tokens_of_the_row_only(trace: Trace) -> None:
    table = kv_table(trace, ROW)
    assert (table.n_pads, table.n_valid) == (N_PADS, N_TOKENS)
    assert not any(row.dk_is_bad or row.dv_is_bad for row in table.rows)
    assert table.positions.oracle == table.positions.cached == tuple(range(N_TOKENS))
    view = slots(trace, ROW)
    assert (view.dk[:, :N_PADS] < 0).all()
    assert (view.oracle_positions[:N_PADS] == -1).all()
    assert view.cached_positions[N_PADS:].tolist() == list(range(N_TOKENS))


def test_that_what_a_pad_attends_to_is_not_shown(trace: Trace) -> None:
    view = attention(trace, ROW)
    assert not view.seen[:N_PADS].any()
    assert np.abs(view.difference).max() < 1e-3
    assert not layer_grid(trace, ROW).is_bad.any()
