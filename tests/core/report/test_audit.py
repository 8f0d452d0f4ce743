"""The audit: prompts that ship with the project, and what their text shows of a fault."""

from pathlib import Path

from core.engine.messages import RunSpec
from core.report.audit import AuditResult, AuditRun, audit_lines, audit_prompts, audit_run, fault_rows
from core.targets.load import make_loader
from core.views.sensitive import sensitive_flags
from tests.core.support import record_trace


def test_that_every_prompt_holds_such_texts_and_fits_the_models() -> None:
    target = make_loader(RunSpec()).scratch
    prompts = audit_prompts()
    assert len({one.id for one in prompts}) == len(prompts)
    for language in ("en", "zh"):
        kinds = {one.kind for one in prompts if one.language == language}
        assert kinds == {"invoice", "settlement", "address", "evidence", "long document"}
    for one in prompts:
        assert sum(sensitive_flags(list(one.text))) > 8, one.id
        assert 48 < len(target.encode(one.text)) < 480, one.id  # longer than the sliding window


def test_that_a_run_tells_logits_text_and_tokens_that_matter_apart(tmp_path: Path) -> None:
    with record_trace(
        tmp_path / "a.kvtrace", faults=("position-reset",), prompt=audit_prompts()[2].text
    ) as trace:
        found = audit_run("address-en", "position-reset", trace)
        flips = [step for step in range(len(trace)) if trace.facts(step).flips]
    assert (found.status, found.first_bad_step, found.first_flip) == ("fail", 1, flips[0])
    assert 0 < found.n_changed <= found.n_sensitive
    with record_trace(
        tmp_path / "b.kvtrace", faults=("value-degraded",), prompt=audit_prompts()[2].text
    ) as trace:
        silent = audit_run("address-en", "value-degraded", trace)
    assert (silent.status, silent.first_flip, silent.n_changed) == ("fail", None, 0)


def run(fault: str | None, status: str, flip: int | None) -> AuditRun:
    return AuditRun(
        prompt="p", fault=fault, layout="concat", scenario="decode", status=status, first_flip=flip, n_sensitive=3,
        n_changed=0 if flip is None else 2, smallest_margin=0.5,
    )  # fmt: skip


def test_that_a_fault_is_missed_by_text_when_no_prompt_shows_it() -> None:
    runs = [
        run("a", "fail", 2),
        run("a", "fail", None),
        run("b", "fail", None),
        run("b", "pass", None),
        run("c", "pass", None),
    ]
    assert [(row.n_diverge, row.n_text, row.is_missed) for row in fault_rows(runs)] == [
        (2, 1, False), (1, 0, True), (0, 0, False),
    ]  # fmt: skip
    last = list(audit_lines(AuditResult(target="t", verdict="divergent", runs=runs)))[-1]
    assert "2 of 3 planted faults diverge" in last
    assert "would have missed 1 of them on every prompt, and 2 of the 3 runs that diverge" in last


def test_that_prompts_of_one_target_are_summed_up() -> None:
    result = AuditResult(
        target="t",
        verdict="divergent",
        runs=[run(None, "fail", None), run(None, "fail", 4), run(None, "pass", None)],
    )
    last = list(audit_lines(result))[-1]
    assert last == (
        "FAIL  t: 2 of 3 prompts diverge (1 of them without a different token), 2 of 9 tokens that matter change, smallest margin among them 0.50"
    )
