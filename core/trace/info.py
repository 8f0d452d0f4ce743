"""The JSON of a trace: read strictly, and of a version that is known."""

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP
from core.trace import layout
from core.trace.complete import unreadable
from core.trace.records import FORMAT, VERSION, RunInfo

T = TypeVar("T")


def decoded(data: bytes, kind: type[T], where: str) -> T:
    """Return JSON as the wanted type; a key that is there twice is refused.

    Raises:
        UnreadableError: it is no such JSON.
    """
    try:
        found = msgspec.json.decode(data, type=kind)
        layout.check_keys(data)
        return found
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise unreadable(where, str(error)) from error


def check_version(given: dict[str, Any], path: Path) -> None:
    """Raise UnreadableError where `kvtrace.json` is of another format or a newer major version."""
    name, version = str(given.get("format"))[:40], str(given.get("version"))[:40]
    major = re.fullmatch(r"([0-9]{1,9})\.[0-9]{1,9}", version)
    if name == FORMAT and major is not None and major[1] == VERSION.split(".")[0]:
        return
    raise UnreadableError(
        QT_TRANSLATE_NOOP(
            "core",
            "{path} has format {format} {version}, this version reads {known}; open it with a newer KVScope",
        ),
        path=str(path),
        format=name,
        version=version,
        known=f"{FORMAT} {VERSION}",
    )


def with_note(info: RunInfo) -> RunInfo:
    """Return the facts with a note where a later version wrote them."""
    if int(info.version.split(".")[1]) <= int(VERSION.split(".")[1]):
        return info
    note = f"the trace has format {info.version}, newer than {VERSION}: what is new in it is not shown"
    return msgspec.structs.replace(info, notes=[*info.notes, note])
