"""Free running in the report: the two texts, one below the other."""

from core.report.page.markup import Html, el
from core.report.page.words import Words, section
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace
from core.views.free import GREEDY_FIRST, FreeRow, free_rows, how_chosen

MOST_TOKENS = 600
LONGEST = 40


def free_section(trace: Trace, sensitive: tuple[str, ...], words: Words) -> list[Html]:
    """Return the section, nothing where the run was not free."""
    rows, how = free_rows(trace, sensitive), how_chosen(trace)
    if not rows or how is None:
        return []
    parts = [el("p", words.text(how), class_="muted")]
    for row in rows:
        parts.append(el("p", words.text(row.sentence)))
        if row.sensitive_sentence is not None:
            parts.append(el("p", words.text(row.sensitive_sentence)))
        parts += [_line(row, lane, words) for lane in ("oracle", "cached")]
    parts.append(el("p", words.text(GREEDY_FIRST), class_="muted small"))
    return [section(words.say(QT_TRANSLATE_NOOP("core", "Free running")), *parts)]


def _line(row: FreeRow, lane: str, words: Words) -> Html:
    is_oracle = lane == "oracle"
    name = words.say(
        QT_TRANSLATE_NOOP("core", "oracle") if is_oracle else QT_TRANSLATE_NOOP("core", "cached")
    )
    chips = []
    for place, token in enumerate(row.tokens[:MOST_TOKENS]):
        kinds = ["tok", "gen"]
        kinds += ["sensitive"] if token.is_sensitive else []
        kinds += ["over"] if token.differs and not is_oracle else []
        kinds += ["first"] if place == row.first else []
        chips.append(
            el("span", (token.oracle if is_oracle else token.cached)[:LONGEST], class_=" ".join(kinds))
        )
    return el("p", el("span", name, class_=f"{lane} small"), " ", *chips, class_="strip")
