"""Opens files as `show` does and says what came of each; nothing but the file may be touched meanwhile.

Run as a child process: paths on stdin, one JSON line each on stdout.
"""

import argparse
import contextlib
import io
import json
import re
import sys
import time

from core.cli.show import show
from core.errors import KVScopeError

FORBIDDEN = (
    "exec", "compile", "import", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.startfile", "socket.",
    "ctypes.", "pickle.", "marshal.", "urllib.", "shutil.", "os.remove", "os.rename", "os.mkdir", "os.symlink", "os.link", "os.chmod",
    "tempfile.", "webbrowser.", "winreg.",
)  # fmt: skip


def show_quietly(path: str) -> tuple[int, str]:
    """Return the exit code and the message."""
    said = io.StringIO()
    args = argparse.Namespace(trace=path, tolerance=None, json=False, allow_partial=False, repair=None)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        try:
            return show(args), said.getvalue()
        except KVScopeError as error:
            return error.exit_code, str(error)


def peak_mb() -> float:
    """Return the largest resident memory of this process so far; getrusage would tell that of its parent."""
    with open("/proc/self/status") as file:
        found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
    assert found is not None
    return int(found[1]) / 1024


def main() -> None:
    good, *paths = sys.stdin.read().splitlines()
    show_quietly(good)  # whatever is imported late is imported now
    show_quietly(paths[0])
    touched: list[str] = []
    allowed = ""

    def watch(event: str, args: tuple) -> None:
        if event == "open" and str(args[0]) != allowed:
            touched.append(f"open {args[0]}")
        elif event.startswith(FORBIDDEN):
            touched.append(f"{event} {args!r}"[:200])

    sys.addaudithook(watch)
    for path in paths:
        allowed = path
        touched.clear()
        start = time.process_time()
        try:
            code, message = show_quietly(path)
        except Exception as error:
            code, message = -1, f"{type(error).__name__}: {error}"
        seconds = time.process_time() - start
        seen = touched[:5]
        result = {
            "path": path, "code": code, "message": message[:500], "seconds": seconds, "touched": seen,
            "peak_mb": peak_mb(),
        }  # fmt: skip
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
