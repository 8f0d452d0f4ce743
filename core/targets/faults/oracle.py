"""The oracle: the lane without a cache is the wrong one, or no legal oracle."""

from dataclasses import replace

import torch

from core.targets.faults.base import Fault
from core.targets.faults.tools import moved
from core.targets.tiny_call import ModelCall
from tinylm.config import DEFAULT_WINDOW


class OracleWithoutMask(Fault):
    """The path without a cache forgets the causal mask."""

    def oracle(self, call: ModelCall) -> ModelCall:
        return replace(call, mask=None)


class OracleSeesNext(Fault):
    """The path without a cache draws the mask's diagonal one to the right: every token sees the next one."""

    def oracle(self, call: ModelCall) -> ModelCall:
        seen = torch.ones(call.q_len, call.q_len, dtype=torch.bool).tril(1)
        if call.window is not None:
            seen &= ~torch.ones_like(seen).tril(-call.window)
        return replace(call, mask=seen)


class OracleOffset(Fault):
    """The path without a cache gives the whole text the offset that is meant for its newest token."""

    def oracle(self, call: ModelCall) -> ModelCall:
        return moved(call, call.q_len - 1)


class OracleCropped(Fault):
    """The path without a cache keeps the last tokens only and counts them from 0, while cached rows stay as they were."""

    def oracle(self, call: ModelCall) -> ModelCall:
        n_kept = min(call.q_len, DEFAULT_WINDOW)
        short = replace(
            call, input_ids=call.input_ids[:, -n_kept:], position_ids=call.position_ids[:, :n_kept]
        )
        return replace(short, mask=short.right_mask(call.window))
