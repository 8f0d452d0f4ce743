"""Every hostile file is refused by our error, in under a second and 200 MB, and nothing but the file is touched."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import EXIT_UNREADABLE
from tests.core.support import ROOT
from tests.core.trace.hostile_corpus import FOREIGN, trace, write_all

MAX_S = 1.0
MAX_MB = 200.0


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """What came of each kind. All in one child; one that it dies of is seen by what is missing."""
    folder = tmp_path_factory.mktemp("hostile")
    good = folder / "good.kvtrace"
    good.write_bytes(trace())
    paths = write_all(folder)
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.trace.open_hostile"], input="\n".join(map(str, [good, *paths.values()])),
        capture_output=True, text=True, cwd=ROOT, timeout=300, check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(paths), f"died of {list(paths)[len(lines)]}: {done.stderr[-2000:]}"
    return dict(zip(paths, lines, strict=True))


def test_that_the_corpus_has_many_kinds(outcomes: dict[str, dict]) -> None:
    assert len(outcomes) >= 120


def test_that_every_hostile_file_is_refused_with_one_sentence(outcomes: dict[str, dict]) -> None:
    wrong = {
        kind: (one["code"], one["message"])
        for kind, one in outcomes.items()
        if one["code"] != EXIT_UNREADABLE
    }
    assert not wrong
    assert all(one["message"].strip() and "Traceback" not in one["message"] for one in outcomes.values())


def test_that_every_hostile_file_is_refused_at_once(outcomes: dict[str, dict]) -> None:
    """Seconds of the processor, so that a busy machine does not count; one that waits runs into the child's limit."""
    assert {kind: one["seconds"] for kind, one in outcomes.items() if one["seconds"] > MAX_S} == {}


def test_that_no_hostile_file_takes_memory(outcomes: dict[str, dict]) -> None:
    """The peak of the one process that opened all of them."""
    peak = 0.0
    grew = {}
    for kind, one in outcomes.items():
        if one["peak_mb"] > max(peak, MAX_MB):
            grew[kind] = one["peak_mb"]
        peak = max(peak, one["peak_mb"])
    assert grew == {}


def test_that_nothing_but_the_file_is_touched(outcomes: dict[str, dict]) -> None:
    assert {kind: one["touched"] for kind, one in outcomes.items() if one["touched"]} == {}
    assert not Path("/tmp/kvscope-was-here").exists()


@pytest.mark.parametrize("name", FOREIGN)
def test_that_files_of_other_kinds_are_recognised(outcomes: dict[str, dict], name: str) -> None:
    assert re.search(FOREIGN[name][1], outcomes[f"foreign {name}"]["message"])
