"""Prints, for every faulty target file of a folder and every scenario that fails, the expected causes and those named.

    python -m tests.core.verdict.diagnosis.named FOLDER [PART_OF_A_NAME]

The folder holds target files and an expected.json: {file: {"verdict", "causes", "scenarios": {name: {"first_bad_step"}}}}.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from core.engine.messages import RunSpec
from core.engine.run import texts_of
from core.proof.diagnose import Case, play_again
from core.record.scenarios import make_plan
from core.targets.load import make_loader
from core.verdict.diagnosis.compared import compare
from core.verdict.diagnosis.diagnose import hypotheses
from core.verdict.diagnosis.evidence import Evidence
from core.verdict.diagnosis.hypothesis import Hypothesis

MAIN_IDS = (3, 1, 4, 1, 5, 9, 2, 6)
TOLERANCE = 5e-4


@dataclass(frozen=True)
class Named:
    """What was suggested for one scenario of one file."""

    file: str
    scenario: str
    accepted: tuple[str, ...]
    suggested: list[Hypothesis]

    @property
    def is_right(self) -> bool:
        return bool(self.suggested) and self.suggested[0].cause in self.accepted


def bad_step(
    target: Path | str,
    scenario: str,
    step_index: int,
    faults: tuple[str, ...] = (),
    layout: str | None = None,
) -> Evidence | None:
    """Return the evidence of a bad step, None where a replay does not show it."""
    ids = None if str(target).startswith("tiny:") else MAIN_IDS
    spec = RunSpec(
        target=str(target),
        scenario=scenario,
        prompt_ids=ids,
        faults=faults,
        **({"layout": layout} if layout else {}),
    )
    loader = make_loader(spec)
    plan = make_plan(scenario, texts_of(spec, loader.scratch), spec.steps, loader.scratch.shape.max_length)
    scene = play_again(Case(plan, loader, scenario, step_index, TOLERANCE))
    return None if scene is None else scene.replayed.evidence


def named(folder: Path, part: str = "") -> "list[Named]":
    """Name the causes of all faulty files whose name contains `part`."""
    found = []
    for file, facts in json.loads((folder / "expected.json").read_text()).items():
        for scenario, expected in facts["scenarios"].items():
            step_index = expected["first_bad_step"]
            if part not in file or step_index is None or facts["verdict"] != "divergent":
                continue
            evidence = bad_step(folder / file, scenario, step_index)
            suggested = [] if evidence is None else hypotheses(compare(evidence))
            found.append(Named(file, scenario, tuple(facts["causes"]), suggested))
    return found


def main() -> None:
    results = named(Path(sys.argv[1]), *sys.argv[2:3])
    for one in results:
        mark = " " if one.is_right else "!"
        print(
            f"{mark} {one.file:20} {one.scenario:20} {', '.join(one.accepted):32} {', '.join(h.cause for h in one.suggested[:3])}"
        )
        if not one.is_right and one.suggested:
            print(f"      {one.suggested[0].sentence}")
    print(f"{sum(one.is_right for one in results)} of {len(results)} named rightly")


if __name__ == "__main__":
    main()
