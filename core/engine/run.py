"""One run inside the engine process: from a spec to a growing trace."""

import platform
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from core import catalog
from core.engine.messages import RunSpec
from core.errors import UsageError
from core.record.recorder import record
from core.record.scenarios import Plan, Texts, make_plan
from core.targets.base import Target
from core.targets.load import target_loader
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import EndStatus, RunInfo
from core.trace.writer import TraceWriter
from core.version import VERSION


class Skipped(Exception):
    """The target cannot do this scenario."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(str(text))


class Run:
    """Records step after step into `path` + ".part"; `close` gives the trace its name."""

    def __init__(self, spec: RunSpec, path: Path) -> None:
        load = target_loader(spec)
        target = load()
        check_supported(spec, target)
        texts = _texts(spec, target)
        self.plan = make_plan(spec.scenario, texts, spec.steps, target.shape.max_length)
        self.notes = _notes(spec, self.plan)
        self.writer = TraceWriter(path, _info(spec, target, self.plan, self.notes))
        self._steps = record(self.plan, load)

    def steps(self) -> Iterator[int]:
        """Record the steps that are left, yielding the index of each once it is in the trace."""
        with torch.inference_mode():
            for facts, tensors in self._steps:
                self.writer.add_step(facts, tensors)
                yield facts.step_index

    def close(self, status: EndStatus, reason: str | None = None) -> Path:
        return self.writer.close(status, reason, self.notes)


def check_supported(spec: RunSpec, target: Target) -> None:
    """Raise Skipped when the target lacks what the scenario needs."""
    if spec.scenario == "rollback" and spec.layout == "sliding":
        raise Skipped(
            Text(QT_TRANSLATE_NOOP("core", "a sliding cache overwrites old rows, it cannot be rolled back"))
        )
    for scenario, function in (("rollback", "crop"), ("beam-reorder", "reorder")):
        if spec.scenario == scenario and not callable(getattr(target, function, None)):
            raise Skipped(
                Text(QT_TRANSLATE_NOOP("core", "the target has no {function}()"), {"function": function})
            )
    if spec.scenario == "ragged-batch" and not target.takes_mask:
        raise Skipped(Text(QT_TRANSLATE_NOOP("core", "the target takes no attention_mask")))


def _texts(spec: RunSpec, target: Target) -> Texts:
    if spec.prompt_ids is not None:
        _check_ids(spec.prompt_ids, target.shape.vocab_size)
        return Texts(spec.prompt_ids, catalog.OTHER_IDS, catalog.ROW_IDS, catalog.TURN_IDS)
    prompt = catalog.DEFAULT_PROMPT if spec.prompt is None else spec.prompt
    try:
        ids = target.encode(prompt)
    except UnicodeEncodeError as error:
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core",
                "the prompt is not valid text at character {at} (a lone surrogate); give its ids with --prompt-ids",
            ),
            at=error.start,
        ) from error
    if not ids:
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core", "the prompt has no tokens; add text with --prompt or ids with --prompt-ids"
            )
        )
    encoded = [
        tuple(target.encode(text)) for text in (catalog.OTHER_PROMPT, catalog.ROW_PROMPT, catalog.TURN_TEXT)
    ]
    return Texts(tuple(ids), *encoded)


def _check_ids(ids: tuple[int, ...], vocab_size: int) -> None:
    if not ids:
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core", "the prompt has no tokens; add text with --prompt or ids with --prompt-ids"
            )
        )
    for place, token_id in enumerate(ids):
        if not 0 <= token_id < vocab_size:
            raise UsageError(
                QT_TRANSLATE_NOOP(
                    "core", "prompt id {token_id} at place {place} is outside the vocabulary 0..{last}"
                ),
                token_id=token_id,
                place=place,
                last=vocab_size - 1,
            )


def _notes(spec: RunSpec, plan: Plan) -> list[str]:
    notes = list(plan.notes)
    notes += [
        text for fault in spec.faults if (text := catalog.why_invisible(fault, spec.target, spec.scenario))
    ]
    return [str(note) for note in notes]


def _info(spec: RunSpec, target: Target, plan: Plan, notes: list[str]) -> RunInfo:
    tolerance = catalog.default_tolerance(target.shape.dtype) if spec.tolerance is None else spec.tolerance
    return RunInfo(
        target=spec.target, scenario=spec.scenario, model=target.shape, prompt_ids=[list(row) for row in plan.prompt_rows],
        steps=plan.n_steps, tolerance=tolerance, layout=spec.layout, faults=list(spec.faults), notes=notes,
        prompt=None if spec.prompt_ids is not None else spec.prompt if spec.prompt is not None else catalog.DEFAULT_PROMPT,
        versions={"kvscope": VERSION, "python": platform.python_version(), "torch": str(torch.__version__), "numpy": np.__version__},
    )  # fmt: skip
