"""Model folders and files that are not what they should be: each is named, with what to do, before a loader sees it."""

import json
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.engine.messages import RunSpec
from core.errors import UnreadableError
from core.targets import hf_load
from core.targets.gguf_header import read_gguf_header
from core.targets.hf_files import check_folder, check_safetensors
from tests.core.targets.hf_models import ARCHITECTURE, edit_config, gguf_bytes, gguf_text, save_model

pytest.importorskip("transformers")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_model(tmp_path / "model")


def load(named: Path) -> None:
    hf_load.load_hf(RunSpec(target=f"hf:{named}", layout="dynamic"))


def change_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], None]) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


CONFIGS = {
    "num_attention_heads is 0": {"num_attention_heads": 0},
    "num_hidden_layers is -1": {"num_hidden_layers": -1},
    "num_hidden_layers is '2'": {"num_hidden_layers": "2"},
    "hidden_size is 1000000000000": {"hidden_size": 10**12},
    "num_key_value_heads is 1.5": {"num_key_value_heads": 1.5},
    "vocab_size is True": {"vocab_size": True},
    "names no model_type": {"model_type": None},
    "own Python code": {"auto_map": {"AutoModelForCausalLM": "modeling.Model"}},
    "foreign code": {"_attn_implementation": "owner/kernel"},
    "foreign code or files": {"_attn_implementation_internal": {"text": "owner/kernel@main"}},
    "transformers_weights": {"transformers_weights": "../other.safetensors"},
    "quantised": {"quantization_config": {"quant_method": "awq"}},
    "text_config: num_attention_heads is 0": {"text_config": {"num_attention_heads": 0}},
}


@pytest.mark.parametrize("changes", CONFIGS.values(), ids=CONFIGS)
def test_that_a_config_that_cannot_be_is_refused(folder: Path, changes: dict[str, object]) -> None:
    edit_config(folder, **changes)
    with pytest.raises(UnreadableError) as caught:
        load(folder)
    assert next(text for text, one in CONFIGS.items() if one is changes) in str(caught.value)


def test_that_a_layer_count_that_needs_more_memory_than_the_files_hold_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.errors import EnvironmentFault
    from core.targets import memory

    edit_config(folder, vocab_size=1_000_000)
    monkeypatch.setattr(memory, "free_memory", lambda device: 10 << 20)
    with pytest.raises(EnvironmentFault, match="MB are free"):
        load(folder)


def _write(name: str, data: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(data) and None


def _replace_weights(data: bytes, name: str = "model.safetensors") -> Callable[[Path], None]:
    def replace(folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        (folder / name).write_bytes(data)

    return replace


def _index(name: str) -> bytes:
    return json.dumps({"weight_map": {"lm_head.weight": name}}).encode()


def _truncate(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


def _entry(**entry: object) -> bytes:
    header = json.dumps(
        {"a.weight": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], **entry}}
    ).encode()
    return struct.pack("<Q", len(header)) + header + bytes(4)


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 269060552\n"
FILES = {
    "config.json: there is no such file": lambda folder: (folder / "config.json").unlink(),
    "config.json: it is not JSON": _write("config.json", b"{"),
    "config.json: it holds no JSON object": _write("config.json", b"[]"),
    "config.json: it is not JSON: maximum": _write("config.json", b"[" * 100_000),
    "tokenizer_config.json needs its own Python code": _write("tokenizer_config.json", b'{"auto_map": ["a.b", null]}'),
    "the folder holds an adapter": _write("adapter_config.json", b"{}"),
    "neither model.safetensors nor": lambda folder: (folder / "model.safetensors").unlink(),
    "model.gguf": _replace_weights(b"GGUF", "model.gguf"),
    "pytorch_model.bin is a pickle": _replace_weights(b"PK", "pytorch_model.bin"),
    "download incomplete: 73 of 269060552 bytes": _replace_weights(LFS),
    "it is a web page": _replace_weights(b"<!DOCTYPE html><html>"),
    "it is empty": _replace_weights(b""),
    "download incomplete: ": _truncate,
    "its header claims": _replace_weights(b"\xff" * 64),
    "expected the name of a safetensors file": _replace_weights(_index("../x.safetensors"), "model.safetensors.index.json"),
    "x.safetensors is missing": _replace_weights(_index("x.safetensors"), "model.safetensors.index.json"),
    "it has no weight_map": _replace_weights(b"{}", "model.safetensors.index.json"),
    "quantised weights are not supported": _replace_weights(_entry(dtype="I8")),
    "has shape [0, 4611686018427387904]": _replace_weights(_entry(shape=[0, 2**62], data_offsets=[0, 0])),
    "has shape [1, 1, 1": _replace_weights(_entry(shape=[1] * 1000)),
    "is malformed": _replace_weights(_entry(data_offsets=[0])),
}  # fmt: skip


@pytest.mark.parametrize("expected", FILES)
def test_that_a_broken_folder_is_named(folder: Path, expected: str) -> None:
    FILES[expected](folder)
    with pytest.raises(UnreadableError) as caught:
        load(folder)
    assert expected in str(caught.value)


def test_that_weights_that_are_missing_are_listed(folder: Path) -> None:
    removed = "model.layers.1.mlp.up_proj.weight"
    change_weights(folder, lambda tensors: tensors.__delitem__(removed))
    with pytest.raises(UnreadableError, match=f"missing keys: {removed}"):
        load(folder)


def test_that_weights_that_nothing_asks_for_are_listed(folder: Path) -> None:
    change_weights(
        folder, lambda tensors: tensors.update({f"extra.{n}.weight": torch.ones(2) for n in range(7)})
    )
    with pytest.raises(UnreadableError, match=r"unexpected keys: extra\.0\.weight.* and 2 more"):
        load(folder)


def test_that_weights_of_another_shape_are_listed(folder: Path) -> None:
    change_weights(folder, lambda tensors: tensors.update({"lm_head.weight": torch.ones(96, 32)}))
    with pytest.raises(UnreadableError, match=r"mismatched keys: lm_head\.weight"):
        load(folder)


def test_that_an_encoder_with_a_decoder_is_refused(tmp_path: Path) -> None:
    import transformers

    config = transformers.T5Config(vocab_size=97, d_model=32, d_ff=32, num_layers=2, num_heads=4, d_kv=8)
    config.save_pretrained(str(tmp_path))
    save_model(tmp_path / "other")
    (tmp_path / "other" / "model.safetensors").rename(tmp_path / "model.safetensors")
    with pytest.raises(UnreadableError, match=r"t5 is an encoder"):
        load(tmp_path)


def test_that_a_whole_folder_passes_and_its_values_are_counted(folder: Path) -> None:
    files = check_folder(folder)
    assert files.n_values == check_safetensors(folder / "model.safetensors")
    assert not files.has_tokenizer
    assert files.config["model_type"] == "llama"


def test_that_single_files_of_other_kinds_say_what_to_name(folder: Path) -> None:
    with pytest.raises(UnreadableError, match="name the folder"):
        load(folder / "model.safetensors")
    (folder / "model.pt").write_bytes(b"PK")
    with pytest.raises(UnreadableError, match="pickle"):
        load(folder / "model.pt")


def _array(count: int, kind: int = 4, data: bytes = b"") -> bytes:
    return gguf_text("tokens") + struct.pack("<IIQ", 9, kind, count) + data


def _tensor(name: str = "a", dims: tuple[int, ...] = (4,), kind: int = 0, rank: int | None = None) -> bytes:
    return gguf_text(name) + struct.pack(
        f"<I{len(dims)}QIQ", len(dims) if rank is None else rank, *dims, kind, 0
    )


def _number(name: str, value: int) -> bytes:
    return gguf_text(name) + struct.pack("<II", 4, value)


GGUFS = {
    "does not begin with GGUF": b"GGML" + bytes(60),
    "its version is 99": gguf_bytes(version=99),
    "it claims 1152921504606846976 tensors": gguf_bytes(n_tensors=1 << 60),
    "and 1152921504606846976 values": gguf_bytes(n_pairs=1 << 60),
    "an array of 1152921504606846976 values": gguf_bytes((_array(1 << 60),)),
    "a text of 1152921504606846976 bytes": gguf_bytes((_array(1, 8, struct.pack("<Q", 1 << 60)),)),
    "a value of unknown type 77": gguf_bytes((gguf_text("a") + struct.pack("<IQ", 77, 0),)),
    "it ends in the middle of its header": b"GGUF\x03\x00\x00\x00",
    "it names no general.architecture": gguf_bytes((_number("a", 1),)),
    "general.alignment is 0": gguf_bytes((ARCHITECTURE, _number("general.alignment", 0))),
    "llama.block_count is 0": gguf_bytes((ARCHITECTURE, _number("llama.block_count", 0))),
    "llama.attention.head_count is 0": gguf_bytes((ARCHITECTURE, _number("llama.attention.head_count", 0))),
    "it is one of 3 parts": gguf_bytes((ARCHITECTURE, _number("split.count", 3))),
    "has 4000000000 dimensions": gguf_bytes((ARCHITECTURE,), (_tensor(rank=4_000_000_000),)),
    "has 1152921504606846976 values": gguf_bytes((ARCHITECTURE,), (_tensor(dims=(1 << 30, 1 << 30)),)),
    "an unknown quantisation, number 99": gguf_bytes((ARCHITECTURE,), (_tensor(kind=99),)),
    "download incomplete": gguf_bytes((ARCHITECTURE,), (_tensor(dims=(1000,)),)),
}  # fmt: skip


@pytest.mark.parametrize("expected", GGUFS)
def test_that_a_malformed_gguf_file_is_refused_at_once(tmp_path: Path, expected: str) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(GGUFS[expected])
    started = time.monotonic()
    with pytest.raises(UnreadableError) as caught:
        load(path)
    assert expected in str(caught.value)
    assert time.monotonic() - started < 2


def test_that_nested_arrays_of_a_gguf_file_end_somewhere(tmp_path: Path) -> None:
    nested = struct.pack("<IQ", 9, 1) * 1000
    (tmp_path / "model.gguf").write_bytes(gguf_bytes((_array(1, 9, nested),)))
    with pytest.raises(UnreadableError, match="unknown type 9"):
        read_gguf_header(tmp_path / "model.gguf")


def test_that_a_whole_gguf_header_is_read(tmp_path: Path) -> None:
    head = gguf_bytes((ARCHITECTURE, _array(3, 4, bytes(12)), _number("llama.block_count", 2)), (_tensor(),))
    (tmp_path / "model.gguf").write_bytes(head + bytes(64))
    header = read_gguf_header(tmp_path / "model.gguf")
    assert header.n_values == 4
    assert header.values == {"general.architecture": "llama", "llama.block_count": 2}


def test_that_code_beside_a_gguf_file_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(gguf_bytes((ARCHITECTURE,)))
    (tmp_path / "tokenizer_config.json").write_text('{"auto_map": {"AutoTokenizer": ["x.y", null]}}')
    with pytest.raises(UnreadableError, match="Python code"):
        load(tmp_path / "model.gguf")
