"""Sentences that are shown to people: an English template and its values, translated where they are shown.

The core has no Qt, so it marks the templates, and Qt's tools find the marks: the names are the ones that lupdate
looks for. The window looks the template up in its language and then fills in the values.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

CONTEXT = "core"
Value = str | int | float
Values = dict[str, Value]


def QT_TRANSLATE_NOOP(context: str, template: str) -> str:
    """Mark `template` for translation and return it unchanged."""
    return template


@dataclass(frozen=True)
class Text:
    """A sentence with named gaps, such as Text("step {step}: ...", {"step": 3}).

    `words` fills the gaps whose values are words, and so are translated too.
    """

    template: str
    values: Values = field(default_factory=dict)
    words: dict[str, "Text"] = field(default_factory=dict)

    def translated(self, translate: Callable[[str], str]) -> str:
        """Fill the values and words into the translated template."""
        words = {name: text.translated(translate) for name, text in self.words.items()}
        return translate(self.template).format(**self.values, **words)

    def __str__(self) -> str:
        return self.template.format(**self.values, **self.words)
