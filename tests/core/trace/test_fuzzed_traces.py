"""Traces changed at random where it matters, checksums set right again: what comes is a trace or an error of ours."""

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from core.errors import KVScopeError
from core.report.result import scenario_result
from core.trace.layout import DTYPES, parse_safetensors, safetensors_bytes
from core.trace.reader import Trace
from core.verdict.consistency import check_consistent
from tests.core.trace.hostile_corpus import ARRAYS, FACTS, HEAD, ONE, member, safetensors

QUICK, SLOW = 1_500, 100_000
WORDS = [None, True, 0, -1, 1, 2, 3, 7, 2**31, 2**62, 2**70, 0.5, 1e308, "", "x", "F32", "BF16", "I64", [], [[]], {}, [1], [[1, 2]], [0, 4], {"a": 1}]  # fmt: skip
NUMPY_DTYPES = [dtype for name, dtype in DTYPES.items() if name != "BF16"]


def mutated(value: object, chance: random.Random) -> object:
    """Return JSON with one place changed: a value replaced, a key lost, renamed or new, a list cut, doubled or shuffled."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(sorted(value))
        changed = dict(value)
        match chance.randrange(6):
            case 0:
                del changed[key]
            case 1:
                changed[chance.choice([*value, "x", "__metadata__"])] = chance.choice(WORDS)
            case _:
                changed[key] = mutated(value[key], chance)
        return changed
    if isinstance(value, list) and value and chance.random() < 0.85:
        at, changed = chance.randrange(len(value)), list(value)
        match chance.randrange(5):
            case 0:
                del changed[at]
            case 1:
                changed *= 2
            case 2:
                chance.shuffle(changed)
            case _:
                changed[at] = mutated(value[at], chance)
        return changed
    if isinstance(value, (int, float)) and chance.random() < 0.5:
        return value + chance.choice([-1, 1, 2**16, 2**40, 0.5])
    return chance.choice(WORDS)


def mangled(data: bytes, chance: random.Random) -> bytes:
    """Return bytes with some of them changed, lost or repeated."""
    changed = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 9])):
        if not changed:
            break
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                changed[at] ^= 1 << chance.randrange(8)
            case 2:
                del changed[at : at + chance.choice([1, 4, 30, 999])]
            case _:
                changed[at:at] = changed[at : at + chance.choice([1, 8, 99])]
    return bytes(changed)


def fuzzed_step(index: int, chance: random.Random) -> bytes:
    arrays = dict(ARRAYS if index == 0 else ONE)
    facts = {**FACTS, "step_index": index} if index == 0 else {}
    what = chance.randrange(6)
    if what == 0:
        facts = mutated({**FACTS, "step_index": index}, chance)
    if what == 1:
        name = chance.choice(
            [*arrays, "cached/layer.0/k", "diff/k", "diff/scale", "cached/layer.0/attn_weights"]
        )
        shape = [chance.choice([0, 1, 2, 4]) for _ in range(chance.randrange(5))]
        arrays[name] = np.zeros(shape, chance.choice([np.float32, np.int64]))
    data = safetensors(arrays, facts)
    length = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    if what == 2:
        data = safetensors(header=mutated(header, chance), body=body)
    elif what == 3:
        data = safetensors(header=mangled(data[8 : 8 + length], chance), body=body)
    elif what == 4:
        data = mangled(data, chance)
    return data


def fuzzed(chance: random.Random) -> bytes:
    """Return a trace in which one or two things are wrong."""
    info, end = json.dumps(HEAD).encode(), {"status": "complete", "n_steps": 2}
    steps = [safetensors(ARRAYS), safetensors(ONE)]
    what = chance.randrange(10)
    if what == 0:
        info = json.dumps(
            mutated({**HEAD, "model": {"vocab_size": 4}, "prompt_ids": [[1, 2]], "steps": 2}, chance)
        ).encode()
    elif what == 1:
        info = mangled(info, chance)
    elif what == 2:
        end = mutated({**end, "findings": [], "doubts": [], "notes": ["x"], "header_crcs": "0" * 16}, chance)
    elif what < 8:
        at = chance.randrange(2)
        steps[at] = fuzzed_step(at, chance)
    members = [member(b"kvtrace.json", info)]
    members += [member(f"steps/{at:08d}.safetensors".encode(), data) for at, data in enumerate(steps)]
    members.append(member(b"end.json", json.dumps(end).encode()))
    if what == 8:
        members = mutated(members, chance)  # type: ignore[assignment]
        members = [one for one in members if isinstance(one, bytes)] if isinstance(members, list) else []
    data = b"".join(members)
    return mangled(data, chance) if what == 9 else data


def open_all(trace: Trace) -> None:
    """Look at everything that a trace has, as `show` and the window do."""
    for step in range(len(trace)):
        trace.facts(step)
        for name in trace.tensor_names(step):
            whole, part = trace.tensor(step, name), trace.rows(step, name)
            assert whole is not None and part is not None  # noqa: PT018
            assert whole.tobytes() == part.tobytes()
    check_consistent(trace)
    scenario_result(trace, trace.info.tolerance)


def outcome(data: bytes, fd: int) -> str:
    os.ftruncate(fd, 0)
    os.pwrite(fd, data, 0)
    try:
        open_all(Trace(Path("fuzzed"), fd))
    except KVScopeError as error:
        return "refused" if str(error).strip() else "refused without a word"
    return "trace"


def fuzz(count: int, seed: int) -> dict[str, int]:
    chance = random.Random(seed)
    found = {"refused": 0, "trace": 0}
    fd = os.memfd_create("fuzzed")
    try:
        for number in range(count):
            data = fuzzed(chance)
            try:
                found[outcome(data, fd)] += 1
            except Exception as error:
                error.add_note(f"input {number} of seed {seed}: {data!r}"[:3000])
                raise
    finally:
        os.close(fd)
    return found


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="files in memory are Linux's")
def test_that_a_changed_trace_is_a_trace_or_refused() -> None:
    found = fuzz(QUICK, seed=1)
    assert min(found.values()) > QUICK // 20  # the changes are neither all fatal nor all harmless


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="files in memory are Linux's")
def test_that_a_hundred_thousand_changed_traces_are_traces_or_refused() -> None:
    found = fuzz(SLOW, seed=0)
    assert min(found.values()) > SLOW // 20


LAYOUTS = {
    "as it is": lambda x: x, "transposed": lambda x: x.T, "reversed": lambda x: x[::-1] if x.ndim else x,
    "strided": lambda x: x[..., ::2] if x.ndim else x, "expanded": lambda x: np.broadcast_to(x, (2, *x.shape)),
    "fortran": np.asfortranarray, "swapped": lambda x: x.swapaxes(0, -1) if x.ndim else x,
}  # fmt: skip


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    data=st.data(), dtype=st.sampled_from(NUMPY_DTYPES), shape=nps.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4),
    layout=st.sampled_from(sorted(LAYOUTS)),
)  # fmt: skip
def test_that_every_dtype_shape_and_layout_comes_back_bit_for_bit(
    data: st.DataObject, dtype: np.dtype, shape: tuple[int, ...], layout: str
) -> None:
    size = int(np.prod(shape)) * dtype.itemsize
    raw = data.draw(
        st.binary(min_size=size, max_size=size)
    )  # any bits: NaN payloads, negative zeros, subnormals
    if dtype == np.bool_:
        raw = bytes(byte & 1 for byte in raw)
    array = LAYOUTS[layout](np.frombuffer(raw, dtype).reshape(shape))
    other = np.arange(3, dtype=np.int16)
    got = parse_safetensors(safetensors_bytes({"facts": "{}"}, {"x": array, "y": other}), "step")
    back = got.array("x")
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == np.ascontiguousarray(array).tobytes()
    assert got.array("y").tolist() == [0, 1, 2]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(bits=nps.arrays(np.uint16, nps.array_shapes(max_dims=3, max_side=4)))
def test_that_bfloat16_comes_back_as_the_same_numbers(bits: np.ndarray) -> None:
    header = {"x": {"dtype": "BF16", "shape": list(bits.shape), "data_offsets": [0, bits.nbytes]}}
    got = parse_safetensors(safetensors(header=header, body=bits.astype("<u2").tobytes()), "step").array("x")
    assert got.dtype == np.float32
    assert (got.view(np.uint32) == bits.astype(np.uint32) << 16).all()
