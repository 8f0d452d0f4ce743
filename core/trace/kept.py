"""What was worked out of a trace is kept until there is more of it, or something else is asked for."""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from core.trace.reader import Trace

KEPT = 8  # answers of a function about one trace
P = ParamSpec("P")
T = TypeVar("T")


def kept(work: Callable[Concatenate[Trace, P], T]) -> Callable[Concatenate[Trace, P], T]:
    """Remember the last few answers of a function of a trace; they are shared, so nobody may change them.

    All other arguments must be hashable, and are given by place.
    """
    known: WeakKeyDictionary[Trace, OrderedDict[object, T]] = WeakKeyDictionary()

    @wraps(work)
    def remembered(trace: Trace, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answers = known.setdefault(trace, OrderedDict())
        key = len(trace), trace.is_complete, args, tuple(kwargs.items())
        if key in answers:
            answers.move_to_end(key)
            return answers[key]
        answer = answers[key] = work(trace, *args, **kwargs)
        while len(answers) > KEPT:
            answers.popitem(last=False)
        return answer

    return remembered
