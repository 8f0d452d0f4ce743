"""A trace that is made from something else, step by step as the steps are looked at: a comparison, a foreign file."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from core.trace.layout import FACTS_KEY, safetensors_bytes
from core.trace.reader import KEPT_BYTES, Trace
from core.trace.records import EndFacts, RunInfo, StepFacts

Arrays = Mapping[str, np.ndarray[Any, Any]]


class MadeTrace(Trace):
    """Facts and arrays come from two functions of the step index, called when they are first needed; the last few arrays are kept."""

    def __init__(
        self, path: Path, info: RunInfo, end: EndFacts, facts: Callable[[int], StepFacts], arrays: Callable[[int], Arrays],
        close: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        self.path, self.info, self.end = path, info, end
        self.notice = None
        self._make_facts, self._make_arrays, self._close = facts, arrays, close
        self._made_facts: dict[int, StepFacts] = {}
        self._made: OrderedDict[int, Arrays] = OrderedDict()

    def __len__(self) -> int:
        assert self.end is not None
        return self.end.n_steps

    def twin(self) -> None:
        """It is made of other traces, which only one thread may read."""

    def close(self) -> None:
        self._close()

    def refresh(self) -> int:
        """Nothing comes after what there is."""
        return 0

    def facts(self, step_index: int) -> StepFacts:
        self._check(step_index)
        if step_index not in self._made_facts:
            self._made_facts[step_index] = self._make_facts(step_index)
        return self._made_facts[step_index]

    def tensor(self, step_index: int, name: str) -> np.ndarray[Any, Any] | None:
        return self._arrays(step_index).get(name)

    def rows(self, step_index: int, name: str, at: tuple[int, ...] = ()) -> np.ndarray[Any, Any] | None:
        whole = self.tensor(step_index, name)
        return None if whole is None else whole[at]

    def shape(self, step_index: int, name: str) -> tuple[int, ...] | None:
        whole = self.tensor(step_index, name)
        return None if whole is None else whole.shape

    def tensor_names(self, step_index: int) -> list[str]:
        return sorted(self._arrays(step_index))

    def step_bytes(self, step_index: int) -> bytes:
        """Return the step as a trace file would hold it."""
        facts = msgspec.json.encode(self.facts(step_index)).decode()
        return safetensors_bytes({FACTS_KEY: facts}, self._arrays(step_index))

    def _arrays(self, step_index: int) -> Arrays:
        self._check(step_index)
        if step_index in self._made:
            self._made.move_to_end(step_index)
        else:
            self._made[step_index] = self._make_arrays(step_index)
            while len(self._made) > 1 and sum(map(_nbytes, self._made.values())) > KEPT_BYTES:
                self._made.popitem(last=False)
        return self._made[step_index]

    def _check(self, step_index: int) -> None:
        if not 0 <= step_index < len(self):
            raise IndexError(step_index)


def _nbytes(arrays: Arrays) -> int:
    return sum(array.nbytes for array in arrays.values())
