"""Each planted fault shows at the step that reasoning gives, and nowhere else; what is harmless never shows.

The default prompt has 38 tokens, so step k of `decode` has 38 + k; the window is 48 rows.
"""

from itertools import combinations, product

import pytest

from core import catalog
from core.fault_catalog import FAULTS, fault_info, notes_of
from core.record.scenarios import Texts, make_plan
from tests.core.targets.two_lanes import TEXTS, differences, first_bad
from tinylm.tokenizer import encode

LAYOUT = {
    "tail-unmasked": "paged",
    "tail-not-finite": "static",
    "layout-growth": "static",
    "healthy-growth": "static",
}
TARGET = {"pad-positions-everywhere": "tiny:learned-mha", "oracle-positions": "tiny:learned-mha"}

# where it shows at the first call already; elsewhere at the first call that reads a cache, unless it stands in FIRST_BAD
AT_ONCE = {
    "rope-raw", "rope-query", "mask-missing", "pad-not-masked", "pad-positions-everywhere", "tail-unmasked", "tail-not-finite",
    "stale-rows", "stale-zeros", "value-degraded", "value-float16", "value-bits", "value-int8", "value-int8-no-scale",
    "value-int8-wrong-scale", "scale-keys", "kv-swapped", "layout-scrambled", "oracle-broken", "oracle-next", "oracle-positions",
}  # fmt: skip
# a single token attends to itself alone: these need a second one
NEED_TWO_TOKENS = {"rope-raw", "rope-query", "scale-keys", "oracle-broken", "oracle-next", "oracle-positions"}

# fault -> the first bad step in `decode`, and in scenarios that go their own way
FIRST_BAD: dict[str, dict[str, int]] = {
    "position-double-advance": {"decode": 2},
    "position-frozen": {"decode": 12, "chunked-prefill": 14, "second-turn": 5},
    "position-turn": {"chunked-prefill": 1, "second-turn": 4, "rollback": 3},
    "rope-mismatch": {"decode": 2, "single-token-prompt": 1, "chunked-prefill": 1, "second-run": 1, "interleaved": 1},
    "rope-twice": {"decode": 1, "single-token-prompt": 2},
    "rope-compounding": {"decode": 1, "single-token-prompt": 2},
    "rope-fragments": {"chunked-prefill": 1, "second-turn": 4, "rollback": 3},
    "mask-missing-chunk": {"chunked-prefill": 1, "second-turn": 4, "rollback": 3},
    "window-wide": {"decode": 11, "chunked-prefill": 13, "second-turn": 4},
    "window-short": {"decode": 10, "chunked-prefill": 12, "second-turn": 4},
    "window-decode": {"decode": 11, "chunked-prefill": 13, "second-turn": 5},
    "window-clamped": {"second-turn": 4},
    "slot-evicted": {"decode": 4, "chunked-prefill": 6},
    "slot-clamped": {"decode": 8, "chunked-prefill": 10, "second-turn": 5},
    "stale-draft": {"rollback": 4},
    "row-not-reordered": {"beam-reorder": 3},
    "row-half-reordered": {"beam-reorder": 3},
    "kv-swapped-reorder": {"beam-reorder": 3},
    "layout-growth": {"decode": 7, "chunked-prefill": 9, "second-turn": 4},
    "context-overflow": {"decode": 11, "chunked-prefill": 13, "second-turn": 4},
}  # fmt: skip


def expected(fault: str, target: str, layout: str, scenario: str) -> int | None:
    """Return the step that reasoning gives, None where the catalogue says that the fault cannot show."""
    plan = make_plan(scenario, Texts(*(tuple(encode(text)) for text in TEXTS)), catalog.DEFAULT_STEPS, None)
    if notes_of(fault, target, scenario, layout, plan.text_len(), plan.text_len(in_chunk=True)):
        return None
    if fault in FIRST_BAD:
        return FIRST_BAD[fault].get(scenario, FIRST_BAD[fault].get("decode"))
    if scenario == "single-token-prompt" and fault in NEED_TWO_TOKENS:
        return 1
    return 0 if fault in AT_ONCE else 1


def usual_run(fault: str) -> tuple[str, str, str]:
    """Return the model, the layout and the scenario in which a fault is seen soonest."""
    info = fault_info(fault)
    scheme = "alibi-mqa" if "alibi" in info.needs else "rope-gqa"
    target = TARGET.get(fault, catalog.TINY_PREFIX + scheme)
    layout = LAYOUT.get(fault, "sliding" if "window" in info.needs else "concat")
    scenario = next(
        name for name in ("decode", *catalog.SCENARIOS) if expected(fault, target, layout, name) is not None
    )
    return target, layout, scenario


REAL = [fault.id for fault in FAULTS if not fault.is_harmless]


@pytest.mark.parametrize("fault", REAL)
def test_that_a_fault_shows_at_its_step(fault: str) -> None:
    target, layout, scenario = usual_run(fault)
    steps = max(3, expected(fault, target, layout, scenario) or 0)
    assert first_bad(target, layout, scenario, (fault,), steps) == expected(fault, target, layout, scenario)


@pytest.mark.parametrize(
    ("fault", "target", "layout"),
    [("harmless-shift", "tiny:rope-gqa", "concat"), ("harmless-bias", "tiny:alibi-mqa", "concat"),
     ("healthy-order", "tiny:alibi-mqa", "paged"), ("healthy-raw-keys", "tiny:rope-gqa", "sliding"),
     ("healthy-growth", "tiny:learned-mha", "static")],
)  # fmt: skip
def test_that_what_is_harmless_changes_the_run_and_not_the_logits(
    fault: str, target: str, layout: str
) -> None:
    healthy = differences(target, layout, "second-turn", ())
    planted = differences(target, layout, "second-turn", (fault,))
    assert max(planted) < 1e-4
    assert planted != healthy or fault == "healthy-growth"  # a copy is exact, all else rounds otherwise


@pytest.mark.parametrize(
    "faults", [("position-off-by-one", "row-not-reordered"), ("window-wide", "value-degraded")]
)
def test_that_two_faults_act_at_once_in_any_order(faults: tuple[str, str]) -> None:
    layout = "sliding" if faults[0].startswith("window") else "paged"

    def diffs(*planted: str) -> list[float | None]:
        return differences("tiny:rope-gqa", layout, "beam-reorder", planted)

    both = diffs(*faults)
    assert both == diffs(*reversed(faults))
    assert all(both != diffs(fault) for fault in faults)


def test_that_every_pair_of_hooks_can_be_combined() -> None:
    """One fault of each kind of change, all planted at once, still runs to its end."""
    faults = ("shared-state", "slot-evicted", "prefix-refed", "position-reset", "mask-top-left", "tail-unmasked", "rope-raw",
              "scale-wrong", "head-map-wrong", "value-int8", "prefix-refed-layer", "layer-aliased", "oracle-next")  # fmt: skip
    assert len(differences("tiny:rope-gqa", "static", "rollback", faults, 4)) == 5


# one setting for each fault, each model and layout in turn; `selftest` goes through all of them
EVERY = [*product(catalog.MODELS, catalog.LAYOUTS)]
SETTINGS = [(fault, *EVERY[index % len(EVERY)]) for index, fault in enumerate(catalog.FAULT_IDS)]
PAIRS = [*combinations(catalog.FAULT_IDS, 2)][::11]


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "target", "layout"), SETTINGS)
def test_that_a_fault_shows_at_its_step_everywhere(fault: str, target: str, layout: str) -> None:
    skipped = ("rollback",) if layout == "sliding" else ()
    for scenario in catalog.SCENARIOS:
        if scenario not in skipped:
            found = first_bad(target, layout, scenario, (fault,))
            assert found == expected(fault, target, layout, scenario), scenario


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_that_any_two_faults_run_together(first: str, second: str) -> None:
    """Every layout in turn; which fault shows first is not asked."""
    layout = catalog.LAYOUTS[len(first + second) % len(catalog.LAYOUTS)]
    scenario = "beam-reorder" if layout == "sliding" else "rollback"
    assert len(differences("tiny:rope-gqa", layout, scenario, (first, second), 4)) == 5
