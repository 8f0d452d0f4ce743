"""Free running as it is told: where the two texts part, whether that is a tie or a defect, and what it does to tokens that matter."""

from dataclasses import dataclass

from core.text import QT_TRANSLATE_NOOP, Text, Value
from core.trace.reader import Trace
from core.trace.records import FreeFacts
from core.verdict.steps import first_bad_step
from core.views.numbers import percent
from core.views.sensitive import sensitive_flags

GREEDY_FIRST = Text(
    QT_TRANSLATE_NOOP(
        "core",
        "Compare greedily first: sampling turns one changed probability into another text or hides it, and a text that differs does not say which logits did.",
    )
)


@dataclass(frozen=True)
class FreeToken:
    """A token of both texts at one place."""

    oracle: str
    cached: str
    differs: bool
    is_sensitive: bool


@dataclass(frozen=True)
class FreeRow:
    """A batch row. `first` is the place of the first generated token that differs.

    `later` counts the places after it at which the cached lane, put back on the oracle's text, would differ again. None is
    a tie, if the logits of the run agree too: a small defect need not change a second token.
    """

    tokens: tuple[FreeToken, ...]
    first: int | None
    later: int
    n_sensitive: int
    n_sensitive_changed: int
    logits_agree: bool

    @property
    def sentence(self) -> Text:
        if self.first is None:
            return Text(
                QT_TRANSLATE_NOOP("core", "Both lanes write the same {n} tokens."), {"n": len(self.tokens)}
            )
        values: dict[str, Value] = {"first": self.first, "later": self.later}
        if self.later:
            template = QT_TRANSLATE_NOOP(
                "core",
                "The texts part at generated token {first}. Put back on the oracle's text, the cached lane differs {later} times more: a defect.",
            )
            return Text(template, values)
        if not self.logits_agree:
            template = QT_TRANSLATE_NOOP(
                "core",
                "The texts part at generated token {first}. Put back on the oracle's text, the cached lane chooses the same again, but its logits are over the tolerance: a defect.",
            )
            return Text(template, values)
        template = QT_TRANSLATE_NOOP(
            "core",
            "The texts part at generated token {first}. Put back on the oracle's text, the cached lane does not differ again: a tie.",
        )
        return Text(template, values)

    @property
    def is_defect(self) -> bool:
        """Whether the texts part for more than a tie."""
        return self.first is not None and (self.later > 0 or not self.logits_agree)

    @property
    def sensitive_sentence(self) -> Text | None:
        if not self.n_sensitive:
            return None
        template = QT_TRANSLATE_NOOP(
            "core",
            "Of {n} tokens in amounts, dates, addresses or ids {changed} are others in the cached lane's text ({share}).",
        )
        values: dict[str, Value] = {
            "n": self.n_sensitive, "changed": self.n_sensitive_changed, "share": percent(self.n_sensitive_changed / self.n_sensitive),
        }  # fmt: skip
        return Text(template, values)


def free_rows(trace: Trace, extra: tuple[str, ...] = ()) -> tuple[FreeRow, ...]:
    """Return the rows of a free run, none where the trace holds no such run."""
    free = trace.end.free if trace.end is not None else None
    if free is None or not len(trace.info.prompt_ids) == len(free.oracle) == len(free.cached) == len(
        free.anchored
    ):
        return ()
    logits_agree = first_bad_step(trace, trace.info.tolerance) is None
    return tuple(_row(trace, free, row, extra, logits_agree) for row in range(len(free.oracle)))


def _row(trace: Trace, free: FreeFacts, row: int, extra: tuple[str, ...], logits_agree: bool) -> FreeRow:
    oracle, cached, anchored = free.oracle[row], free.cached[row], free.anchored[row]
    texts = [free.texts.get(str(token)) for token in (*trace.info.prompt_ids[row], *oracle)]
    flags = sensitive_flags(texts, extra)[len(texts) - len(oracle) :]
    tokens = tuple(
        FreeToken(_text(free, a), _text(free, b), a != b, flag)
        for a, b, flag in zip(oracle, cached, flags, strict=False)
    )
    first = next((place for place, one in enumerate(tokens) if one.differs), None)
    pairs = list(zip(oracle, anchored, strict=False))
    later = 0 if first is None else sum(a != b for a, b in pairs[first + 1 :])
    sensitive = [one for one in tokens if one.is_sensitive]
    return FreeRow(tokens, first, later, len(sensitive), sum(one.differs for one in sensitive), logits_agree)


def _text(free: FreeFacts, token: int) -> str:
    return free.texts.get(str(token), f"#{token}")


def how_chosen(trace: Trace) -> Text | None:
    """Say how the free run chose its tokens; None where there is none."""
    free = trace.end.free if trace.end is not None else None
    if free is None:
        return None
    if free.temperature is None:
        return Text(QT_TRANSLATE_NOOP("core", "Each lane on its own greedy tokens."))
    template = QT_TRANSLATE_NOOP(
        "core",
        "Each lane on its own tokens, drawn at temperature {temperature} with seed {seed}, one generator for each step and lane.",
    )
    return Text(template, {"temperature": free.temperature, "seed": free.seed or 0})
