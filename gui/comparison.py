"""Two traces to be shown against each other, and what was left out or mapped so that they fit."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from core.compare.names import read_map
from core.compare.pair import compared
from core.trace.importers import open_any
from core.trace.reader import Trace

ALL_TENSORS = "*"


@dataclass(frozen=True)
class Comparison:
    """What `compare A B` takes."""

    a: Path
    b: Path
    map_file: Path | None = None
    is_logits_only: bool = False
    is_prefix: bool = False

    def made(self) -> Trace:
        """Return the pair as a trace; closing it closes both.

        Raises:
            NamesDiffer, OneIsLonger: they would fit if more were asked for.
            UnreadableError: they do not fit, or one of the files cannot be read.
        """
        names = read_map(self.map_file, (ALL_TENSORS,) if self.is_logits_only else ())
        with ExitStack() as opened:
            a, b = (opened.enter_context(open_any(path)) for path in (self.a, self.b))
            pair = compared(a, b, names, is_prefix=self.is_prefix)
            opened.pop_all()  # the pair closes them
            return pair
