"""What is done with a target: each scenario is a plan of actions, and every call of the measured run is one step.

truth: the design, section 3. The cached lane is teacher-forced with the oracle's greedy tokens.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from core import catalog
from core.errors import UsageError
from core.text import QT_TRANSLATE_NOOP, Text
from core.trace.records import StepKind

Rows = tuple[tuple[int, ...], ...]  # token ids per batch row


@dataclass(frozen=True)
class Feed:
    """Feed given tokens; rows of different length are left-padded."""

    rows: Rows
    kind: StepKind = "prefill"


@dataclass(frozen=True)
class FeedGreedy:
    """Feed the token that the oracle chose."""


@dataclass(frozen=True)
class FeedDraft:
    """Feed three draft tokens of which only the first is what the oracle would choose."""


@dataclass(frozen=True)
class Crop:
    """Keep `n_tokens` of the text, in both lanes."""

    n_tokens: int


@dataclass(frozen=True)
class Reorder:
    """Row b of the batch goes on from row batch_rows[b]."""

    batch_rows: tuple[int, ...]


Action = Feed | FeedGreedy | FeedDraft | Crop | Reorder
CALLS = (Feed, FeedGreedy, FeedDraft)


@dataclass(frozen=True)
class Plan:
    """The measured run, what runs before it and is thrown away, and what runs beside it, call for call."""

    actions: tuple[Action, ...]
    run_before: tuple[Action, ...] = ()
    run_beside: tuple[Action, ...] = ()
    notes: tuple[Text, ...] = field(default=())

    @property
    def n_steps(self) -> int:
        return sum(isinstance(action, CALLS) for action in self.actions)

    def text_len(self, in_chunk: bool = False) -> int:
        """Return the tokens of the longest text on the way, or of the longest with several new ones on a warm cache."""
        longest = text_len = 0
        for action in self.actions:
            n_old = text_len
            text_len = action.n_tokens if isinstance(action, Crop) else text_len + _n_fed(action)
            if not in_chunk or (n_old and _n_fed(action) > 1):
                longest = max(longest, text_len)
        return longest

    @property
    def prompt_rows(self) -> Rows:
        first = self.actions[0]
        assert isinstance(first, Feed)
        return first.rows


@dataclass(frozen=True)
class Texts:
    """The token ids that a plan is made of, and what is to be said about them."""

    prompt: tuple[int, ...]
    other: tuple[int, ...]
    row: tuple[int, ...]
    turn: tuple[int, ...]
    notes: tuple[Text, ...] = ()

    @property
    def pair(self) -> Rows:
        return self.prompt, cut_or_repeated(self.row, len(self.prompt))


def cut_or_repeated(ids: tuple[int, ...], length: int) -> tuple[int, ...]:
    return (ids * -(-length // len(ids)))[:length]


def greedy(count: int) -> tuple[Action, ...]:
    return (FeedGreedy(),) * max(0, count)


def _decode(texts: Texts, steps: int) -> Plan:
    return Plan((Feed((texts.prompt,)), *greedy(steps)))


def _single(texts: Texts, steps: int) -> Plan:
    return Plan((Feed((texts.prompt[:1],)), *greedy(steps)))


def _chunked(texts: Texts, steps: int) -> Plan:
    chunks = [chunk for chunk in (texts.prompt[:3], texts.prompt[3:6], texts.prompt[6:]) if chunk]
    feeds = [Feed((chunk,), "prefill" if index == 0 else "chunk") for index, chunk in enumerate(chunks)]
    return Plan((*feeds, *greedy(steps)))


def _second_run(texts: Texts, steps: int) -> Plan:
    return Plan((Feed((texts.prompt,)), *greedy(steps)), run_before=(Feed((texts.other,)), *greedy(4)))


def _second_turn(texts: Texts, steps: int) -> Plan:
    return Plan(
        (Feed((texts.prompt,)), *greedy(min(3, steps)), Feed((texts.turn,), "turn"), *greedy(steps - 3))
    )


def _batch(texts: Texts, steps: int) -> Plan:
    return Plan((Feed(texts.pair), *greedy(steps)))


def _ragged(texts: Texts, steps: int) -> Plan:
    short = texts.other if len(texts.other) < len(texts.prompt) else texts.other[: len(texts.prompt) // 2]
    return Plan((Feed((texts.prompt, short or texts.prompt)), *greedy(steps)))


def _rollback(texts: Texts, steps: int) -> Plan:
    kept = len(texts.prompt) + 3
    return Plan((Feed((texts.prompt,)), *greedy(2), FeedDraft(), Crop(kept), *greedy(steps - 3)))


def _beam(texts: Texts, steps: int) -> Plan:
    return Plan((Feed(texts.pair), *greedy(2), Reorder((1, 1)), *greedy(steps - 2)))


def _interleaved(texts: Texts, steps: int) -> Plan:
    return Plan((Feed((texts.prompt,)), *greedy(steps)), run_beside=(Feed((texts.other,)), *greedy(steps)))


def _long(texts: Texts, steps: int) -> Plan:
    return _decode(texts, max(steps, catalog.LONG_STEPS))


PLANS: dict[str, Callable[[Texts, int], Plan]] = dict(
    zip(
        catalog.SCENARIOS,
        (
            _decode,
            _single,
            _chunked,
            _second_run,
            _second_turn,
            _batch,
            _ragged,
            _rollback,
            _beam,
            _interleaved,
            _long,
        ),
        strict=True,
    )
)


def make_plan(scenario: str, texts: Texts, steps: int, max_length: int | None) -> Plan:
    """Return the plan of a scenario, cut where the model's context ends.

    Raises:
        UsageError: the prompt alone does not leave room for one decode step.
    """
    plan = PLANS[scenario](texts, steps)
    if max_length is None:
        return plan
    n_tokens = max(len(row) for row in plan.prompt_rows)
    if n_tokens >= max_length:
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core",
                "the prompt has {n_tokens} tokens and the model's context is {max_length}; shorten the prompt, one decode step needs room",
            ),
            n_tokens=n_tokens,
            max_length=max_length,
        )
    return _cut(plan, max_length)


def _cut(plan: Plan, max_length: int) -> Plan:
    """Drop the calls that would run past the context, and say so."""
    actions, before, beside = (
        _fitting(run, max_length) for run in (plan.actions, plan.run_before, plan.run_beside)
    )
    short = Plan(actions, before, beside)
    if actions == plan.actions:
        return short
    note = Text(
        QT_TRANSLATE_NOOP(
            "core", "stopped at the model's context of {max_length} tokens: {n_steps} of {n_planned} steps"
        ),
        {"max_length": max_length, "n_steps": short.n_steps, "n_planned": plan.n_steps},
    )
    return Plan(short.actions, short.run_before, short.run_beside, (note,))


def _fitting(actions: tuple[Action, ...], max_length: int) -> tuple[Action, ...]:
    text_len = 0
    for kept, action in enumerate(actions):
        text_len = action.n_tokens if isinstance(action, Crop) else text_len + _n_fed(action)
        if text_len > max_length:
            return actions[:kept]
    return actions


def what_is_missing(scenario: str, plan: Plan) -> Text | None:
    """Say what makes the scenario and did not fit into the plan, None where it is all there: else it would pass untested."""
    kinds = [type(action) for action in plan.actions]
    first = plan.prompt_rows
    told = {
        "rollback": Crop in kinds and kinds[-1] is FeedGreedy,
        "beam-reorder": Reorder in kinds and kinds[-1] is FeedGreedy,
        "ragged-batch": len({len(row) for row in first}) > 1,
        "chunked-prefill": kinds.count(Feed) > 1,
        "second-turn": kinds.count(Feed) > 1,
        "second-run": len(plan.run_before) > 1,
        "interleaved": len(plan.run_beside) > 1,
    }
    if told.get(scenario, True):
        return None
    return Text(
        QT_TRANSLATE_NOOP(
            "core",
            "what makes this scenario does not fit: give a longer prompt, more --steps, or a model with a longer context",
        )
    )


def _n_fed(action: Action) -> int:
    match action:
        case Feed(rows):
            return max(len(row) for row in rows)
        case FeedGreedy():
            return 1
        case FeedDraft():
            return 3
        case _:
            return 0
