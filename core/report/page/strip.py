"""The run as a whole: the timeline, the text of both lanes, and its tokens that matter."""

from dataclasses import replace

from core.report.page.markup import Html, el, join
from core.report.page.timeline import timeline_svg
from core.report.page.words import Words, section, table
from core.text import QT_TRANSLATE_NOOP
from core.trace.reader import Trace
from core.views.numbers import scientific, short
from core.views.selection import Selection
from core.views.sensitive import PATTERNS
from core.views.sensitive_tokens import sensitive_tokens
from core.views.timeline import timeline
from core.views.tokens import TokenChip, token_strip

MOST_CHIPS = 1200
LONGEST_CHIP = 40


def timeline_section(trace: Trace, selection: Selection, tolerance: float, words: Words) -> Html:
    """The difference of every step."""
    view = timeline(trace, selection, tolerance)
    title = words.say(QT_TRANSLATE_NOOP("core", "Timeline: {scenario}"), scenario=trace.info.scenario)
    keys = [
        QT_TRANSLATE_NOOP("core", "\u25cf within the tolerance"),
        QT_TRANSLATE_NOOP("core", "\u25cb exactly equal"),
        QT_TRANSLATE_NOOP("core", "\u2715 over the tolerance"),
        QT_TRANSLATE_NOOP("core", "\u25ef the lanes choose different tokens"),
    ]
    legend = el("p", *(el("span", words.say(key), class_="key") for key in keys), class_="small muted")
    template = QT_TRANSLATE_NOOP(
        "core", "Largest |logit difference| of every step, logarithmic; dashed: the tolerance of {tolerance}."
    )
    said = el("p", words.say(template, tolerance=scientific(tolerance)), class_="muted")
    return section(title, said, el("div", timeline_svg(view, words.text), class_="scroll wide"), legend)


def token_section(
    trace: Trace, selection: Selection, tolerance: float, sensitive: tuple[str, ...], words: Words
) -> Html:
    """The text, and how its tokens that matter fared."""
    chips = token_strip(trace, selection, tolerance, sensitive).chips
    shown = chips[:MOST_CHIPS]
    strip = el("p", *(_chip(chip, words) for chip in shown), class_="strip")
    parts = [
        el("p", words.say(QT_TRANSLATE_NOOP("core", "Shaded: the prompt; framed: generated; red: chosen by a bad step; underlined: where a wrong token matters.")), class_="muted small"),
        strip,
    ]  # fmt: skip
    if any(chip.cached_text is not None for chip in shown):
        title = words.say(QT_TRANSLATE_NOOP("core", "The same steps as the cached lane would have chosen"))
        choices = (_chip(_as_cached(chip), words) for chip in shown if chip.is_chosen)
        parts += [el("p", title, class_="muted small"), el("p", *choices, class_="strip")]
    if len(chips) > MOST_CHIPS:
        parts.append(
            el(
                "p",
                words.say(
                    QT_TRANSLATE_NOOP("core", "{n} more tokens are not shown."), n=len(chips) - MOST_CHIPS
                ),
            )
        )
    return section(
        words.say(QT_TRANSLATE_NOOP("core", "Text")), *parts, *_matters(trace, tolerance, sensitive, words)
    )


def _as_cached(chip: TokenChip) -> TokenChip:
    return chip if chip.cached_text is None else replace(chip, text=chip.cached_text)


def _chip(chip: TokenChip, words: Words) -> Html:
    kinds = ["tok"]
    kinds += ["gen"] if not chip.is_prompt else []
    kinds += ["sensitive"] if chip.is_sensitive else []
    kinds += ["over"] if chip.is_bad else []
    kinds += ["first"] if chip.is_first_bad else []
    text = chip.text[:LONGEST_CHIP] or "\u2205"
    where = words.say(
        QT_TRANSLATE_NOOP("core", "token {token}, step {step}"), token=chip.token_index, step=chip.step_index
    )
    return el("span", text, class_=" ".join(kinds), title=where)


def _matters(trace: Trace, tolerance: float, sensitive: tuple[str, ...], words: Words) -> list[Html]:
    found = sensitive_tokens(trace, tolerance, sensitive)
    kinds = ", ".join(words.text(pattern.title) for pattern in PATTERNS)
    title = el("h3", words.say(QT_TRANSLATE_NOOP("core", "Where a wrong token matters")))
    if not found.n_compared:
        template = QT_TRANSLATE_NOOP(
            "core", "None of the {n} generated tokens is part of such a text ({kinds})."
        )
        return [title, el("p", words.say(template, n=found.n_generated, kinds=kinds))]
    template = QT_TRANSLATE_NOOP(
        "core",
        "{n} of {n_generated} generated tokens are part of such texts ({kinds}). With the cached lane {n_changed} of them would be another token.",
    )
    parts = [title, el("p", words.say(template, n=found.n_compared, n_generated=found.n_generated, kinds=kinds, n_changed=found.n_changed))]  # fmt: skip
    if found.smallest_margin is not None and found.smallest_at is not None:
        template = QT_TRANSLATE_NOOP(
            "core",
            "The smallest margin between the oracle's first and second choice among them is {margin}, at step {step}.",
        )
        parts.append(
            el("p", words.say(template, margin=short(found.smallest_margin), step=found.smallest_at))
        )
    if found.changed:
        heads = [
            (words.say(QT_TRANSLATE_NOOP("core", "step")), "num"),
            (words.say(QT_TRANSLATE_NOOP("core", "row")), "num"),
            (words.say(QT_TRANSLATE_NOOP("core", "oracle")), "mono"),
            (words.say(QT_TRANSLATE_NOOP("core", "cached")), "mono"),
        ]
        rows = [
            [str(one.step), str(one.batch_row), _quoted(one.oracle), _quoted(one.cached)]
            for one in found.changed
        ]
        parts.append(table(heads, [list(map(str, row)) for row in rows]))
    return parts


def _quoted(text: str) -> str:
    return join("\u201c", text[:LONGEST_CHIP], "\u201d")
