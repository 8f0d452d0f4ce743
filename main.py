"""KVScope: arguments -> the window, or one of the headless commands.

It imports next to nothing at the top: the engine process imports this file again when it starts.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from core.engine.messages import RunSpec


DEPENDENCIES = ("PySide6", "pyqtgraph", "torch", "numpy", "safetensors", "msgspec")


def main(argv: list[str]) -> int:
    """Run a command and return its exit code; an error is one line on stderr."""
    from core.errors import EXIT_ENVIRONMENT, EXIT_INTERRUPTED, KVScopeError
    from core.report.escape import inert

    try:
        return _dispatch(argv)
    except KVScopeError as error:
        if error.traceback is not None:
            print(error.traceback, file=sys.stderr)
        print(f"kvscope: {inert(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in DEPENDENCIES:
            return _internal_error()
        print(
            f"kvscope: the package {missing} is not installed; run `pip install -e .` first", file=sys.stderr
        )
        return EXIT_ENVIRONMENT
    except OSError as error:
        print(f"kvscope: {inert(str(error))}", file=sys.stderr)
        return EXIT_ENVIRONMENT
    except Exception:
        return _internal_error()


def _internal_error() -> int:
    from core.errors import EXIT_ENVIRONMENT

    traceback.print_exc()
    print("kvscope: internal error, please report it with the lines above", file=sys.stderr)
    return EXIT_ENVIRONMENT


def _dispatch(argv: list[str]) -> int:
    from core.cli import arguments

    if not argv or (argv[0] not in arguments.COMMANDS and argv[0] not in ("-h", "--help", "--version")):
        return _open_window(argv)
    args = arguments.make_parser().parse_args(argv)
    match args.command:
        case "check":
            from core.cli.check import check
            from core.cli.suite import audit

            return audit(args) if args.suite == "audit" else check(args)
        case "show":
            from core.cli.show import show

            return show(args)
        case "report":
            from core.cli.report import report

            return report(args)
        case "compare":
            from core.cli.compare import compare

            return compare(args)
        case "profile":
            from core.cli.profile import profile

            return profile(args)
        case "faults":
            from core.cli.faults import faults

            return faults(args)
        case "selftest":
            from core.cli.selftest import selftest

            return selftest(args)
        case _:
            return _screenshot(args)


def _open_window(argv: list[str]) -> int:
    from core.cli import arguments
    from gui import app

    args = arguments.make_window_parser().parse_args(argv)
    trace, spec = _trace_or_spec(args)
    return app.main(trace, spec)


def _screenshot(args: argparse.Namespace) -> int:
    from gui import screenshot

    trace, spec = _trace_or_spec(args)
    shown = trace if spec is None else spec
    assert shown is not None
    screenshot.render(
        shown, args.output, step=args.step, theme=args.theme, lang=args.lang, scale=args.scale, size=args.size
    )
    return 0


def _trace_or_spec(args: argparse.Namespace) -> tuple[str | None, RunSpec | None]:
    """A file with the ending of a trace is one, whatever else is named a target."""
    from core.cli.arguments import run_spec
    from core.trace.importers import SUFFIXES

    if args.target is not None and args.target.endswith(SUFFIXES):
        return args.target, None
    return None, run_spec(args, args.scenario)


def _open_closed_streams() -> None:
    """Give a process that was started without stdin, stdout or stderr (`>&-`) empty ones: files would take their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


if __name__ == "__main__":
    _open_closed_streams()
    sys.exit(main(sys.argv[1:]))
