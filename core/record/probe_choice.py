"""Which of the two probes looks at a lane: the patch where it sees everything, else the mode, which costs more."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch
from torch import Tensor, nn

from core.record.probe import Frame, Observation, observe
from core.record.probe_replace import Replacement
from core.targets.base import Target


class LaneProbe:
    """Watches the calls of one lane. The first call of each kind is seen by both, and the cheaper one that suffices goes on.

    Prefill and decoding are often different code (a fused call for the one, products by hand for the other), so calls
    with one token and with several are decided apart.
    """

    def __init__(self, is_off: bool = False) -> None:
        """With `is_off` nothing is looked at: for a target that computes something else when it is watched."""
        self._is_off = is_off
        self.keeps_scores = False
        self.replacement: Replacement | None = None  # for calls of a kind that was seen before
        self._by_mode: dict[bool, bool] = {}
        self._n_calls: dict[bool, int] = {}

    @contextmanager
    def observe(self, module: nn.Module | None, frame: Frame) -> Iterator[Observation]:
        """Record what runs inside the block, see `core.record.probe.observe`."""
        if self._is_off:
            yield Observation()
            return
        frame = replace(frame, keeps_scores=self.keeps_scores)
        kind = frame.q_len == 1
        if kind not in self._by_mode:
            with (
                observe(None, True, frame) as mode,
                observe(module, False, frame, beside=mode) as patch,
            ):
                yield patch
            self._by_mode[kind] = len(mode.attention) > len(patch.attention)
            if self._by_mode[kind]:
                patch.attention[:] = mode.attention
            self._n_calls[kind] = len(patch.attention)
            return
        with observe(module, self._by_mode[kind], frame, self.replacement) as seen:
            yield seen
        if (
            len(seen.attention) < self._n_calls[kind]
        ):  # the model went another way: look again at the next call
            del self._by_mode[kind]


def probe_changes_logits(target: Target, ids: Tensor) -> bool:
    """Whether looking at a target changes a bit of its logits; torch's own fused layers step aside for hooks, for one.

    Give it an instance that is no lane's.
    """
    bare = target.full(ids.clone())
    frame = Frame(ids.shape[0], ids.shape[1])
    with observe(target.module, False, frame), observe(None, True, frame):  # both, as a lane's first call is
        watched = target.full(ids.clone())
    return not torch.equal(bare.nan_to_num(), watched.nan_to_num())
