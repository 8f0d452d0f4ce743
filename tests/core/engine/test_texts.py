"""The ids that the scenarios are made of, and what is said of a run that shows little."""

from pathlib import Path

import pytest

from core import catalog
from core.engine.messages import RunSpec
from core.engine.run import Run
from core.errors import TargetError, UsageError
from core.report.result import scenario_result
from core.trace.reader import Trace
from tests.core.support import record_trace
from tests.core.targets import hostile

ENCODES = hostile.HEALTHY + "\ndef encode(text):\n    return {body}\n"


def written(tmp_path: Path, source: str) -> str:
    path = tmp_path / "target.py"
    path.write_text(source)
    return str(path)


def recorded(tmp_path: Path, source: str, **spec: object) -> Trace:
    return record_trace(tmp_path / "a.kvtrace", target=written(tmp_path, source), **spec)


@pytest.mark.parametrize(
    "body",
    [
        "[1, 2, 3] if text.startswith('Evidence') else []",
        "[1, 2, 3] if text.startswith('Evidence') else [99]",
    ],
    ids=["empty", "outside the vocabulary"],
)
@pytest.mark.parametrize("scenario", ["batch", "second-turn", "interleaved"])
def test_that_unusable_ids_of_other_texts_give_way_to_the_fixed_ones(
    tmp_path: Path, body: str, scenario: str
) -> None:
    trace = recorded(tmp_path, ENCODES.format(body=body), scenario=scenario, steps=5)
    result = scenario_result(trace, 5e-4)
    assert result.status == "pass"
    assert any("encode() gives no ids inside the vocabulary" in note for note in result.notes)


def test_that_a_prompt_outside_the_vocabulary_stays_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="outside the vocabulary"):
        recorded(tmp_path, ENCODES.format(body="[99]"))


@pytest.mark.parametrize("body", ["None", "[1.5]", "'words'"])
def test_that_encode_must_give_a_list_of_ids(tmp_path: Path, body: str) -> None:
    with pytest.raises(TargetError, match=r"encode\(\) returned .* expected a list of token ids"):
        recorded(tmp_path, ENCODES.format(body=body))


@pytest.mark.parametrize("scenario", ["decode", "batch", "second-run", "chunked-prefill"])
def test_that_the_default_prompt_is_cut_to_a_short_context(tmp_path: Path, scenario: str) -> None:
    trace = recorded(tmp_path, hostile.HEALTHY + "\nmax_length = 8\n", scenario=scenario, steps=3)
    result = scenario_result(trace, 5e-4)
    assert (result.status, len(trace)) == ("pass", 5 if scenario == "chunked-prefill" else 4)
    assert trace.info.prompt_ids[0][:3] == list(catalog.DEFAULT_IDS[:3])
    assert any("the default prompt was cut to 5 tokens" in note for note in result.notes)


def test_that_a_prompt_of_the_user_is_never_cut(tmp_path: Path) -> None:
    spec = RunSpec(target=written(tmp_path, hostile.HEALTHY + "\nmax_length = 4\n"), prompt_ids=(3, 1, 4, 1))
    with pytest.raises(UsageError, match="shorten the prompt"):
        Run(spec, tmp_path / "a.kvtrace")


@pytest.mark.parametrize(
    "table", ["torch.zeros(11, 11)", "torch.randn(11).expand(11, 11)"], ids=["flat", "constant"]
)
def test_that_logits_which_do_not_depend_on_the_input_are_said_to_prove_nothing(
    tmp_path: Path, table: str
) -> None:
    source = hostile.HEALTHY.replace("torch.randn(11, 11)", table)
    notes = scenario_result(recorded(tmp_path, source, scenario="batch", steps=4), 5e-4).notes
    assert any("proves nothing about the cache" in note for note in notes)
    assert any("only 1 different tokens were generated" in note for note in notes)


def test_that_logits_which_depend_on_the_input_are_not(tmp_path: Path) -> None:
    result = scenario_result(recorded(tmp_path, hostile.HEALTHY, steps=6), 5e-4)
    assert not any("proves" in note for note in result.notes)
    trace = Trace.open(tmp_path / "a.kvtrace")
    fed = [trace.facts(step).tokens[0][0] for step in range(1, 7)]
    assert result.distinct_tokens == len({*fed, trace.facts(6).argmax_oracle[0]})


@pytest.mark.parametrize(
    ("spec", "why"),
    [({"scenario": "rollback"}, "rollback does more than feed"), ({"scenario": "beam-reorder"}, "beam-reorder does more"),
     ({"dtype": "bfloat16"}, "judged beside the same in float32")],
    ids=["rollback", "beam-reorder", "16 bits"],
)  # fmt: skip
def test_that_one_pass_which_was_asked_for_and_not_made_is_said(
    tmp_path: Path, spec: dict[str, str], why: str
) -> None:
    trace = record_trace(tmp_path / "a.kvtrace", steps=4, oracle="one-pass", **spec)
    assert any("run stepwise" in note and why in note for note in scenario_result(trace, 5e-4).notes)


def test_that_a_full_that_keeps_something_is_not_called_unseeded(tmp_path: Path) -> None:
    keeps = (
        hostile.with_full("return _full(ids) * (1 if first else 2)")
        .replace(
            "def full(ids):\n    global n_calls",
            "first = []\ndef full(ids):\n    first.append(1) if ids.shape[1] == 4 else None\n    global n_calls",
        )
        .replace("vocab_size = 11", "")
    )
    with pytest.raises(TargetError, match="keeps something from its calls"):
        recorded(tmp_path, keeps)


def test_that_a_refused_kind_of_logits_says_what_to_return(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"returned list as logits.*numpy\.asarray"):
        recorded(tmp_path, hostile.with_full("return _full(ids).tolist()"))
