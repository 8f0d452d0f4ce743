"""A quick part of the selftest, and how it counts."""

import pytest

from core import fault_catalog
from core.proof.selftest import run_case
from core.report.selftest import SelftestCase, SelftestResult, is_good, lines

QUICK = [
    ("tiny:rope-gqa", "concat", "decode", ("position-reset",)),
    ("tiny:learned-mha", "static", "decode", ("position-off-by-one",)),
    ("tiny:rope-gqa", "paged", "chunked-prefill", ("mask-top-left",)),
    ("tiny:alibi-mqa", "concat", "decode", ("bias-wrong-row",)),
    ("tiny:rope-gqa", "static", "decode", ("layer-aliased",)),
    ("tiny:rope-gqa", "concat", "beam-reorder", ("row-not-reordered",)),
    ("tiny:rope-gqa", "concat", "second-run", ("stale-rows",)),
    ("tiny:rope-gqa", "concat", "decode", ("value-degraded",)),
    ("tiny:rope-gqa", "concat", "decode", ("oracle-broken",)),
    ("tiny:rope-gqa", "concat", "beam-reorder", ("position-off-by-one", "row-not-reordered")),
    ("tiny:rope-gqa", "sliding", "decode", ("window-wide", "value-degraded")),
    ("tiny:rope-gqa", "concat", "decode", ("position-reset", "mask-top-left")),
    ("tiny:rope-gqa", "concat", "batch", ("harmless-shift",)),
    ("tiny:alibi-mqa", "sliding", "decode", ()),
]


@pytest.mark.parametrize(("target", "layout", "scenario", "faults"), QUICK)
def test_what_is_planted_is_found_at_its_step_named_and_healed(
    target: str, layout: str, scenario: str, faults: tuple[str, ...]
) -> None:
    infos = [fault_catalog.fault_info(fault) for fault in faults]
    causes = tuple(info.cause for info in infos if not info.is_harmless)
    case = SelftestCase(target=target, layout=layout, scenario=scenario, faults=faults, causes=causes)
    result = run_case(case)
    assert result is not None
    assert result.error is None
    assert not result.is_false_alarm
    assert result.found_step == result.expected_step
    if causes:
        assert result.is_named, result.causes
        assert result.healed is None or result.healed > 0.99


def result(**changes: object) -> SelftestResult:
    case = SelftestCase(
        target="tiny:rope-gqa", layout="concat", scenario="decode", faults=("position-reset",), causes=("position-reset",)
    )  # fmt: skip
    values = {
        "case": case,
        "expected_step": 1,
        "found_step": 1,
        "causes": ("position-reset",),
        "healed": 1.0,
        **changes,
    }
    return SelftestResult(**values)  # type: ignore[arg-type]


def test_a_late_step_a_wrong_name_an_error_or_an_alarm_fails_the_selftest() -> None:
    assert is_good([result()])
    assert not is_good([result(found_step=2)])
    assert not is_good([result(found_step=None, causes=())])
    assert not is_good([result(causes=("mask-top-left",))])
    assert not is_good([result(), result(error="RuntimeError: no")])
    healthy = SelftestCase(target="tiny:rope-gqa", layout="concat", scenario="decode")
    assert is_good([result(), result(case=healthy, expected_step=None, found_step=None, causes=())])
    assert not is_good([result(), result(case=healthy, expected_step=None, found_step=3, causes=())])
    assert not is_good([])


def test_the_table_lists_what_fell_short() -> None:
    shown = list(lines([result(), result(causes=("unknown",))], 3.0))
    assert any("named unknown" in line and "planted position-reset" in line for line in shown)
    assert shown[-1].startswith(
        "FAIL  2 runs in 3 s: 2 with a difference, 2 found at the exact step, 1 of 2 causes named"
    )
