"""Files of other programs, made by those programs' own rules, shown and compared."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from core.compare.pair import compared
from core.errors import UnreadableError
from core.report.result import scenario_result
from core.trace.figures import log_softmax
from core.trace.importers import open_any
from tests.core.support import main
from tests.core.trace.reference_writer import write

N_CTX, N_CHUNK, VOCAB = 8, 2, 11
FIRST = N_CTX // 2


def logits_of(tokens: np.ndarray) -> np.ndarray:
    """Logits (B, T, V) that depend on place and token; some lie more than 16 below the largest."""
    table = np.random.default_rng(0).normal(scale=6, size=(tokens.shape[1], VOCAB, VOCAB)).astype(np.float32)
    return table[np.arange(tokens.shape[1])[None], tokens]


def kld_bytes(tokens: np.ndarray, logits: np.ndarray) -> bytes:
    """What llama-perplexity writes of chunks (C, n_ctx) and their logits (C, n_ctx, V), all in float32 as there."""
    n_chunk, n_ctx = tokens.shape
    n_vocab = logits.shape[-1]
    out = [b"_logits_", struct.pack("<Iii", n_ctx, n_vocab, n_chunk), tokens.astype("<i4").tobytes()]
    for chunk in range(n_chunk):
        for place in range(n_ctx // 2, n_ctx - 1):
            row = logits[chunk, place].astype(np.float32)
            largest = row.max()
            smallest = max(row.min(), largest - np.float32(16))
            log_sum = np.float32(np.log(np.exp(row - largest).astype(np.float64).sum()))
            scale = np.float32((largest - smallest) / np.float32(65535))
            codes = (
                np.where(row > smallest, np.rint((row - smallest) / scale), 0) if scale else np.zeros(n_vocab)
            )
            padded = np.zeros(2 * ((n_vocab + 1) // 2), "<u2")
            padded[:n_vocab] = codes
            out += [struct.pack("<ff", scale, smallest - largest - log_sum), padded.tobytes()]
    return b"".join(out)


TOKENS = np.random.default_rng(1).integers(0, VOCAB, (N_CHUNK, N_CTX))


def engine_steps(tokens: np.ndarray, logits: np.ndarray) -> list[dict]:
    """The same run of an engine that decodes: a prompt of 3, then one token a step."""
    ends = [3, *range(4, tokens.shape[1] + 1)]
    return [
        {"tokens": tokens[:, begin:end], "cached/logits": logits[:, begin:end]}
        for begin, end in zip([0, *ends], ends, strict=False)
    ]


def test_that_a_base_file_of_llama_perplexity_opens_as_one_lane(tmp_path: Path) -> None:
    logits = logits_of(TOKENS)
    (tmp_path / "a.kld").write_bytes(kld_bytes(TOKENS, logits))
    with open_any(tmp_path / "a.kld") as trace:
        assert (len(trace), trace.lanes, trace.info.model.vocab_size) == (
            N_CTX - 1 - FIRST,
            ("cached",),
            VOCAB,
        )
        assert [trace.facts(step).text_len for step in range(len(trace))] == [5, 6, 7]
        wanted = log_softmax(logits)
        for step in range(len(trace)):
            rows = wanted[:, FIRST + step]
            rows = np.maximum(rows, rows.max(-1, keepdims=True) - 16)
            np.testing.assert_allclose(trace.tensor(step, "cached/logits")[:, 0], rows, atol=16 / 65535)
            assert (
                trace.facts(step).tokens[1]
                == TOKENS[1, 0 if step == 0 else FIRST + step : FIRST + step + 1].tolist()
            )


def test_that_a_base_file_is_compared_with_the_logits_of_an_engine(tmp_path: Path) -> None:
    logits = logits_of(TOKENS)
    (tmp_path / "a.kld").write_bytes(kld_bytes(TOKENS, logits))
    write(tmp_path / "b.kvtrace", engine_steps(TOKENS, logits))
    options = ("--prefix",)  # the newest token's logits are not in a base file
    done = main("compare", str(tmp_path / "a.kld"), str(tmp_path / "b.kvtrace"), *options)
    assert done.returncode == 0, done.stdout + done.stderr
    bent = logits.copy()
    bent[1, 5] *= 1.5
    write(tmp_path / "c.kvtrace", engine_steps(TOKENS, bent))
    with open_any(tmp_path / "a.kld") as a, open_any(tmp_path / "c.kvtrace") as c:
        result = scenario_result(compared(a, c, is_prefix=True), 5e-4)
    assert (result.status, result.first_bad_step) == ("fail", 3)
    assert any("3 of 5 steps have logits in both" in note for note in result.notes)


def test_that_two_base_files_are_compared(tmp_path: Path) -> None:
    logits = logits_of(TOKENS)
    (tmp_path / "a.kld").write_bytes(kld_bytes(TOKENS, logits))
    bent = logits.copy()
    bent[0, 6] = bent[0, 6, ::-1]
    (tmp_path / "b.kld").write_bytes(kld_bytes(TOKENS, bent))
    assert main("compare", str(tmp_path / "a.kld"), str(tmp_path / "a.kld")).returncode == 0
    done = main("compare", str(tmp_path / "a.kld"), str(tmp_path / "b.kld"))
    assert done.returncode == 1
    assert "first bad step 2" in done.stdout
    shown = main("show", str(tmp_path / "a.kld"))
    assert shown.returncode == 3
    assert "cached lane only" in shown.stderr


@pytest.mark.parametrize("length", range(0, 280, 3))
def test_that_a_base_file_that_was_cut_off_keeps_its_complete_chunks(tmp_path: Path, length: int) -> None:
    data = kld_bytes(TOKENS, logits_of(TOKENS))
    path = tmp_path / "a.kld"
    path.write_bytes(data[:length])
    chunk = 3 * (8 + 2 * 12)
    n_complete = (min(length, len(data)) - (20 + 4 * TOKENS.size)) // chunk
    if n_complete < 1:
        with pytest.raises(UnreadableError):
            open_any(path)
        return
    with open_any(path) as trace:
        assert len(trace.facts(0).tokens) == n_complete
        assert bool(trace.info.notes) == (n_complete < N_CHUNK)


@pytest.mark.parametrize(
    "head",
    [(0, 5, 1), (8, 0, 1), (8, -1, 1), (8, 11, 0), (8, 11, -1), (2**31, 11, 1), (8, 2**30, 1), (8, 11, 2**30), (1 << 20, 1 << 22, 1 << 30)],
    ids=str,
)  # fmt: skip
def test_that_a_base_file_with_lies_is_refused(tmp_path: Path, head: tuple[int, int, int]) -> None:
    (tmp_path / "a.kld").write_bytes(b"_logits_" + struct.pack("<Iii", *head) + bytes(999))
    with pytest.raises(UnreadableError, match="llama-perplexity"):
        open_any(tmp_path / "a.kld")


def debug_tree(folder: Path, ids: np.ndarray, modules: dict[str, np.ndarray]) -> Path:
    """The files of transformers' debugger: a tree of calls, a safetensors file a tensor."""
    folder.mkdir(exist_ok=True)

    def tensor(name: str, array: np.ndarray) -> dict:
        safetensors.numpy.save_file({"data": array}, folder / f"{name}.safetensors")
        return {
            "shape": f"torch.Size({list(array.shape)})",
            "dtype": "torch.float32",
            "value": f"./{name}.safetensors",
        }

    children = [
        {"module_path": f"TinyForCausalLM.{name}", "inputs": {"args": []}, "outputs": tensor(f"TinyForCausalLM.{name}_outputs", rows)}
        for name, rows in modules.items()
    ]  # fmt: skip
    inner = {"module_path": "TinyForCausalLM.model", "inputs": {}, "children": children[:-1]}
    tree = {
        "module_path": "TinyForCausalLM", "inputs": {"args": [], "kwargs": {"input_ids": tensor("TinyForCausalLM_inputs_kwargs_input_ids", ids)}},
        "children": [inner, children[-1]],
    }  # fmt: skip
    path = folder / "TinyForCausalLM_debug_tree_FULL_TENSORS.json"
    path.write_text(json.dumps(tree, indent=2))
    return path


def tree_modules(bend: str | None = None) -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    modules = {
        name: random.normal(size=(1, 5, width)).astype(np.float32)
        for name, width in (
            ("model.embed", 6),
            ("model.layers.0.mlp", 6),
            ("model.layers.1.mlp", 6),
            ("lm_head", VOCAB),
        )
    }
    for name in ("model.layers.1.mlp", "lm_head") if bend else ():
        modules[name] = modules[name] + 0.5
    return modules


def test_that_two_debug_trees_of_transformers_are_compared_module_by_module(tmp_path: Path) -> None:
    ids = np.array([[1, 2, 3, 4, 5]])
    a = debug_tree(tmp_path / "a", ids, tree_modules())
    b = debug_tree(tmp_path / "b", ids, tree_modules("bent"))
    assert main("compare", str(a), str(a)).returncode == 0
    done = main("compare", str(a), str(b))
    assert done.returncode == 1
    assert "begins in module/model.layers.1.mlp" in done.stdout
    other = debug_tree(tmp_path / "c", ids + 1, tree_modules())
    assert main("compare", str(a), str(other)).returncode == 3


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("../../etc/x.safetensors", "no file beside it"), ("/etc/x.safetensors", "no file beside it"), ("./a/b.safetensors", "no file beside it"),
        ("./x\u0000.safetensors", "no file beside it"), (["tensor([1., ...])"], "use_repr=False"), ("./gone.safetensors", "cannot open"),
    ],
)  # fmt: skip
def test_that_a_debug_tree_names_only_files_beside_it(tmp_path: Path, value: object, message: str) -> None:
    path = debug_tree(
        tmp_path,
        np.array([[1, 2]]),
        {"x": np.zeros((1, 2, 3), np.float32), "lm_head": np.zeros((1, 2, 3), np.float32)},
    )
    tree = json.loads(path.read_text())
    tree["children"][1]["outputs"]["value"] = value
    path.write_text(json.dumps(tree))
    with pytest.raises(UnreadableError, match=message):
        open_any(path)


@pytest.mark.slow
def test_that_what_transformers_itself_writes_is_read(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    config = transformers.LlamaConfig(
        vocab_size=40, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1
    )  # fmt: skip
    ids = torch.tensor([[3, 1, 4, 1, 5]])
    logits = []
    for folder, bent in (("a", False), ("b", True)):
        torch.manual_seed(0)
        model = transformers.LlamaForCausalLM(config).eval()
        if bent:
            model.model.layers[1].mlp.down_proj.weight.data.mul_(1.5)
        with transformers.model_addition_debugger_context(
            model, str(tmp_path / folder), do_prune_layers=False, use_repr=False
        ):
            logits.append(model.forward(input_ids=ids).logits)
    a, b = (tmp_path / folder / "LlamaForCausalLM_debug_tree_FULL_TENSORS.json" for folder in "ab")
    with open_any(a) as one, open_any(b) as other:
        np.testing.assert_array_equal(one.tensor(0, "cached/logits"), logits[0].numpy())
        assert one.facts(0).tokens == ids.tolist()
        result = scenario_result(compared(one, other), 5e-4)
    assert result.first_bad_tensor.tensor == "module/model.layers.1.mlp.down_proj"
