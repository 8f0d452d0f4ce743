"""Writing a trace: a ZIP of stored members, one write per step, so that a killed recording keeps every complete step.

    kvtrace.json   steps/00000000.safetensors ...   end.json   central directory

While it grows it is called NAME.kvtrace.part; closing it writes the directory, syncs and renames.
"""

import os
import weakref
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from core.errors import EnvironmentFault
from core.text import QT_TRANSLATE_NOOP
from core.trace.layout import FACTS_KEY, header_end, safetensors_bytes
from core.trace.records import Doubt, EndFacts, EndStatus, FindingFacts, FreeFacts, RunInfo, StepFacts

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

INFO_MEMBER = "kvtrace.json"
END_MEMBER = "end.json"
PART_SUFFIX = ".part"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date: the same run gives the same bytes


def step_member(step_index: int) -> str:
    """Return the name of the member that holds a step."""
    return f"steps/{step_index:08d}.safetensors"


def part_path(path: Path) -> Path:
    """Return where a trace lies while it grows."""
    return path.with_name(path.name + PART_SUFFIX)


class TraceWriter:
    """Appends steps to PATH.part; `close` completes the file and renames it to PATH."""

    def __init__(self, path: Path, info: RunInfo) -> None:
        self.path = path
        self.part_path = part_path(path)
        self.n_steps = 0
        self._checksums: dict[str, str] = {}
        self._members: list[zipfile.ZipInfo] = []
        self._header_crcs: list[str] = []
        with disk_errors(self.part_path):
            self._file: BinaryIO = _open_alone(self.part_path)
        weakref.finalize(self, self._file.close)  # a writer that is let go leaves the .part as it is
        try:
            self._append(INFO_MEMBER, msgspec.json.encode(info))
        except BaseException:
            self.abandon()
            raise

    def add_step(self, facts: StepFacts, tensors: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Append one step; it is on its way to the disk when this returns."""
        self.add_encoded_step(safetensors_bytes({FACTS_KEY: msgspec.json.encode(facts).decode()}, tensors))

    def add_encoded_step(self, data: bytes) -> None:
        """Append a step that is safetensors bytes already."""
        self._append(step_member(self.n_steps), data)
        self._header_crcs.append(f"{zlib.crc32(data[: header_end(data[:8], len(data), 'step')]):08x}")
        self.n_steps += 1

    def close(
        self,
        status: EndStatus,
        reason: str | None = None,
        notes: list[str] | None = None,
        findings: list[FindingFacts] | None = None,
        doubts: list[Doubt] | None = None,
        bookmarks: Iterable[int] = (),
        free: FreeFacts | None = None,
    ) -> Path:
        """Write how it ended and the directory, sync, and give the file its name."""
        end = EndFacts(
            status=status, n_steps=self.n_steps, reason=reason, notes=notes or [], findings=findings or [],
            doubts=doubts or [], bookmarks=sorted(bookmarks), free=free,
            checksums=self._checksums, header_crcs="".join(self._header_crcs),
        )  # fmt: skip
        self._append(END_MEMBER, msgspec.json.encode(end))
        with disk_errors(self.part_path):
            with zipfile.ZipFile(self._file, "w", zipfile.ZIP_STORED) as directory:
                directory.filelist += self._members  # written behind them when the block ends
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self.part_path, self.path)
            sync_folder(self.path)
        return self.path

    def abandon(self) -> None:
        """Leave the .part as it is, without a directory: every complete step stays readable."""
        self._file.close()

    def _append(self, name: str, data: bytes) -> None:
        """Write header and data of one member at once. zipfile itself would come back to fill in the sizes."""
        member = zipfile.ZipInfo(name, _EPOCH)
        member.header_offset = self._file.tell()
        member.CRC = zlib.crc32(data)
        member.file_size = member.compress_size = len(data)
        with disk_errors(self.part_path):
            try:
                self._write(member.FileHeader(zip64=False) + data)
            except OSError:
                self._file.truncate(member.header_offset)  # half a member would hide what comes after it
                self._file.seek(member.header_offset)
                raise
        self._members.append(member)
        self._checksums[name] = f"{member.CRC:08x}"

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:  # an unbuffered write may be short
            view = view[self._file.write(view) :]


def _open_alone(path: Path) -> BinaryIO:
    """Open a file for writing that nobody else writes, through no symlink; what was in it goes only then."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    fd = os.open(path, flags, 0o666)
    try:
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(fd, 0)
    except BlockingIOError as error:
        os.close(fd)
        template = QT_TRANSLATE_NOOP("core", "{path} is being written by another KVScope; give another name")
        raise EnvironmentFault(template, path=str(path)) from error
    except BaseException:
        os.close(fd)
        raise
    return open(fd, "wb", buffering=0)


def sync_folder(path: Path) -> None:
    """Bring a renamed file's new name to the disk, where folders can be synced."""
    try:
        fd = os.open(path.absolute().parent, os.O_RDONLY)
    except OSError:  # Windows opens no folders
        return
    try:
        os.fsync(fd)
    except OSError:  # nor do some network shares: the file itself is synced
        pass
    finally:
        os.close(fd)


class disk_errors:  # noqa: N801 (reads as a statement)
    """Turn an OSError into a message that names the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise EnvironmentFault(
                QT_TRANSLATE_NOOP(
                    "core", "cannot write {path}: {reason}. The steps written so far are kept."
                ),
                path=str(self.path),
                reason=error.strerror or str(error),
            ) from error
