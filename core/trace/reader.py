"""Reading a trace, closed or still growing, through one reader: members are indexed, steps are read when looked at."""

import copy
import os
import zlib
from collections import OrderedDict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import numpy as np

from core import catalog
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace import complete, layout
from core.trace.foreign_file import not_a_trace, open_regular
from core.trace.info import check_version, decoded, with_note
from core.trace.layout import FACTS_KEY, Header, Member, SafeTensors, read_member
from core.trace.records import LANES, EndFacts, RunInfo, StepFacts
from core.trace.writer import END_MEMBER, INFO_MEMBER, step_member

MAX_JSON = {INFO_MEMBER: 3 << 20, END_MEMBER: 6 << 20}
MAX_STEPS = 120_000
KEPT_BYTES = 192 << 20  # of parsed steps in memory: every view of a step looks at steps before it
KEPT_BY_TWIN = 48 << 20
LARGE = 32 << 20  # bytes of a step, such as a long prompt's, that is not held: its arrays are read one by one
CHUNK = 8 << 20  # of it is read at once when its checksum is looked at
KEPT_HEADERS = 32 << 20  # bytes of headers, for rows of many steps
GUESSED_HEADER = 48 << 10  # most headers come with their length in one read
LOGITS = ("logits", "top_logits")
_REQUIRED = {field.name for field in msgspec.structs.fields(RunInfo) if field.required}


class Trace:
    """A recorded run. Steps are read on demand and the last few are kept; `refresh` looks for new ones."""

    _lanes: tuple[str, ...] | None = None
    _is_twin = False

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self.notice: Text | None = None
        self.end: EndFacts | None = None
        self._fd = fd
        self._next_offset = 0
        self._members: list[Member] = []
        self._facts: list[StepFacts] = []
        self._parsed: OrderedDict[int, Header] = OrderedDict()
        self._kept_bytes = 0
        self._headers: OrderedDict[int, bytes] = OrderedDict()
        self._kept_headers = 0
        given = self._read_info()
        self.refresh()
        self.info = self._completed(given)

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a .kvtrace or .part file.

        Raises:
            UnreadableError: it is missing, not a regular file, not a trace, or of a newer major version.
        """
        path = Path(path)
        fd = open_regular(path)
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
                data = self._read(member)
                end = decoded(data, EndFacts, END_MEMBER)
                self._check_end(end)
                self.end = end
            elif member.size < layout.HEADER_LENGTH and member.name != INFO_MEMBER:
                raise layout.no_step(member.name, "it is shorter than a header")
            elif member.name == step_member(len(self._members)) and len(self._members) < MAX_STEPS:
                self._members.append(member)
            else:
                raise layout.damaged(self._next_offset, f"{member.name} is out of order")
            self._next_offset = member.end
        self._note_what_is_missing(size)
        return len(self._members) - before

    def twin(self) -> "Trace | None":
        """Return a reader of the same file for another thread: what changes is its own. None where there is no file."""
        other = copy.copy(self)
        other._fd = os.dup(self._fd)
        other._members, other._facts = list(self._members), list(self._facts)
        other._parsed, other._headers = OrderedDict(), OrderedDict()
        other._kept_bytes = other._kept_headers = 0
        other._is_twin = True
        return other

    @property
    def lanes(self) -> tuple[str, ...]:
        """The lanes whose logits the first step has; both where there is no step yet."""
        if not len(self):
            return LANES
        if self._lanes is None:  # from the header: the first step of a long prompt is the largest of all
            found = (
                lane for lane in LANES if any(self.shape(0, f"{lane}/{name}") is not None for name in LOGITS)
            )
            self._lanes = tuple(found) or LANES
        return self._lanes

    def facts(self, step_index: int) -> StepFacts:
        """Return the facts of a step; those that the file leaves out are worked out from its arrays."""
        if step_index < 0:
            raise IndexError(step_index)
        while len(self._facts) <= step_index:  # each is held against the one before
            at, before = len(self._facts), self._facts[-1] if self._facts else None
            facts = self._given_facts(at, before)
            complete.check_step(facts, at, before)
            self._facts.append(facts)
        return self._facts[step_index]

    def _given_facts(self, step_index: int, before: StepFacts | None) -> StepFacts:
        where = step_member(step_index)
        raw = self._metadata(step_index).get(FACTS_KEY, "{}").encode()
        try:
            return msgspec.json.decode(raw, type=StepFacts)
        except (msgspec.MsgspecError, RecursionError):
            given = decoded(raw, dict[str, Any], where)
        full = complete.completed_step(given, self._whole(step_index), step_index, before, where)
        try:
            return msgspec.convert(full, StepFacts)
        except msgspec.ValidationError as error:
            raise complete.unreadable(where, str(error)) from error

    def _metadata(self, step_index: int) -> dict[str, str]:
        """The header alone is read where its own checksum is known: the arrays of a large trace are not needed."""
        where = step_member(step_index)
        if step_index in self._parsed:
            return self._parsed[step_index].metadata
        known = self.end.header_crcs if self.end is not None else ""
        if len(known) == 8 * len(self):
            header = self._header(step_index)
            if f"{zlib.crc32(header):08x}" == known[8 * step_index : 8 * step_index + 8]:
                return layout.parse_metadata(header, where)
        return layout.parse_metadata(self.step_bytes(step_index), where)

    def tensor(self, step_index: int, name: str) -> np.ndarray[Any, Any] | None:
        """Return an array of a step, None where the trace does not have it."""
        held = self._step(step_index)
        return held.array(name) if isinstance(held, SafeTensors) else self.rows(step_index, name)

    def rows(self, step_index: int, name: str, at: tuple[int, ...] = ()) -> np.ndarray[Any, Any] | None:
        """Return `tensor(step_index, name)[at]`, reading no more of the file than that where the step is not at hand.

        The step's checksum is not looked at: that is done when the step itself is.
        """
        held = self._parsed.get(step_index)
        if isinstance(held, SafeTensors):
            whole = held.array(name)
            return None if whole is None else whole[at]
        where, member = step_member(step_index), self._members[step_index]
        header = self._header(step_index)
        info = layout.find_tensor(header, name, member.size, where)
        if info is None:
            return None
        if len(at) > len(info.shape) or any(not 0 <= i < n for i, n in zip(at, info.shape, strict=False)):
            raise layout.no_step(where, f"{name} has shape {info.shape}")
        begin, end = info.data_offsets
        shape = info.shape
        for index in at:
            size = (end - begin) // shape[0]
            begin, end, shape = begin + index * size, begin + (index + 1) * size, shape[1:]
        data = self._part(member, end - begin, len(header) + begin)
        part = layout.TensorInfo(info.dtype, shape, (0, end - begin))
        return layout.as_array(data, part)

    def shape(self, step_index: int, name: str) -> tuple[int, ...] | None:
        """Return the shape of an array of a step without reading it, None where the trace does not have it."""
        if step_index in self._parsed:
            info = self._parsed[step_index].tensors.get(name)
        else:
            where, size = step_member(step_index), self._members[step_index].size
            info = layout.find_tensor(self._header(step_index), name, size, where)
        return None if info is None else tuple(info.shape)

    def _header(self, step_index: int) -> bytes:
        """Return the header of a step, the length before it included."""
        if step_index not in self._headers:
            member, where = self._members[step_index], step_member(step_index)
            head = self._pread(min(GUESSED_HEADER, member.size), member.offset)
            if len(head) < min(GUESSED_HEADER, member.size):
                raise layout.damaged(member.offset, f"{where} has changed or is cut off")
            end = layout.header_end(head, member.size, where)
            if len(head) < end:
                head += self._pread(end - len(head), member.offset + len(head))
            if len(head) < end:
                raise layout.damaged(member.offset, f"{where} has changed or is cut off")
            self._headers[step_index] = head[:end]
            self._kept_headers += end
            while self._kept_headers > KEPT_HEADERS and len(self._headers) > 1:
                _, dropped = self._headers.popitem(last=False)
                self._kept_headers -= len(dropped)
        return self._headers[step_index]

    def tensor_names(self, step_index: int) -> list[str]:
        return sorted(self._step(step_index).tensors)

    def step_bytes(self, step_index: int) -> bytes:
        """Return the safetensors bytes of a step as they stand in the file."""
        return self._read(self._members[step_index])

    def _step(self, step_index: int) -> Header:
        if step_index in self._parsed:
            self._parsed.move_to_end(step_index)
        else:
            self._parsed[step_index] = parsed = self._parse(step_index)
            self._kept_bytes += parsed.nbytes
            most = KEPT_BY_TWIN if self._is_twin else KEPT_BYTES
            while self._kept_bytes > most and len(self._parsed) > 1:
                _, dropped = self._parsed.popitem(last=False)
                self._kept_bytes -= dropped.nbytes
        return self._parsed[step_index]

    def _parse(self, step_index: int) -> Header:
        member, where = self._members[step_index], step_member(step_index)
        if member.size <= LARGE:
            return layout.parse_safetensors(self._read(member), where)
        self._check_sum(member)
        header = self._header(step_index)
        return layout.parse_header(header[layout.HEADER_LENGTH :], member.size - len(header), where)

    def _whole(self, step_index: int) -> SafeTensors:
        """Return all of a step, however large."""
        held = self._step(step_index)
        if isinstance(held, SafeTensors):
            return held
        return layout.parse_safetensors(self.step_bytes(step_index), step_member(step_index))

    def _check_sum(self, member: Member) -> None:
        crc = 0
        for at in range(0, member.size, CHUNK):
            crc = zlib.crc32(self._part(member, min(CHUNK, member.size - at), at), crc)
        if crc != member.crc:
            raise layout.damaged(member.offset, f"{member.name} has changed or is cut off (checksum)")

    def _part(self, member: Member, size: int, at: int) -> bytes:
        data = self._pread(size, member.offset + at)
        if len(data) < size:
            raise layout.damaged(member.offset, f"{member.name} has changed or is cut off")
        return data

    def _read_info(self) -> dict[str, Any]:
        """Return `kvtrace.json` as it stands; nothing else of it is looked at before its version."""
        size = os.fstat(self._fd).st_size
        head = self._pread(len(layout.LOCAL_SIGNATURE), 0)
        if head != layout.LOCAL_SIGNATURE:
            raise not_a_trace(self.path, self._fd)
        member = read_member(self._fd, 0, size)
        if member is None or member.name != INFO_MEMBER:
            raise not_a_trace(self.path, self._fd)
        self._next_offset = member.end
        data = self._read(member)
        raw = decoded(data, dict[str, msgspec.Raw], INFO_MEMBER)
        given = {name: msgspec.json.decode(raw[name]) for name in RunInfo.__struct_fields__ if name in raw}
        check_version(given, self.path)
        return given

    def _completed(self, given: dict[str, Any]) -> RunInfo:
        """Return `kvtrace.json`, what it leaves out worked out, and a note where a later version wrote it."""
        try:
            made = msgspec.convert(given, RunInfo)
        except msgspec.ValidationError as error:
            if given.keys() >= _REQUIRED:
                raise complete.unreadable(INFO_MEMBER, str(error)) from error
            first = self._whole(0) if len(self) else None
            full = complete.completed_info(given, first, len(self), catalog.default_tolerance)
            try:
                made = msgspec.convert(full, RunInfo)
            except msgspec.ValidationError as error:
                raise complete.unreadable(INFO_MEMBER, str(error)) from error
        if not 1 <= made.steps <= MAX_STEPS:
            raise complete.unreadable(INFO_MEMBER, f"it plans {made.steps} steps")
        return with_note(made)

    def _read(self, member: Member) -> bytes:
        if member.size > MAX_JSON.get(member.name, member.size):
            raise layout.damaged(member.offset, f"{member.name} claims {member.size} bytes")
        data = self._pread(member.size, member.offset)
        if len(data) < member.size or zlib.crc32(data) != member.crc:
            raise layout.damaged(member.offset, f"{member.name} has changed or is cut off (checksum)")
        return data

    def _pread(self, size: int, offset: int) -> bytes:
        """Return so many bytes, fewer where the file ends."""
        data = os.pread(self._fd, size, offset)
        while len(data) < size:  # pread stops at 2 GB
            more = os.pread(self._fd, size - len(data), offset + len(data))
            if not more:
                break
            data += more
        return data

    def _check_end(self, end: EndFacts) -> None:
        if end.n_steps != len(self._members):
            raise layout.damaged(
                self._next_offset, f"it holds {len(self._members)} steps and claims {end.n_steps}"
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
