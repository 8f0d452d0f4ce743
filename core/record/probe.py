"""Looking inside a model from outside, for the length of one call, without changing a bit of what it computes.

The cheap way is a patch of F.scaled_dot_product_attention; where the patch sees nothing (the function was bound by
`from ... import`, or attention is written by hand), a TorchFunctionMode looks at every call of torch. Scores and
weights are worked out afterwards, from q, k, mask and scale.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from core.record.attention import AttentionCall, allowed, attention_weights, mask_rows, output_error
from core.record.probe_mode import AttentionMode
from core.record.probe_modules import keep_outputs, keep_positions
from core.record.probe_replace import Replacement, replaced
from core.record.probe_rows import Frame
from core.record.probe_sdpa import sdpa_call

__all__ = [
    "AttentionCall", "Frame", "Observation", "allowed", "attention_weights", "mask_rows", "observe", "output_error",
]  # fmt: skip


@dataclass
class Observation:
    """What one call of a target showed; attention calls in the order in which they were made."""

    attention: list[AttentionCall] = field(default_factory=list)
    position_ids: Tensor | None = None
    module_outputs: dict[str, Tensor] = field(default_factory=dict)
    calls_by_then: dict[str, int] = field(default_factory=dict)  # attention calls made when a module returned
    embedded: dict[str, Tensor] = field(default_factory=dict)  # see core.proof.inside, which fills the two
    first_input: Tensor | None = None


@contextmanager
def observe(
    module: nn.Module | None, by_mode: bool = False, frame: Frame | None = None, replacement: Replacement | None = None,
    beside: Observation | None = None,
) -> Iterator[Observation]:  # fmt: skip
    """Record attention, position ids and module outputs of whatever runs inside the block.

    Tensors are references and good until the target is called again; `frame` says which batch is watched and how many
    rows are wanted, and keeps the rest out of memory. `replacement` may give an attention call another output. Calls that
    only the observation `beside` this one sees count for `calls_by_then` too.
    """
    seen, frame = Observation(), frame or Frame()

    def count(name: str) -> None:
        others = 0 if beside is None else len(beside.attention)
        seen.calls_by_then[name] = max(len(seen.attention), others)

    with ExitStack() as stack:
        if module is not None:
            for hook in (
                *keep_positions(module, lambda ids: setattr(seen, "position_ids", ids)),
                *keep_outputs(module, seen.module_outputs, frame, count),
            ):
                stack.callback(hook.remove)
        look = AttentionMode if by_mode else _patched
        stack.enter_context(look(seen.attention, frame, replacement))
        yield seen


@contextmanager
def _patched(calls: list[AttentionCall], frame: Frame, replacement: Replacement | None) -> Iterator[None]:
    original = F.scaled_dot_product_attention

    def scaled_dot_product_attention(*args: Any, **kwargs: Any) -> Tensor:
        output = original(*args, **kwargs)
        try:
            call = sdpa_call(output, frame, *args, **kwargs)
        except Exception:  # shapes that nobody thought of must not end the run that is watched
            call = None
        if call is None:
            return output
        calls.append(call)
        if replacement is None:
            return output
        return replaced(
            output, len(calls) - 1, call, replacement, lambda x: sdpa_call(x, frame, *args, **kwargs)
        )

    F.scaled_dot_product_attention = scaled_dot_product_attention
    try:
        yield
    finally:
        F.scaled_dot_product_attention = original
