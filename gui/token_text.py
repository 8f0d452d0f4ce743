"""Tokens as a reader may see them: spaces visible, control characters escaped, hostile text inert.

Token texts come from foreign tokenizers: they may hold line breaks, terminal escapes, right-to-left marks or markup.
What comes out has one line and no character that can move or hide its neighbours.
"""

import unicodedata

SPACE = "\u2423"
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", " ": SPACE, "\u00a0": "\\xa0", "\u3000": "\\u3000"}
_HIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}


def visible(text: str, limit: int = 0) -> str:
    """The token with every character visible; longer than `limit` (if given) is cut with an ellipsis."""
    if not text:
        return "\u2205"
    # a token may be megabytes: look only at what can be shown
    shown = "".join(_glyph(char) for char in (text[: limit + 1] if limit else text))
    return shown if not limit or len(shown) <= limit else shown[: max(1, limit - 1)] + "\u2026"


def readable(text: str, limit: int = 0) -> str:
    """Running text: as `visible`, but plain spaces stay plain."""
    return visible(text, limit).replace(SPACE, " ") if text else ""


def _glyph(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    category = unicodedata.category(char)
    if category in _HIDDEN_CATEGORIES:
        return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"
    if category in ("Mn", "Me"):
        return "\u25cc" + char  # a mark alone needs something to sit on
    return char
