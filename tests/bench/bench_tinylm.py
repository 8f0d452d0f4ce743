"""Cached greedy decoding: tinylm beside the same architecture in transformers (LlamaForCausalLM with DynamicCache).

    python -m tests.bench.bench_tinylm        needs the extra [bench]

Both get the same weights and must write the same tokens. Rounds alternate, so that a slow spell hits both.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["HF_HUB_OFFLINE"] = "1"

import inspect
import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

from tinylm import tokenizer
from tinylm.checkpoint import load_checkpoint
from tinylm.generate import generate_cached
from tinylm.model import TinyLM

N_TOKENS = 256
ROUNDS = 7


def llama_of(model: TinyLM) -> LlamaForCausalLM:
    """Return the same architecture with the same weights."""
    c = model.config
    config = LlamaConfig(
        vocab_size=c.vocab_size, hidden_size=c.d_model, intermediate_size=c.d_ff, num_hidden_layers=c.n_layers,
        num_attention_heads=c.n_heads, num_key_value_heads=c.n_kv_heads, max_position_embeddings=c.max_seq_len,
        rms_norm_eps=c.norm_eps, rope_theta=c.rope_theta, tie_word_embeddings=True, attn_implementation="sdpa",
    )  # fmt: skip
    llama = LlamaForCausalLM(config).eval()
    state = {
        "model.embed_tokens.weight": model.token_embedding.weight,
        "model.norm.weight": model.norm.weight,
        "lm_head.weight": model.token_embedding.weight,
    }
    for index, block in enumerate(model.blocks):
        q, k, v = block.qkv.weight.split([c.d_model, c.n_kv_heads * c.head_dim, c.n_kv_heads * c.head_dim])
        gate, up = block.gate_up.weight.chunk(2)
        names = {
            "self_attn.q_proj": q,
            "self_attn.k_proj": k,
            "self_attn.v_proj": v,
            "self_attn.o_proj": block.out.weight,
            "mlp.gate_proj": gate,
            "mlp.up_proj": up,
            "mlp.down_proj": block.down.weight,
            "input_layernorm": block.attention_norm.weight,
            "post_attention_layernorm": block.mlp_norm.weight,
        }
        state.update({f"model.layers.{index}.{name}.weight": weight for name, weight in names.items()})
    llama.load_state_dict(state)
    return llama


@torch.inference_mode()
def decode_with_transformers(llama: LlamaForCausalLM, ids: Tensor) -> Tensor:
    """The plain loop that users write around a transformers model."""
    # transformers 5.24 renames the argument
    name = "cache" if "cache" in inspect.signature(llama.forward).parameters else "past_key_values"
    cache = DynamicCache(config=llama.config)
    out, new = [ids], ids
    for _ in range(N_TOKENS):
        logits = llama(input_ids=new, **{name: cache}, use_cache=True).logits
        new = logits[:, -1:].argmax(-1)
        out.append(new)
    return torch.cat(out, 1)


def tokens_per_second(decode: Callable[[], Tensor]) -> float:
    start = time.perf_counter()
    decode()
    return N_TOKENS / (time.perf_counter() - start)


def main() -> None:
    torch.set_num_threads(1)
    model, _ = load_checkpoint("rope-gqa")
    llama = llama_of(model)
    ids = torch.tensor([tokenizer.encode("Evidence EV-2047: 0x7f3a paid 1,250.00")])
    lanes = {
        "tinylm": lambda: generate_cached(model, ids, N_TOKENS),
        "transformers": lambda: decode_with_transformers(llama, ids),
    }
    assert torch.equal(lanes["tinylm"](), lanes["transformers"]()), "the two models write different tokens"
    speeds: dict[str, list[float]] = {name: [] for name in lanes}
    for _ in range(ROUNDS):
        for name, decode in lanes.items():
            speeds[name].append(tokens_per_second(decode))
    for name, values in speeds.items():
        print(
            f"{name:<14}{statistics.median(values):7.0f} tokens/s  (median of {ROUNDS}, {min(values):.0f} to {max(values):.0f})"
        )
    ratios = [ours / theirs for ours, theirs in zip(speeds["tinylm"], speeds["transformers"], strict=True)]
    print(
        f"ratio         {statistics.median(ratios):7.2f}  ({min(ratios):.2f} to {max(ratios):.2f}); torch {torch.__version__}, 1 thread, batch 1, {N_TOKENS} tokens"
    )


if __name__ == "__main__":
    main()
