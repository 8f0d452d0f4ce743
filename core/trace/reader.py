"""Reading a trace, closed or still growing, through one reader: members are indexed, steps are read when looked at."""

import os
import stat
import zlib
from collections import OrderedDict
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec
import numpy as np

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace import layout
from core.trace.layout import Member, SafeTensors, read_member
from core.trace.records import FORMAT, VERSION, EndFacts, RunInfo, StepFacts
from core.trace.writer import END_MEMBER, FACTS_KEY, INFO_MEMBER, step_member

MAX_JSON = 64 << 20
MOST_KEPT_BYTES, KEPT_SHARE = (
    1 << 30,
    8,
)  # every view of a step looks at the steps before it: reading again takes long


def _kept_bytes() -> int:
    """How much of parsed steps stays in memory: an eighth of what the machine has, within bounds."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on this system
        memory = 4 << 30
    return min(MOST_KEPT_BYTES, max(128 << 20, memory // KEPT_SHARE))


KEPT_BYTES = _kept_bytes()
T = TypeVar("T")
_LOOKS_LIKE = (
    (b"GGUF", "a GGUF model"), (b"<!DOCTYPE", "an HTML page"), (b"<html", "an HTML page"),
    (b"version https://git-lfs", "a Git LFS pointer"), (b"\x80", "a pickle"), (b"\x89PNG", "a PNG picture"),
    (b"\x1f\x8b", "a gzip file"), (b"{", "a JSON file"),
)  # fmt: skip


class Trace:
    """A recorded run. Steps are parsed on demand and the last few are kept; `refresh` looks for new ones."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self.notice: Text | None = None
        self.end: EndFacts | None = None
        self._fd = fd
        self._next_offset = 0
        self._members: list[Member] = []
        self._facts: dict[int, StepFacts] = {}
        self._parsed: OrderedDict[int, SafeTensors] = OrderedDict()
        self._kept_bytes = 0
        self.info = self._read_info()
        self.refresh()

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a .kvtrace or .part file.

        Raises:
            UnreadableError: it is missing, not a regular file, not a trace, or of a newer major version.
        """
        path = Path(path)
        fd = _open_regular(path)
        try:
            return cls(path, fd)
        except BaseException:
            os.close(fd)
            raise

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._members)

    @property
    def is_complete(self) -> bool:
        """Whether the recording was closed; False for a .part."""
        return self.end is not None

    def refresh(self) -> int:
        """Index the steps that have come since; return how many."""
        before = len(self._members)
        size = os.fstat(self._fd).st_size
        while self.end is None:
            member = read_member(self._fd, self._next_offset, size)
            if member is None:
                break
            if member.name == END_MEMBER:
                self.end = _decode(self._read(member), EndFacts, END_MEMBER)
                self._check_end()
            elif member.name == step_member(len(self._members)):
                self._members.append(member)
            else:
                raise layout.damaged(self._next_offset, f"{member.name} is out of order")
            self._next_offset = member.end
        self._note_what_is_missing(size)
        return len(self._members) - before

    def facts(self, step_index: int) -> StepFacts:
        """Return the JSON facts of a step."""
        if step_index not in self._facts:
            metadata = (
                self._parsed[step_index].metadata
                if step_index in self._parsed
                else layout.parse_metadata(self.step_bytes(step_index), step_member(step_index))
            )
            raw = metadata.get(FACTS_KEY, "{}")
            self._facts[step_index] = _decode(raw.encode(), StepFacts, step_member(step_index))
        return self._facts[step_index]

    def tensor(self, step_index: int, name: str) -> np.ndarray[Any, Any] | None:
        """Return an array of a step, None where the trace does not have it."""
        return self._step(step_index).array(name)

    def tensor_names(self, step_index: int) -> list[str]:
        return sorted(self._step(step_index).tensors)

    def step_bytes(self, step_index: int) -> bytes:
        """Return the safetensors bytes of a step as they stand in the file."""
        return self._read(self._members[step_index])

    def _step(self, step_index: int) -> SafeTensors:
        if step_index in self._parsed:
            self._parsed.move_to_end(step_index)
        else:
            data = self.step_bytes(step_index)
            self._parsed[step_index] = layout.parse_safetensors(data, step_member(step_index))
            self._kept_bytes += len(data)
            while self._kept_bytes > KEPT_BYTES and len(self._parsed) > 1:
                _, dropped = self._parsed.popitem(last=False)
                self._kept_bytes -= dropped.nbytes
        return self._parsed[step_index]

    def _read_info(self) -> RunInfo:
        size = os.fstat(self._fd).st_size
        head = os.pread(self._fd, 64, 0)
        if not head.startswith(layout.LOCAL_SIGNATURE):
            raise _not_a_trace(self.path, head, size)
        member = read_member(self._fd, 0, size)
        if member is None or member.name != INFO_MEMBER:
            raise _not_a_trace(self.path, head, size)
        self._next_offset = member.end
        data = self._read(member)
        info = _decode(data, RunInfo, INFO_MEMBER)
        if info.format != FORMAT or info.version.split(".")[0] != VERSION.split(".")[0]:
            raise UnreadableError(
                QT_TRANSLATE_NOOP(
                    "core",
                    "{path} has format {format} {version}, this version reads {known}; open it with a newer KVScope",
                ),
                path=str(self.path),
                format=info.format,
                version=info.version,
                known=f"{FORMAT} {VERSION}",
            )
        return info

    def _read(self, member: Member) -> bytes:
        if member.name.endswith(".json") and member.size > MAX_JSON:
            raise layout.damaged(member.offset, f"{member.name} claims {member.size} bytes")
        data = os.pread(self._fd, member.size, member.offset)
        while len(data) < member.size:  # pread stops at 2 GB
            more = os.pread(self._fd, member.size - len(data), member.offset + len(data))
            if not more:
                break
            data += more
        if len(data) < member.size or zlib.crc32(data) != member.crc:
            raise layout.damaged(member.offset, f"{member.name} has changed or is cut off (checksum)")
        return data

    def _check_end(self) -> None:
        assert self.end is not None
        if self.end.n_steps != len(self._members):
            raise layout.damaged(
                self._next_offset, f"it holds {len(self._members)} steps and claims {self.end.n_steps}"
            )

    def _note_what_is_missing(self, size: int) -> None:
        if self.end is not None:
            self.notice = None
            return
        self.notice = Text(
            QT_TRANSLATE_NOOP(
                "core",
                "the recording was not closed: {n_steps} complete steps are here, {lost} bytes after them are not readable",
            ),
            {"n_steps": len(self._members), "lost": max(0, size - self._next_offset)},
        )


def _open_regular(path: Path) -> int:
    """Open for reading, without ever waiting for a FIFO or following a device."""
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


def _not_a_trace(path: Path, head: bytes, size: int) -> UnreadableError:
    guess = next((name for magic, name in _LOOKS_LIKE if head.lstrip().startswith(magic)), None)
    if size == 0:
        guess = "an empty file"
    elif head.startswith(layout.LOCAL_SIGNATURE):
        guess = "another ZIP file"
    elif head[8:9] == b"{":
        guess = "a plain safetensors file"
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
        guess=guess,
    )


def _decode(data: bytes, kind: type[T], where: str) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableError(
            QT_TRANSLATE_NOOP("core", "{where} in the trace is not readable: {reason}"),
            where=where,
            reason=str(error),
        ) from error
