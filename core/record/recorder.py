"""Plays a plan on two lanes and turns each step into facts and arrays for the trace."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core import catalog
from core.record.figures import layer_differences, logit_figures, module_differences
from core.record.journal import Journal
from core.record.kept_logits import kept_logits, newest_top
from core.record.lane_data import LaneData, lane_data, lane_logits
from core.record.lanes import LaneStep, StepOutcome
from core.record.layer_facts import layer_facts, nbytes
from core.record.one_pass import NotCausal, can_look_ahead, look_ahead
from core.record.play import Pair, Played, play
from core.record.probe_choice import probe_changes_logits
from core.record.scenarios import Action, Plan
from core.targets.base import Target
from core.targets.load import Loader
from core.targets.wider import Wider
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import LANES, LaneFacts, LayerFacts, StepFacts

Arrays = dict[str, np.ndarray[Any, Any]]
Recorded = tuple[StepFacts, Arrays]
N_PROBED = 8  # tokens on which the watched run must equal the unwatched one bit for bit
N_TOP = 16  # tokens whose texts are kept with a step, from the top of each lane


def record(
    plan: Plan, loader: Loader, wider: Wider | None = None, one_pass_tolerance: float | None = None,
    tell: Callable[[], None] = lambda: None,
) -> Iterator[Recorded]:  # fmt: skip
    """Yield every step of the plan's measured run.

    With `wider` the same tokens run in a wider dtype too, on instances of their own: where rounding is as large
    as a fault, only a fault stays when the numbers get wider. With `one_pass_tolerance` the oracle runs once over
    the whole text, where the plan and the model allow it. `tell` is called when the target has come back from work that
    is no step.
    """
    notes: list[Text] = []
    is_watched = not probe_changes_logits(loader.scratch, torch.tensor([plan.prompt_rows[0][:N_PROBED]]))
    if not is_watched:
        notes.append(
            Text(
                QT_TRANSLATE_NOOP(
                    "core", "the target gives other logits when its attention is watched, so it was not"
                )
            )
        )
    pair = Pair(loader.fresh(), loader.fresh(), is_watched)
    wide = Pair(wider.instance(), wider.instance(), False) if wider is not None else None
    _play_through(plan.run_before, pair, wide, tell)
    one_pass = None
    if one_pass_tolerance is not None and wide is None and can_look_ahead(plan.actions):
        lanes = pair.new_run()
        try:
            one_pass = look_ahead(lanes, plan.actions, one_pass_tolerance, tell)
        except NotCausal as found:
            notes.append(found.text)
        notes.extend(lanes.notes)
        if plan.run_beside and one_pass is not None:
            one_pass = one_pass.text_alone()  # its calls alternate with another run's: this was none of them
        if one_pass is None or not one_pass.measured:  # that was a trial, and may have left its traces
            pair = Pair(loader.fresh(), loader.fresh(), is_watched)
            _play_through(plan.run_before, pair, wide, tell)
    beside = play(plan.run_beside, pair, wide)
    journal = Journal() if one_pass is None or not one_pass.measured else None
    measured = play(plan.actions, pair, wide, journal, one_pass)
    for step_index in range(plan.n_steps):
        # nothing here keeps a step: what it holds must be gone before the next one runs
        yield _step(step_index, next(measured), next(beside, None), journal, loader, notes)


def _play_through(
    actions: tuple[Action, ...], pair: Pair, wide: Pair | None, tell: Callable[[], None]
) -> None:
    for _ in play(actions, pair, wide):
        tell()


@torch.inference_mode()
def _step(
    step_index: int,
    played: Played,
    beside: Played | None,
    journal: Journal | None,
    loader: Loader,
    notes: list[Text],
) -> Recorded:
    played.notes.extend(note for note in notes if note not in played.notes)
    outcome = played.outcome
    q_len = outcome.new_ids.shape[1]
    oracle = _looked_into(outcome.oracle, q_len, outcome.text_len, played.notes)
    cached = _looked_into([outcome.cached], q_len, outcome.text_len, played.notes)
    figures = logit_figures(oracle.logits, cached.logits, is_compared(outcome))
    kept = kept_logits(oracle.logits, cached.logits)
    facts = StepFacts(
        step_index=step_index, kind=played.kind, tokens=outcome.new_ids.tolist(), text_len=outcome.text_len,
        max_abs_diff=worst_of(figures.max_abs_diff, *differences(beside.outcome if beside else None)),
        wide_max_abs_diff=worst_of(*differences(played.wide, beside.wide if beside else None)) if played.wide else None,
        judged_in=loader.wide_dtype if played.wide else None, narrow_limit=_narrow_limit(loader) if played.wide else None,
        argmax_oracle=figures.argmax_oracle, argmax_cached=figures.argmax_cached,
        worst_at=figures.worst_at, n_nonfinite=figures.n_nonfinite, rel_l2=figures.rel_l2, kl=figures.kl,
        margin=figures.margin, pads=list(outcome.pads), before=played.before, notes=[str(note) for note in played.notes],
        oracle=LaneFacts(elapsed_ms=oracle.elapsed_ms, layers=_seen_layers(oracle), output_errors=oracle.output_errors),
        cached=LaneFacts(
            elapsed_ms=cached.elapsed_ms, layers=_seen_layers(cached) if outcome.cached.layers is None else outcome.cached.layers, output_errors=cached.output_errors,
        ),
        token_texts=_token_texts(loader.scratch, outcome.new_ids, figures.worst_at[2], kept),
    )  # fmt: skip
    tensors = {
        "tokens": outcome.new_ids,
        **kept,
        **_lane_tensors("oracle", oracle, q_len),
        **_lane_tensors("cached", cached, q_len),
    }
    # without a journal it is known that no row has changed (core.record.one_pass)
    for layer, slots in enumerate(journal.changed_slots(cached.layers, q_len) if journal else ()):
        if len(slots):
            tensors[f"cached/layer.{layer}/changed_slots"] = slots
            tensors[f"cached/layer.{layer}/changed_k"] = cached.layers[layer].k[:, :, slots]
            tensors[f"cached/layer.{layer}/changed_v"] = cached.layers[layer].v[:, :, slots]
    try:
        tensors.update(layer_differences(oracle, cached, outcome.text_len))
        tensors.update(module_differences(oracle, cached))
    except Exception as error:  # layers that do not correspond: nothing is known of where it begins
        template = QT_TRANSLATE_NOOP("core", "the lanes' layers could not be compared: {reason}")
        facts.notes.append(str(Text(template, {"reason": str(error)[:200]})))
    return facts, to_numpy(tensors)


def _looked_into(steps: list[LaneStep], q_len: int, text_len: int, notes: list[Text]) -> LaneData:
    """Collect a lane's step; where the inside of a model is not as expected, its logits are judged all the same."""
    try:
        return lane_data(steps, q_len, text_len)
    except Exception as error:
        note = Text(
            QT_TRANSLATE_NOOP("core", "attention could not be recorded: {reason}"),
            {"reason": str(error)[:200]},
        )
        if note not in notes:
            notes.append(note)
        return LaneData(lane_logits(steps, q_len), None, [], sum(step.elapsed_ms for step in steps))


def _narrow_limit(loader: Loader) -> float:
    return catalog.NARROW_LIMIT * catalog.default_tolerance(loader.scratch.shape.dtype)


def is_compared(outcome: StepOutcome) -> Tensor:
    """Return [B, Q]: False for rows that hold pads."""
    batch, q_len = outcome.new_ids.shape
    place = torch.arange(outcome.text_len - q_len, outcome.text_len).expand(batch, -1)
    return place >= torch.tensor(outcome.pads or (0,) * batch).unsqueeze(1)


def worst_of(*diffs: float | None) -> float | None:
    """Return the largest difference, None where one is not finite; a step is as bad as the worse of two runs."""
    finite = [diff for diff in diffs if diff is not None]
    return max(finite) if len(finite) == len(diffs) else None


def differences(*outcomes: StepOutcome | None) -> list[float | None]:
    """Return max |logit difference| of each run that there is."""
    return [
        logit_figures(
            lane_logits(one.oracle, one.new_ids.shape[1]), one.cached.logits, is_compared(one)
        ).max_abs_diff
        for one in outcomes
        if one is not None
    ]


def _lane_tensors(lane: str, data: LaneData, q_len: int) -> dict[str, Tensor]:
    tensors = {}
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
    tensors.update({f"{lane}/module/{name}": rows for name, rows in data.modules.items()})
    return tensors


def _seen_layers(data: LaneData) -> list[LayerFacts]:
    """The oracle keeps nothing: its K and V are those that attention read."""
    return [
        layer_facts(layer.k, layer.v, nbytes((layer.k, layer.v)), layer.capacity or layer.k.shape[2], None)
        for layer in data.layers
    ]


def _token_texts(target: Target, new_ids: Tensor, worst_id: int, kept: dict[str, Tensor]) -> dict[str, str]:
    ids = {worst_id, *new_ids.flatten().tolist()}
    for lane in LANES:
        ids.update(newest_top(kept, lane, N_TOP))
    return {str(token_id): target.decode([token_id]) for token_id in sorted(ids)}


def to_numpy(tensors: dict[str, Tensor]) -> Arrays:
    """Copy tensors to numpy, those of one kind together; 16-bit floats become float32, which numpy and the trace can hold."""
    alike: dict[object, list[str]] = defaultdict(list)
    for name, tensor in tensors.items():
        alike[tensor.shape, tensor.dtype, tensor.device].append(name)
    copies: Arrays = {}
    for names in alike.values():
        together = torch.stack([tensors[name] for name in names])
        if together.dtype in (torch.bfloat16, torch.float16):
            together = together.float()
        rows = together.numpy(force=True)
        copies.update({name: rows[place, ...] for place, name in enumerate(names)})
    return {name: copies[name] for name in tensors}
