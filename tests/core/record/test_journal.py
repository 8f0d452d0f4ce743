"""Which cached rows changed: found for every layer, head and single bit, without a copy of the cache."""

import pytest
import torch
from torch import Tensor

from core.record.journal import Journal
from core.record.lane_data import LayerData

N_LAYERS = 30


def layers_of(k: Tensor, v: Tensor) -> list[LayerData]:
    """K and V (L, B, G, S, D) as layers; what else a layer has is none of the journal's."""
    nothing = torch.empty(0)
    return [LayerData(nothing, one, other, nothing, None) for one, other in zip(k, v, strict=True)]


def drawn(kv_len: int = 40, heads: int = 3, size: int = 64, dtype: torch.dtype = torch.float32) -> Tensor:
    """K and V of all layers, (2, L, B, G, S, D)."""
    generator = torch.Generator().manual_seed(kv_len)
    return torch.randn(2, N_LAYERS, 1, heads, kv_len, size, generator=generator).to(dtype)


def changed(before: Tensor, after: Tensor, q_len: int = 1) -> dict[int, list[int]]:
    """Return slots by layer, where there are some."""
    journal = Journal()
    journal.changed_slots(layers_of(*before), before.shape[4])
    slots = journal.changed_slots(layers_of(*after), q_len)
    return {layer: found.tolist() for layer, found in enumerate(slots) if len(found)}


def appended(before: Tensor) -> Tensor:
    return torch.cat((before, before[..., :1, :] + 1), 4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("size", [64, 5, 1])
def test_that_rows_which_stay_are_not_listed_and_one_changed_bit_is(dtype: torch.dtype, size: int) -> None:
    before = drawn(size=size, dtype=dtype)
    after = appended(before)
    assert changed(before, after) == {}
    value = after[1, 17, 0, 2, 9, size - 1]
    value.copy_(torch.nextafter(value, torch.tensor(9.0, dtype=dtype)))
    assert changed(before, after) == {17: [9]}


def test_that_rows_which_change_places_are_listed() -> None:
    before = drawn()
    after = appended(before)
    after[:, 3, :, :, [4, 5]] = after[:, 3, :, :, [5, 4]]
    after[:, 29] = after[:, 28]
    assert changed(before, after) == {3: [4, 5], 29: list(range(40))}


def test_that_rows_which_lost_their_last_bits_are_listed() -> None:
    before = drawn()
    after = appended(before)
    after[0, 0] = after[0, 0].bfloat16()
    assert changed(before, after) == {0: list(range(40))}
    again = appended(after)
    again[0, 0, 0, 0, 7] *= 2  # all its numbers end in zeros
    assert changed(after, again) == {0: [7]}


def test_that_a_row_of_nan_that_stays_has_not_changed() -> None:
    before = drawn()
    before[0, 1, 0, 0, 3] = float("nan")
    assert changed(before, appended(before)) == {}


def test_that_a_full_window_moves_on() -> None:
    before = drawn()
    after = appended(before)[..., 1:, :]
    assert changed(before, after) == {}
    after[0, 2, 0, 0, 0, 0] += 1
    assert changed(before, after) == {2: [0]}


def test_that_heads_may_be_repeated_in_one_call_and_not_in_the_next() -> None:
    before = drawn()
    after = appended(before).repeat_interleave(2, 3)
    assert changed(before, after) == {}
    after[1, 8, 0, 2, 11] += 1
    assert changed(before, after) == {8: [11]}


def test_that_layers_whose_shape_changes_are_listed_whole() -> None:
    """Which rows were there cannot be told any more, so what is in the trace must not lean on them."""
    whole = {layer: list(range(40)) for layer in range(N_LAYERS)}
    assert changed(drawn(size=64), appended(drawn(size=32))) == whole
    assert changed(drawn(heads=3), appended(drawn(heads=2))) == whole


def test_that_a_prefix_that_was_fed_again_is_listed_and_the_new_rows_are_not() -> None:
    before = drawn()
    twice = torch.cat((before, before, before[..., :2, :]), 4)
    assert changed(before, twice, q_len=2) == {layer: list(range(40, 80)) for layer in range(N_LAYERS)}


def test_that_a_window_that_was_left_behind_is_listed_whole() -> None:
    """More rows were fed than the window holds: none of the old ones is left."""
    before = drawn(kv_len=10)
    assert changed(before, drawn(kv_len=8), q_len=6) == {layer: [0, 1] for layer in range(N_LAYERS)}


def test_that_a_layer_which_attends_for_the_first_time_is_listed_whole() -> None:
    before = drawn()
    journal = Journal()
    journal.changed_slots(layers_of(*before[:, :4]), 40)
    slots = journal.changed_slots(layers_of(*appended(before)), 1)
    assert [len(found) for found in slots] == [0] * 4 + [40] * (N_LAYERS - 4)


def test_that_crop_and_reorder_are_followed() -> None:
    rows = torch.cat((drawn(), drawn() + 1), 2)  # two rows of a batch
    journal = Journal()
    journal.changed_slots(layers_of(*rows), 40)
    journal.crop(20)
    journal.reorder((1, 1))
    after = appended(rows[:, :, [1, 1], :, :20])
    assert not any(len(found) for found in journal.changed_slots(layers_of(*after), 1))
