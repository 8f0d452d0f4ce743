"""One run inside the engine process: from a spec to a growing trace."""

import os
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch

from core import catalog
from core.engine.messages import RunSpec
from core.engine.texts import texts_of as texts_of
from core.proof.diagnose import Case, diagnose
from core.proof.prove import Tell
from core.record.dependence import Dependence
from core.record.one_pass import can_look_ahead
from core.record.recorder import record
from core.record.scenarios import Plan, make_plan, what_is_missing
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

    def __init__(self, spec: RunSpec, path: Path, tell: Callable[[], None] = lambda: None) -> None:
        """`tell` is called when the target has come back from work that is no step."""
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
        notes = [*texts.notes, *self._why_stepwise(spec, is_arbitrated)]
        self.notes = _notes(spec, self.plan, target, notes)
        self.info = _info(spec, target, self.plan, self.notes, wide_dtype)
        self.writer = TraceWriter(path, self.info)
        self._pid = os.getpid()
        one_pass_tolerance = self.info.tolerance if self._runs_one_pass(spec, target) else None
        self._steps = record(self.plan, loader, is_arbitrated, one_pass_tolerance, tell)
        self._dependence = Dependence()

    def _runs_one_pass(self, spec: RunSpec, target: Target) -> bool:
        """One pass is for models whose stepwise oracle costs seconds; stepwise is the reference."""
        if spec.oracle != "auto":
            return spec.oracle == "one-pass"
        ids = torch.tensor(self.plan.prompt_rows[0]).unsqueeze(0)
        start = time.perf_counter()
        target.full(ids)
        return (time.perf_counter() - start) * self.plan.n_steps > STEPWISE_S

    def _why_stepwise(self, spec: RunSpec, is_arbitrated: bool) -> list[Text]:
        """Say why one pass was asked for and is not made."""
        if spec.oracle != "one-pass":
            return []
        if is_arbitrated:
            template = QT_TRANSLATE_NOOP(
                "core",
                "the oracle was run stepwise: in 16 bits each step is judged beside the same in float32",
            )
        elif not can_look_ahead(self.plan.actions):
            template = QT_TRANSLATE_NOOP(
                "core", "the oracle was run stepwise: {scenario} does more than feed rows of one length"
            )
        else:
            return []
        return [Text(template, {"scenario": spec.scenario})]

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
            self._dependence.see(tensors)
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
        without = self._dependence.note
        notes = [*self.notes, *([str(without)] if without else [])]
        return self.writer.close(status, reason, notes, self.findings)


def _notes(spec: RunSpec, plan: Plan, target: Target, of_run: list[Text]) -> list[str]:
    notes = [*of_run, *plan.notes, *getattr(target, "notes", ())]
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
