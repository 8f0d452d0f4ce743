"""Plays a plan on two lanes and turns each step into facts and arrays for the trace."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.record import scenarios
from core.record.figures import layer_differences, logit_figures
from core.record.journal import Journal
from core.record.lane_data import LaneData, lane_data
from core.record.lanes import StepOutcome, TwoLanes
from core.record.scenarios import Action, Plan
from core.targets.base import CacheLayer, Target
from core.trace.records import LaneFacts, LayerFacts, StepFacts, StepKind

Arrays = dict[str, np.ndarray[Any, Any]]
N_TOP = 16  # tokens whose texts are kept with a step, from the top of each lane


def record(plan: Plan, load: Callable[[], Target]) -> Iterator[tuple[StepFacts, Arrays]]:
    """Yield every step of the plan's measured run. `load` gives a fresh instance for each lane."""
    oracle, tested = load(), load()
    if plan.run_before:
        _play_through(plan.run_before, TwoLanes(oracle, tested))
    lanes = TwoLanes(oracle, tested)
    beside = _play(plan.run_beside, TwoLanes(oracle, tested))
    journal = Journal()
    for step_index, (outcome, kind, before) in enumerate(_play(plan.actions, lanes, journal)):
        other = next(beside, None)
        yield _step(step_index, outcome, kind, before, journal, tested, other[0] if other else None)


def _play_through(actions: tuple[Action, ...], lanes: TwoLanes) -> None:
    for _ in _play(actions, lanes):
        pass


def _play(
    actions: tuple[Action, ...], lanes: TwoLanes, journal: Journal | None = None
) -> Iterator[tuple[StepOutcome, StepKind, str | None]]:
    """Yield (outcome, kind, what happened to the cache just before) for each call."""
    before: str | None = None
    for action in actions:
        match action:
            case scenarios.Feed(rows, kind):
                yield lanes.feed_rows(rows), kind, before
            case scenarios.FeedGreedy():
                yield lanes.feed(lanes.next_ids), "decode", before
            case scenarios.FeedDraft():
                yield lanes.feed(lanes.draft_ids()), "draft", before
            case scenarios.Crop(n_tokens):
                lanes.crop(n_tokens)
                if journal is not None:
                    journal.crop(n_tokens)
            case scenarios.Reorder(batch_rows):
                lanes.reorder(batch_rows)
                if journal is not None:
                    journal.reorder(batch_rows)
        before = _describe(action)


def _describe(action: Action) -> str | None:
    match action:
        case scenarios.Crop(n_tokens):
            return f"crop {n_tokens}"
        case scenarios.Reorder(batch_rows):
            return f"reorder {','.join(map(str, batch_rows))}"
        case _:
            return None


def _step(
    step_index: int, outcome: StepOutcome, kind: StepKind, before: str | None, journal: Journal, target: Target,
    beside: StepOutcome | None,
) -> tuple[StepFacts, Arrays]:  # fmt: skip
    q_len = outcome.new_ids.shape[1]
    oracle, cached = lane_data(outcome.oracle, q_len), lane_data([outcome.cached], q_len)
    figures = logit_figures(oracle.logits, cached.logits, _is_compared(outcome))
    max_abs_diff = figures.max_abs_diff
    if beside is not None:  # the step is as bad as the worse of the two runs
        max_abs_diff = _worse(max_abs_diff, _max_abs_diff(beside))
    facts = StepFacts(
        step_index=step_index, kind=kind, tokens=outcome.new_ids.tolist(), text_len=outcome.text_len,
        max_abs_diff=max_abs_diff, argmax_oracle=figures.argmax_oracle, argmax_cached=figures.argmax_cached,
        worst_at=figures.worst_at, n_nonfinite=figures.n_nonfinite, rel_l2=figures.rel_l2, kl=figures.kl,
        margin=figures.margin, pads=list(outcome.pads), before=before,
        oracle=LaneFacts(elapsed_ms=oracle.elapsed_ms, layers=_seen_layers(oracle)),
        cached=LaneFacts(elapsed_ms=cached.elapsed_ms, layers=_cache_layers(outcome.cached.layers, cached)),
        token_texts=_token_texts(target, outcome.new_ids, figures.worst_at[2], oracle.logits, cached.logits),
    )  # fmt: skip
    tensors = {
        "tokens": outcome.new_ids,
        **_lane_tensors("oracle", oracle, q_len),
        **_lane_tensors("cached", cached, q_len),
    }
    for layer, slots in enumerate(journal.changed_slots(cached.layers, q_len)):
        if len(slots):
            tensors[f"cached/layer.{layer}/changed_slots"] = slots
            tensors[f"cached/layer.{layer}/changed_k"] = cached.layers[layer].k[:, :, slots]
            tensors[f"cached/layer.{layer}/changed_v"] = cached.layers[layer].v[:, :, slots]
    tensors.update(layer_differences(oracle, cached))
    return facts, {name: to_numpy(tensor) for name, tensor in tensors.items()}


def _is_compared(outcome: StepOutcome) -> Tensor:
    """Return [B, Q]: False for rows that hold pads."""
    batch, q_len = outcome.new_ids.shape
    place = torch.arange(outcome.text_len - q_len, outcome.text_len).expand(batch, -1)
    return place >= torch.tensor(outcome.pads or (0,) * batch).unsqueeze(1)


def _max_abs_diff(outcome: StepOutcome) -> float | None:
    q_len = outcome.new_ids.shape[1]
    oracle, cached = outcome.oracle[0].logits[:, -q_len:], outcome.cached.logits
    return logit_figures(oracle, cached, _is_compared(outcome)).max_abs_diff


def _worse(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else max(a, b)


def _lane_tensors(lane: str, data: LaneData, q_len: int) -> dict[str, Tensor]:
    tensors = {f"{lane}/logits": data.logits}
    if data.position_ids is not None:
        tensors[f"{lane}/position_ids"] = data.position_ids
    for index, layer in enumerate(data.layers):
        prefix = f"{lane}/layer.{index}/"
        tensors[prefix + "q"] = layer.q
        tensors[prefix + "k"] = layer.k[:, :, -q_len:]
        tensors[prefix + "v"] = layer.v[:, :, -q_len:]
        tensors[prefix + "attn_weights"] = layer.attn_weights
        if layer.allowed is not None:
            tensors[prefix + "mask"] = layer.allowed
    return tensors


def _seen_layers(data: LaneData) -> list[LayerFacts]:
    """The oracle keeps nothing: its K and V are those that attention read."""
    return [
        _layer_facts(layer.k, layer.v, _nbytes((layer.k, layer.v)), layer.k.shape[2], None)
        for layer in data.layers
    ]


def _cache_layers(layers: list[CacheLayer] | None, data: LaneData) -> list[LayerFacts]:
    if layers is None:
        return _seen_layers(data)
    storages: dict[int, str] = {}
    facts = []
    for layer in layers:
        storage = storages.setdefault(layer.buffers[0].untyped_storage().data_ptr(), f"#{len(storages) + 1}")
        facts.append(
            _layer_facts(layer.k, layer.v, _nbytes(layer.buffers), layer.capacity, storage, layer.block_table)
        )
    return facts


def _layer_facts(
    k: Tensor,
    v: Tensor,
    allocated: int,
    capacity: int,
    storage: str | None,
    table: list[list[int]] | None = None,
) -> LayerFacts:
    return LayerFacts(
        k_shape=list(k.shape), v_shape=list(v.shape), dtype=str(k.dtype).removeprefix("torch."), nbytes=_nbytes((k, v)),
        allocated_nbytes=allocated, capacity=capacity, storage=storage, block_table=table,
    )  # fmt: skip


def _nbytes(tensors: tuple[Tensor, ...]) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def _token_texts(target: Target, new_ids: Tensor, worst_id: int, *logits: Tensor) -> dict[str, str]:
    ids = {worst_id, *new_ids.flatten().tolist()}
    for one in logits:
        ids.update(one[:, -1].topk(min(N_TOP, one.shape[-1]), -1).indices.flatten().tolist())
    return {str(token_id): target.decode([token_id]) for token_id in sorted(ids)}


def to_numpy(tensor: Tensor) -> np.ndarray[Any, Any]:
    """Copy a tensor to numpy; 16-bit floats become float32, which numpy and the trace can hold."""
    if tensor.dtype in (torch.bfloat16, torch.float16):
        tensor = tensor.float()
    return tensor.detach().contiguous().cpu().numpy().copy()
