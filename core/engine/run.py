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
from core.proof.widen import settle
from core.record.dependence import Dependence
from core.record.free import can_run_free, run_free
from core.record.one_pass import can_look_ahead
from core.record.recorder import record
from core.record.scenarios import Plan, make_plan, what_is_missing
from core.targets.base import Target
from core.targets.load import Loader, make_loader
from core.targets.wider import CannotWiden, Wider
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import Doubt, EndStatus, FindingFacts, FreeFacts, RunInfo, StepFacts
from core.trace.writer import TraceWriter
from core.verdict.rounding import settled
from core.verdict.steps import is_over, judged
from core.version import VERSION

SMALL_SHARE = 0.1  # of a defect below the tolerance: what a repair may leave
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
        self.findings: list[FindingFacts] = []
        self._loader = loader = make_loader(spec)
        target = loader.scratch
        why_not = target.why_not(spec.scenario)
        if why_not is not None:
            raise Skipped(why_not)
        texts = texts_of(spec, target)
        self.plan = make_plan(spec.scenario, texts, spec.steps, target.shape.max_length)
        missing = what_is_missing(spec.scenario, self.plan)
        if missing is not None:
            raise Skipped(missing)
        self.notes: list[str] = []
        self._wide = wider = self._wider(spec, loader)
        notes = [*texts.notes, *self._why_stepwise(spec, wider is not None)]
        self.notes = [*_notes(spec, self.plan, target, notes), *self.notes]
        self.info = _info(spec, target, self.plan, self.notes, loader.wide_dtype if wider else None)
        self.writer = TraceWriter(path, self.info)
        self._pid = os.getpid()
        one_pass_tolerance = self.info.tolerance if self._runs_one_pass(spec, target) else None
        self._steps = record(self.plan, loader, wider, one_pass_tolerance, tell)
        self._dependence = Dependence()
        self._facts: list[StepFacts] = []
        self._doubts: list[Doubt] = []
        self._free: FreeFacts | None = None
        self._is_settled = spec.tolerance is not None  # whoever gives a tolerance judges by it alone

    def _wider(self, spec: RunSpec, loader: Loader) -> Wider | None:
        """In 16 bits rounding is as large as a fault, so the same runs in float32 from the start, where it can."""
        dtype = loader.scratch.shape.dtype
        if dtype not in catalog.NARROW_DTYPES or loader.wide is None or spec.tolerance is not None:
            return None
        assert loader.wide_dtype is not None
        try:
            return Wider(loader.wide, dtype, loader.wide_dtype, torch.tensor([self.plan.prompt_rows[0]]))
        except CannotWiden as error:
            note = Text(
                QT_TRANSLATE_NOOP("core", "could not be run in {dtype}: {reason}"),
                {"dtype": loader.wide_dtype, "reason": str(error)},
            )
            self.notes.append(str(note))
            return None

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
            self._facts.append(facts)
            self.notes += [note for note in facts.notes if note not in self.notes]
            self._dependence.see(tensors)
            yield facts.step_index

    @property
    def first_bad_step(self) -> int | None:
        """The first bad step of those that are recorded, as far as it can be told by now."""
        shown = {
            doubt.step_index: settled(self._facts[doubt.step_index], doubt, self.info.model.dtype)
            for doubt in self._doubts
        }
        own = self.info.tolerance
        bad = (facts for facts in self._facts if judged(facts, shown.get(facts.step_index), own, own))
        return next((facts.step_index for facts in bad), None)

    def settle(self) -> Iterator[None]:
        """Measure what tells rounding from a defect, where a step is in doubt; yields after each piece of the work."""
        if not self._is_settled:
            self._is_settled = True
            self._doubts = yield from settle(self.plan, self._loader, self._facts, self._wide)
        if self.spec.mode == "free" and self._free is None and can_run_free(self.plan):
            self._free = yield from run_free(self.plan, self._loader, self.spec.temperature, self.spec.seed)

    def diagnose(self, step_index: int, tell: Tell) -> list[FindingFacts]:
        """Look for the cause of a step. What goes wrong there is noted, and takes nothing from the verdict."""
        facts, tolerance = self._facts[step_index], self.info.tolerance
        if not is_over(facts, tolerance) and facts.judged_diff:  # a defect that is smaller than the tolerance
            tolerance = facts.judged_diff * SMALL_SHARE
        case = Case(self.plan, self._judging(), self.spec.scenario, step_index, tolerance)
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
        if self._wide is None:
            return self._loader
        return Loader(self._wide.instance(), self._wide.instance)

    def close(self, status: EndStatus, reason: str | None = None) -> Path:
        """Complete the trace; a complete run is settled first, unless that has been done or begun."""
        for _ in self.settle() if status == "complete" else ():
            pass
        without = self._dependence.note
        notes = [*self.notes, *([str(without)] if without else [])]
        return self.writer.close(status, reason, notes, self.findings, self._doubts, free=self._free)


def _notes(spec: RunSpec, plan: Plan, target: Target, of_run: list[Text]) -> list[str]:
    notes = [*of_run, *plan.notes, *getattr(target, "notes", ())]
    if hasattr(target, "note_on") and (told := target.note_on(plan.prompt_rows)) is not None:
        notes.append(told)
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
        faults=list(spec.faults), mode=spec.mode, notes=notes, prompt=prompt,
        versions={
            "kvscope": VERSION, "python": platform.python_version(), "torch": str(torch.__version__), "numpy": np.__version__,
            "system": f"{platform.system()} {platform.machine()}", "threads": str(torch.get_num_threads()),
        },
    )  # fmt: skip
