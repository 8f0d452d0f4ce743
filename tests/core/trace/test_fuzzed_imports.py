"""Files of other programs, and pairs to compare, changed at random: what comes is a trace, a verdict, or an error of ours."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.compare.pair import compared
from core.errors import KVScopeError
from core.report.result import scenario_result
from core.trace.importers import open_any
from core.trace.reader import Trace
from tests.core.trace.hostile_corpus import trace as good
from tests.core.trace.test_fuzzed_traces import fuzzed, mangled, mutated, open_all
from tests.core.trace.test_importers import TOKENS, debug_tree, kld_bytes, logits_of, tree_modules

QUICK, SLOW = 150, 20_000
Attempt = Callable[[random.Random], None]


def outcomes(attempt: Attempt, count: int, seed: int) -> Counter[str]:
    """Count how `count` attempts end; anything but a result or an error of ours is raised."""
    chance = random.Random(seed)
    found: Counter[str] = Counter()
    for number in range(count):
        try:
            attempt(chance)
            found["read"] += 1
        except KVScopeError as error:
            found["refused" if str(error).strip() else "refused without a word"] += 1
        except Exception as error:
            error.add_note(f"input {number} of seed {seed}")
            raise
    return found


def look_at(path: Path) -> None:
    with open_any(path) as trace:
        open_all(trace)


def base_files(folder: Path) -> Attempt:
    good, path = kld_bytes(TOKENS, logits_of(TOKENS)), folder / "a.kld"

    def attempt(chance: random.Random) -> None:
        path.write_bytes(
            good[:8] + mangled(good[8:], chance) if chance.random() < 0.8 else mangled(good, chance)
        )
        look_at(path)

    return attempt


def debug_trees(folder: Path) -> Attempt:
    path = debug_tree(folder, np.array([[1, 2, 3, 4, 5]]), tree_modules())
    good = json.loads(path.read_text())

    def attempt(chance: random.Random) -> None:
        tree = json.dumps(mutated(good, chance)).encode()
        path.write_bytes(mangled(tree, chance) if chance.random() < 0.2 else tree)
        look_at(path)

    return attempt


def pairs(folder: Path) -> Attempt:
    one, other = folder / "a.kvtrace", folder / "b.kvtrace"

    def attempt(chance: random.Random) -> None:
        one.write_bytes(fuzzed(chance))
        other.write_bytes(fuzzed(chance) if chance.random() < 0.3 else good())
        with Trace.open(one) as a, Trace.open(other) as b:
            pair = compared(a, b)
            result = scenario_result(pair, pair.info.tolerance)
        assert result.status != "pass" or result.steps_compared > 0

    return attempt


KINDS = {"base files": base_files, "debug trees": debug_trees, "pairs": pairs}


@pytest.mark.parametrize("kind", KINDS)
def test_that_what_is_changed_at_random_is_read_or_refused(tmp_path: Path, kind: str) -> None:
    found = outcomes(KINDS[kind](tmp_path), QUICK, seed=1)
    assert min(found["read"], found["refused"]) > QUICK // 50, found
    assert set(found) == {"read", "refused"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_that_twenty_thousand_changed_ones_are_read_or_refused(tmp_path: Path, kind: str) -> None:
    outcomes(KINDS[kind](tmp_path), SLOW, seed=0)
