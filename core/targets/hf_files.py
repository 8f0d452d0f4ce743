"""What a model folder must look like before a loader sees it: sizes that can be, whole files, and no foreign code."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from core.errors import UnreadableError
from core.targets.gguf_header import incomplete
from core.text import QT_TRANSLATE_NOOP

MAX_JSON = 64 << 20
MAX_HEADER = 100 << 20
MAX_RANK = 8
MAX_NUMBER = 1 << 48
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
TOKENIZER_FILES = (
    "tokenizer.json", "tokenizer.model", "tokenizer_config.json", "vocab.json", "vocab.txt", "spiece.model", "tekken.json",
)  # fmt: skip
# sizes of a config by the names that families give them, and the largest that is believed
_LIMITS = {
    2048: ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    1 << 14: ("num_attention_heads", "n_head", "n_heads", "num_heads", "num_key_value_heads", "num_kv_heads", "head_dim"),
    1 << 18: ("hidden_size", "n_embd", "d_model"),
    1 << 24: ("vocab_size",),
    1 << 28: ("max_position_embeddings", "n_positions", "max_seq_len"),
}  # fmt: skip
_LARGEST = {name: limit for limit, names in _LIMITS.items() for name in names}
_FLOATS = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2}
_ITEM_BYTES = {
    **_FLOATS,
    "BOOL": 1,
    "U8": 1,
    "I8": 1,
    "I16": 2,
    "U16": 2,
    "I32": 4,
    "U32": 4,
    "I64": 8,
    "U64": 8,
}
_PART_NAME = re.compile(r"[^/\\\x00]+\.safetensors")


@dataclass(frozen=True)
class ModelFiles:
    """A folder that passed: its config, its weight files, and how many values they hold together."""

    config: dict[str, Any]
    weights: tuple[Path, ...]
    n_values: int
    has_tokenizer: bool


def check_folder(folder: Path) -> ModelFiles:
    """Check a model folder without loading anything.

    Raises:
        UnreadableError: it says which file is wrong and what to do.
    """
    check_no_code(folder)
    config = read_json(folder / "config.json")
    _check_sizes(config, "config.json")
    if not isinstance(config.get("model_type"), str):
        raise _unreadable(folder / "config.json", "it names no model_type")
    weights = _weight_files(folder)
    n_values = sum(check_safetensors(path) for path in weights)
    has_tokenizer = any((folder / name).is_file() for name in TOKENIZER_FILES)
    return ModelFiles(config, weights, n_values, has_tokenizer)


def check_no_code(folder: Path) -> None:
    """Refuse what would make a loader run code of the folder, of the hub, or load another model."""
    for name in ("config.json", "tokenizer_config.json", "generation_config.json"):
        path = folder / name
        if not path.is_file():
            continue
        for key, value in _pairs(read_json(path)):
            _check_pair(path, key, value)
    if (folder / "adapter_config.json").is_file():
        raise _unreadable(
            folder / "adapter_config.json", "the folder holds an adapter; merge it into its model first"
        )


def _check_pair(path: Path, key: str, value: object) -> None:
    if key == "auto_map" and value:
        raise UnreadableError(
            QT_TRANSLATE_NOOP(
                "core",
                "{path} needs its own Python code (auto_map); it is not run. If transformers knows the model itself, delete auto_map from the file",
            ),
            path=str(path),
        )
    if "attn_implementation" in key or "experts_implementation" in key or key == "transformers_weights":
        named = list(value.values()) if isinstance(value, dict) else [value]
        if any(isinstance(one, str) and re.search(r"[/\\:@]", one) for one in named):
            raise UnreadableError(
                QT_TRANSLATE_NOOP(
                    "core", "{path} asks for foreign code or files: {key} is {value!r}; it is not loaded"
                ),
                path=str(path),
                key=key,
                value=str(value),
            )
    if key == "quantization_config" and isinstance(value, dict):
        method = str(value.get("quant_method", "unknown"))
        raise _unreadable(
            path, f"the weights are quantised ({method}), which is not supported; save them in float"
        )


def _pairs(value: object) -> Iterator[tuple[str, object]]:
    """Yield every key with its value, however deep."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield from one.items()
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; Infinity and NaN are allowed, since published configs have them."""
    if not path.is_file():
        raise _unreadable(path, "there is no such file")
    check_is_download(path)
    if path.stat().st_size > MAX_JSON:
        raise _unreadable(path, f"it is larger than {MAX_JSON} bytes")
    try:
        value = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, f"it is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise _unreadable(path, "it holds no JSON object")
    return value


def _check_sizes(config: dict[str, Any], where: str) -> None:
    for key, value in config.items():
        if isinstance(value, dict) and key.endswith("_config"):
            _check_sizes(value, f"{where}, {key}")
        if key not in _LARGEST or value is None:
            continue
        for one in value if isinstance(value, list) else [value]:  # some families give a number per layer
            if isinstance(one, bool) or not isinstance(one, int) or not 1 <= one <= _LARGEST[key]:
                raise UnreadableError(
                    QT_TRANSLATE_NOOP(
                        "core", "{where}: {key} is {value!r}, expected a number from 1 to {largest}"
                    ),
                    where=where,
                    key=key,
                    value=one if isinstance(one, int | float | str) else str(one),
                    largest=_LARGEST[key],
                )


def _weight_files(folder: Path) -> tuple[Path, ...]:
    single, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if single.is_file():
        return (single,)
    if index.is_file():
        return _parts(index)
    others = sorted(path.name for path in folder.iterdir() if path.suffix in PICKLES)
    if others:
        raise pickle_refused(folder / others[0])
    ggufs = sorted(path.name for path in folder.glob("*.gguf"))
    hint = f"; name the file: hf:{folder / ggufs[0]}" if ggufs else ""
    raise _unreadable(folder, f"it has neither model.safetensors nor model.safetensors.index.json{hint}")


def pickle_refused(path: Path) -> UnreadableError:
    """A pickle can run any code while it is read."""
    return UnreadableError(
        QT_TRANSLATE_NOOP(
            "core",
            "{path} is a pickle, which can run code while it is read; it is not loaded. Convert it where you trust it: AutoModelForCausalLM.from_pretrained(...).save_pretrained(...) writes safetensors",
        ),
        path=str(path),
    )


def _parts(index: Path) -> tuple[Path, ...]:
    names = read_json(index).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise _unreadable(index, "it has no weight_map")
    parts = sorted({str(name) for name in names.values()})
    for name in parts:
        if not _PART_NAME.fullmatch(name):
            raise _unreadable(index, f"it names {name!r}, expected the name of a safetensors file beside it")
        if not (index.parent / name).is_file():
            raise _unreadable(index, f"{name} is missing: the download is incomplete")
    return tuple(index.parent / name for name in parts)


def check_is_download(path: Path) -> None:
    """Refuse what a failed download leaves in place of a file: nothing, a pointer to it, or a web page."""
    with path.open("rb") as file:
        head = file.read(512)
    if head.startswith(b"version https://git-lfs"):
        size = re.search(rb"\nsize (\d{1,18})", head)
        raise incomplete(path, len(head), int(size.group(1)) if size else 0)
    if re.match(rb"\s*<(!doctype|html|\?xml|head)", head, re.IGNORECASE):
        raise _unreadable(path, "it is a web page, not the file; download it again")
    if not head:
        raise _unreadable(path, "it is empty; download it again")


def check_safetensors(path: Path) -> int:
    """Check a weight file's header against its size; return how many values it holds."""
    check_is_download(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        header_len = int.from_bytes(file.read(8), "little")
        if header_len > MAX_HEADER:
            raise _unreadable(path, f"its header claims {header_len} bytes: it is no safetensors file")
        if header_len + 8 > size:
            raise incomplete(path, size, header_len + 8)
        try:
            header = json.loads(file.read(header_len))
        except (ValueError, RecursionError) as error:
            raise _unreadable(path, f"its header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise _unreadable(path, "its header holds no JSON object")
    header.pop("__metadata__", None)
    ends = [_check_entry(path, name, entry) for name, entry in header.items()]
    needed = 8 + header_len + max((end for end, _ in ends), default=0)
    if needed > size:
        raise incomplete(path, size, needed)
    return sum(count for _, count in ends)


def _check_entry(path: Path, name: str, entry: object) -> tuple[int, int]:
    """Check one tensor of a header; return where it ends and how many values it has."""
    try:
        assert isinstance(entry, dict)
        dtype, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
        numbers = [*shape, begin, end]
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        raise _unreadable(path, f"the entry of {name!r} in its header is malformed") from error
    if name.endswith("weight") and dtype not in _FLOATS:
        raise _unreadable(path, f"{name} is {dtype}: quantised weights are not supported; save them in float")
    if (
        any(
            isinstance(one, bool) or not isinstance(one, int) or not 0 <= one <= MAX_NUMBER for one in numbers
        )
        or len(shape) > MAX_RANK
        or dtype not in _ITEM_BYTES
        or prod(shape) * _ITEM_BYTES[dtype] != end - begin
    ):
        raise _unreadable(
            path, f"{name!r} has shape {str(shape)[:80]}, dtype {dtype} and {end} - {begin} bytes"
        )
    return end, prod(shape)


def _unreadable(path: Path, why: str) -> UnreadableError:
    return UnreadableError(QT_TRANSLATE_NOOP("core", "{path}: {why}"), path=str(path), why=why)
