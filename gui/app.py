"""Starting the window: checks that give a clear message instead of a crash, settings, language, look."""

import ctypes
import gc
import os
import platform
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from core.engine.messages import RunSpec
from core.errors import EXIT_ENVIRONMENT, EXIT_INTERRUPTED
from core.trace.importers import open_any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from gui.main_window import MainWindow

INTERRUPT_CHECK_MS = 250
# what a desktop has and a server may lack: Qt's own requirements, and those of its plugin for X11
DEBIAN_PACKAGES = (
    "libegl1", "libgl1", "libfontconfig1", "libdbus-1-3", "libxkbcommon-x11-0", "libxcb-cursor0", "libxcb-icccm4",
    "libxcb-keysyms1",
)  # fmt: skip


def main(trace: str | None = None, spec: RunSpec | None = None) -> int:
    """Show the window, with a trace or with a run that is ready to step; return the exit code of the program.

    Raises:
        UnreadableError: `trace` is not a readable trace, so there is nothing to show.
    """
    problem = environment_problem()
    if problem is not None:
        print(problem, file=sys.stderr)
        return EXIT_ENVIRONMENT
    if trace is not None:
        open_any(trace).close()
    return _run(trace, spec or RunSpec())


def environment_problem() -> str | None:
    """Why no window can be shown here, None where one can."""
    import PySide6

    if PySide6.__version_info__[:2] >= (6, 12) and sys.version_info < (3, 12):
        return (
            f"kvscope: PySide6 {PySide6.__version__} crashes on Python {platform.python_version()}; "
            "install PySide6-Essentials<6.12 or use Python 3.12"
        )
    if not sys.platform.startswith("linux"):
        return None
    screens = [name for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)]
    asked_for = os.environ.get("QT_QPA_PLATFORM", "")
    if not screens and not asked_for:
        return (
            "kvscope: there is no display for the window; use `python main.py check` for the verdict on the terminal, "
            "or `python main.py screenshot -o window.png` for a picture of the window"
        )
    needs_x11 = asked_for == "xcb" or (not asked_for and screens == ["DISPLAY"])
    missing = missing_library(needs_x11)
    if missing is not None:
        return f"kvscope: Qt cannot start: {missing}. On Debian and Ubuntu: apt install {' '.join(DEBIAN_PACKAGES)}"
    return None


def missing_library(needs_x11: bool) -> str | None:
    """What the loader says of a system library that Qt needs and does not find; Qt itself would end the process."""
    import PySide6

    try:
        from PySide6 import QtGui  # noqa: F401  it brings Qt's own libraries, which the plugin needs

        if needs_x11:
            ctypes.CDLL(str(Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"))
    except (ImportError, OSError) as error:
        return str(error)
    return None


def _run(trace: str | None, spec: RunSpec) -> int:
    gc.disable()  # while all that stays is being made
    from PySide6.QtCore import QTimer

    from gui.application import make_application
    from gui.error_report import ErrorReporter
    from gui.main_window import MainWindow
    from gui.settings import load, store

    settings_store = store()
    application = make_application(load(settings_store))
    ErrorReporter(application).install()
    window = MainWindow(settings_store)
    window.show()
    gc.freeze()  # nor is it looked through later, in the middle of a step
    gc.enable()
    _leave_on_interrupt(application)
    QTimer.singleShot(0, lambda: _begin(window, trace, spec))  # the window first, the engine behind it
    code = application.exec()
    window.close()  # an interrupt leaves the event loop without it: the engine must end before Qt does
    return code


def _begin(window: "MainWindow", trace: str | None, spec: RunSpec) -> None:
    window.opening.begin(trace, spec)
    window.first_minute.invite()


def _leave_on_interrupt(application: "QApplication") -> None:
    """Ctrl+C in the terminal closes the window. Qt's loop is not Python: a slow timer lets the handler run."""
    from PySide6.QtCore import QTimer

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: application.exit(EXIT_INTERRUPTED))
    timer = QTimer(application, interval=INTERRUPT_CHECK_MS)
    timer.timeout.connect(lambda: None)
    timer.start()
