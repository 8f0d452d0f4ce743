"""Models of transformers: each family agrees with itself, and a careless caller of one is caught at the right step."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core import catalog
from core.engine.messages import RunSpec
from core.engine.run import Run, Skipped
from core.errors import EnvironmentFault, UnreadableError, UsageError
from core.report.result import ScenarioResult, scenario_result
from core.targets import hf_load, memory
from core.targets.hf import HfTarget
from core.targets.load import make_loader
from core.targets.wider import Wider
from core.trace.reader import Trace
from tests.core.support import main
from tests.core.targets.hf_models import FAMILIES, IDS, WINDOW, save_model, save_tokenizer

pytest.importorskip("transformers")

pytestmark = pytest.mark.slow

EQUAL = ("llama", "mistral", "qwen2", "gemma2", "gemma3_text", "phi", "gpt_neox", "gpt2", "opt", "bloom")
Folder = Callable[[str], Path]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a function that gives the folder of a family's model."""
    root = tmp_path_factory.mktemp("models")
    return lambda family: root / family if (root / family).exists() else save_model(root / family, family)


def judge(target: str, path: Path, **spec: object) -> ScenarioResult | None:
    """Run one scenario; None where the target cannot do it."""
    try:
        run = Run(RunSpec(target=target, prompt_ids=IDS, **spec), path)
    except Skipped:
        return None
    for _ in run.steps():
        pass
    with Trace.open(run.close("complete")) as trace:
        return scenario_result(trace, trace.info.tolerance)


def outcomes(target: str, tmp_path: Path, **spec: object) -> dict[str, str]:
    """Return the status of each scenario; `skipped` where the target cannot do it."""
    results = {
        name: judge(target, tmp_path / f"{name}.kvtrace", scenario=name, steps=5, **spec)
        for name in catalog.SCENARIOS
    }
    return {name: result.status if result else "skipped" for name, result in results.items()}


def load(folder: Path, **spec: object) -> HfTarget:
    return hf_load.load_hf(RunSpec(target=f"hf:{folder}", **{"layout": "dynamic", **spec}))[0]()


@pytest.mark.parametrize("family", EQUAL)
def test_that_every_scenario_of_a_family_is_equivalent(family: str, folder: Folder, tmp_path: Path) -> None:
    found = outcomes(f"hf:{folder(family)}", tmp_path, layout="dynamic")
    assert found == dict.fromkeys(catalog.SCENARIOS, "pass")


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_that_a_static_cache_is_equivalent_in_every_scenario(
    family: str, folder: Folder, tmp_path: Path
) -> None:
    found = outcomes(f"hf:{folder(family)}", tmp_path, layout="static")
    assert found == dict.fromkeys(catalog.SCENARIOS, "pass")


def test_that_a_static_window_cannot_be_rolled_back_and_says_so(folder: Folder) -> None:
    why_not = load(folder("mistral"), layout="static", prompt_ids=IDS).why_not("rollback")
    assert "StaticSlidingWindowLayer" in str(why_not)


def test_that_a_recurrent_model_decodes_alike_and_skips_what_its_state_cannot(
    folder: Folder, tmp_path: Path
) -> None:
    target = f"hf:{folder('mamba')}"
    decode = judge(target, tmp_path / "a.kvtrace", layout="dynamic", scenario="decode")
    ragged = judge(target, tmp_path / "b.kvtrace", layout="dynamic", scenario="ragged-batch")
    assert decode.status == ragged.status == "pass"
    assert judge(target, tmp_path / "c.kvtrace", layout="dynamic", scenario="rollback") is None
    recurrent = load(folder("mamba"))
    assert recurrent.inspect(recurrent.cached(torch.tensor([IDS]), None)[1]) is None


def test_that_float64_differs_by_its_own_rounding_only(folder: Folder, tmp_path: Path) -> None:
    result = judge(f"hf:{folder('llama')}", tmp_path / "a.kvtrace", layout="dynamic", dtype="float64")
    assert result.status == "pass"
    assert result.max_abs_diff < 1e-12


def test_that_bfloat16_is_judged_by_the_same_run_in_float32(folder: Folder, tmp_path: Path) -> None:
    result = judge(f"hf:{folder('llama')}", tmp_path / "a.kvtrace", layout="dynamic", dtype="bfloat16")
    assert result.status == "pass"
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert trace.info.model.dtype == "bfloat16"
        assert {trace.facts(index).judged_in for index in range(len(trace))} == {"float32"}


def test_that_a_healthy_model_which_rounds_much_is_excused_by_its_float64_run(
    folder: Folder, tmp_path: Path
) -> None:
    result = judge(f"hf:{folder('hrm_text')}", tmp_path / "a.kvtrace", layout="dynamic", scenario="batch")
    assert result.max_abs_diff > 1e-4  # the CPU decides whether that is over the tolerance
    assert (result.status, result.classification) == ("pass", "rounding")


def test_that_float32_inside_is_no_false_alarm_in_float64(folder: Folder, tmp_path: Path) -> None:
    result = judge(f"hf:{folder('mamba')}", tmp_path / "a.kvtrace", layout="dynamic", dtype="float64")
    assert result.max_abs_diff > 1e-9
    assert (result.status, result.classification) == ("pass", "rounding")


def test_that_experts_whose_kernel_takes_no_float64_run_wider_by_their_plain_loop(
    folder: Folder,
) -> None:
    loader = make_loader(RunSpec(target=f"hf:{folder('mixtral')}", layout="dynamic"))
    ids = torch.tensor([IDS])
    with pytest.raises(RuntimeError, match="Float32"):
        loader.wide().full(ids)
    wider = Wider(loader.wide, "float32", "float64", ids)
    assert wider.left_narrow == []
    assert wider.instance().full(ids).dtype == torch.float64


def test_that_a_sliding_model_keeps_its_window_and_a_static_cache_shows_valid_rows(folder: Folder) -> None:
    ids = torch.tensor([[*IDS, *IDS]])
    sliding = load(folder("mistral"))
    assert [layer.k.shape[2] for layer in sliding.inspect(sliding.cached(ids, None)[1])] == [WINDOW - 1] * 2
    static = load(folder("llama"), layout="static", prompt_ids=IDS)
    layers = static.inspect(static.cached(ids, None)[1])
    assert [layer.k.shape[2] for layer in layers] == [len(ids[0])] * 2
    assert layers[0].capacity == 96
    assert layers[0].buffers[0].shape[2] == 96


def test_that_an_unknown_cache_is_no_error(folder: Folder) -> None:
    target = load(folder("llama"))
    assert target.inspect(object()) is None


def test_that_shapes_come_from_configs_of_all_spellings(folder: Folder) -> None:
    shapes = {family: load(folder(family)).shape for family in ("llama", "gpt2", "bloom", "mistral")}
    assert {(shape.n_layers, shape.n_heads, shape.head_dim) for shape in shapes.values()} == {(2, 4, 8)}
    assert [shape.n_kv_heads for shape in shapes.values()] == [2, 4, 4, 2]
    assert [shape.position_scheme for shape in shapes.values()] == ["rope", "learned", "alibi", "rope"]
    assert shapes["mistral"].window == WINDOW


CALLER = """
import torch
from transformers import AutoModelForCausalLM, DynamicCache
module = AutoModelForCausalLM.from_pretrained({folder!r}, local_files_only=True).eval()
vocab_size = module.config.vocab_size
prompt_len = 0

def full(ids):
    with torch.no_grad():
        return module(ids, use_cache=False).logits

def cached(ids, cache):
    global prompt_len
    if cache is None:
        cache, prompt_len = DynamicCache(config=module.config), ids.shape[1]
    with torch.no_grad():
        return module(ids, {argument}, cache=cache, use_cache=True).logits, cache
"""
CARELESS = {
    "positions restart at 0": "position_ids=torch.arange(ids.shape[1]).unsqueeze(0)",
    "the mask is not extended": "attention_mask=torch.ones(ids.shape[0], prompt_len, dtype=torch.int64)",
}


@pytest.mark.parametrize("argument", CARELESS.values(), ids=CARELESS)
@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_that_a_careless_caller_is_caught_at_the_first_decode_step(
    family: str, argument: str, folder: Folder, tmp_path: Path
) -> None:
    path = tmp_path / "caller.py"
    path.write_text(CALLER.format(folder=str(folder(family)), argument=argument))
    result = judge(str(path), tmp_path / "a.kvtrace", steps=4)
    assert (result.status, result.first_bad_step) == ("fail", 1)


def test_that_text_goes_through_the_folders_tokenizer(tmp_path: Path) -> None:
    save_tokenizer(save_model(tmp_path / "model"))
    target = load(tmp_path / "model")
    assert target.has_text
    assert target.encode("w3 w1 w4") == [3, 1, 4]
    assert target.encode("") == []
    assert target.decode([17]) == "w17"
    with pytest.raises(UnicodeEncodeError):
        target.encode("a\ud800")


def test_that_a_folder_without_a_tokenizer_takes_ids_only(folder: Folder) -> None:
    target = load(folder("llama"))
    assert not target.has_text
    assert target.decode([17]) == "#17"
    with pytest.raises(UsageError, match="--prompt-ids"):
        target.encode("text")


def test_that_a_tokenizer_that_is_larger_than_the_model_is_named(tmp_path: Path) -> None:
    save_tokenizer(save_model(tmp_path / "model"), n_words=120)
    target = load(tmp_path / "model")
    assert any("120" in str(note) for note in target.notes)
    with pytest.raises(UnreadableError, match="119"):
        target.encode("w119")


def test_that_weights_that_are_not_finite_load_and_are_named(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = save_model(tmp_path / "model") / "model.safetensors"
    tensors = load_file(weights)
    tensors["model.layers.1.self_attn.k_proj.weight"][0, :3] = float("nan")
    save_file(tensors, weights, {"format": "pt"})
    assert any(
        "layers.1.self_attn.k_proj.weight holds 3" in str(note) for note in load(tmp_path / "model").notes
    )


def test_that_nothing_is_sent_anywhere(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    hf_load._last.clear()
    load(folder("llama"))
    with pytest.raises(UnreadableError, match="--allow-network"):
        load(Path("owner/name"))


def test_that_a_download_is_asked_for_by_name_and_checked_like_a_folder(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda name, **_: str(folder("gpt2")))
    assert load(Path("owner/name"), allow_network=True).shape.vocab_size == 97
    with pytest.raises(UnreadableError, match="owner/name"):
        load(Path("no/such/folder"), allow_network=True)


def test_that_layouts_faults_and_devices_that_do_not_fit_are_refused(folder: Folder) -> None:
    for layout in catalog.LAYOUTS:
        if layout not in catalog.HF_LAYOUTS:
            with pytest.raises(UsageError, match="dynamic, static"):
                load(folder("llama"), layout=layout)
    with pytest.raises(UsageError, match="--fault"):
        load(folder("llama"), faults=("position-reset",))
    with pytest.raises(UsageError, match="cpu, cuda, mps"):
        load(folder("llama"), device="tpu")
    if not torch.cuda.is_available():
        with pytest.raises(EnvironmentFault, match="available: cpu"):
            load(folder("llama"), device="cuda")


def test_that_a_model_that_does_not_fit_is_refused_before_it_is_loaded(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    hf_load._last.clear()
    monkeypatch.setattr(memory, "free_memory", lambda device: 1000)
    with pytest.raises(EnvironmentFault, match="are free"):
        load(folder("llama"))


def test_that_a_missing_or_old_library_says_what_to_install(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    hf_load._last.clear()
    with monkeypatch.context() as patch:
        patch.setattr(transformers, "__version__", "4.57.1")
        with pytest.raises(EnvironmentFault, match=r"pip install -e \"\.\[hf\]\""):
            load(folder("llama"))

    def missing(name: str) -> None:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(hf_load.importlib, "import_module", missing)
    with pytest.raises(EnvironmentFault, match=r"pip install -e \"\.\[hf\]\""):
        load(folder("llama"))


def test_that_the_scenarios_of_a_check_share_one_load_until_the_files_change(tmp_path: Path) -> None:
    path = save_model(tmp_path / "model")
    first = load(path)
    assert load(path, scenario="batch").module is first.module
    (path / "model.safetensors").touch()
    assert load(path).module is not first.module


def test_that_the_command_line_judges_a_folder(folder: Folder) -> None:
    done = main("check", f"hf:{folder('llama')}", "--scenario", "decode", "--prompt-ids", "3,1,4,1,5")
    assert done.returncode == 0, done.stderr
    assert "PASS" in done.stdout
    assert main("check", f"hf:{folder('llama')}", "--layout", "paged").returncode == 2
    assert main("check", "hf:no/such/folder").returncode == 3
    assert set(FAMILIES) >= set(EQUAL)
