"""Votes that compare few pairs are those that comparing each row with each gives."""

import numpy as np
import pytest

from core.verdict.diagnosis import slot_match
from core.verdict.diagnosis.slot_match import K_VOTE, NEAR, V_VOTE, MatchedRows, distances, votes

TOLERANCE = 5e-5
N_TOKENS, WIDTH = 40, 24


def by_all_pairs(k: MatchedRows, v: MatchedRows) -> np.ndarray:
    far = [distances(rows.cached, rows.oracle, rows.scale) for rows in (k, v)]
    found = K_VOTE * (far[0] <= TOLERANCE) + V_VOTE * (far[1] <= TOLERANCE)
    worst = np.maximum(*far)
    near = np.where(worst < NEAR, 1 - worst / NEAR, 0.0)
    near = np.where(near == near.max(-1, keepdims=True), near, 0.0)
    best = np.where(found == found.max(-1, keepdims=True), found, 0.0)
    found = np.where(found.any(-1, keepdims=True), best, near)
    return found / np.maximum(1, (found > 0).sum(-1, keepdims=True))


def damaged(kind: str, oracle: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    made = oracle.copy()
    if kind == "near":
        made += 0.01 * rng.normal(size=made.shape)
    elif kind == "shuffled":
        made = made[rng.permutation(len(made))]
    elif kind == "zeros":
        made[::3] = 0
    elif kind == "not finite":
        made[::4, 2] = np.nan
    elif kind == "rounding":
        made += 1e-7 * rng.normal(size=made.shape)
    elif kind == "other":
        made = rng.normal(size=made.shape)
    return made


KINDS = ("healthy", "near", "shuffled", "zeros", "not finite", "rounding", "other")


@pytest.mark.parametrize("k_kind", KINDS)
@pytest.mark.parametrize("v_kind", KINDS)
@pytest.mark.parametrize("is_repetitive", [False, True])
def test_that_votes_are_those_of_all_pairs(k_kind: str, v_kind: str, is_repetitive: bool) -> None:
    rng = np.random.default_rng(0)
    oracle = [rng.normal(size=(N_TOKENS, WIDTH)) for _ in "kv"]
    if is_repetitive:  # the first layer's values know the token id alone
        oracle = [rows[np.arange(N_TOKENS) % 7] for rows in oracle]
    oracle[0][:2] = np.nan  # tokens before the oracle's first key
    k, v = (
        MatchedRows(damaged(kind, rows, rng), rows, 1.0)
        for kind, rows in zip((k_kind, v_kind), oracle, strict=True)
    )
    np.testing.assert_allclose(votes(k, v, TOLERANCE), by_all_pairs(k, v), atol=1e-6)


def test_that_rows_which_all_look_alike_are_compared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    same = MatchedRows(np.ones((N_TOKENS, WIDTH)), np.ones((N_TOKENS, WIDTH)), 1.0)
    asked = []
    monkeypatch.setattr(slot_match, "distances", lambda *rows: (asked.append(1), distances(*rows))[1])
    np.testing.assert_allclose(votes(same, same, TOLERANCE), np.full((N_TOKENS, N_TOKENS), 1 / N_TOKENS))
    assert asked
