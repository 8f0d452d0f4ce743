"""The shape of a transformers model, from configs in which every family has names of its own."""

from typing import Any

from core.trace.records import ModelShape

_VARIES = "varies"  # from layer to layer


def model_shape(model: Any) -> ModelShape:
    """Return what is known of the model; None for what its config does not say."""
    config = model.config.get_text_config(decoder=True)
    head = model.get_output_embeddings()
    n_heads = _number(config, "num_attention_heads", "n_head", "n_heads", "num_heads")
    width = _number(config, "hidden_size", "n_embd", "d_model")
    head_dim = _number(config, "head_dim")
    if head_dim is None and _value(config, "head_dim") is None and n_heads and width:
        head_dim = width // n_heads
    return ModelShape(
        dtype=str(model.dtype).removeprefix("torch."),
        # the head may be padded beyond the vocabulary of the config: logits are as wide as the head
        vocab_size=int(head.weight.shape[0]) if hasattr(head, "weight") else int(config.vocab_size),
        n_layers=_number(config, "num_hidden_layers", "n_layer", "n_layers", "num_layers"),
        n_heads=n_heads,
        n_kv_heads=_kv_heads(config, n_heads),
        head_dim=head_dim,
        max_length=_number(config, "max_position_embeddings", "n_positions", "max_seq_len"),
        position_scheme=_position_scheme(config),
        window=_number(config, "sliding_window"),
    )


def _kv_heads(config: Any, n_heads: int | None) -> int | None:
    if _value(config, "multi_query") and not _value(config, "new_decoder_architecture"):
        return 1
    return _number(config, "num_key_value_heads", "num_kv_heads") or n_heads


def _position_scheme(config: Any) -> str | None:
    if _value(config, "alibi") or config.model_type in ("bloom", "mpt"):
        return "alibi"
    if any(_value(config, name) for name in ("rope_parameters", "rope_theta", "rotary_dim", "rotary_pct")):
        return "rope"
    return "learned" if config.model_type in ("gpt2", "opt", "gpt_neo", "gpt_bigcode", "openai-gpt") else None


def _number(config: Any, *names: str) -> int | None:
    """Return the first of these that is a plain number; some families give a list, one per layer."""
    for name in names:
        value = _value(config, name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _value(config: Any, name: str) -> Any:
    """Return an attribute, None where there is none; what differs from layer to layer raises, and is no one number."""
    try:
        return getattr(config, name, None)
    except Exception:  # the kind is the library's own, and no AttributeError
        return _VARIES
