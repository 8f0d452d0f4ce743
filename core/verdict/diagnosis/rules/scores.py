"""Scores before softmax: queries and keys agree, and what is made of them does not (scale, bias)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.text import QT_TRANSLATE_NOOP, Text
from core.verdict.diagnosis.compared import Compared, ComparedCall
from core.verdict.diagnosis.evidence import Attention
from core.verdict.diagnosis.hypothesis import Hypothesis, Repair
from core.verdict.diagnosis.paired import Bools
from core.verdict.diagnosis.rules.parts import layers_from, place_of_query
from core.verdict.locate import Place

Floats = NDArray[np.float64]
SCORES_AGREE = 20.0  # times the tolerance of vectors: scores are sums of products
EXPLAINED = 0.98  # share of the scores' variance that a factor must explain
OTHER_SCALE = 0.02  # factors nearer to each other are one
SAME_BIAS = 0.02  # of the bias' spread


@dataclass(frozen=True)
class ScoreView:
    """Scores of one call over tokens that both lanes let the query see, less their mean per query and head."""

    call: ComparedCall

    @cached_property
    def common(self) -> Bools:
        """(B, 1, Q, T)"""
        call = self.call
        return np.asarray((call.seen_oracle & call.seen_cached)[:, None])

    @cached_property
    def oracle(self) -> Floats:
        return self.centred(self.call.by_token(self.call.pair.oracle.scores, -np.inf))

    @cached_property
    def cached(self) -> Floats:
        return self.centred(self.call.by_slot(self.call.pair.cached.scores, -np.inf))

    @cached_property
    def products(self) -> Floats:
        """q k of the cached lane, not scaled."""
        return self.centred(self.call.by_slot(products(self.call.pair.cached), 0.0))

    @cached_property
    def spread(self) -> float:
        """Return the rms of the oracle's scores around their means."""
        count = max(1, int(np.broadcast_to(self.common, self.oracle.shape).sum()))
        return max(float(np.sqrt((self.oracle**2).sum() / count)), 1e-9)

    @cached_property
    def distance(self) -> Floats:
        """(B, Q): rms difference of the scores, of their spread; what all keys of a query share does not count."""
        count = np.maximum(1, self.common.sum(-1).squeeze(1))
        square = ((self.cached - self.oracle) ** 2).sum(-1).max(1)
        found = np.sqrt(square / count) / self.spread
        return np.where(self.call.is_query, np.nan_to_num(found, nan=np.inf), 0.0)

    def centred(self, scores: Floats) -> Floats:
        """Take the mean over the common tokens away; 0 elsewhere."""
        common = np.broadcast_to(self.common, scores.shape) & np.isfinite(scores)
        kept = np.where(common, scores, 0.0)
        mean = kept.sum(-1, keepdims=True) / np.maximum(1, common.sum(-1, keepdims=True))
        return np.where(common, kept - mean, 0.0)


def products(call: Attention) -> Floats:
    """Return q k (B, H, Q, S) of a lane's own tensors."""
    k = np.repeat(call.k.astype(np.float64), call.q.shape[1] // call.k.shape[1], axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(call.q.astype(np.float64) @ np.nan_to_num(k).swapaxes(2, 3))


def scores_agree(call: ComparedCall) -> bool:
    """Whether the scores are seen to be the same, up to what all keys of a query share; one key alone shows nothing."""
    view = ScoreView(call)
    is_shown = bool((view.common.sum(-1).squeeze(1) > 1)[call.is_query].all())
    return is_shown and not bool((view.distance > SCORES_AGREE * call.tolerance).any())


def wrong_scores(step: Compared) -> Iterator[Hypothesis]:
    """In the first call whose scores differ, q and the keys agree: the factor or the bias is another."""
    views = [ScoreView(call) for call in step.calls]
    suspects = [view for view in views if _is_introduced(view).any()]
    if not suspects:
        yield from _other_scale(step, views)
        return
    first = suspects[0]
    factor = _factor(first)
    one = _wrong_bias(step, first) if factor is None else _wrong_scale(step, first, factor)
    yield one
    if factor is None:  # a bias blurs the fit of the factor where attention is written by hand
        yield replace(one, repair=Repair(("bias", "scale"), layers_from(step, first.call.layer)))
    # where scores are bent before the softmax (a soft cap), they cannot be taken apart
    yield replace(one, repair=Repair(("scores",), layers_from(step, first.call.layer)))


def scaled_queries(step: Compared) -> Iterator[Hypothesis]:
    """Keys agree, and the queries are the oracle's times one factor: a scale that is multiplied into them beforehand."""
    for call in step.calls:
        bad = call.q_distance > call.tolerance
        if call.differs.any():
            return
        if not bad.any():
            continue
        n = call.pair.q_len
        cached, oracle = (
            lane.q[:, :, -n:].transpose(0, 2, 1, 3)[bad].astype(np.float64)
            for lane in (call.pair.cached, call.pair.oracle)
        )
        factor = float((cached * oracle).sum() / max(float((oracle**2).sum()), 1e-30))
        rest = float(
            np.sqrt(((cached - factor * oracle) ** 2).mean() / max(float((cached**2).mean()), 1e-30))
        )
        if factor > 0 and abs(factor - 1) > OTHER_SCALE and rest <= call.tolerance:
            place = place_of_query(call, "q", bad, float(call.q_distance.max()))
            repair = Repair(("q",), layers_from(step, call.layer))
            known = _wrong_scale(step, ScoreView(call), factor)
            before = Text(
                QT_TRANSLATE_NOOP("core", "Keys agree; the queries are the oracle's times that factor.")
            )
            yield replace(known, evidence=(before, *known.evidence[1:]), place=place, repair=repair)
        return


def _other_scale(step: Compared, views: list[ScoreView]) -> Iterator[Hypothesis]:
    """Where q or keys are wrong too: the lanes multiply their own q k by different factors, and add nothing."""
    for view in views[:1]:
        call = view.call
        oracle = fitted_scale(view, view.oracle, call.by_token(products(call.pair.oracle), 0.0))
        cached = fitted_scale(view, view.cached, call.by_slot(products(call.pair.cached), 0.0))
        if oracle and cached and abs(cached / oracle - 1) > OTHER_SCALE:
            yield _wrong_scale(step, view, cached / oracle)


def fitted_scale(view: ScoreView, scores: Floats, q_k: Floats) -> float | None:
    """Return what q k is multiplied by to give the scores, None where that does not explain them."""
    x = view.centred(q_k)
    slope = float((scores * x).sum() / max((x * x).sum(), 1e-30))
    rest = float(((scores - slope * x) ** 2).sum())
    return slope if slope > 0 and rest <= 1e-4 * float((scores**2).sum()) else None


def _is_introduced(view: ScoreView) -> Bools:
    """(B, Q): queries whose scores differ although q and all keys that they see agree."""
    call = view.call
    is_wrong = view.distance > SCORES_AGREE * call.tolerance
    agrees = call.q_distance <= call.tolerance
    at = call.slots.slot_of
    bad_key = np.stack([_bad_tokens(call, b, at(b, call.n_tokens)) for b in range(len(is_wrong))])
    sees_bad = (call.seen_cached & bad_key[:, None]).any(-1)
    return np.asarray(is_wrong & agrees & ~sees_bad)


def _bad_tokens(call: ComparedCall, b: int, slot: NDArray[np.int64]) -> Bools:
    held = slot >= 0
    found = np.zeros(len(slot), dtype=bool)
    found[held] = call.slots.k_distance[b, slot[held]] > call.tolerance
    return found


def _factor(view: ScoreView) -> float | None:
    """Return by which factor q k enters the scores more than in the oracle, None where that does not explain them."""
    delta, x = view.cached - view.oracle, view.products
    total = float((delta**2).sum())
    slope = float((delta * x).sum() / max((x * x).sum(), 1e-30))
    if total <= 0 or ((delta - slope * x) ** 2).sum() > (1 - EXPLAINED) * total:
        return None
    scale = own_scale(view)
    return (scale + slope) / scale if scale > 0 else None


def own_scale(view: ScoreView) -> float:
    """Return what the oracle multiplies q k by: as handed over, as fitted where that is exact, else 1 / sqrt(D)."""
    call = view.call.pair.oracle
    if call.scale is not None:
        return call.scale
    fitted = fitted_scale(view, view.oracle, view.call.by_token(products(call), 0.0))
    return float(call.q.shape[-1] ** -0.5) if fitted is None else fitted


def _wrong_scale(step: Compared, view: ScoreView, factor: float) -> Hypothesis:
    head_dim = view.call.pair.cached.q.shape[-1]
    root = float(np.sqrt(head_dim))
    sentence = Text(
        QT_TRANSLATE_NOOP("core", "The scores q k are multiplied by {factor} times the oracle's factor."),
        {"factor": f"{factor:.4g}"},
    )
    evidence = [Text(QT_TRANSLATE_NOOP("core", "q, k and the mask agree; the scores are in proportion."))]
    for known, template in (
        (root, QT_TRANSLATE_NOOP("core", "{root} is the square root of the head size {head_dim}: it was not divided by.")),
        (1 / root, QT_TRANSLATE_NOOP("core", "{root} is the square root of the head size {head_dim}: it was divided by twice.")),
    ):  # fmt: skip
        if abs(factor / known - 1) < 0.02:
            evidence.append(Text(template, {"root": f"{root:.4g}", "head_dim": head_dim}))
    place = _place(view)
    return Hypothesis(
        "scale-wrong",
        sentence,
        tuple(evidence),
        place,
        Repair(("scale",), layers_from(step, view.call.layer)),
        step.slots.placements,
    )


def _wrong_bias(step: Compared, first: ScoreView) -> Hypothesis:
    sentence = Text(
        QT_TRANSLATE_NOOP("core", "What is added to q k (the position bias) is not that of this query's row.")
    )
    evidence = [
        Text(
            QT_TRANSLATE_NOOP(
                "core", "q, k and the mask agree; the scores do not, and no factor explains it."
            )
        )
    ]
    scale = own_scale(first)
    x = first.centred(first.call.by_token(products(first.call.pair.oracle), 0.0))
    bias_oracle, bias_cached = first.oracle - scale * x, first.cached - scale * first.products
    spread = float(np.sqrt((bias_oracle**2).mean()))
    if spread > 1e-6 and np.abs(bias_cached).max() <= SAME_BIAS * max(spread, 1e-9) * 3:
        evidence.append(Text(QT_TRANSLATE_NOOP("core", "In the cached lane nothing is added at all.")))
    elif (row := _row_of_bias(first, bias_oracle, bias_cached)) is not None:
        evidence.append(Text(
            QT_TRANSLATE_NOOP("core", "It is the bias of query position {row}, where {token} is meant."),
            {"row": row, "token": int(first.call.query_token[-1])},
        ))  # fmt: skip
    repair = Repair(("bias",), layers_from(step, first.call.layer))
    return Hypothesis(
        "bias-wrong-row", sentence, tuple(evidence), _place(first), repair, step.slots.placements
    )


def _row_of_bias(view: ScoreView, oracle: Floats, cached: Floats) -> int | None:
    """Return the query position whose bias the newest query got, where the bias is a function of the distance."""
    call, token = view.call, int(view.call.query_token[-1])
    seen = view.common[0, 0, -1]
    by_distance = call.by_token(call.pair.oracle.scores, np.nan)[0, :, -1] * 0 + oracle[0, :, -1]
    spread = float(np.nanstd(by_distance)) or 1.0
    best: tuple[float, int] | None = None
    for row in range(token):
        distance = np.clip(row - np.arange(call.n_tokens), 0, token)
        expected = by_distance[:, token - distance][:, seen]
        expected = expected - expected.mean(-1, keepdims=True)
        rest = float(np.abs(cached[0, :, -1][:, seen] - expected).max()) / spread
        if np.isfinite(rest) and (best is None or rest < best[0]):
            best = rest, row
    return best[1] if best is not None and best[0] < SAME_BIAS * 5 else None


def _place(view: ScoreView) -> Place:
    wrong = _is_introduced(view)
    wrong = wrong if wrong.any() else view.call.is_query
    return place_of_query(view.call, "scores", wrong, float(view.distance[wrong].max()))
