"""Each cause is named by its signature, on evidence of a decoder in numpy."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.verdict.diagnosis.compared import compare
from core.verdict.diagnosis.diagnose import hypotheses
from core.verdict.diagnosis.hypothesis import Hypothesis
from tests.core.verdict.diagnosis.toy import TEXT, Array, Fault, evidence, rotated

PAIR = np.array([[3, 1, 4, 1, 5, 9, 2, 6, 5], [2, 7, 1, 8, 2, 8, 1, 8, 3]])
Part = Callable[[Array], Array]


def first(fault: Fault, **facts: object) -> Hypothesis:
    return hypotheses(compare(evidence(fault, **facts)))[0]  # type: ignore[arg-type]


def both(change: Part) -> Callable[[int, Array, Array], tuple[Array, Array]]:
    return lambda layer, k, v: (change(k), change(v))


def zero_row(x: Array) -> Array:
    x = x.copy()
    x[:, :, -2] = 0
    return x


def twice(x: Array) -> Array:
    return np.concatenate((x[:, :, :-1], x[:, :, :-1], x[:, :, -1:]), 2)


def with_tail(x: Array) -> Array:
    return np.concatenate((x, np.zeros_like(x[:, :, :4])), 2)


def foreign_rows_first(x: Array) -> Array:
    return np.concatenate((np.random.default_rng(1).normal(size=x[:, :, :3].shape), x), 2)


def old_only(k: Array, change: Part) -> Array:
    return np.concatenate((change(k[:, :, :-1]), k[:, :, -1:]), 2)


def positions(k: Array) -> Array:
    return np.arange(k.shape[2], dtype=float)


def reshaped(x: Array) -> Array:
    return x.transpose(0, 2, 1, 3).reshape(x.shape)


def wrapped(x: Array) -> Array:
    is_largest = np.abs(x) == np.abs(x).max(-1, keepdims=True)
    return np.where(is_largest, -x, x)


def future(seen: np.ndarray) -> np.ndarray:
    return np.ones_like(seen)


def top_left(seen: np.ndarray) -> np.ndarray:
    return np.arange(seen.shape[-1]) <= np.arange(seen.shape[-2])[:, None] + np.zeros(seen.shape, dtype=int)


CASES = {
    "position-reset": (Fault(position=lambda p: p - p[..., :1]), {}),
    "position-drift": (Fault(position=lambda p: p + 1), {}),
    "rope-mismatch: told right": (Fault(position=lambda p: p - 1, told=lambda p: p), {}),
    "rope-mismatch: queries alone": (Fault(q_position=lambda p: p + 1, told=lambda p: p), {}),
    "rope-mismatch: twice": (Fault(spoil=lambda _, k, v: (old_only(k, lambda x: rotated(x, positions(x))), v)), {}),
    "rope-mismatch: raw": (Fault(spoil=lambda _, k, v: (rotated(k, -positions(k)), v)), {}),
    "position-drift: nothing told": (Fault(position=lambda p: p + 1, knows_positions=False), {}),
    "position-reset: in the embedding, nothing told": (
        Fault(position=lambda p: p - p[..., :1], knows_positions=False), {"is_absolute": True}),
    "prefix-refed": (Fault(spoil=both(twice), mask=future), {}),
    "tail-unmasked": (Fault(spoil=both(with_tail), mask=future), {}),
    "stale-rows": (Fault(spoil=both(foreign_rows_first), mask=future), {"q_len": 9}),
    "slot-lost: zeros": (Fault(spoil=both(zero_row)), {}),
    "slot-lost: newest": (Fault(spoil=both(lambda x: x[:, :, :-1])), {}),
    "slot-lost: previous": (Fault(spoil=both(lambda x: np.delete(x, -2, 2))), {}),
    "mask-top-left": (Fault(mask=top_left), {}),
    "mask-missing": (Fault(mask=future), {"q_len": 3}),
    "row-mixed": (Fault(spoil=both(lambda x: np.concatenate((x[:1], old_only(x[1:], lambda _: x[:1, :, :-1]))))), {"text": PAIR}),
    "kv-swapped": (Fault(spoil=lambda _, k, v: (k, k)), {}),
    "head-map-wrong": (Fault(spoil=both(lambda x: x[:, ::-1])), {}),
    "value-degraded: float16": (Fault(spoil=both(lambda x: x.astype(np.float16).astype(float))), {}),
    "value-degraded: whole numbers": (Fault(spoil=both(lambda x: np.round(x / 0.05))), {}),
    "scale-wrong": (Fault(scale=8**0.5), {}),
    "scale-wrong: keys": (Fault(spoil=lambda _, k, v: (k * 0.25, v)), {}),
    "value-degraded: the largest numbers wrap around": (Fault(spoil=both(wrapped)), {}),
    "scale-wrong: queries": (Fault(q_factor=3.0), {}),
    "window-boundary: the first tokens stay visible": (Fault(mask=lambda seen: seen & (np.arange(seen.shape[-1]) != 2)), {}),
    "layout-scrambled": (Fault(spoil=both(reshaped)), {"q_len": 9}),
    "bias-wrong-row": (Fault(bias=lambda distance: 0.0 * distance), {"has_bias": True}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_that_a_cause_is_named(name: str) -> None:
    fault, facts = CASES[name]
    assert first(fault, **facts).cause == name.partition(":")[0]


@pytest.mark.parametrize(
    "facts", [{}, {"has_bias": True}, {"is_absolute": True}, {"q_len": 4}, {"text": PAIR}]
)
def test_that_a_healthy_step_has_no_cause(facts: dict[str, object]) -> None:
    found = hypotheses(compare(evidence(**facts)))  # type: ignore[arg-type]
    assert {one.cause for one in found} == {"unknown"}
    assert all(one.repair is None for one in found)


def test_that_a_rotation_is_solved_in_positions() -> None:
    one = first(Fault(position=lambda p: p - 1, told=lambda p: p))
    assert (
        str(one.sentence)
        == "The rotation does not follow the position: token 8 is told 8 and is rotated as 7."
    )
    assert one.place.layer == 0
    assert one.place.tensor == "q"


def test_that_a_shift_of_all_positions_is_no_cause() -> None:
    """Rotary attention sees differences of positions only."""
    shifted = evidence(
        Fault(
            position=lambda p: p + 3, spoil=lambda _, k, v: (old_only(k, lambda x: rotated(x, np.full(x.shape[2], 3.0))), v)
        )
    )  # fmt: skip
    assert {one.cause for one in hypotheses(compare(shifted))} == {"unknown"}


def test_that_a_lost_row_is_placed_and_repaired_at_its_slot() -> None:
    one = first(Fault(spoil=both(zero_row)))
    lost = TEXT.shape[1] - 2
    assert (one.place.layer, one.place.slot) == (0, lost)
    assert one.repair is not None
    assert one.repair.slots == ((0, lost),)


def test_that_layers_that_share_a_cache_are_named() -> None:
    kept: list[tuple[Array, Array]] = []

    def share(layer: int, k: Array, v: Array) -> tuple[Array, Array]:
        kept.append((k, v))
        first_k, first_v = kept[0]
        return (
            (k, v)
            if layer == 0
            else tuple(
                np.concatenate((a[:, :, :-1], b[:, :, -1:]), 2) for a, b in ((first_k, k), (first_v, v))
            )
        )  # type: ignore[return-value]

    one = first(Fault(spoil=share))
    assert one.cause == "layer-aliased"
    assert str(one.sentence) == "Layers share one cache: the slots of layer 1 hold the rows of layer 0."


def test_that_rows_appended_to_one_cache_by_all_layers_are_named() -> None:
    kept: list[tuple[Array, Array]] = []

    def share(layer: int, k: Array, v: Array) -> tuple[Array, Array]:
        kept.append((k, v))
        return tuple(np.concatenate(rows, 2) for rows in zip(*kept, strict=True))  # type: ignore[return-value]

    def seen(old: np.ndarray) -> np.ndarray:
        q_len, n_slots = old.shape[-2:]
        return np.arange(n_slots) <= np.arange(q_len)[:, None] + n_slots - q_len + np.zeros(
            old.shape, dtype=int
        )

    one = first(Fault(spoil=share, mask=seen), q_len=9)
    assert one.cause == "layer-aliased"
    assert "rows too many (slots 0-8) are those of another layer" in str(one.sentence)


def test_that_a_window_that_is_one_token_too_wide_is_named_by_its_distance() -> None:
    def short(seen: np.ndarray) -> np.ndarray:
        return seen & (np.arange(seen.shape[-1]) > seen.shape[-1] - 6)

    narrow, wide = evidence(Fault(mask=short)), evidence()
    one = hypotheses(compare(replace(wide, oracle=narrow.cached)))[0]
    assert one.cause == "window-boundary"
    assert "Tokens at distances 5-8 are seen" in " ".join(map(str, one.evidence))


def test_that_a_broken_oracle_is_the_only_suspect() -> None:
    found = hypotheses(compare(evidence(is_prefix_invariant=False, is_invariant_when_short=False)))
    assert [one.cause for one in found] == ["oracle-broken"]
    found = hypotheses(compare(evidence(is_prefix_invariant=False)))
    assert [one.cause for one in found] == ["context-overflow"]


def test_that_what_no_signature_knows_is_called_unknown_with_its_place() -> None:
    noise = np.random.default_rng(2)
    found = hypotheses(
        compare(
            evidence(Fault(spoil=lambda layer, k, v: (k, v + (layer == 1) * noise.normal(size=v.shape) * 3)))
        )
    )
    assert found[0].cause == "unknown"
    assert (found[0].place.layer, found[0].place.tensor) == (1, "v")
