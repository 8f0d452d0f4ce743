"""What lies at a path: opened without waiting or following a device, and recognised where it is no trace."""

import os
import stat
from pathlib import Path

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace import layout

LOOKED_AT = 512
_LOOKS_LIKE = (
    (b"gguf", QT_TRANSLATE_NOOP("core", "a GGUF model")), (b"<!doctype", QT_TRANSLATE_NOOP("core", "an HTML page")), (b"<html", QT_TRANSLATE_NOOP("core", "an HTML page")), (b"<head", QT_TRANSLATE_NOOP("core", "an HTML page")),
    (b"<?xml", QT_TRANSLATE_NOOP("core", "an XML file")), (b"version https://git-lfs", QT_TRANSLATE_NOOP("core", "a Git LFS pointer")), (b"\x80", QT_TRANSLATE_NOOP("core", "a pickle")), (b"\x89png", QT_TRANSLATE_NOOP("core", "a PNG picture")),
    (b"\x1f\x8b", QT_TRANSLATE_NOOP("core", "a gzip file")), (b"\x93numpy", QT_TRANSLATE_NOOP("core", "a numpy array")), (b"\x89hdf", QT_TRANSLATE_NOOP("core", "an HDF5 file")), (b"%pdf", QT_TRANSLATE_NOOP("core", "a PDF")),
    (b"bzh", QT_TRANSLATE_NOOP("core", "a bzip2 file")), (b"\xfd7zxz", QT_TRANSLATE_NOOP("core", "an xz file")), (b"7z\xbc\xaf", QT_TRANSLATE_NOOP("core", "a 7z archive")), (b"\x28\xb5\x2f\xfd", QT_TRANSLATE_NOOP("core", "a zstd file")),
    (b"\x7felf", QT_TRANSLATE_NOOP("core", "a program")), (b"mz", QT_TRANSLATE_NOOP("core", "a program")), (b"#!", QT_TRANSLATE_NOOP("core", "a script")), (b"sqlite format 3", QT_TRANSLATE_NOOP("core", "an SQLite database")),
    (b"_logits_", QT_TRANSLATE_NOOP("core", "a file of log-probabilities of llama-perplexity")), (b"par1", QT_TRANSLATE_NOOP("core", "a Parquet file")), (b"{", QT_TRANSLATE_NOOP("core", "a JSON file")), (b"[", QT_TRANSLATE_NOOP("core", "a JSON file")),
)  # fmt: skip


def open_regular(path: Path) -> int:
    """Open for reading and return the descriptor, without ever waiting for a FIFO or following a device.

    Raises:
        UnreadableError: it is missing, or no regular file.
    """
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise UnreadableError(
            QT_TRANSLATE_NOOP("core", "cannot open {path}: {reason}"),
            path=str(path),
            reason=error.strerror or str(error),
        ) from error
    except ValueError as error:  # a NUL in the name
        raise UnreadableError(
            QT_TRANSLATE_NOOP("core", "cannot open {path}: {reason}"), path=repr(str(path)), reason=str(error)
        ) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UnreadableError(
            QT_TRANSLATE_NOOP("core", "{path} is not a regular file; give a .kvtrace file"), path=str(path)
        )
    return fd


def not_a_trace(path: Path, fd: int) -> UnreadableError:
    """Return the error that says what the file looks like instead."""
    guess = _guess(os.pread(fd, LOOKED_AT, 0), os.fstat(fd).st_size)
    if guess is None:
        return UnreadableError(
            QT_TRANSLATE_NOOP("core", "{path} is not a kvtrace file; record one with `check --trace F`"),
            path=str(path),
        )
    return UnreadableError(
        QT_TRANSLATE_NOOP(
            "core", "{path} is not a kvtrace file (it looks like {guess}); record one with `check --trace F`"
        ),
        path=str(path),
        guess=Text(guess),
    )


def _guess(head: bytes, size: int) -> str | None:
    if size == 0:
        return QT_TRANSLATE_NOOP("core", "an empty file")
    if head.startswith(layout.LOCAL_SIGNATURE):
        return QT_TRANSLATE_NOOP("core", "another ZIP file")
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= size:
        return QT_TRANSLATE_NOOP("core", "a plain safetensors file")
    if head[257:262] == b"ustar":
        return QT_TRANSLATE_NOOP("core", "a tar archive")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((name for magic, name in _LOOKS_LIKE if text.startswith(magic)), None)
