"""Sentences in the language of the report."""

from collections.abc import Callable
from dataclasses import dataclass

from core.report.page.markup import Html, el, join
from core.text import Text, Value


@dataclass(frozen=True)
class Words:
    """Says templates and texts of the core in one language."""

    translate: Callable[[str], str]

    def say(self, template: str, **values: Value) -> str:
        return self.text(Text(template, values))

    def text(self, text: Text) -> str:
        return text.translated(self.translate)


def section(title: str, *children: str | None) -> Html:
    """A card with a heading; children are markup or text."""
    return el("section", el("h2", title), join(*children))


def pairs(rows: list[tuple[str, str]]) -> Html:
    """Names and values; a value is markup or text."""
    return el("dl", *(part for name, value in rows for part in (el("dt", name), el("dd", value))))


def table(heads: list[tuple[str, str]], rows: list[list[str]], phone_gone: tuple[int, ...] = ()) -> Html:
    """A table that scrolls sideways where it must.

    Args:
        heads: title and class of each column, "num" for figures.
        rows: cells as markup or text.
        phone_gone: columns that a phone does without.
    """
    classes = [
        f"{kind} phone-gone".strip() if index in phone_gone else kind or None
        for index, (_, kind) in enumerate(heads)
    ]
    head = el("tr", *(el("th", title, class_=kind) for (title, _), kind in zip(heads, classes, strict=True)))
    body = (
        el("tr", *(el("td", cell, class_=kind) for cell, kind in zip(row, classes, strict=True)))
        for row in rows
    )
    return el("div", el("table", el("thead", head), el("tbody", *body)), class_="scroll", tabindex=0)
