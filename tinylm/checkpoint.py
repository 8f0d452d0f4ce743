"""Weights on disk: one safetensors file with the config, a format version and the training figures beside the tensors."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save

from tinylm.config import CONFIGS, ModelConfig
from tinylm.model import TinyLM

FORMAT = "tinylm/1"
MODELS_DIR = Path(__file__).resolve().parent.parent / "assets" / "models"


def save_checkpoint(path: Path, model: TinyLM, figures: dict[str, Any]) -> None:
    """Write the model and its figures (JSON values)."""
    metadata = {"format": FORMAT, "config": json.dumps(asdict(model.config)), "figures": json.dumps(figures)}
    tensors = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}
    path.write_bytes(save(tensors, metadata))


def load_checkpoint(name_or_path: str | Path) -> tuple[TinyLM, dict[str, Any]]:
    """Return the model in eval mode and its figures; a name is looked up among the shipped checkpoints.

    Raises:
        ValueError: an unknown name, or a file of another format version.
    """
    path = MODELS_DIR / f"{name_or_path}.safetensors" if str(name_or_path) in CONFIGS else Path(name_or_path)
    if not path.is_file():
        raise ValueError(f"no checkpoint {str(name_or_path)!r}; the shipped ones are {', '.join(CONFIGS)}")
    with safe_open(path, framework="pt") as file:
        metadata = file.metadata() or {}
        if metadata.get("format") != FORMAT:
            raise ValueError(
                f"{path.name} has format {metadata.get('format')!r}, this version reads {FORMAT!r}"
            )
        state = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 (safe_open has no __iter__)
    model = TinyLM(ModelConfig(**json.loads(metadata["config"])))
    model.load_state_dict(state)
    return model.eval().requires_grad_(False), json.loads(metadata["figures"])


def random_model(config: ModelConfig, seed: int = 0) -> TinyLM:
    """Return an untrained model with seeded weights, for tests."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return TinyLM(config).eval().requires_grad_(False)
