"""A note lies in a trace as English words; by its template it is a text again, and can be shown in any language."""

import re
from functools import lru_cache

from core.report.language import templates
from core.text import Text, Values

LEAST_WORDS = 12  # letters of its own that a template must have: "{path}: {reason}" would fit anything
_GAP = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=256)
def note_text(note: str) -> Text:
    """Return the text that the note was made of; a note that none of our templates gives stays as it is."""
    for template, parts in _templates():
        values = _values(note, parts)
        if values is not None and template.format(**values) == note:
            return Text(template, values)
    return Text("{note}", {"note": note})


@lru_cache(maxsize=1)
def _templates() -> list[tuple[str, list[str]]]:
    """Return templates with their parts (words, gap, words, gap ... words); those with most words of their own first."""
    split = [(one, _GAP.split(one)) for one in templates()]
    fitting = [
        one for one in split if sum(map(len, one[1][::2])) >= LEAST_WORDS and "{" not in "".join(one[1])
    ]
    return sorted(fitting, key=lambda one: -sum(map(len, one[1][::2])))


def _values(note: str, parts: list[str]) -> Values | None:
    """Return what stands in the gaps, each as short as it can be: looking further would take a hostile note ages."""
    if not note.startswith(parts[0]):
        return None
    values: Values = {}
    at = len(parts[0])
    for gap, words in zip(parts[1::2], parts[2::2], strict=True):
        end = note.find(words, at) if words else len(note)
        if end < 0:
            return None
        values[gap] = note[at:end]
        at = end + len(words)
    return values if at == len(note) else None
