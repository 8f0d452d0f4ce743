"""The header of a GGUF file, read with suspicion: a loader that trusts its counts can hang or take all memory.

Every count is checked against the bytes that are left before anything is read; arrays are stepped over, not kept.
"""

import re
import struct
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MAX_NAME = 1 << 16
MAX_NESTING = 2
MAX_DIMS = 4
MAX_LAYERS = 2048
MAX_SIZE = 1 << 28
_STRING, _ARRAY = 8, 9
_SCALARS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
_SIZES = re.compile(r"\.(block_count|embedding_length|context_length|attention\.head_count(_kv)?)$")
# values and bytes of one block of each way to store numbers, by the id in the file
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 40), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 16: (256, 66), 17: (256, 74),
    18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136), 28: (1, 8), 29: (256, 56),
    24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36), 41: (128, 18),
}  # fmt: skip

Scalar = int | float | bool | str


@dataclass
class GgufHeader:
    """Scalars and strings of the header, and the values of all tensors together."""

    values: dict[str, Scalar] = field(default_factory=dict)
    n_values: int = 0


def read_gguf_header(path: Path) -> GgufHeader:
    """Read and check the header; the tensors that it names must lie in the file.

    Raises:
        UnreadableError: it says what is wrong.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        return _Reader(path, file, size).header()


class _Reader:
    """Reads little-endian values; `left` bytes are still there."""

    def __init__(self, path: Path, file: BinaryIO, size: int) -> None:
        self.path, self.file, self.size = path, file, size

    def header(self) -> GgufHeader:
        magic, version = self.take("<4sI")
        if magic != MAGIC:
            raise self.wrong("it does not begin with GGUF")
        if version not in VERSIONS:
            raise self.wrong(f"its version is {version}, known are {', '.join(map(str, VERSIONS))}")
        n_tensors, n_pairs = self.take("<QQ")
        # the smallest entry: a name's length, and a type with a value, or a rank, a type and an offset
        if n_tensors * 25 + n_pairs * 13 > self.left:
            raise self.wrong(f"it claims {n_tensors} tensors and {n_pairs} values in {self.size} bytes")
        header = GgufHeader()
        for _ in range(n_pairs):
            name = self.string(MAX_NAME)
            value = self.value(self.take("<I")[0])
            if value is not None:
                header.values[name] = value
        self.check_values(header.values)
        ends = [self.tensor(header) for _ in range(n_tensors)]
        self.check_end(header.values, max(ends, default=0))
        return header

    @property
    def left(self) -> int:
        return self.size - self.file.tell()

    def take(self, code: str) -> tuple[Any, ...]:
        data = self.file.read(struct.calcsize(code))
        if len(data) < struct.calcsize(code):
            raise self.wrong("it ends in the middle of its header")
        return struct.unpack(code, data)

    def string(self, longest: int) -> str:
        (length,) = self.take("<Q")
        if length > min(longest, self.left):
            raise self.wrong(f"a text of {length} bytes at byte {self.file.tell()}")
        return self.file.read(length).decode("utf-8", "replace")

    def value(self, kind: int, nesting: int = 0) -> Scalar | None:
        """Read a value of the header; None for an array, which is stepped over."""
        if kind in _SCALARS:
            scalar: Scalar = self.take("<" + _SCALARS[kind])[0]
            return scalar
        if kind == _STRING:
            return self.string(self.left)
        if kind != _ARRAY or nesting >= MAX_NESTING:
            raise self.wrong(f"a value of unknown type {kind} at byte {self.file.tell()}")
        item, count = self.take("<IQ")
        smallest = struct.calcsize(_SCALARS.get(item, "Q"))
        if count * smallest > self.left:
            raise self.wrong(f"an array of {count} values with {self.left} bytes left")
        if item in _SCALARS:
            self.file.seek(count * smallest, 1)
            return None
        for _ in range(count):
            self.value(item, nesting + 1)
        return None

    def tensor(self, header: GgufHeader) -> int:
        """Read where a tensor lies; return where it ends, counted from the first tensor's byte."""
        name = self.string(MAX_NAME)
        (rank,) = self.take("<I")
        if rank > MAX_DIMS:
            raise self.wrong(f"tensor {name!r} has {rank} dimensions")
        dims: tuple[int, ...] = self.take(f"<{rank}Q")
        kind: int
        offset: int
        kind, offset = self.take("<IQ")
        if kind not in _BLOCKS:
            raise self.wrong(f"tensor {name!r} is stored in an unknown quantisation, number {kind}")
        per_block, block_bytes = _BLOCKS[kind]
        count = prod(dims)
        if count > MAX_SIZE * MAX_SIZE:
            raise self.wrong(f"tensor {name!r} has {count} values")
        header.n_values += count
        return offset + -(-count // per_block) * block_bytes

    def check_values(self, values: dict[str, Scalar]) -> None:
        for name, value in values.items():
            if _SIZES.search(name):
                limit = MAX_LAYERS if name.endswith("block_count") else MAX_SIZE
                if not isinstance(value, int) or not 1 <= value <= limit:
                    raise self.wrong(f"{name} is {value!r}")
        alignment = values.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
            raise self.wrong(f"general.alignment is {alignment!r}")
        if not isinstance(values.get("general.architecture"), str):
            raise self.wrong("it names no general.architecture")
        n_parts = values.get("split.count", 0)
        if isinstance(n_parts, int) and n_parts > 1:
            raise self.wrong(f"it is one of {n_parts} parts; join them first (llama-gguf-split --merge)")

    def check_end(self, values: dict[str, Scalar], end: int) -> None:
        alignment = int(values.get("general.alignment", 32))
        needed = -(-self.file.tell() // alignment) * alignment + end
        if needed > self.size:
            raise incomplete(self.path, self.size, needed)

    def wrong(self, why: str) -> UnreadableError:
        return UnreadableError(
            QT_TRANSLATE_NOOP("core", "{path} is not a readable GGUF file: {why}"),
            path=str(self.path),
            why=why,
        )


def incomplete(path: Path, there: int, needed: int) -> UnreadableError:
    return UnreadableError(
        QT_TRANSLATE_NOOP(
            "core", "{path}: download incomplete: {there} of {needed} bytes; download it again"
        ),
        path=str(path),
        there=there,
        needed=needed,
    )
