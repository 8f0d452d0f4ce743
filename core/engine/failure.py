"""What went wrong inside a target, told from its user's side: file and line first, our own frames left out."""

import traceback
from pathlib import Path

from core.engine.messages import RunFailed
from core.errors import EXIT_ENVIRONMENT, EXIT_TARGET_FAILED, KVScopeError
from core.text import QT_TRANSLATE_NOOP

_OURS = Path(__file__).resolve().parent.parent
_PYTHON = Path(traceback.__file__).parent  # the standard library; site-packages lies below it too


def failed(error: BaseException) -> RunFailed:
    """Return the event for an exception that came out of a run."""
    match error:
        case KVScopeError():
            return RunFailed(error.text.template, error.text.values, error.exit_code)
        case MemoryError():
            template = QT_TRANSLATE_NOOP("core", "out of memory; use fewer steps or a shorter prompt")
            return RunFailed(template, exit_code=EXIT_ENVIRONMENT)
        case SystemExit():
            template = QT_TRANSLATE_NOOP(
                "core", "{place}: the target called sys.exit({code}); it ended without a result"
            )
            values: dict[str, str | int | float] = {"place": _place(error), "code": repr(error.code)}
            return RunFailed(template, values, EXIT_TARGET_FAILED)
        case SyntaxError() if error.filename is not None:
            template = QT_TRANSLATE_NOOP("core", "{place}: the target is not valid Python: {reason}")
            values = {"place": f"{error.filename}:{error.lineno}", "reason": error.msg}
            return RunFailed(template, values, EXIT_TARGET_FAILED)
        case _ if not any(_is_users(frame.filename) for frame in traceback.extract_tb(error.__traceback__)):
            template = QT_TRANSLATE_NOOP("core", "internal error, please report it: {kind}: {reason}")
            values = {"kind": type(error).__name__, "reason": _one_line(str(error))}
            return RunFailed(template, values, EXIT_ENVIRONMENT, "".join(traceback.format_exception(error)))
        case _:
            template = QT_TRANSLATE_NOOP("core", "{place}: the target failed: {kind}: {reason}")
            values = {"place": _place(error), "kind": type(error).__name__, "reason": _one_line(str(error))}
            return RunFailed(template, values, EXIT_TARGET_FAILED, _user_traceback(error))


def _user_frames(error: BaseException) -> traceback.StackSummary:
    """Return the frames from the first that is not ours on; all of them where there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    first = next((index for index, frame in enumerate(frames) if _is_users(frame.filename)), 0)
    return traceback.StackSummary.from_list(frames[first:])


def _is_users(filename: str) -> bool:
    """Whether a frame is the target's or a library's that it uses: not ours, Python's own, or torch's."""
    path = Path(filename)
    is_torch = "torch" in path.parts and "site-packages" in path.parts
    return not (filename.startswith("<") or path.is_relative_to(_OURS) or _is_pythons(path) or is_torch)


def _is_pythons(path: Path) -> bool:
    return path.is_relative_to(_PYTHON) and "site-packages" not in path.parts


def _place(error: BaseException) -> str:
    """Return file:line of the last frame of the user's own file, the one that the run entered."""
    frames = _user_frames(error)
    if not frames:
        return "?"
    entered = frames[0].filename
    frame = [frame for frame in frames if frame.filename == entered][-1]
    return f"{entered}:{frame.lineno}, in {frame.name}"


def _user_traceback(error: BaseException) -> str:
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(_user_frames(error))]
    return "".join([*lines, *traceback.format_exception_only(error)])


def _one_line(reason: str, limit: int = 300) -> str:
    line = " ".join(reason.split())
    return line if len(line) <= limit else line[:limit] + "..."
