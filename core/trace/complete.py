"""What a trace leaves out and its arrays say: another program writes logits and token ids, the rest is worked out.

Facts that a file does bring are taken as they stand; `core.verdict.consistency` holds them against the arrays.
"""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP
from core.trace.figures import logit_figures
from core.trace.layout import SafeTensors
from core.trace.records import LANES, StepFacts

Arrays = SafeTensors
DEFAULT_TOLERANCE_OF = "float32"
UNKNOWN_VOCABULARY = 0  # a trace of top logits does not tell how many tokens there are
_LAYER_TENSOR = re.compile(r"(?:oracle|cached)/layer\.([0-9]{1,4})/(q|k|v|attn_weights)")
_DTYPE_NAMES = {"F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64"}


def unreadable(where: str, why: str) -> UnreadableError:
    return UnreadableError(
        QT_TRANSLATE_NOOP("core", "{where} in the trace is not readable: {reason}"), where=where, reason=why
    )


def contradiction(step: int, why: str) -> UnreadableError:
    return UnreadableError(
        QT_TRANSLATE_NOOP("core", "the trace contradicts itself at step {step}: {why}"), step=step, why=why
    )


def completed_step(
    given: dict[str, Any], step: Arrays, step_index: int, before: StepFacts | None, where: str
) -> dict[str, Any]:
    """Return the facts of a step with what is missing filled in from its arrays.

    Raises:
        UnreadableError: there are no token ids, or no logits of any lane.
    """
    facts: dict[str, Any] = {"step_index": step_index, **given}
    tokens = given.get("tokens")
    if tokens is None:
        ids = step.array("tokens")
        if ids is None or ids.ndim != 2 or ids.dtype.kind not in "iu":
            raise unreadable(where, "it has no token ids: `tokens` [B, Q] of an integer type")
        tokens = facts["tokens"] = ids.tolist()
    if not tokens or not isinstance(tokens, list) or not isinstance(tokens[0], list) or not tokens[0]:
        raise unreadable(where, "its tokens are no rows of one length")
    q_len = len(tokens[0])
    facts.setdefault("kind", "prefill" if step_index == 0 else "decode" if q_len == 1 else "chunk")
    facts.setdefault("text_len", q_len + (before.text_len if before is not None else 0))
    if "pads" not in given and before is not None and len(before.pads) == len(tokens):
        facts["pads"] = before.pads
    if "argmax_cached" not in given or "argmax_oracle" not in given or "max_abs_diff" not in given:
        facts |= _figures(facts, step, where)
    return facts


def _figures(facts: dict[str, Any], step: Arrays, where: str) -> dict[str, Any]:
    """Return what the logits of both lanes say; of one lane only, what it would choose."""
    lanes = {lane: found for lane in LANES if (found := lane_logits(step, lane, facts["tokens"], where))}
    if not lanes:
        raise unreadable(where, "it has no logits of any lane")
    choices = {lane: choices_of(*lanes[lane]) for lane in lanes}
    if len(lanes) == 1:
        (chosen,) = choices.values()
        return {
            "max_abs_diff": None,
            "argmax_oracle": chosen,
            "argmax_cached": chosen,
            "is_compared": False,
        }
    (ids, oracle), (other_ids, cached) = lanes["oracle"], lanes["cached"]
    if oracle.shape != cached.shape or not _same(ids, other_ids):
        raise unreadable(where, "the lanes' logits have other shapes, or other top_ids")
    n_rows = oracle.shape[1]
    place = np.arange(int(facts["text_len"]) - n_rows, int(facts["text_len"]))
    pads = np.array(list(facts.get("pads") or [0] * len(oracle)), dtype=np.int64)
    if pads.shape != (len(oracle),):
        raise unreadable(where, "its pads are not one number a row")
    is_compared = place >= pads[:, None]
    figures = logit_figures(oracle, cached, is_compared)
    row, query, column = figures.worst_at
    token = column if ids is None else int(ids[row, query, column])
    return {
        "max_abs_diff": figures.max_abs_diff, "worst_at": [row, query + len(facts["tokens"][0]) - n_rows, token],
        "n_nonfinite": figures.n_nonfinite, "rel_l2": figures.rel_l2, "kl": figures.kl, "margin": figures.margin,
        "argmax_oracle": choices["oracle"], "argmax_cached": choices["cached"], "is_compared": bool(is_compared.any()),
    }  # fmt: skip


Logits = tuple[NDArray[np.integer[Any]] | None, NDArray[np.floating[Any]]]


def lane_logits(step: Arrays, lane: str, tokens: list[list[int]], where: str) -> Logits | None:
    """Return the ids (B, R, K), None for the whole vocabulary, and logits (B, R, K) of the newest R rows of a lane."""
    logits, ids = step.array(f"{lane}/logits"), None
    if logits is None:
        logits, ids = step.array(f"{lane}/top_logits"), step.array(f"{lane}/top_ids")
        if logits is None:
            return None
        if ids is None or ids.shape != logits.shape or ids.dtype.kind not in "iu":
            raise unreadable(where, f"{lane}/top_logits needs {lane}/top_ids of the same shape")
    batch, q_len = len(tokens), len(tokens[0])
    if (
        logits.ndim != 3 or logits.shape[0] != batch or not 1 <= logits.shape[1] <= q_len
        or not logits.shape[2] or logits.dtype.kind != "f"
    ):  # fmt: skip
        raise unreadable(
            where, f"logits of {lane} have shape {list(logits.shape)} for {batch} x {q_len} tokens"
        )
    return ids, logits


def _same(ids: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if ids is None or other is None:
        return ids is other
    return bool(np.array_equal(ids, other))


def choices_of(ids: NDArray[Any] | None, logits: NDArray[Any]) -> list[int]:
    """Return the likeliest token of the newest row of each batch row."""
    best = np.nan_to_num(logits[:, -1].astype(np.float64), nan=-np.inf).argmax(-1)
    found = best if ids is None else np.take_along_axis(ids[:, -1], best[:, None], -1)[:, 0]
    return [int(one) for one in found]


def completed_info(
    given: dict[str, Any], first: Arrays | None, n_steps: int, default_tolerance: Any
) -> dict[str, Any]:
    """Return `kvtrace.json` with what is missing filled in from the first step."""
    info: dict[str, Any] = {"target": "", "scenario": "decode", "steps": max(1, n_steps), **given}
    model = given.get("model", {})
    if not isinstance(model, dict):
        raise unreadable("kvtrace.json", "its model is no object")
    if first is not None:
        model = _shape_of(first) | model
        tokens = first.array("tokens")
        if tokens is not None and tokens.ndim == 2 and tokens.dtype.kind in "iu":
            info.setdefault("prompt_ids", tokens.tolist())
    info["model"] = {"dtype": DEFAULT_TOLERANCE_OF, "vocab_size": UNKNOWN_VOCABULARY} | model
    info.setdefault("prompt_ids", [])
    info.setdefault("tolerance", default_tolerance(str(info["model"]["dtype"])))
    return info


def _shape_of(first: Arrays) -> dict[str, Any]:
    """Return what the arrays of a step say of the model; layers may have other numbers of heads, the most count."""
    shape: dict[str, Any] = {}
    for lane in LANES:
        whole = first.tensors.get(f"{lane}/logits")
        entry = whole or first.tensors.get(f"{lane}/top_logits")
        if entry is not None and entry.shape:
            shape["dtype"] = _DTYPE_NAMES.get(entry.dtype, DEFAULT_TOLERANCE_OF)
        if whole is not None and whole.shape:
            shape["vocab_size"] = whole.shape[-1]
    for name, entry in first.tensors.items():
        found = _LAYER_TENSOR.fullmatch(name)
        if found is None or len(entry.shape) != 4:
            continue
        shape["n_layers"] = max(shape.get("n_layers", 0), int(found[1]) + 1)
        for kind, fact, axis in (
            ("attn_weights", "n_heads", 1),
            ("q", "n_heads", 1),
            ("k", "n_kv_heads", 1),
            ("k", "head_dim", 3),
        ):
            if found[2] == kind:
                shape[fact] = max(shape.get(fact, 0), entry.shape[axis])
    return shape


def check_step(facts: StepFacts, step_index: int, before: StepFacts | None) -> None:
    """Raise UnreadableError where facts cannot be true: what is shown is laid out by these counts."""
    q_len = len(facts.tokens[0]) if facts.tokens else 0
    batch, longest = len(facts.tokens), q_len + (before.text_len if before is not None else 0)
    for is_true, why in (
        (facts.step_index == step_index, f"it says that it is step {facts.step_index}"),
        (
            q_len > 0 and all(len(row) == q_len for row in facts.tokens),
            "its tokens are no rows of one length",
        ),
        (q_len <= facts.text_len <= longest, f"the text has {facts.text_len} tokens and {longest} were fed"),
        (
            len(facts.argmax_oracle) == batch == len(facts.argmax_cached),
            "its choices are not one token a row",
        ),
        (
            all(0 <= pads <= facts.text_len for pads in facts.pads) and len(facts.pads) in (0, batch),
            "its pads are not one number a row",
        ),
    ):
        if not is_true:
            raise contradiction(step_index, why)
