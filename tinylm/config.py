"""The shape of a model, and the three models that ship with the project."""

from dataclasses import dataclass
from typing import Literal

from tinylm.tokenizer import VOCAB_SIZE

PositionScheme = Literal["rope", "learned", "alibi"]

LAYOUTS = ("concat", "static", "paged", "sliding")
DEFAULT_WINDOW = 48  # rows of the sliding layout: below the length of a usual run, so that runs pass it


@dataclass(frozen=True)
class ModelConfig:
    """Everything that fixes the tensors' shapes; weights are built from this alone."""

    name: str
    position_scheme: PositionScheme
    n_kv_heads: int
    n_heads: int = 4
    n_layers: int = 4
    d_model: int = 128
    d_ff: int = 256
    max_seq_len: int = 512
    vocab_size: int = VOCAB_SIZE
    rope_theta: float = 10_000.0
    norm_eps: float = 1e-5

    def __post_init__(self) -> None:
        if self.d_model % self.n_heads:
            raise ValueError(f"d_model {self.d_model} is not a multiple of n_heads {self.n_heads}")
        if self.n_heads % self.n_kv_heads:
            raise ValueError(f"n_heads {self.n_heads} is not a multiple of n_kv_heads {self.n_kv_heads}")

    @property
    def head_dim(self) -> int:
        return self.d_model // self.n_heads


CONFIGS: dict[str, ModelConfig] = {
    config.name: config
    for config in (
        ModelConfig("rope-gqa", position_scheme="rope", n_kv_heads=2),
        ModelConfig("learned-mha", position_scheme="learned", n_kv_heads=4, d_ff=224),
        ModelConfig("alibi-mqa", position_scheme="alibi", n_kv_heads=1, d_ff=288),
    )
}
DEFAULT_MODEL = "rope-gqa"
