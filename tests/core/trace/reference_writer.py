"""A trace as any program can write it: nothing of KVScope, a ZIP of stored members with safetensors inside.

    write("out.kvtrace", [step, step, ...])

Each step is a dict of arrays: `tokens` int64 [B, Q] and the logits of one or both lanes, `cached/logits` [B, Q, V] or
`cached/top_ids` and `cached/top_logits` [B, R, K]; everything else is optional.
"""

import json
import struct
import zipfile

import numpy as np

DTYPES = {
    "bool": "BOOL", "uint8": "U8", "int32": "I32", "int64": "I64", "float16": "F16", "float32": "F32", "float64": "F64",
}  # fmt: skip


class BFloat16:
    """16 bits of a float32: what numpy has no word for."""

    def __init__(self, array):
        bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
        self.bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")  # to the nearest, ties to even


def safetensors(arrays, facts):
    header, parts, end = {}, [], 0
    if facts:
        header["__metadata__"] = {"facts": json.dumps(facts)}
    for name, array in arrays.items():
        dtype = "BF16" if isinstance(array, BFloat16) else DTYPES[array.dtype.name]
        stored = array.bits if isinstance(array, BFloat16) else array
        data = np.ascontiguousarray(stored).tobytes()
        header[name] = {
            "dtype": dtype,
            "shape": list(stored.shape),
            "data_offsets": [end, end + len(data)],
        }
        parts.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + b"".join(parts)


def write(path, steps, info=None, facts=None):
    """`info` goes into kvtrace.json; `facts` is one dict a step, such as {"pads": [2, 0]} for left pads."""
    head = {"format": "kvtrace", "version": "1.0", **(info or {})}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        file.writestr("kvtrace.json", json.dumps(head))
        for index, arrays in enumerate(steps):
            file.writestr(
                f"steps/{index:08d}.safetensors", safetensors(arrays, facts[index] if facts else None)
            )
        file.writestr("end.json", json.dumps({"status": "complete", "n_steps": len(steps)}))
