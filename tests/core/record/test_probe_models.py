"""Whole models under the probe: example targets of other hands, and small random models of transformers."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from core.record.attention import attention_weights, output_error
from core.record.lane_data import OUTPUT_ERROR
from core.record.probe import Frame, Observation
from core.record.probe_choice import LaneProbe

pytestmark = pytest.mark.slow

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases"
PROMPT = [[3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]]
# targets whose cached lane reads another number of rows than there are tokens in step 0 and 3: a ring with empty slots, a
# whole static buffer, a prefix that is fed again, a row that was lost
ROWS_READ = {
    "alibi_ring_a": (19, 11), "alibi_ring_b": (20, 12), "alibi_ring_d": (28, 20), "hf_qwen_a": (8, 64), "hf_qwen_b": (8, 48),
    "hf_gemma_a": (8, 38), "one_tensor_b": (8, 10),
}  # fmt: skip
N_LAYERS = {
    "alibi_ring_b": 3, "char_gpt_a": 3, "char_gpt_b": 3, "hf_gpt2_b": 3, "hf_llama_d": 3, "llama_static_b": 3, "llama_static_e": 3,
    "mini_gpt_b": 3, "mini_gpt_c": 3, "neox_c": 6, "neox_f": 3, "one_tensor_a": 3, "one_tensor_b": 3, "paged_d": 3, "t5_like_d": 3,
}  # fmt: skip


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"probed_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.load() if callable(getattr(module, "load", None)) else module


def check_calls(seen: Observation, n_layers: int, n_rows: int, kv_len: int, sums_to_one: bool = True) -> None:
    assert len(seen.attention) == n_layers
    for call in seen.attention:
        weights = attention_weights(call, n_rows).float()
        assert weights.shape[2:] == (n_rows, kv_len)
        assert call.k.shape[2] == call.v.shape[2] == kv_len
        if sums_to_one:
            torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:3]), atol=1e-2, rtol=0)
        error = output_error(call, attention_weights(call, n_rows))
        assert error is None or error < max(OUTPUT_ERROR, 8 * torch.finfo(call.q.dtype).eps)


def run_lanes(
    full: Callable[[Tensor], Tensor], cached: Callable[[Tensor, Any], tuple[Tensor, Any]], modules: tuple[Any, Any], batch: int
) -> list[tuple[Observation, Observation]]:  # fmt: skip
    """Prefill and 3 steps of one token, both lanes watched as the recorder does."""
    oracle_probe, cached_probe = LaneProbe(), LaneProbe()
    text = new = torch.tensor(PROMPT[:batch])
    cache, seen = None, []
    for _ in range(4):
        n_rows = new.shape[1]
        with oracle_probe.observe(modules[0], Frame(batch, text.shape[1], n_rows)) as oracle:
            want = full(text.clone())
        with cached_probe.observe(modules[1], Frame(batch, n_rows, n_rows)) as tested:
            _, cache = cached(new.clone(), cache)
        seen.append((oracle, tested))
        new = want[:, -1:].argmax(-1)
        text = torch.cat((text, new), 1)
    return seen


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("path", sorted(CASES.glob("*.py")), ids=lambda path: path.stem)
def test_that_every_layer_of_an_example_target_is_seen_in_both_lanes(path: Path, batch: int) -> None:
    if path.stem.startswith("hf_"):
        pytest.importorskip("transformers")
    oracle, tested = load(path), load(path)
    seen = run_lanes(
        oracle.full, tested.cached, (getattr(oracle, "module", None), getattr(tested, "module", None)), batch
    )
    n_layers = N_LAYERS.get(path.stem, 2)
    rows_read = ROWS_READ.get(path.stem, (8, 11))
    for step, n_rows, of_prefill in ((0, 8, 0), (3, 1, 1)):
        check_calls(seen[step][0], n_layers, n_rows, 8 + step)
        check_calls(seen[step][1], n_layers, n_rows, rows_read[of_prefill])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted(CASES.glob("*.py")), ids=lambda path: path.stem)
def test_that_an_example_target_computes_the_same_bits_under_the_probe(path: Path) -> None:
    if path.stem.startswith("hf_"):
        pytest.importorskip("transformers")
    target, ids, probe = load(path), torch.tensor(PROMPT), LaneProbe()
    bare = target.full(ids.clone())
    for _ in range(2):  # by both probes, then by the one that goes on
        with probe.observe(getattr(target, "module", None), Frame(2, 8)):
            watched = target.full(ids.clone())
        assert torch.equal(bare, watched)


LLAMA = {
    "vocab_size": 64, "hidden_size": 48, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 128,
}  # fmt: skip
GPT2 = {"vocab_size": 64, "n_embd": 48, "n_layer": 2, "n_head": 4, "n_positions": 128}
EXPERTS = {
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 32,
}
LATENT = {
    "num_key_value_heads": 4, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "moe_intermediate_size": 32,
    "first_k_dense_replace": 1, "q_lora_rank": 16, "kv_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "v_head_dim": 12,
}  # fmt: skip
FAMILIES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("Llama", LLAMA),
    "gpt2": ("GPT2", GPT2),
    "bloom": ("Bloom", {"vocab_size": 64, "hidden_size": 48, "n_layer": 2, "n_head": 4}),
    "gptj": ("GPTJ", {**GPT2, "rotary_dim": 4}),
    "gpt_neo": ("GPTNeo", {
        "vocab_size": 64, "hidden_size": 48, "num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]], "window_size": 64,
    }),
    "gemma2": ("Gemma2", {**LLAMA, "head_dim": 12, "sliding_window": 64}),
    "mpt": ("Mpt", {"vocab_size": 64, "d_model": 48, "n_layers": 2, "n_heads": 4, "max_seq_len": 128}),
    "gpt_oss": ("GptOss", {**LLAMA, "head_dim": 12, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 64}),
    "qwen2_moe": ("Qwen2Moe", {**LLAMA, **EXPERTS}),
    "deepseek_v3": ("DeepseekV3", {**LLAMA, **LATENT}),
    "falcon": ("Falcon", {"vocab_size": 64, "hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}),
    "xglm": ("XGLM", {"vocab_size": 64, "d_model": 48, "ffn_dim": 64, "num_layers": 2, "attention_heads": 4}),
    "mamba": ("Mamba", {"vocab_size": 64, "hidden_size": 48, "num_hidden_layers": 2}),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("family", FAMILIES)
def test_that_each_attention_layer_of_a_transformers_model_is_one_call(family: str, batch: int) -> None:
    transformers = pytest.importorskip("transformers")
    name, arguments = FAMILIES[family]
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(**arguments)
    model = getattr(transformers, f"{name}LMHeadModel" if name == "GPT2" else f"{name}ForCausalLM")(
        config
    ).eval()
    given = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
    if name == "Mamba":
        given = next(
            key
            for key in ("cache_params", "cache", given)
            if key in inspect.signature(model.forward).parameters
        )

    def cached(ids: Tensor, cache: Any) -> tuple[Tensor, Any]:
        out = model(ids, use_cache=True, **{given: cache})
        return out.logits, getattr(out, given)

    with torch.inference_mode():
        seen = run_lanes(lambda ids: model(ids, use_cache=False).logits, cached, (model, model), batch)
    n_layers = 0 if family == "mamba" else 2
    for step, n_rows in ((0, 8), (3, 1)):
        for lane in seen[step]:
            check_calls(
                lane, n_layers, n_rows, 8 + step, sums_to_one=family != "gpt_oss"
            )  # a sink takes its share
            assert sum(key.split(".")[-1].isdecimal() for key in lane.module_outputs) == 2
