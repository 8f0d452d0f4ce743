"""What `model_addition_debugger_context(model, debug_path, use_repr=False)` of transformers leaves of one forward call.

`NAME_debug_tree_FULL_TENSORS.json` is the tree of module calls; a tensor in it is an object with the name of a
safetensors file beside it, `{"shape": "...", "dtype": "...", "value": "./NAME.lm_head_outputs.safetensors"}`, which holds
it as `data`. Only modules without children keep their outputs. One call is one step: token ids and logits of it all.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from core import catalog
from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP
from core.trace import layout
from core.trace.foreign_file import open_regular
from core.trace.made import MadeTrace
from core.trace.reader import Trace
from core.trace.records import EndFacts, ModelShape, RunInfo, StepFacts

SUFFIX = "_debug_tree_FULL_TENSORS.json"
MAX_TREE = 64 << 20
MAX_TENSOR = 4 << 30
MAX_DEPTH = 64
_FILE_NAME = re.compile(r"\./([\w.+-][\w.+ -]*\.safetensors)")
_HEADS = (
    "lm_head",
    "output",
    "embed_out",
    "output_layer",
)  # names of the last linear layer, the usual one first


class DebugTreeImporter:
    """Reads the tree first, and each tensor when it is looked at; it opens no file but those beside the tree."""

    def recognises(self, path: Path, head: bytes) -> bool:
        return path.name.endswith(SUFFIX) and head.lstrip().startswith(b"{")

    def open(self, path: Path) -> Trace:
        call = _Call(path)
        end = EndFacts(status="complete", n_steps=1)
        return MadeTrace(path, call.info(), end, call.facts, call.arrays)


class _Call:
    """One forward: `files` holds the name of the tensor file of each module's output."""

    def __init__(self, path: Path) -> None:
        self.path = path
        tree = self._tree()
        self.name = str(tree.get("module_path", "")).split(" ")[0]
        self.files = dict(self._outputs(tree, 0))
        head = next((name for name in _HEADS if name in self.files), None)
        if head is None:
            raise self._unreadable(f"no module of it is named {', '.join(_HEADS)}: where are the logits?")
        self.head = head
        self.ids_file = self._ids_of(tree)

    def info(self) -> RunInfo:
        dtype, shape = self._dtype_and_shape(self.files[self.head])
        return RunInfo(
            target=self.name, scenario="decode", model=ModelShape(dtype=dtype, vocab_size=shape[-1] if shape else 1),
            prompt_ids=self.tokens().tolist(), steps=1, tolerance=catalog.default_tolerance(dtype),
            modules=[name for name in self.files if name != self.head],
        )  # fmt: skip

    def tokens(self) -> NDArray[np.int64]:
        ids = self._tensor(self.ids_file)
        if ids.ndim != 2 or ids.dtype.kind not in "iu" or not ids.size:
            raise self._unreadable(f"its input ids have shape {list(ids.shape)}")
        return ids.astype(np.int64)

    def facts(self, step: int) -> StepFacts:
        ids, logits = self.tokens(), self._logits()
        chosen = [int(row) for row in np.nan_to_num(logits[:, -1].astype(np.float64), nan=-np.inf).argmax(-1)]
        return StepFacts(
            step_index=step, kind="prefill", tokens=ids.tolist(), text_len=ids.shape[1], max_abs_diff=None, is_compared=False,
            argmax_oracle=chosen, argmax_cached=chosen,
        )  # fmt: skip

    def arrays(self, step: int) -> dict[str, NDArray[Any]]:
        ids = self.tokens()
        found: dict[str, NDArray[Any]] = {"tokens": ids, "cached/logits": self._logits()}
        for name, file in self.files.items():
            rows = self._tensor(file)
            if name != self.head and rows.ndim >= 3 and rows.shape[:2] == ids.shape:
                found[f"cached/module/{name}"] = rows
        return found

    def _logits(self) -> NDArray[Any]:
        logits, ids = self._tensor(self.files[self.head]), self.tokens()
        if logits.ndim != 3 or logits.shape[0] != len(ids) or not 1 <= logits.shape[1] <= ids.shape[1]:
            raise self._unreadable(f"its logits have shape {list(logits.shape)} for {list(ids.shape)} tokens")
        return logits

    def _tree(self) -> dict[str, Any]:
        data = self._bytes(self.path, MAX_TREE)
        try:
            tree = msgspec.json.decode(data, type=dict[str, Any])
            layout.check_keys(data)
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            raise self._unreadable(str(error)) from error
        return tree

    def _outputs(self, node: Any, depth: int) -> Iterator[tuple[str, str]]:
        """Yield (module, tensor file) in the order of the calls; of a module that is called twice the last one stays."""
        if not isinstance(node, dict) or depth > MAX_DEPTH:
            raise self._unreadable("it is no tree of module calls")
        name = str(node.get("module_path", "")).partition(".")[2]
        file = self._file_of(node.get("outputs"))
        if name and file is not None:
            yield name, file
        children = node.get("children") or []
        if not isinstance(children, list):
            raise self._unreadable("it is no tree of module calls")
        for child in children:
            yield from self._outputs(child, depth + 1)

    def _file_of(self, value: Any) -> str | None:
        """Return the file of a tensor, of a tuple's first one; None where there is no tensor."""
        if isinstance(value, list) and value:
            value = value[0]
        if not isinstance(value, dict) or "value" not in value:
            return None
        if not isinstance(value["value"], str):
            raise self._unreadable("it has tensors as text, shortened; record it with use_repr=False")
        found = _FILE_NAME.fullmatch(value["value"])
        if found is None:
            raise self._unreadable(f"{value['value'][:80]!r} is no file beside it")
        return found[1]

    def _ids_of(self, tree: dict[str, Any]) -> str:
        """The model was given ids by name or first in line; the embedding was given them in any case."""
        given = tree.get("inputs")
        given = given if isinstance(given, dict) else {}
        named, in_line = given.get("kwargs"), given.get("args")
        file = self._file_of(named.get("input_ids")) if isinstance(named, dict) else None
        file = file or self._file_of(in_line)
        if file is None:
            raise self._unreadable("the model was not called with input_ids")
        return file

    def _tensor(self, name: str) -> NDArray[Any]:
        found = layout.parse_safetensors(self._bytes(self.path.parent / name, MAX_TENSOR), name).array("data")
        if found is None:
            raise self._unreadable(f"{name} has no tensor `data`")
        return found

    def _dtype_and_shape(self, name: str) -> tuple[str, list[int]]:
        data = self._bytes(self.path.parent / name, MAX_TENSOR)
        entry = layout.parse_safetensors(data, name).tensors.get("data")
        if entry is None:
            raise self._unreadable(f"{name} has no tensor `data`")
        names = {"F16": "float16", "BF16": "bfloat16", "F64": "float64"}
        return names.get(entry.dtype, "float32"), entry.shape

    def _bytes(self, path: Path, most: int) -> bytes:
        fd = open_regular(path)
        with open(fd, "rb") as file:
            if os.fstat(fd).st_size > most:
                raise self._unreadable(f"{path.name} is larger than {most >> 20} MiB")
            return file.read()

    def _unreadable(self, why: str) -> UnreadableError:
        template = QT_TRANSLATE_NOOP("core", "{path} is no readable debug tree of transformers: {why}")
        return UnreadableError(template, path=str(self.path), why=why)
