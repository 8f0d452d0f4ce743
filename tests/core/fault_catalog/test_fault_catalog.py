"""What is said of the planted faults is complete, and says where each can show."""

import re
from pathlib import Path

import pytest

from core import catalog
from core.fault_catalog import FAULTS, GROUPS, notes_of, why_invisible
from core.fault_catalog.info import NEEDS
from core.targets.faults import FAULTS as PLANTED
from tests.core.support import ROOT

CAUSES = (
    "position-reset", "position-drift", "pad-positions", "rope-mismatch", "mask-top-left", "mask-missing", "pad-not-masked",
    "tail-unmasked", "window-boundary", "bias-wrong-row", "prefix-refed", "slot-lost", "stale-rows", "layer-aliased", "row-mixed",
    "layout-scrambled", "head-map-wrong", "value-degraded", "scale-wrong", "kv-swapped", "context-overflow", "shared-state",
    "oracle-broken",
)  # fmt: skip


def test_that_the_catalog_and_the_planted_faults_agree() -> None:
    assert len(catalog.FAULT_IDS) == len(set(catalog.FAULT_IDS))
    assert set(catalog.FAULT_IDS) == set(PLANTED)


def test_that_every_cause_of_the_taxonomy_can_be_planted() -> None:
    """All but recurrent-state: the built-in models have none."""
    assert {fault.cause for fault in FAULTS if not fault.is_harmless} == set(CAUSES)
    assert {fault.cause for fault in FAULTS if fault.is_harmless} == {"harmless-shift", "none"}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_that_a_fault_is_told_in_two_sentences(fault: catalog.FaultInfo) -> None:
    assert fault.group in GROUPS
    assert len(re.findall(r"[.](?:\s|$)", str(fault.how))) == 2
    assert set(fault.needs) <= set(NEEDS)
    assert fault.report is None or re.fullmatch(r"[\w.-]+/[\w.-]+( PR)? #\d+", fault.report)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_that_a_fault_can_show_in_some_run(fault: catalog.FaultInfo) -> None:
    runs = [
        (target, scenario, layout)
        for target in catalog.MODELS
        for scenario in catalog.SCENARIOS
        for layout in catalog.LAYOUTS
    ]
    assert not all(why_invisible(fault.id, *run) for run in runs)


def test_that_what_is_missing_is_named_with_the_run() -> None:
    told = str(why_invisible("tail-unmasked", "tiny:rope-gqa", "decode", "concat"))
    assert told == "tail-unmasked cannot be planted in the concat layout: it has no unused slots"
    assert why_invisible("tail-unmasked", "tiny:rope-gqa", "decode", "static") is None
    assert "needs a batch" in str(why_invisible("row-mixed", "tiny:rope-gqa", "decode", "concat"))


def test_that_a_chunk_counts_only_up_to_its_end() -> None:
    def notes(n_in_chunk: int) -> list[str]:
        told = notes_of("window-clamped", "tiny:rope-gqa", "second-turn", "sliding", 65, n_in_chunk)
        return [str(note) for note in told]

    assert notes(56) == []
    assert "when the text has 49 tokens" in notes(38)[0]


def test_that_no_text_of_the_catalog_names_a_scenario_that_there_is_not() -> None:
    source = (Path(ROOT) / "core" / "fault_catalog" / "info.py").read_text(encoding="utf-8")
    named = {
        name for names in re.findall(r"_in\(([^)]*)\)", source) for name in re.findall(r'"([^"]+)"', names)
    }
    assert named
    assert named <= set(catalog.SCENARIOS)
