"""Texts in which a wrong token matters: found in both languages however they are cut into tokens, and counted."""

from pathlib import Path

import pytest

from core.errors import UsageError
from core.views.sensitive import PATTERNS, check_pattern, sensitive_flags
from core.views.sensitive_tokens import sensitive_tokens
from tests.core.support import record_trace

WHOLE = [
    "1,250.00", "$ 980.50", "￥3000", "3.5万元", "2024-05-17", "2024年5月17日", "0x7f3a", "EV-2047", "INV-2024-001", "DE89 3704 0044 0532 0130 00",
    "6222 0212 3456 7890", "12345678", "（2024）京01民终123号", "88号", "17:30", "42",
]  # fmt: skip


@pytest.mark.parametrize("text", WHOLE)
def test_that_each_kind_is_marked_to_its_last_character(text: str) -> None:
    around = ["see ", *text, " now"]
    assert sensitive_flags(around) == [False, *[True] * len(text), False]


@pytest.mark.parametrize("text", ["paid by Ann", "甲方与乙方签订合同", "A-B", "...,-:"])
def test_that_plain_words_are_not(text: str) -> None:
    assert not any(sensitive_flags(list(text)))


def test_that_a_token_is_marked_by_any_part_of_it_and_one_without_text_never() -> None:
    assert sensitive_flags(["paid 1", ",250", None, ".00 to"]) == [True, True, False, True]
    assert sensitive_flags(["", "7"]) == [False, True]


def test_that_a_full_stop_after_a_number_is_none_of_it() -> None:
    assert sensitive_flags(["42", ".", " So"]) == [True, False, False]


def test_that_the_readers_own_pattern_comes_on_top() -> None:
    assert sensitive_flags(["to ", "Ann", " 7"], (check_pattern("Ann"),)) == [False, True, True]


@pytest.mark.parametrize("regex", ["(", "x*", "a" * 401, ""])
def test_that_a_pattern_that_marks_nothing_or_everything_is_refused(regex: str) -> None:
    with pytest.raises(UsageError):
        check_pattern(regex)


def test_that_every_pattern_has_a_name_of_its_own() -> None:
    assert (
        len({pattern.id for pattern in PATTERNS})
        == len({str(pattern.title) for pattern in PATTERNS})
        == len(PATTERNS)
    )


def test_that_changed_tokens_are_counted_and_the_smallest_margin_is_the_oracles(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", faults=("position-reset",), steps=12) as trace:
        found = sensitive_tokens(trace, trace.info.tolerance)
        everything = sensitive_tokens(trace, trace.info.tolerance, (r"[\s\S]",))
        flips = [step for step in range(len(trace)) if trace.facts(step).flips]
        margins = [trace.facts(step).margin for step in range(len(trace))]
    assert 0 < found.n_compared < found.n_generated == 13
    assert {one.step for one in found.changed} <= set(flips)
    assert [one.step for one in everything.changed] == flips
    assert everything.smallest_margin == pytest.approx(min(margins), rel=1e-4)
    assert everything.smallest_at == margins.index(min(margins))


def test_that_a_run_that_is_right_changes_none(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", steps=8, scenario="batch") as trace:
        found = sensitive_tokens(trace, trace.info.tolerance)
    assert found.n_changed == 0
    assert found.n_generated == 18
