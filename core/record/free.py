"""Free running: each lane goes on from its own tokens, and a third, anchored one answers on the oracle's text."""

from collections.abc import Callable, Generator

import torch
from torch import Tensor

from core.record.scenarios import FeedGreedy, Plan
from core.targets.base import Cache, Target
from core.targets.load import Loader
from core.trace.records import FreeFacts

# (logits (B, V), step) -> ids (B, 1)
Choose = Callable[[Tensor, int], Tensor]
APART = 1_000_003  # between the seeds of two runs: their steps share no generator


def can_run_free(plan: Plan) -> bool:
    """Whether the plan is one prompt and then token after token, so that two texts can be laid side by side."""
    rows = plan.prompt_rows
    is_plain = all(isinstance(action, FeedGreedy) for action in plan.actions[1:])
    return is_plain and not plan.run_before and not plan.run_beside and len({len(row) for row in rows}) == 1


def run_free(
    plan: Plan, loader: Loader, temperature: float | None, seed: int
) -> Generator[None, None, FreeFacts]:
    """Return what each lane wrote, as many tokens as the plan has steps; yields after each."""
    prompt = torch.tensor(plan.prompt_rows, dtype=torch.int64)
    choose = _greedy if temperature is None else _sampled(temperature, seed)
    oracle, own, anchored = loader.fresh(), _Writer(loader.fresh(), prompt), _Writer(loader.fresh(), prompt)
    text = prompt
    lanes: dict[str, list[Tensor]] = {"oracle": [], "cached": [], "anchored": []}
    for step in range(plan.n_steps):
        picked = choose(oracle.full(text.clone())[:, -1], step)
        text = torch.cat((text, picked), 1)
        mine, answer = choose(own.logits, step), choose(anchored.logits, step)
        for name, ids in (("oracle", picked), ("cached", mine), ("anchored", answer)):
            lanes[name].append(ids)
        yield
        if step + 1 < plan.n_steps:
            own.write(mine)
            anchored.write(picked)
    rows = {name: torch.cat(ids, 1).tolist() for name, ids in lanes.items()}
    used = {token for name in rows for row in rows[name] for token in row} | set(prompt.flatten().tolist())
    texts = (
        {str(token): loader.scratch.decode([token]) for token in sorted(used)}
        if loader.scratch.has_text
        else {}
    )
    return FreeFacts(
        **rows, texts=texts, temperature=temperature, seed=seed if temperature is not None else None
    )


class _Writer:
    """A cached lane that is fed one token after the other; `logits` (B, V) are those of the newest."""

    def __init__(self, target: Target, prompt: Tensor) -> None:
        self._target = target
        self._cache: Cache = None
        self.logits = prompt.new_empty(0)
        self.write(prompt)

    def write(self, ids: Tensor) -> None:
        logits, self._cache = self._target.cached(ids.clone(), self._cache)
        self.logits = logits[:, -1]


def _greedy(logits: Tensor, step: int) -> Tensor:
    return logits.argmax(-1, keepdim=True)


def _sampled(temperature: float, seed: int) -> Choose:
    """A generator of its own for each step and lane: both draw the same numbers, whatever they chose before."""

    def choose(logits: Tensor, step: int) -> Tensor:
        generator = torch.Generator().manual_seed(seed * APART + step)
        drawn = torch.rand(logits.shape[0], 1, generator=generator, dtype=torch.float64)
        shares = (logits.double().cpu() / temperature).softmax(-1).cumsum(-1)
        return torch.searchsorted(shares, drawn * shares[:, -1:]).clamp_max(logits.shape[-1] - 1)

    return choose
