"""The real window as a picture, without a display."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.engine.messages import RunFailed, RunSkipped, RunSpec
from core.errors import EnvironmentFault, KVScopeError, UsageError
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.importers import open_any
from core.verdict.steps import first_bad_step

if TYPE_CHECKING:
    from gui.main_window import MainWindow

TIMEOUT_S = 300.0


def render(
    spec_or_trace: RunSpec | str | Path,
    output: str | Path,
    step: int | None = None,
    theme: str = "light",
    lang: str = "en",
    scale: float = 1.0,
    size: tuple[int, int] = (1500, 950),
) -> None:
    """Record (or open) a run, show it at `step` (default: the first bad one, else the last), and write a PNG.

    Raises:
        KVScopeError: the run failed, the trace is not readable, or the picture cannot be written.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = f"{scale:g}"
    from gui import qt_log
    from gui.application import make_application
    from gui.main_window import MainWindow
    from gui.settings import Settings

    qt_log.install()
    make_application(Settings(theme=theme, language=lang))
    window = MainWindow()
    try:
        window.resize(*size)
        window.show()
        _bring_to_end(window, spec_or_trace)
        _select(window, step)
        _write(window, Path(output))
    finally:
        window.close()


def _bring_to_end(window: "MainWindow", spec_or_trace: RunSpec | str | Path) -> None:
    from gui.run_stage import Stage

    problems: list[KVScopeError] = []
    window.session.gate = lambda spec, run, refuse: run()  # naming a file on the command line is the consent
    window.session.permit = lambda spec: spec
    window.session.failed.connect(lambda event: problems.append(_failure(event)))
    window.session.skipped.connect(lambda event: problems.append(_failure(event)))
    if isinstance(spec_or_trace, RunSpec):
        window.session.start(spec_or_trace, last_step=spec_or_trace.steps + 10**6)
    else:
        open_any(spec_or_trace).close()  # raises, where the window would show a message
        window.session.open(Path(spec_or_trace))
    _wait(lambda: bool(problems) or window.session.stage is Stage.FINISHED)
    if problems:
        raise problems[0]


def _failure(event: RunFailed | RunSkipped) -> KVScopeError:
    return event.error if isinstance(event, RunFailed) else UsageError(event.template, **event.values)


def _select(window: "MainWindow", step: int | None) -> None:
    trace = window.state.trace
    if trace is None:
        return
    if step is not None and not 0 <= step < len(trace):
        template = QT_TRANSLATE_NOOP("core", "there is no step {step}; the run has steps 0 to {last}")
        raise UsageError(template, step=step, last=len(trace) - 1)
    first_bad = first_bad_step(trace, window.state.tolerance)
    if step is not None:
        window.state.select(step=step)
    elif first_bad is not None:
        window.session.look_at_bad(first_bad)
    else:
        window.state.select(step=len(trace) - 1)


def _write(window: "MainWindow", output: Path) -> None:
    window.notices.hide()
    _wait(lambda: window.is_settled)
    from PySide6.QtWidgets import QApplication

    for _ in range(3):  # layouts settle in up to two turns
        QApplication.processEvents()
    if not window.grab().save(str(output), "PNG"):
        raise EnvironmentFault(QT_TRANSLATE_NOOP("core", "cannot write {path}"), path=str(output))


def _wait(is_done: Callable[[], bool]) -> None:
    """Let the event loop run until it is done."""
    from PySide6.QtCore import QDeadlineTimer, QEventLoop
    from PySide6.QtWidgets import QApplication

    deadline = QDeadlineTimer(round(TIMEOUT_S * 1000))
    while not is_done():
        if deadline.hasExpired():
            text = Text(
                QT_TRANSLATE_NOOP("core", "the run did not end within {seconds} s"),
                {"seconds": round(TIMEOUT_S)},
            )
            raise EnvironmentFault(text.template, **text.values)
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)
