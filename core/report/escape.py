"""Making strangers' text inert on a terminal: controls, bidi marks and escapes are shown as codes."""

import unicodedata


def inert(text: str) -> str:
    """Return `text` with every control, format and surrogate character as an escape such as \\x1b."""
    return "".join(
        char if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else _escaped(char)
        for char in text
    )


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
