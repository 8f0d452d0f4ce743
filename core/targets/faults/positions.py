"""Positions: the model is told that a token stands where it does not."""

from dataclasses import replace

import torch
from torch import Tensor

from core.targets.faults.base import Fault
from core.targets.faults.tools import moved
from core.targets.tiny_call import ModelCall
from tinylm.config import DEFAULT_WINDOW


class PositionReset(Fault):
    """arange(q_len) where arange(past, past + q_len) was meant."""

    def before(self, call: ModelCall) -> ModelCall:
        if call.is_first:
            return call
        return replace(call, position_ids=torch.arange(call.q_len).expand_as(call.input_ids))


class OffByOne(Fault):
    """The offset of a call on a warm cache is past + 1."""

    def before(self, call: ModelCall) -> ModelCall:
        return call if call.is_first else moved(call, 1)


class DoubleAdvance(Fault):
    """After the second call the offset moves on by the prompt's length once more, instead of by one token."""

    def before(self, call: ModelCall) -> ModelCall:
        return call if call.before.n_calls < 2 else moved(call, call.before.prompt_len - 1)


class Frozen(Fault):
    """The offset is the number of rows kept, which stops growing at the window."""

    def before(self, call: ModelCall) -> ModelCall:
        past = call.text_len - call.q_len
        return moved(call, min(past, DEFAULT_WINDOW) - past)


class StaleOffset(Fault):
    """Prefill counts for itself; decoding counts on from the length of the first prompt that this instance ever saw."""

    def __init__(self) -> None:
        self.first_prompt_len: int | None = None

    def before(self, call: ModelCall) -> ModelCall:
        if self.first_prompt_len is None:
            self.first_prompt_len = call.q_len
        return call if call.is_first else moved(call, self.first_prompt_len - call.before.prompt_len)


class TurnForgetsPrompt(Fault):
    """start_pos counted generated tokens only: a call of several tokens on a warm cache leaves the prompt out."""

    def before(self, call: ModelCall) -> ModelCall:
        if call.is_first or call.q_len == 1:
            return call
        return moved(call, -call.before.prompt_len)


class PadPositions(Fault):
    """Decoding takes one position for the whole batch, pads counted; the prefill had left them out."""

    def before(self, call: ModelCall) -> ModelCall:
        return call if call.is_first else counting_pads(call)


class PadPositionsEverywhere(Fault):
    """Pads are counted from the prefill on."""

    def before(self, call: ModelCall) -> ModelCall:
        return counting_pads(call)


def counting_pads(call: ModelCall) -> ModelCall:
    if call.attention_mask is None:
        return call
    n_pads: Tensor = (call.attention_mask == 0).sum(1, keepdim=True)
    return moved(call, n_pads)


class HarmlessShift(Fault):
    """Every position of the cached lane is 3 too large; RoPE sees differences of positions only."""

    def before(self, call: ModelCall) -> ModelCall:
        return moved(call, 3) if call.model.config.position_scheme == "rope" else call
