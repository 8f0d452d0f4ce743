"""Which tensor of one trace is which of the other: by name, or as a mapping file says. A name left over is an error."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP
from core.trace import layout
from core.trace.reader import Trace

LOGITS = ("logits", "top_ids", "top_logits")
MAX_MAP = 1 << 20
LISTED = 6
# told where there is something to tell: their absence says nothing
_BY_THE_WAY = re.compile(r"layer\.\d+/(mask|changed_slots|changed_k|changed_v)")


class NamesDiffer(UnreadableError):
    """A mapping of names, or leaving some out, would let the traces be compared."""


class MapFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`names`: tensor of B -> tensor of A; `without`: left out of the comparison. `*` stands for any run of characters."""

    names: dict[str, str] = {}
    without: list[str] = []


@dataclass(frozen=True)
class NameMap:
    """How names of B are read, and what is not compared."""

    names: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()

    def of_a(self, name_in_b: str) -> str:
        """Return what A calls a tensor of B; what each `*` stands for is carried over."""
        for pattern, wanted in self.names:
            found = re.fullmatch("(.+?)".join(map(re.escape, pattern.split("*"))), name_in_b)
            if found is not None:
                parts = wanted.split("*")
                groups = (*found.groups(), *[""] * len(parts))
                return parts[0] + "".join(
                    group + part for group, part in zip(groups, parts[1:], strict=False)
                )
        return name_in_b

    def leaves_out(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.without)


def read_map(path: Path | str | None, without: tuple[str, ...] = ()) -> NameMap:
    """Read a mapping file, `{"names": {"blk.*.attn_q": "layer.*/q"}, "without": ["module/*"]}`.

    Raises:
        UnreadableError: it is missing, too large, or not that.
    """
    if path is None:
        return NameMap(without=without)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_MAP + 1)
        if len(data) > MAX_MAP:
            raise ValueError(f"it is larger than {MAX_MAP} bytes")
        found = msgspec.json.decode(data, type=MapFile)
        layout.check_keys(data)
    except OSError as error:
        raise _no_map(path, error.strerror or str(error)) from error
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _no_map(path, str(error)) from error
    for pattern, wanted in found.names.items():
        if pattern.count("*") != wanted.count("*"):
            raise _no_map(path, f"{pattern!r} and {wanted!r} have not as many *")
    return NameMap(tuple(found.names.items()), (*found.without, *without))


def _no_map(path: Path | str, reason: str) -> UnreadableError:
    template = QT_TRANSLATE_NOOP("core", "{path} is no mapping of names: {reason}")
    return UnreadableError(template, path=str(path), reason=reason)


def matched(a_names: list[str], b_names: list[str], names: NameMap) -> dict[str, str]:
    """Return A's name -> B's name for all tensors but logits.

    Raises:
        NamesDiffer: a tensor is in one of them only.
        UnreadableError: two tensors of B are one of A.
    """
    wanted = {name for name in a_names if _counts(name) and not names.leaves_out(name)}
    found: dict[str, str] = {}
    for name in b_names:
        of_a = names.of_a(name)
        if not _counts(of_a) or names.leaves_out(name) or names.leaves_out(of_a):
            continue
        if of_a in found:
            template = QT_TRANSLATE_NOOP(
                "core", "the mapping makes {first} and {second} of B the same tensor, {name}"
            )
            raise UnreadableError(template, first=found[of_a], second=name, name=of_a)
        found[of_a] = name
    missing = sorted(wanted - found.keys()), sorted(found.keys() - wanted)
    if any(missing):
        template = QT_TRANSLATE_NOOP(
            "core",
            "the traces have not the same tensors: only in A: {in_a}; only in B: {in_b}. Give a mapping with --map, leave tensors out with --without PATTERN, or compare --logits-only",
        )
        raise NamesDiffer(template, in_a=_listed(missing[0]), in_b=_listed(missing[1]))
    return found


def _counts(name: str) -> bool:
    return name not in LOGITS and not _BY_THE_WAY.fullmatch(name)


def _listed(names: list[str]) -> str:
    more = f" … (+{len(names) - LISTED})" if len(names) > LISTED else ""
    return (", ".join(names[:LISTED]) + more) or "-"


def lane_names(trace: Trace, step: int, lane: str) -> list[str]:
    """Return the names of a lane's tensors in a step, without the lane."""
    prefix = lane + "/"
    return [name.removeprefix(prefix) for name in trace.tensor_names(step) if name.startswith(prefix)]
