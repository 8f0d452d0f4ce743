"""Which attention calls of a step are set side by side, where the lanes do not make the same ones."""

from dataclasses import replace

import numpy as np

from core.verdict.diagnosis.evidence import Attention, Evidence, Lane


def alongside(evidence: Evidence) -> Evidence:
    """Leave out calls that have no counterpart in the other lane, or that attend to something else than the text.

    A lane that runs its model several times in a step answers with the last of them. An encoder's keys may be more than
    there are tokens; where both lanes read the same, nothing is to be found there.
    """
    n_calls, n_made = len(evidence.oracle.calls), len(evidence.cached.calls)
    if n_calls == 0 or n_made % n_calls or n_made == 0:
        return evidence
    newest = evidence.cached.calls[-n_calls:]
    if n_made > n_calls and not newest[0].q[:, :, 0].any():
        return evidence  # token by token: each call is of another one, and those before it are filled up with zeros
    kept = [
        index
        for index, (oracle, cached) in enumerate(zip(evidence.oracle.calls, newest, strict=True))
        if not _is_elsewhere(oracle, cached, evidence.n_tokens)
    ]
    if n_made == n_calls == len(kept) or not kept:
        return evidence
    others = tuple(
        replace(one, layers=tuple(one.layers[index] for index in kept)) if len(one.layers) == n_calls else one
        for one in evidence.others
    )
    return replace(
        evidence, oracle=_chosen(evidence.oracle, n_calls, kept), cached=_chosen(evidence.cached, n_calls, kept),
        last=None if evidence.last is None else _chosen(evidence.last, n_calls, kept), others=others,
        calls_at=tuple(n_made - n_calls + index for index in kept),
    )  # fmt: skip


def _is_elsewhere(oracle: Attention, cached: Attention, n_tokens: int) -> bool:
    """Whether the call reads more keys than there are tokens, the same in both lanes."""
    is_more = oracle.k.shape[2] > n_tokens
    return is_more and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5)
        for a, b in ((oracle.k, cached.k), (oracle.v, cached.v))
    )


def _chosen(lane: Lane, n_calls: int, kept: list[int]) -> Lane:
    newest = lane.calls[-n_calls:]
    return replace(lane, calls=tuple(newest[index] for index in kept) if len(newest) == n_calls else ())
