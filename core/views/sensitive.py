"""Where one wrong token matters: amounts, dates, addresses, account numbers, evidence ids, and any other number.

The patterns are few and say what they look like, so that nobody takes them for more; a reader's own can be added.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.errors import UsageError
from core.text import QT_TRANSLATE_NOOP, Text

LONGEST = 400  # characters of a pattern


@dataclass(frozen=True)
class Pattern:
    """A kind of text and what it looks like."""

    id: str
    title: Text
    regex: str


PATTERNS = (
    Pattern("address", Text(QT_TRANSLATE_NOOP("core", "addresses")), r"0x[0-9A-Fa-f]+|\bbc1[0-9a-z]{6,}|\d+(?:-\d+)?[号室楼弄]"),
    Pattern("evidence", Text(QT_TRANSLATE_NOOP("core", "evidence and document ids")), r"[A-Z]{2,}(?:-\d+)+|[（(〔]\d{4}[）)〕][^\s（(〔]{1,12}?\d+号"),
    Pattern("date", Text(QT_TRANSLATE_NOOP("core", "dates")), r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?"),
    Pattern("account", Text(QT_TRANSLATE_NOOP("core", "account numbers")), r"\b[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){3,7}(?: ?[0-9A-Z]{1,3}\b)?|\d{4}(?:[ -]\d{4}){2,}|\d{8,}"),
    Pattern("amount", Text(QT_TRANSLATE_NOOP("core", "amounts")), r"[$€£¥￥]\s?\d[\d,]*(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{2}\b|\d+(?:\.\d+)?\s?[万亿]?元"),
    Pattern("number", Text(QT_TRANSLATE_NOOP("core", "other numbers")), r"\d(?:[\d,.:-]*\d)?"),
)  # fmt: skip


@lru_cache(maxsize=16)
def _compiled(extra: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in (*extra, *(pattern.regex for pattern in PATTERNS))))


def check_pattern(regex: str) -> str:
    """Return a reader's own pattern.

    Raises:
        UsageError: it is no regular expression, is too long, or would mark every place between two characters.
    """
    try:
        is_empty = re.compile(regex).search("") is not None
    except (re.error, OverflowError, RecursionError) as error:
        template = QT_TRANSLATE_NOOP("core", "--sensitive {regex!r} is no regular expression: {reason}")
        raise UsageError(template, regex=regex[:LONGEST], reason=str(error)) from error
    if is_empty or len(regex) > LONGEST:
        template = QT_TRANSLATE_NOOP(
            "core", "--sensitive must match some text, and be at most {n} characters long"
        )
        raise UsageError(template, n=LONGEST)
    return regex


def sensitive_flags(texts: Sequence[str | None], extra: tuple[str, ...] = ()) -> list[bool]:
    """Return for each token, given by its text, whether a part of it belongs to such a text.

    The patterns look at the text as a whole, so that the tokens of "1,250.00" are marked however it was cut. None stands
    for a token without a text of its own.
    """
    text = "".join(" " if one is None else one for one in texts)
    marked = bytearray(len(text))
    for match in _compiled(extra).finditer(text):
        marked[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    flags, at = [], 0
    for one in texts:
        end = at + (1 if one is None else len(one))
        flags.append(any(marked[at:end]))
        at = end
    return flags
