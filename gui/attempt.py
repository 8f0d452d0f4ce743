"""Work with files that may fail for reasons a user can do something about."""

import logging
from collections.abc import Callable
from typing import TypeVar

from core.errors import KVScopeError
from core.text import QT_TRANSLATE_NOOP, Text

T = TypeVar("T")
log = logging.getLogger(__name__)


def attempt(action: Callable[[], T], tell: Callable[[Text], object]) -> T | None:
    """Return what `action` returns; when it fails, `tell` the reason once and return None."""
    try:
        return action()
    except KVScopeError as error:
        tell(error.text)
    except OSError as error:
        log.warning("file: %s", error)
        template = QT_TRANSLATE_NOOP("core", "The file could not be read or written: {reason}")
        tell(Text(template, {"reason": error.strerror or type(error).__name__}))
    return None
