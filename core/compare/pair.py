"""Two traces as one: A as the oracle, B as the cached lane, so that one verdict and one window serve both kinds."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import catalog
from core.compare.align import Alignment, aligned, does_not_fit
from core.compare.differences import Layers, largest_difference, layer_differences
from core.compare.gather import row_axis, rows_of_tokens, steps_of
from core.compare.logits import Lane, LogitPair, logit_pair
from core.compare.names import NameMap, lane_names, matched
from core.text import QT_TRANSLATE_NOOP, Text, Values
from core.trace.complete import choices_of
from core.trace.figures import logit_figures
from core.trace.made import MadeTrace
from core.trace.reader import Trace
from core.trace.records import COMPARE, LANES, EndFacts, LaneFacts, RunInfo, StepFacts
from core.verdict.rows import rows_at

Array = NDArray[Any]


def compared(
    a: Trace, b: Trace, names: NameMap | None = None, lane: str | None = None, is_prefix: bool = False,
    tolerance: float | None = None,
) -> MadeTrace:  # fmt: skip
    """Return the comparison of two traces of the same tokens; closing it closes both.

    `lane` is the one that is compared where a trace has both: the cached one unless said otherwise.

    Raises:
        UnreadableError: they do not fit, with the reason.
    """
    lanes = [Lane(trace, _lane_of(trace, lane)) for trace in (a, b)]
    pair = _Pair(lanes[0], lanes[1], names or NameMap(), aligned(a, b, is_prefix))
    for step in {0, pair.alignment.n_steps - 1}:
        pair.names_at(step)
    if not any(pair.logits(step) for step in range(pair.alignment.n_steps)):
        raise does_not_fit("no token has logits in both")
    info = _info(lanes[0], lanes[1], pair.alignment, tolerance)
    end = EndFacts(status="complete", n_steps=pair.alignment.n_steps)
    return MadeTrace(
        Path(f"{a.path.name} | {b.path.name}"), info, end, pair.facts, pair.arrays, pair.close
    )  # fmt: skip


def _lane_of(trace: Trace, wanted: str | None) -> str:
    lanes = trace.lanes
    if wanted is not None and wanted not in lanes:
        raise does_not_fit(f"{trace.path.name} has no {wanted} lane")
    return wanted or ("cached" if "cached" in lanes else lanes[0])


def _info(a: Lane, b: Lane, alignment: Alignment, tolerance: float | None) -> RunInfo:
    one, other = a.trace.info, b.trace.info
    dtypes = one.model.dtype, other.model.dtype
    limits = [catalog.default_tolerance(dtype) for dtype in dtypes]
    places = (
        (QT_TRANSLATE_NOOP("core", "A, in the oracle's place: {file}, lane {lane}, {dtype}, target {target}"), a),
        (QT_TRANSLATE_NOOP("core", "B, in the cached lane's place: {file}, lane {lane}, {dtype}, target {target}"), b),
    )  # fmt: skip
    notes = [str(Text(template, _values_of(lane))) for template, lane in places]
    is_log = "log-probs" in (one.logits, other.logits)
    return RunInfo(
        target=f"{a.trace.path.name} | {b.trace.path.name}", scenario=COMPARE, model=other.model,
        prompt_ids=[list(row) for row in b.trace.facts(0).tokens], steps=alignment.n_steps,
        tolerance=max(limits) if tolerance is None else tolerance, prompt=other.prompt, layout=other.layout,
        notes=[*notes, *dict.fromkeys([*one.notes, *other.notes])], modules=other.modules or one.modules,
        logits="log-probs" if is_log else "raw", versions={},
    )  # fmt: skip


def _values_of(lane: Lane) -> Values:
    info = lane.trace.info
    return {
        "file": lane.trace.path.name,
        "lane": lane.name,
        "dtype": info.model.dtype,
        "target": info.target or "\u2013",
    }


@dataclass(frozen=True)
class _Pair:
    """Step i of the comparison is step i of B."""

    a: Lane
    b: Lane
    map: NameMap
    alignment: Alignment

    def close(self) -> None:
        self.a.trace.close()
        self.b.trace.close()

    def span(self, step: int) -> tuple[int, int]:
        """Return the tokens [begin, end) that the step feeds."""
        facts = self.b.trace.facts(step)
        return facts.text_len - facts.q_len, facts.text_len

    def steps_in_a(self, step: int) -> list[int]:
        return [step] if self.alignment.same_steps else steps_of(self.a.trace, *self.span(step))

    def names_at(self, step: int) -> dict[str, str]:
        """Return A's name -> B's name of the tensors of a step."""
        of_a = {name for at in self.steps_in_a(step) for name in lane_names(self.a.trace, at, self.a.name)}
        return matched(sorted(of_a), lane_names(self.b.trace, step, self.b.name), self.map)

    def logits(self, step: int) -> LogitPair | None:
        if not self.alignment.same_steps:
            return logit_pair(self.a, self.b, *self.span(step))
        return logit_pair(_at(self.a, step), _at(self.b, step), *self.span(step))

    def rows(self, step: int, of_a: str, of_b: str) -> tuple[Array, Array] | None:
        """Return the newest rows of a tensor that both have for the tokens of a step."""
        begin, end = self.span(step)
        lanes = (self.a, self.b) if not self.alignment.same_steps else (_at(self.a, step), _at(self.b, step))
        of_one = rows_of_tokens(lanes[0].trace, lanes[0].name, of_a, begin, end)
        of_other = rows_of_tokens(lanes[1].trace, lanes[1].name, of_b, begin, end, of_a)
        if of_one is None or of_other is None:
            return None
        axis, first = row_axis(of_a), max(of_one[0], of_other[0])
        one, other = (
            rows[(slice(None),) * axis + (slice(first - at, None),)] for at, rows in (of_one, of_other)
        )
        return one, other

    def facts(self, step: int) -> StepFacts:
        self.names_at(
            step
        )  # a name left over must not pass, and with it the checksums of both steps are looked at
        of_b, pair = self.b.trace.facts(step), self.logits(step)
        of_a = self.a.trace.facts(self.steps_in_a(step)[-1])
        shared: dict[str, Any] = {
            "step_index": step, "kind": of_b.kind, "tokens": of_b.tokens, "text_len": of_b.text_len, "pads": of_b.pads,
            "before": of_b.before, "token_texts": {**of_a.token_texts, **of_b.token_texts},
            "oracle": _lane_facts(of_a, self.a.name) if of_a.text_len == of_b.text_len else None,
            "cached": _lane_facts(of_b, self.b.name),
        }  # fmt: skip
        if pair is None:
            chosen = of_b.argmax_cached if self.b.name == "cached" else of_b.argmax_oracle
            return StepFacts(
                max_abs_diff=None, is_compared=False, argmax_oracle=chosen, argmax_cached=chosen, **shared
            )
        place = np.arange(of_b.text_len - pair.a.shape[1], of_b.text_len)
        is_compared = place >= np.array(of_b.pads or [0] * len(of_b.tokens))[:, None]
        figures = logit_figures(pair.a, pair.b, is_compared)
        row, query, column = figures.worst_at
        token = column if pair.ids is None else int(pair.ids[row, query, column])
        return StepFacts(
            max_abs_diff=figures.max_abs_diff, worst_at=[row, query + of_b.q_len - pair.a.shape[1], token],
            n_nonfinite=figures.n_nonfinite, rel_l2=figures.rel_l2, kl=figures.kl, margin=figures.margin,
            argmax_oracle=choices_of(pair.ids, pair.a), argmax_cached=choices_of(pair.ids, pair.b), **shared,
        )  # fmt: skip

    def arrays(self, step: int) -> dict[str, Array]:
        pair, text_len = self.logits(step), self.span(step)[1]
        found: dict[str, Array] = {"tokens": np.array(self.b.trace.facts(step).tokens, np.int64)}
        if pair is not None:
            for lane, rows in zip(LANES, (pair.a, pair.b), strict=True):
                found |= {f"{lane}/logits": rows} if pair.ids is None else {
                    f"{lane}/top_ids": pair.ids, f"{lane}/top_logits": rows
                }  # fmt: skip
        layers: dict[int, dict[str, tuple[Array, Array]]] = {}
        for of_a, of_b in self.names_at(step).items():
            both = self.rows(step, of_a, of_b)
            if both is None:
                raise does_not_fit(f"{of_a} has no rows for the tokens of step {step} in one of them")
            found |= {f"oracle/{of_a}": both[0], f"cached/{of_a}": both[1]}
            layer, _, kind = of_a.removeprefix("layer.").partition("/")
            if of_a.startswith("layer.") and layer.isdigit() and kind in ("q", "k", "v", "attn_weights"):
                layers.setdefault(int(layer), {})[kind] = both
            elif of_a.startswith("module/"):
                found[f"diff/{of_a}"] = _of_tokens(of_a, *both)
        return found | layer_differences(self._with_old_rows(step, layers), text_len)

    def _with_old_rows(self, step: int, layers: dict[int, dict[str, tuple[Array, Array]]]) -> Layers:
        """Where both traces hold all rows of their caches in the same steps, old rows are compared too: they may have changed."""
        if (
            not self.alignment.same_steps
            or not layers
            or self.map.names
            or sorted(layers) != list(range(len(layers)))
        ):
            return layers
        both = [rows_at(lane.trace, step, lane.name) for lane in (self.a, self.b)]
        if both[0] is None or both[1] is None or not len(both[0]) == len(both[1]) == len(layers):
            return layers
        for layer, (one, other) in enumerate(zip(*both, strict=True)):
            layers[layer] |= {
                kind: (one[at], other[at]) for at, kind in enumerate("kv") if kind in layers[layer]
            }
        return layers


class _OneStep(Trace):
    """A step of a trace by itself: rows are looked for nowhere else."""

    def __init__(self, trace: Trace, step: int) -> None:
        self.info, self._trace, self._step_index = trace.info, trace, step

    def __len__(self) -> int:
        return 1

    def facts(self, step_index: int) -> StepFacts:
        return self._trace.facts(self._step_index)

    def rows(self, step_index: int, name: str, at: tuple[int, ...] = ()) -> Array | None:
        return self._trace.rows(self._step_index, name, at)


def _at(lane: Lane, step: int) -> Lane:
    return Lane(_OneStep(lane.trace, step), lane.name)


def _lane_facts(facts: StepFacts, lane: str) -> LaneFacts | None:
    return facts.cached if lane == "cached" else facts.oracle


def _of_tokens(name: str, a: Array, b: Array) -> Array:
    """Return the largest |difference| of each token (B, Q)."""
    if a.shape != b.shape or a.ndim < 2:
        raise does_not_fit(f"{name} has shape {list(a.shape)} in A and {list(b.shape)} in B")
    return largest_difference(a.reshape(*a.shape[:2], -1), b.reshape(*b.shape[:2], -1))
