"""One run inside the engine process: from a spec to a growing trace."""

import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from core import catalog
from core.engine.messages import RunSpec
from core.errors import UsageError
from core.proof.diagnose import Case, diagnose
from core.proof.prove import Tell
from core.record.recorder import record
from core.record.scenarios import Plan, Texts, make_plan, what_is_missing
from core.targets.base import Target
from core.targets.load import Loader, make_loader
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import EndStatus, FindingFacts, RunInfo
from core.trace.writer import TraceWriter
from core.verdict.steps import is_bad
from core.version import VERSION

STEPWISE_S = 2.0  # a stepwise oracle that is done sooner needs no short cut


class Skipped(Exception):
    """The target cannot do this scenario."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(str(text))


class Run:
    """Records step after step into `path` + ".part"; `close` gives the trace its name."""

    def __init__(self, spec: RunSpec, path: Path) -> None:
        self.spec = spec
        self.wants_cause = spec.diagnoses
        self.diagnosed_steps: set[int] = set()
        self.first_bad_step: int | None = None
        self.findings: list[FindingFacts] = []
        self._loader = loader = make_loader(spec)
        target = loader.scratch
        why_not = target.why_not(spec.scenario)
        if why_not is not None:
            raise Skipped(why_not)
        is_arbitrated = loader.wide is not None and spec.tolerance is None
        wide_dtype = loader.wide_dtype if is_arbitrated else None
        texts = texts_of(spec, target)
        self.plan = make_plan(spec.scenario, texts, spec.steps, target.shape.max_length)
        missing = what_is_missing(spec.scenario, self.plan)
        if missing is not None:
            raise Skipped(missing)
        self.notes = _notes(spec, self.plan, target)
        self.info = _info(spec, target, self.plan, self.notes, wide_dtype)
        self.writer = TraceWriter(path, self.info)
        self._pid = os.getpid()
        one_pass_tolerance = self.info.tolerance if self._runs_one_pass(spec, target) else None
        self._steps = record(self.plan, loader, is_arbitrated, one_pass_tolerance)

    def _runs_one_pass(self, spec: RunSpec, target: Target) -> bool:
        """One pass is for models whose stepwise oracle costs seconds; stepwise is the reference."""
        if spec.oracle != "auto":
            return spec.oracle == "one-pass"
        ids = torch.tensor(self.plan.prompt_rows[0]).unsqueeze(0)
        start = time.perf_counter()
        target.full(ids)
        return (time.perf_counter() - start) * self.plan.n_steps > STEPWISE_S

    def steps(self) -> Iterator[int]:
        """Record the steps that are left, yielding the index of each once it is in the trace."""
        for facts, tensors in self._steps:
            if (
                os.getpid() != self._pid
            ):  # the target forked, and this is the copy: it must not write a second trace
                os._exit(0)
            self.writer.add_step(facts, tensors)
            if self.first_bad_step is None and is_bad(facts, self.info.tolerance):
                self.first_bad_step = facts.step_index
            self.notes += [note for note in facts.notes if note not in self.notes]
            yield facts.step_index

    def diagnose(self, step_index: int, tell: Tell) -> list[FindingFacts]:
        """Look for the cause of a step. What goes wrong there is noted, and takes nothing from the verdict."""
        case = Case(self.plan, self._judging(), self.spec.scenario, step_index, self.info.tolerance)
        found: list[FindingFacts] = []
        try:
            found = diagnose(case, tell)
        except Exception as error:
            note = Text(
                QT_TRANSLATE_NOOP("core", "the cause could not be looked for: {reason}"),
                {"reason": f"{type(error).__name__}: {error}"[:200]},
            )
            self.notes.append(str(note))
        self.diagnosed_steps.add(step_index)
        self.findings = [one for one in self.findings if one.step != step_index] + found
        return found

    def _judging(self) -> Loader:
        """Return what makes instances in the dtype that judges."""
        loader = self._loader
        if loader.wide is None or self.spec.tolerance is not None:
            return loader
        return Loader(loader.wide(), loader.wide)

    def close(self, status: EndStatus, reason: str | None = None) -> Path:
        return self.writer.close(status, reason, self.notes, self.findings)


def texts_of(spec: RunSpec, target: Target) -> Texts:
    """Return the token ids of the scenario's texts: from --prompt-ids, from text, or the fixed ids of a target without text."""
    vocab_size = target.shape.vocab_size
    if spec.prompt_ids is not None:
        _check_ids(spec.prompt_ids, vocab_size)
    if spec.prompt_ids is not None or (spec.prompt is None and not target.has_text):
        ids = spec.prompt_ids or tuple(token_id % vocab_size for token_id in catalog.DEFAULT_IDS)
        fixed = (catalog.OTHER_IDS, catalog.ROW_IDS, catalog.TURN_IDS)
        return Texts(ids, *(tuple(token_id % vocab_size for token_id in other) for other in fixed))
    prompt = catalog.DEFAULT_PROMPT if spec.prompt is None else spec.prompt
    texts = (prompt, catalog.OTHER_PROMPT, catalog.ROW_PROMPT, catalog.TURN_TEXT)
    try:
        encoded = [tuple(target.encode(text)) for text in texts]
    except UnicodeEncodeError as error:
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core",
                "the prompt is not valid text at character {at} (a lone surrogate); give its ids with --prompt-ids",
            ),
            at=error.start,
        ) from error
    _check_ids(encoded[0], vocab_size)
    return Texts(*encoded)


def _check_ids(ids: tuple[int, ...], vocab_size: int) -> None:
    if not ids:
        template = QT_TRANSLATE_NOOP(
            "core", "the prompt has no tokens; add text with --prompt or ids with --prompt-ids"
        )
        raise UsageError(template)
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


def _notes(spec: RunSpec, plan: Plan, target: Target) -> list[str]:
    notes = [*plan.notes, *getattr(target, "notes", ())]
    for fault in spec.faults:
        notes += catalog.notes_of(
            fault, spec.target, spec.scenario, spec.layout, plan.text_len(), plan.text_len(in_chunk=True)
        )
    return [str(note) for note in notes]


def _info(spec: RunSpec, target: Target, plan: Plan, notes: list[str], wide_dtype: str | None) -> RunInfo:
    tolerance = catalog.default_tolerance(target.shape.dtype) if spec.tolerance is None else spec.tolerance
    if wide_dtype is not None:
        tolerance = catalog.default_tolerance(wide_dtype)
    prompt = spec.prompt
    if prompt is None and spec.prompt_ids is None and target.has_text:
        prompt = catalog.DEFAULT_PROMPT
    return RunInfo(
        target=spec.target, scenario=spec.scenario, model=target.shape, prompt_ids=[list(row) for row in plan.prompt_rows],
        steps=plan.n_steps, tolerance=tolerance,
        layout=spec.layout if spec.target.startswith((catalog.TINY_PREFIX, catalog.HF_PREFIX)) else None,
        faults=list(spec.faults), notes=notes, prompt=prompt,
        versions={"kvscope": VERSION, "python": platform.python_version(), "torch": str(torch.__version__), "numpy": np.__version__},
    )  # fmt: skip
