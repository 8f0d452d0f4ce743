"""Which Python files the user lets run: remembered by content and place, so that a changed file asks again.

The place counts as well: the same text in another folder imports other files.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP

MOST_BYTES = 16 << 20  # nobody writes such a file by hand


@dataclass(frozen=True)
class TargetFile:
    """A file as it was when the user was asked: the content that is shown is the content that was hashed."""

    path: Path
    content: bytes
    modified: datetime

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def key(self) -> str:
        """What is remembered in the settings."""
        return f"{self.sha256} {self.path}"


def read_target_file(path: Path) -> TargetFile:
    """Read the file.

    Raises:
        OSError: it cannot be read.
        UnreadableError: it is far too large to be what it says.
    """
    path = path.resolve()
    stat = path.stat()
    if stat.st_size > MOST_BYTES:
        template = QT_TRANSLATE_NOOP(
            "core", "{path} has {n_bytes} bytes, which is too large for a target file"
        )
        raise UnreadableError(template, path=str(path), n_bytes=stat.st_size)
    return TargetFile(path, path.read_bytes(), datetime.fromtimestamp(stat.st_mtime))


class Trusted:
    """The keys of the files that may run."""

    def __init__(self, keys: tuple[str, ...] = ()) -> None:
        self._keys = list(keys)

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self._keys)

    def holds(self, file: TargetFile) -> bool:
        return file.key in self._keys

    def digests(self, path: Path) -> tuple[str, ...]:
        """Return the contents of the file at `path` that may run."""
        split = (key.split(" ", 1) for key in self._keys)
        return tuple(digest for digest, *place in split if place == [str(path)])

    def add(self, file: TargetFile) -> None:
        if file.key not in self._keys:
            self._keys.append(file.key)

    def remove(self, key: str) -> None:
        self._keys.remove(key)
