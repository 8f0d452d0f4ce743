"""Keep an exception in a Qt override from killing the process.

Qt calls paint and event overrides from C++, where a Python exception has nowhere to go. The guard hands it to
`sys.excepthook` from the event loop instead, once for each place, since a broken paint repeats at every frame.
"""

import functools
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Concatenate, ParamSpec, TypeVar

from PySide6.QtCore import QTimer

P = ParamSpec("P")
Self = TypeVar("Self")
_reported: set[tuple[str, type[BaseException], int]] = set()


def guarded(method: Callable[Concatenate[Self, P], None]) -> Callable[Concatenate[Self, P], None]:
    """Wrap an override that returns nothing."""

    @functools.wraps(method)
    def safe(self: Self, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(self, *args, **kwargs)
        except Exception as error:
            _report(method.__qualname__, error)

    return safe


def _report(name: str, error: Exception) -> None:
    place = (name, type(error), _last_line(error.__traceback__))
    if place in _reported:
        return
    _reported.add(place)
    QTimer.singleShot(0, lambda: sys.excepthook(type(error), error, error.__traceback__))


def _last_line(trace: TracebackType | None) -> int:
    line = 0
    while trace is not None:
        line, trace = trace.tb_lineno, trace.tb_next
    return line
