"""Small random models of several families, saved as folders the way users have them."""

import json
import struct
from pathlib import Path
from typing import Any

import torch

VOCAB = 97
WINDOW = 7  # below the length of every run
IDS = (3, 1, 4, 1, 5, 9, 2, 6)
_COMMON: dict[str, Any] = {
    "vocab_size": VOCAB, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 96, "initializer_range": 0.3,
    "pad_token_id": None, "bos_token_id": None, "eos_token_id": None,
}  # fmt: skip
_GEMMA = {**_COMMON, "head_dim": 8, "sliding_window": WINDOW, "query_pre_attn_scalar": 8}
FAMILIES: dict[str, dict[str, Any]] = {
    "llama": _COMMON,
    "mistral": {**_COMMON, "sliding_window": WINDOW},
    "qwen2": _COMMON,
    "gemma2": _GEMMA,
    "gemma3_text": _GEMMA,
    "phi": _COMMON,
    "gpt_neox": _COMMON,
    "gpt2": {
        "vocab_size": VOCAB, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 96, "initializer_range": 0.3,
        "bos_token_id": None, "eos_token_id": None,
    },
    "opt": {
        "vocab_size": VOCAB, "hidden_size": 32, "ffn_dim": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "max_position_embeddings": 96, "word_embed_proj_dim": 32, "init_std": 0.3,
        "pad_token_id": 1, "bos_token_id": 2, "eos_token_id": 2,
    },
    "bloom": {
        "vocab_size": VOCAB, "hidden_size": 32, "n_layer": 2, "n_head": 4, "initializer_range": 0.3,
        "bos_token_id": None, "eos_token_id": None, "pad_token_id": None,
    },
    "bart": {
        "vocab_size": VOCAB, "d_model": 32, "decoder_layers": 2, "decoder_attention_heads": 4, "decoder_ffn_dim": 64,
        "max_position_embeddings": 96, "init_std": 0.3, "pad_token_id": None, "bos_token_id": None, "eos_token_id": None,
    },
    "recurrent_gemma": {
        **_COMMON, "num_hidden_layers": 3, "attention_window_size": 16, "lru_width": 32,
    },
    "hrm_text": {**_COMMON, "num_key_value_heads": 4, "head_dim": 8},  # rounds a hundred times more than others
    "mixtral": {**_COMMON, "num_local_experts": 4, "num_experts_per_tok": 2, "initializer_range": 0.5},
    "bert": {
        "vocab_size": VOCAB, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "max_position_embeddings": 96, "initializer_range": 0.3,
    },
    "roberta": {  # counts positions on from its pad id
        "vocab_size": VOCAB, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "max_position_embeddings": 96, "initializer_range": 0.3, "is_decoder": True, "pad_token_id": 0,
    },
    "mamba": {
        "vocab_size": VOCAB, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 8,
        "bos_token_id": None, "eos_token_id": None, "pad_token_id": None,
    },
}  # fmt: skip


def save_model(folder: Path, family: str = "llama", **changes: Any) -> Path:
    """Save a seeded model of a family; without a tokenizer."""
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    config = transformers.AutoConfig.for_model(family, **{**FAMILIES[family], **changes})
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(config)
    model.save_pretrained(str(folder))
    return folder


def save_tokenizer(folder: Path, n_words: int = VOCAB) -> None:
    """Save a tokenizer whose words are w0, w1, ...; what else there is becomes w0."""
    import tokenizers
    import transformers

    words = {f"w{index}": index for index in range(n_words)}
    fast = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="w0"))
    fast.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(tokenizer_object=fast).save_pretrained(str(folder))


def edit_config(folder: Path, **changes: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def gguf_bytes(
    pairs: tuple[bytes, ...] = (), tensors: tuple[bytes, ...] = (), *, version: int = 3, n_tensors: int | None = None,
    n_pairs: int | None = None,
) -> bytes:  # fmt: skip
    """Return the bytes of a GGUF header; its counts may lie."""
    counts = (len(tensors) if n_tensors is None else n_tensors, len(pairs) if n_pairs is None else n_pairs)
    return b"GGUF" + struct.pack("<IQQ", version, *counts) + b"".join(pairs) + b"".join(tensors)


def gguf_text(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


ARCHITECTURE = gguf_text("general.architecture") + struct.pack("<I", 8) + gguf_text("llama")
