"""Every cached row is traced to the oracle's row that it equals, and told where it should lie."""

from dataclasses import replace

import numpy as np

from core.verdict.diagnosis.hypothesis import NO_PLACE
from core.verdict.diagnosis.slot_map import LayerSlots, State, slot_map
from tests.core.verdict.diagnosis.test_rules import both, future, old_only, twice, with_tail, zero_row
from tests.core.verdict.diagnosis.toy import Array, Fault, evidence


def layer(fault: Fault, index: int = 1, **facts: object) -> LayerSlots:
    return slot_map(evidence(fault, **facts)).layers[index]  # type: ignore[arg-type]


def test_that_a_healthy_cache_holds_each_token_in_its_slot() -> None:
    found = layer(Fault())
    assert found.token.tolist() == [list(range(9))]
    assert (found.state == State.OK).all()
    assert np.flatnonzero(found.is_new[0]).tolist() == [8]
    assert found.missing == ((),)


def test_that_rows_in_another_order_are_recognised() -> None:
    """A ring: the newest row lies where the oldest was."""

    def ring(x: Array) -> Array:
        return np.concatenate((x[:, :, 5:], x[:, :, 1:5]), 2)

    found = layer(Fault(spoil=both(ring)), index=0)
    assert found.token.tolist() == [[5, 6, 7, 8, 1, 2, 3, 4]]
    assert (found.state == State.OK).all()
    assert found.missing == ((0,),)


def test_that_rows_too_many_have_no_place() -> None:
    found = layer(Fault(spoil=both(twice), mask=future), index=0)
    assert found.token[0].tolist() == [*range(8), *[NO_PLACE] * 8, 8]
    assert (found.state[0, 8:16] == State.DUPLICATE).all()
    assert found.k_origin.token[0, 8:16].tolist() == list(range(8))


def test_that_unused_slots_are_empty_and_a_lost_row_is_zero() -> None:
    assert (layer(Fault(spoil=both(with_tail))).state[0, 9:] == State.EMPTY).all()
    found = layer(Fault(spoil=both(zero_row)))
    assert found.token[0, 7] == 7
    assert found.state[0, 7] == State.ZERO


def test_that_a_narrow_cache_is_near_and_a_row_that_is_not_finite_is_told() -> None:
    assert (
        layer(Fault(spoil=both(lambda x: x.astype(np.float16).astype(float))), index=0).state == State.NEAR
    ).all()

    def nan(x: Array) -> Array:
        x = x.copy()
        x[:, 0, 3, 2] = np.nan
        return x

    assert layer(Fault(spoil=both(nan))).state[0, 3] == State.NOT_FINITE


def test_that_equal_tokens_are_told_apart_by_what_deeper_layers_hold() -> None:
    """Without rotation the first layer's rows know the token id alone; tokens 1 and 3 of the text are equal."""
    found = layer(
        Fault(spoil=both(lambda x: old_only(x, lambda old: old[:, :, ::-1]))), index=0, is_absolute=True
    )
    assert found.token[0].tolist() == [7, 6, 5, 4, 3, 2, 1, 0, 8]


def test_that_heads_that_are_repeated_for_the_queries_count_once() -> None:
    step = evidence()
    calls = tuple(
        replace(call, k=np.repeat(call.k, 2, 1), v=np.repeat(call.v, 2, 1)) for call in step.cached.calls
    )
    found = slot_map(replace(step, cached=replace(step.cached, calls=calls))).layers[1]
    assert (found.state == State.OK).all()
