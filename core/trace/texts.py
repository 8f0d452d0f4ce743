"""Sentences that a trace brings along: filled in only where their gaps are plain names."""

from string import Formatter

from core.text import Text
from core.trace.records import TextFacts

MAX_LENGTH = 2000


def text_of(facts: TextFacts) -> Text:
    """Return the sentence; a template that wants anything but its own values is shown as it stands."""
    if len(facts.template) <= MAX_LENGTH and _is_plain(facts):
        return Text(facts.template, dict(facts.values))
    return Text("{sentence}", {"sentence": facts.template[:MAX_LENGTH]})


def _is_plain(facts: TextFacts) -> bool:
    """Formats and attributes in a stranger's template could ask for gigabytes, or look into objects."""
    try:
        gaps = [gap for gap in Formatter().parse(facts.template) if gap[1] is not None]
    except ValueError:
        return False
    return all(name in facts.values and not form and kind in (None, "r") for _, name, form, kind in gaps)
