"""The bytes of a trace, read with suspicion: every length is checked against what is left before it is used."""

import gc
import json
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
FACTS_KEY = "facts"  # of a step's metadata: JSON
MAX_NAME = 64
MAX_HEADER = 3 << 20
MAX_RANK = 8
HEADER_LENGTH = 8
BF16 = "BF16"
DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(code) for name, code in {
        "BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8", "I64": "<i8",
        "F16": "<f2", BF16: "<u2", "F32": "<f4", "F64": "<f8",
    }.items()
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in DTYPES.items() if name != BF16}
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
    if not any(header):
        return None  # space that was reserved and never written, as a loss of power leaves it
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
class Header:
    """What a safetensors member says of its arrays; of one that is too large to be held, all that is."""

    metadata: dict[str, str]
    tensors: dict[str, TensorInfo]
    nbytes: int  # that are held


@dataclass(frozen=True)
class SafeTensors(Header):
    """The parsed bytes of one safetensors member; arrays are views into `data`."""

    data: memoryview

    def array(self, name: str) -> np.ndarray[Any, Any] | None:
        info = self.tensors.get(name)
        if info is None:
            return None
        begin, end = info.data_offsets
        return as_array(self.data[begin:end], info)


def as_array(data: bytes | memoryview, info: TensorInfo) -> np.ndarray[Any, Any]:
    """Return the array that the bytes hold; BF16, which numpy has not, as the same numbers in F32."""
    stored = np.frombuffer(data, DTYPES[info.dtype]).reshape(info.shape)
    if info.dtype == BF16:
        return (stored.astype("<u4") << 16).view("<f4")
    return stored


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
        raise no_step(where, str(error)) from error


def _header(data: bytes, where: str) -> bytes:
    return data[HEADER_LENGTH : header_end(data, len(data), where)]


def header_end(head: bytes, nbytes: int, where: str) -> int:
    """Return where the header of a step of `nbytes` ends, told by its first bytes."""
    if nbytes < HEADER_LENGTH or len(head) < HEADER_LENGTH:
        raise no_step(where, "it is shorter than a header")
    header_len = int.from_bytes(head[:HEADER_LENGTH], "little")
    if header_len > min(nbytes - HEADER_LENGTH, MAX_HEADER):
        raise no_step(where, f"its header claims {header_len} bytes")
    return HEADER_LENGTH + header_len


def find_tensor(header: bytes, name: str, nbytes: int, where: str) -> TensorInfo | None:
    """Return the entry of one tensor in a header (the length before it included), without parsing the rest.

    `nbytes` is the size of the step. A quote inside a JSON string follows a backslash, so a name that does not is a key.
    """
    key, begin = msgspec.json.encode(name), 0
    at = header.find(key)
    while at >= 0:
        begin = at + len(key)
        if header[at - 1 : at] != b"\\" and header[begin : begin + MAX_NAME].lstrip()[:1] == b":":
            break
        at = header.find(key, at + 1)
    if at < 0:
        return None
    begin = header.index(b":", begin) + 1
    try:
        info = msgspec.json.decode(header[begin : header.index(b"}", begin) + 1], type=TensorInfo)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise no_step(where, str(error)) from error
    _check_tensor(name, info, 0, nbytes - len(header), where)
    return info


def no_step(where: str, why: str) -> UnreadableError:
    template = QT_TRANSLATE_NOOP("core", "{where} is not a readable step: {why}")
    return UnreadableError(template, where=where, why=why)


def parse_safetensors(data: bytes, where: str) -> SafeTensors:
    """Parse and check a safetensors file: dtypes, ranks, dims and offsets must fit the bytes, without overlap.

    Raises:
        UnreadableError: it says `where` and what is wrong.
    """
    raw_header = _header(data, where)
    body = memoryview(data)[HEADER_LENGTH + len(raw_header) :]
    header = parse_header(raw_header, len(body), where)
    return SafeTensors(header.metadata, header.tensors, len(data), body)


def parse_header(raw_header: bytes, body_size: int, where: str) -> Header:
    """Return what a header (without the length before it) says, checked against the number of bytes after it."""
    try:
        header = msgspec.json.decode(raw_header, type=dict[str, msgspec.Raw])
        metadata = msgspec.json.decode(header.pop("__metadata__", b"{}"), type=dict[str, str])
        tensors = {name: msgspec.json.decode(raw, type=TensorInfo) for name, raw in header.items()}
        check_keys(raw_header)
        check_keys(metadata.get(FACTS_KEY, "{}").encode())
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise no_step(where, str(error)) from error
    used = 0
    for name, info in sorted(tensors.items(), key=lambda item: item[1].data_offsets):
        _check_tensor(name, info, used, body_size, where)
        if info.data_offsets[0] != used:
            raise no_step(where, f"{info.data_offsets[0] - used} bytes before {name!r} belong to no tensor")
        used = info.data_offsets[1]
    if used != body_size:
        raise no_step(where, f"{body_size - used} bytes at its end belong to no tensor")
    return Header(metadata, tensors, len(raw_header))


def _check_tensor(name: str, info: TensorInfo, free_from: int, end_of_body: int, where: str) -> None:
    begin, end = info.data_offsets
    if info.dtype not in DTYPES:
        raise no_step(where, f"dtype {info.dtype!r} of {name!r} is not one of {', '.join(DTYPES)}")
    if len(info.shape) > MAX_RANK or any(dim < 0 for dim in info.shape):
        raise no_step(where, f"shape of {name!r}")
    if (
        not free_from <= begin <= end <= end_of_body
        or prod(info.shape) * DTYPES[info.dtype].itemsize != end - begin
    ):
        raise no_step(where, f"the bytes of {name!r} do not fit its shape {info.shape} or the file")


def check_keys(text: bytes) -> None:
    """Raise ValueError where a key of a JSON text is there twice: readers would disagree about which of them counts."""
    was_enabled = gc.isenabled()
    gc.disable()  # it would look again and again through what is thrown away at the end
    try:
        json.loads(text, object_pairs_hook=_once)
    finally:
        if was_enabled:
            gc.enable()


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) == len(pairs):
        return
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"{key[:MAX_NAME]!r} is there twice")
        seen.add(key)
