"""Files that are no trace, or lie: a generator of one file a kind. Every one of them must be refused, quickly and in little memory."""

import gzip
import io
import json
import os
import pickle
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

Kind = tuple[str, Callable[[], bytes]]
VOCAB = 4
HEAD = {"format": "kvtrace", "version": "1.0"}
FACTS = {"step_index": 0, "kind": "prefill", "tokens": [[1, 2]], "text_len": 2, "max_abs_diff": 0.0, "argmax_oracle": [3], "argmax_cached": [3]}  # fmt: skip


def member(
    name: bytes, data: bytes, *, method: int = 0, flags: int = 0, crc: int | None = None, size: int | None = None,
    packed: int | None = None, extra: bytes = b"", name_len: int | None = None,
) -> bytes:  # fmt: skip
    size = len(data) if size is None else size
    crc = zlib.crc32(data) if crc is None else crc
    header = struct.pack(
        "<4sHHHHHIIIHH", b"PK\3\4", 20, flags, method, 0, 33, crc, size if packed is None else packed, size,
        len(name) if name_len is None else name_len, len(extra),
    )  # fmt: skip
    return header + name + extra + data


def safetensors(
    arrays: dict[str, np.ndarray] | None = None, facts: object = None, header: dict | bytes | None = None,
    body: bytes | None = None, length: int | None = None,
) -> bytes:  # fmt: skip
    """A step; `header`, `body` and `length` replace what would be right."""
    made, parts, end = {}, [], 0
    if facts is not None:
        made["__metadata__"] = {"facts": facts if isinstance(facts, str) else json.dumps(facts)}
    for name, array in (arrays or {}).items():
        made[name] = {
            "dtype": {"f": "F32", "i": "I64"}[array.dtype.kind],
            "shape": list(array.shape),
            "data_offsets": [end, end + array.nbytes],
        }
        parts.append(array.tobytes())
        end += array.nbytes
    made = made if header is None else header
    text = made if isinstance(made, bytes) else json.dumps(made).encode()
    return (
        struct.pack("<Q", len(text) if length is None else length)
        + text
        + (b"".join(parts) if body is None else body)
    )


LOGITS = np.zeros((1, 2, VOCAB), np.float32)
ARRAYS = {"tokens": np.array([[1, 2]]), "oracle/logits": LOGITS, "cached/logits": LOGITS}
ONE = {"tokens": np.array([[3]]), "oracle/logits": LOGITS[:, :1], "cached/logits": LOGITS[:, :1]}


def step(index: int, data: bytes | None = None, **options: object) -> bytes:
    data = safetensors(ARRAYS if index == 0 else ONE) if data is None else data
    return member(f"steps/{index:08d}.safetensors".encode(), data, **options)


def trace(
    info: object = None, steps: list[bytes] | None = None, end: object = None, before: bytes = b"", after: bytes = b""
) -> bytes:  # fmt: skip
    """A trace of two steps, in which a part may be replaced."""
    steps = [step(0), step(1)] if steps is None else steps
    info = info if isinstance(info, bytes) else json.dumps(HEAD if info is None else info).encode()
    end = {"status": "complete", "n_steps": len(steps)} if end is None else end
    end = end if isinstance(end, bytes) else json.dumps(end).encode()
    return before + member(b"kvtrace.json", info) + b"".join(steps) + member(b"end.json", end) + after


def first(data: bytes) -> bytes:
    """A trace whose first step is this."""
    return trace(steps=[step(0, data), step(1)])


def zip_of(**files: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return target.getvalue()


def tar_of(data: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as file:
        entry = tarfile.TarInfo("kvtrace.json")
        entry.size = len(data)
        file.addfile(entry, io.BytesIO(data))
    return target.getvalue()


def npy() -> bytes:
    target = io.BytesIO()
    np.save(target, LOGITS)
    return target.getvalue()


class Runs:
    """A pickle of it runs something when it is loaded."""

    def __reduce__(self) -> tuple:
        return os.system, ("touch /tmp/kvscope-was-here",)


# what a file is taken for, where that is said
FOREIGN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "an empty file"),
    "one byte": (b"P", "not a kvtrace file"),
    "text": (b"hello, world\n" * 99, "not a kvtrace file"),
    "zeros": (bytes(1 << 20), "not a kvtrace file"),
    "random": (np.random.default_rng(0).bytes(9999), "not a kvtrace file"),
    "html": (b"<!DOCTYPE html><html><script>alert(1)</script>", "an HTML page"),
    "html lower": (b"\n\n<!doctype html><p>", "an HTML page"),
    "html tag": (b"<HTML><body>404", "an HTML page"),
    "html with a mark": (b"\xef\xbb\xbf<html>", "an HTML page"),
    "xml": (b"<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY l 'l'>]>", "an XML file"),
    "lfs": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        "a Git LFS pointer",
    ),
    "gguf": (b"GGUF\3\0\0\0" + b"\xff" * 64, "a GGUF model"),
    "pickle": (pickle.dumps(Runs()), "a pickle"),
    "pickle 2": (pickle.dumps(Runs(), protocol=2), "a pickle"),
    "safetensors": (safetensors(ARRAYS), "a plain safetensors file"),
    "torch": (zip_of(**{"archive/data.pkl": pickle.dumps(Runs())}), "another ZIP file|no member of that name|compression"),
    "npz": (zip_of(**{"a.npy": npy()}), "another ZIP file|no member of that name|compression"),
    "npy": (npy(), "a numpy array"),
    "json": (b'{"format": "kvtrace", "version": "1.0"}', "a JSON file"),
    "json list": (b"[1, 2]", "a JSON file"),
    "gzip": (gzip.compress(trace()), "a gzip file"),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(99), "a PNG picture"),
    "hdf5": (b"\x89HDF\r\n\x1a\n" + bytes(99), "an HDF5 file"),
    "pdf": (b"%PDF-1.7", "a PDF"),
    "bzip2": (b"BZh91AY", "a bzip2 file"),
    "xz": (b"\xfd7zXZ\0", "an xz file"),
    "zstd": (b"\x28\xb5\x2f\xfd" + bytes(9), "a zstd file"),
    "elf": (b"\x7fELF" + bytes(99), "a program"),
    "script": (b"#!/bin/sh\ntouch /tmp/kvscope-was-here\n", "a script"),
    "sqlite": (b"SQLite format 3\0" + bytes(99), "an SQLite database"),
    "tar": (tar_of(b"{}"), "a tar archive"),
    "kld header": (b"_logits_" + struct.pack("<Iii", 1 << 31, 1 << 30, 1 << 30), "llama-perplexity"),
}  # fmt: skip


def zips() -> Iterator[Kind]:
    """Members that a trace may not have."""
    good, info = trace(), json.dumps(HEAD).encode()
    yield "prefix junk", lambda: b"junk" + good
    yield "info deflated", lambda: member(b"kvtrace.json", zlib.compress(info), method=8, size=len(info))
    yield "step deflated", lambda: trace(steps=[step(0, method=8), step(1)])
    yield "bomb", lambda: member(b"kvtrace.json", zlib.compress(bytes(1 << 24)), method=8, size=1 << 31)
    for method in (1, 9, 12, 14, 93, 99):
        yield f"method {method}", lambda method=method: trace(steps=[step(0, method=method), step(1)])
    yield "encrypted", lambda: trace(steps=[step(0, flags=1), step(1)])
    yield "descriptor", lambda: trace(steps=[step(0, flags=8, size=0, packed=0), step(1)])
    yield "strong encryption", lambda: trace(steps=[step(0, flags=0x41), step(1)])
    yield "packed size", lambda: trace(steps=[step(0, packed=1), step(1)])
    yield "extra field", lambda: trace(steps=[step(0, extra=b"UT\5\0\3abcd"), step(1)])
    yield (
        "zip64",
        lambda: trace(steps=[step(0, size=0xFFFFFFFF, extra=struct.pack("<HHQQ", 1, 16, 9, 9)), step(1)]),
    )
    yield "size beyond the file", lambda: trace(steps=[step(0, size=0xFFFFFFFF), step(1)])
    yield "info beyond the file", lambda: member(b"kvtrace.json", info, size=0xFFFFFFF0)
    yield "size short", lambda: trace(steps=[step(0, size=9), step(1)])
    for name in (
        b"../../etc/passwd", b"/etc/passwd", b"steps/..\\x", b"steps/00000000.safetensors\0", b"STEPS/00000000.SAFETENSORS",
        b"steps/0.safetensors", b"steps/-0000001.safetensors", b"\xff\xfe", b"a" * 60000, b"CON", "steps/０００００００0.safetensors".encode(),
        b"kvtrace.json/", b"", b"steps/00000000.safetensors.exe", b"__pycache__/x.pyc",
    ):  # fmt: skip
        yield f"name {name[-24:]!r}", lambda name=name: trace(steps=[member(name, safetensors(ARRAYS))])
    yield "name length", lambda: trace(steps=[step(0, name_len=65535)])
    yield "step twice", lambda: trace(steps=[step(0), step(0)])
    yield "gap", lambda: trace(steps=[step(0), step(2, safetensors(ONE))])
    yield "out of order", lambda: trace(steps=[step(1), step(0)])
    yield "info twice", lambda: trace(steps=[step(0), member(b"kvtrace.json", info)])
    yield "end first", lambda: member(b"end.json", b'{"status":"complete","n_steps":0}') + good
    yield "step first", lambda: step(0) + good
    yield "no info", lambda: step(0) + step(1) + member(b"end.json", b'{"status":"complete","n_steps":2}')
    yield "no end", lambda: trace()[: trace().index(b"PK\3\4", len(trace()) - 100)]
    yield "junk between", lambda: trace(steps=[step(0), b"junk" * 20, step(1)])
    yield "info checksum", lambda: member(b"kvtrace.json", info, crc=1) + step(0)
    yield "step checksum", lambda: trace(steps=[step(0, crc=1), step(1)])
    yield "end checksum", lambda: member(b"kvtrace.json", info) + step(0) + member(b"end.json", b"{}", crc=1)
    yield "directory only", lambda: b"PK\5\6" + bytes(18)
    yield "a million steps", lambda: member(b"kvtrace.json", info) + b"".join(
        member(f"steps/{i:08d}.safetensors".encode(), b"") for i in range(100_000)
    )  # fmt: skip


def infos() -> Iterator[Kind]:
    """kvtrace.json that cannot be true."""
    texts: dict[str, bytes] = {
        "no json": b"hello", "nothing": b"", "list": b"[]", "number": b"1", "null": b"null", "deep lists": b"[" * 100_000,
        "deep objects": b'{"a":' * 100_000, "invalid utf-8": b'{"format":"\xff"}', "utf-16": json.dumps(HEAD).encode("utf-16"),
        "surrogate": b'{"format":"\\ud800","version":"1.0"}', "trailing": json.dumps(HEAD).encode() + b"{}",
        "twice": b'{"format":"kvtrace","version":"1.0","version":"1.0"}',
        "nested twice": b'{"format":"kvtrace","version":"1.0","x":{"a":1,"a":2}}',
        "nan": b'{"format":"kvtrace","version":"1.0","tolerance":NaN}',
        "large": b'{"format":"kvtrace","version":"1.0","x":"' + b"x" * (4 << 20) + b'"}',
        "many lists": b'{"format":"kvtrace","version":"1.0","x":[' + b"[]," * 990_000 + b"[]}",
        "many numbers": b'{"format":"kvtrace","version":"1.0","prompt_ids":[[' + b"1," * 1_400_000 + b'"1"]]}',
        "many keys": b'{"format":"kvtrace","version":"1.0","versions":{' + b",".join(b'"%d":""' % i for i in range(260_000)) + b',"x":1}}',
        "long number": b'{"format":"kvtrace","version":"1.0","steps":' + b"9" * 100_000 + b"}",
    }  # fmt: skip
    for name, text in texts.items():
        yield f"info {name}", lambda text=text: trace(info=text)
    changes: list[dict] = [
        {"format": "zip"}, {"format": None}, {"version": "2.0"}, {"version": "0.1"}, {"version": 1.0}, {"version": None},
        {"version": "1.0.0"}, {"version": "1." + "9" * 30}, {"version": ["1.0"]}, {"tolerance": -1}, {"tolerance": "x"},
        {"tolerance": 1e999}, {"steps": 0}, {"steps": -5}, {"steps": "9"}, {"steps": 2**70}, {"model": []}, {"model": {"vocab_size": "x"}},
        {"model": {"vocab_size": 2}}, {"model": {"vocab_size": -1}}, {"prompt_ids": "x"}, {"prompt_ids": [["a"]]}, {"prompt_ids": [1.5]},
        {"notes": "x"}, {"faults": [1]}, {"versions": {"a": 1}}, {"target": 5},
    ]  # fmt: skip
    for change in changes:
        yield f"info {str(change)[:60]}", lambda change=change: trace(info={**HEAD, **change})


def ends() -> Iterator[Kind]:
    for end in (
        b"", b"[]", b"{}", b"{" * 9999, b'{"status":"complete","n_steps":2,"n_steps":2}', {"status": "complete", "n_steps": 3},
        {"status": "complete", "n_steps": -2}, {"status": "complete", "n_steps": 2**63}, {"status": "fine", "n_steps": 2},
        {"status": "complete"}, {"status": "complete", "n_steps": 2, "findings": [1]},
        {"status": "complete", "n_steps": 2, "doubts": [{"step_index": 99}]}, {"status": "failed", "n_steps": 2},
        {"status": "complete", "n_steps": 2, "doubts": [{"step_index": 0, "noise": -1.0}]},
        b'{"status":"complete","n_steps":2,"checksums":{' + b",".join(b'"%d":""' % i for i in range(400_000)) + b',"x":1}}',
    ):  # fmt: skip
        yield f"end {str(end)[:90]}", lambda end=end: trace(end=end)


def headers() -> Iterator[Kind]:
    """Steps whose header lies."""
    f32 = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
    yield "step empty", lambda: first(b"")
    yield "step of 7 bytes", lambda: first(b"1234567")
    for length in (0, 1, 1 << 20, 1 << 40, (1 << 64) - 1):
        yield f"header of {length}", lambda length=length: first(safetensors(ARRAYS, length=length))
    for name, text in {
        "no json": b"hello", "list": b"[]", "deep": b"[" * 100_000, "deep objects": b'{"a":' * 100_000, "utf-8": b'{"\xff":1}',
        "twice": b'{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
        "metadata twice": b'{"__metadata__":{"a":"1","a":"2"}}', "metadata numbers": b'{"__metadata__":{"facts":1}}',
        "metadata list": b'{"__metadata__":[]}', "nan": b'{"x":NaN}',
    }.items():  # fmt: skip
        yield f"header {name}", lambda text=text: first(safetensors(header=text, body=bytes(4)))
    changes: list[dict] = [
        {"dtype": "F33"}, {"dtype": "F8_E4M3"}, {"dtype": 5}, {"dtype": "f32"}, {"shape": [2**62]}, {"shape": [2**32, 2**32]},
        {"shape": [-1]}, {"shape": [0, 2**62]}, {"shape": [1] * 9}, {"shape": [1] * 100_000}, {"shape": "x"}, {"shape": [1.0]}, {"shape": [2]},
        {"shape": [2**70]}, {"data_offsets": [4, 0]}, {"data_offsets": [-4, 0]}, {"data_offsets": [0, 400]}, {"data_offsets": [0, 2**63]},
        {"data_offsets": [0]}, {"data_offsets": [0, 4, 8]}, {"data_offsets": [0.0, 4.0]}, {"data_offsets": [1, 5]}, {"x": 1},
    ]  # fmt: skip
    for change in changes:
        yield f"tensor {str(change)[:60]}", lambda change=change: first(
            safetensors(header={"x": {**f32, **change}}, body=bytes(5 if change.get("data_offsets") == [1, 5] else 4))
        )  # fmt: skip
    yield (
        "overlap",
        lambda: first(safetensors(header={"x": f32, "y": {**f32, "data_offsets": [2, 6]}}, body=bytes(6))),
    )
    yield "same bytes", lambda: first(safetensors(header={"x": f32, "y": f32}, body=bytes(4)))
    yield "bytes at the end", lambda: first(safetensors(ARRAYS) + b"more")
    many = lambda n: {f"t{i}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for i in range(n)}  # noqa: E731
    yield "a hundred thousand tensors", lambda: first(safetensors(header=many(45_000), body=b"x"))
    yield "a million tensors", lambda: first(
        safetensors(header=b"{" + b",".join(b'"%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}' % i for i in range(1_000_000)) + b"}")
    )  # fmt: skip


def steps() -> Iterator[Kind]:
    """Facts and arrays that contradict themselves or each other."""
    for name, text in {
        "no json": "x", "list": "[]", "deep": "[" * 100_000, "twice": '{"kind":"prefill","kind":"decode"}', "infinite": '{"max_abs_diff":1e999}',
    }.items():  # fmt: skip
        yield f"facts {name}", lambda text=text: first(safetensors(ARRAYS, text))
    changes: list[dict] = [
        {"step_index": 7}, {"step_index": -1}, {"step_index": 2**70}, {"tokens": []}, {"tokens": [[]]}, {"tokens": [[1, 2], [1]]},
        {"tokens": "x"}, {"tokens": [["x", 1]]}, {"tokens": [[1, 99]]}, {"tokens": [[-1, 2]]}, {"text_len": -9}, {"text_len": 10**9},
        {"text_len": 0}, {"argmax_oracle": []}, {"argmax_cached": [1, 1]}, {"pads": [-1]}, {"pads": [0, 0]}, {"pads": [10**9]},
        {"max_abs_diff": -1}, {"max_abs_diff": "0"}, {"kind": "magic"}, {"wide_max_abs_diff": -1.0}, {"oracle": 1},
        {"cached": {"elapsed_ms": 1, "layers": [{"k_shape": "x"}]}},
    ]  # fmt: skip
    for change in changes:
        yield (
            f"facts {str(change)[:60]}",
            lambda change=change: first(safetensors(ARRAYS, {**FACTS, **change})),
        )
    far = {**ARRAYS, "cached/logits": LOGITS + 1}
    yield "figures that the logits contradict", lambda: first(safetensors(far, FACTS))
    yield (
        "not compared",
        lambda: first(safetensors(far, {**FACTS, "max_abs_diff": None, "is_compared": False})),
    )
    for change in (
        {"tokens": np.zeros((1, 2), np.float32)}, {"tokens": np.array([1, 2])}, {"tokens": np.zeros((1, 0), np.int64)},
        {"oracle/logits": LOGITS[:, :, :2]}, {"oracle/logits": LOGITS[0]}, {"oracle/logits": np.zeros((2, 2, VOCAB), np.float32)},
        {"oracle/logits": np.zeros((1, 9, VOCAB), np.float32)}, {"oracle/logits": np.zeros((1, 2, 0), np.float32)},
        {"oracle/logits": np.zeros((1, 2, VOCAB), np.int64)}, {"tokens": np.array([[1, 99]])},
    ):  # fmt: skip
        name = ", ".join(f"{key} {array.shape}" for key, array in change.items())
        yield f"arrays {name} {next(iter(change.values())).dtype}", lambda change=change: first(
            safetensors({**ARRAYS, **change})
        )  # fmt: skip
    yield "no tokens", lambda: first(safetensors({"oracle/logits": LOGITS, "cached/logits": LOGITS}))
    yield "no logits", lambda: first(safetensors({"tokens": ARRAYS["tokens"]}))


def kinds() -> dict[str, Callable[[], bytes]]:
    """Return every kind of file by its name."""
    found: dict[str, Callable[[], bytes]] = {
        f"foreign {name}": lambda data=data: data for name, (data, _) in FOREIGN.items()
    }
    for group in (zips, infos, ends, headers, steps):
        for name, make in group():
            kind = f"{group.__name__} {name}"
            assert kind not in found, kind
            found[kind] = make
    return found


def write_all(folder: Path) -> dict[str, Path]:
    """Write a file of each kind, and what is no file; return the paths by kind."""
    paths = {}
    for index, (name, make) in enumerate(kinds().items()):
        paths[name] = folder / f"{index:03d}.kvtrace"
        paths[name].write_bytes(make())
    paths["folder"] = folder / "folder.kvtrace"
    paths["folder"].mkdir()
    paths["fifo"] = folder / "fifo.kvtrace"
    os.mkfifo(paths["fifo"])
    paths["device"] = folder / "device.kvtrace"
    paths["device"].symlink_to("/dev/zero")
    paths["missing"] = folder / "missing.kvtrace"
    paths["loop"] = folder / "loop.kvtrace"
    paths["loop"].symlink_to(paths["loop"])
    return paths
