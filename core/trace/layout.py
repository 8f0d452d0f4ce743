"""The bytes of a trace, read with suspicion: every length is checked against what is left before it is used."""

import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP

LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
LOCAL_SIGNATURE = b"PK\x03\x04"
DIRECTORY_SIGNATURES = (b"PK\x01\x02", b"PK\x05\x06")
MAX_NAME = 64
MAX_HEADER = 16 << 20
MAX_RANK = 8
DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(code) for name, code in {
        "BOOL": "?", "U8": "u1", "I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8", "F16": "<f2", "F32": "<f4", "F64": "<f8",
    }.items()
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_MEMBER_NAME = re.compile(rb"kvtrace\.json|end\.json|steps/[0-9]{8}\.safetensors")


@dataclass(frozen=True)
class Member:
    """Where the bytes of one ZIP member lie."""

    name: str
    offset: int
    size: int
    crc: int
    end: int


class TensorInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of a safetensors header."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def read_member(fd: int, offset: int, file_size: int) -> Member | None:
    """Return the member whose local header starts at `offset`; None where the file ends in its middle, or at the directory.

    Raises:
        UnreadableError: the bytes are no member that a trace may have.
    """
    header = os.pread(fd, LOCAL_HEADER.size + MAX_NAME, offset)
    if len(header) < LOCAL_HEADER.size or header[:4] in DIRECTORY_SIGNATURES:
        return None
    signature, _, flags, method, _, _, crc, packed, size, name_len, extra_len = LOCAL_HEADER.unpack_from(
        header
    )
    if signature != LOCAL_SIGNATURE:
        raise damaged(offset, "no member of a ZIP file begins here")
    if flags & ~0x800 or method or packed != size or extra_len:
        raise damaged(offset, "members must be stored, without compression, encryption or extra fields")
    name = header[LOCAL_HEADER.size : LOCAL_HEADER.size + name_len]
    data_offset = offset + LOCAL_HEADER.size + name_len
    if len(name) < name_len <= MAX_NAME or data_offset + size > file_size:
        return None  # cut off: the rest was never written
    if not _MEMBER_NAME.fullmatch(name):
        raise damaged(offset, "a trace has no member of that name")
    return Member(name.decode(), data_offset, size, crc, data_offset + size)


def damaged(offset: int, why: str) -> UnreadableError:
    return UnreadableError(
        QT_TRANSLATE_NOOP("core", "the trace is damaged at byte {offset}: {why}"), offset=offset, why=why
    )


@dataclass(frozen=True)
class SafeTensors:
    """The parsed bytes of one safetensors member; arrays are views into `data`."""

    metadata: dict[str, str]
    tensors: dict[str, TensorInfo]
    data: memoryview
    nbytes: int  # of the whole member

    def array(self, name: str) -> np.ndarray[Any, Any] | None:
        info = self.tensors.get(name)
        if info is None:
            return None
        begin, end = info.data_offsets
        return np.frombuffer(self.data[begin:end], DTYPES[info.dtype]).reshape(info.shape)


def safetensors_bytes(metadata: dict[str, str], tensors: Mapping[str, np.ndarray[Any, Any]]) -> bytes:
    """Return the bytes that the library of that name writes, which takes eight times as long for hundreds of small arrays."""
    header: dict[str, object] = {"__metadata__": metadata}
    parts: list[bytes] = []
    end = 0
    # wide dtypes first, so that every array is aligned
    for name, array in sorted(tensors.items(), key=lambda item: (-item[1].itemsize, item[0])):
        begin, end = end, end + array.nbytes
        header[name] = TensorInfo(_NAMES[array.dtype], list(array.shape), (begin, end))
        parts.append(array.tobytes())
    text = msgspec.json.encode(header)
    text += b" " * (-len(text) % 8)
    return b"".join((len(text).to_bytes(8, "little"), text, *parts))


class _Header(Struct):
    """Of a safetensors header, the facts alone; the tensors in it are skipped."""

    metadata: dict[str, str] = msgspec.field(name="__metadata__", default_factory=dict)


def parse_metadata(data: bytes, where: str) -> dict[str, str]:
    """Return the metadata of a safetensors file, in a tenth of the time of `parse_safetensors`, which checks all of it."""
    try:
        return msgspec.json.decode(_header(data, where), type=_Header).metadata
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise _no_step(where, str(error)) from error


def _header(data: bytes, where: str) -> bytes:
    if len(data) < 8:
        raise _no_step(where, "it is shorter than a header")
    header_len = int.from_bytes(data[:8], "little")
    if header_len > min(len(data) - 8, MAX_HEADER):
        raise _no_step(where, f"its header claims {header_len} bytes")
    return data[8 : 8 + header_len]


def _no_step(where: str, why: str) -> UnreadableError:
    template = QT_TRANSLATE_NOOP("core", "{where} is not a readable step: {why}")
    return UnreadableError(template, where=where, why=why)


def parse_safetensors(data: bytes, where: str) -> SafeTensors:
    """Parse and check a safetensors file: dtypes, ranks, dims and offsets must fit the bytes, without overlap.

    Raises:
        UnreadableError: it says `where` and what is wrong.
    """
    raw_header = _header(data, where)
    try:
        header = msgspec.json.decode(raw_header, type=dict[str, msgspec.Raw])
        metadata = msgspec.json.decode(header.pop("__metadata__", b"{}"), type=dict[str, str])
        tensors = {name: msgspec.json.decode(raw, type=TensorInfo) for name, raw in header.items()}
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise _no_step(where, str(error)) from error
    body = memoryview(data)[8 + len(raw_header) :]
    free_from = 0
    for name, info in sorted(tensors.items(), key=lambda item: item[1].data_offsets):
        begin, end = info.data_offsets
        if info.dtype not in DTYPES:
            raise _no_step(where, f"dtype {info.dtype!r} of {name!r} is not one of {', '.join(DTYPES)}")
        if len(info.shape) > MAX_RANK or any(dim < 0 for dim in info.shape):
            raise _no_step(where, f"shape of {name!r}")
        if (
            not free_from <= begin <= end <= len(body)
            or prod(info.shape) * DTYPES[info.dtype].itemsize != end - begin
        ):
            raise _no_step(where, f"the bytes of {name!r} do not fit its shape {info.shape} or the file")
        free_from = end
    return SafeTensors(metadata, tensors, body, len(data))
