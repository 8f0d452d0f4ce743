"""Plays the actions of a scenario on the two lanes, and in step with them the same in float32 where that is asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.record import scenarios
from core.record.journal import Journal
from core.record.lanes import StepOutcome, TwoLanes
from core.record.one_pass import OnePass
from core.record.scenarios import Action, Plan
from core.targets.base import Target
from core.text import Text
from core.trace.records import StepKind


@dataclass(frozen=True)
class Pair:
    """An instance for each lane; runs that follow or accompany each other share them, as a user's runs do."""

    oracle: Target
    tested: Target
    is_watched: bool = True

    def new_run(self, one_pass: OnePass | None = None) -> TwoLanes:
        return TwoLanes(self.oracle, self.tested, one_pass, self.is_watched)


@dataclass(frozen=True)
class Played:
    """A call of the cached lane: what both lanes did, the same in float32, and what happened to the cache just before."""

    outcome: StepOutcome
    wide: StepOutcome | None
    kind: StepKind
    before: str | None
    notes: list[Text]


def play_plan(
    plan: Plan,
    pair: Pair,
    wide_pair: Pair | None = None,
    journal: Journal | None = None,
    one_pass: OnePass | None = None,
) -> Iterator[tuple[Played, Played | None]]:
    """Play the run that comes before, then yield the measured one call for call with the one beside it."""
    for _ in play(plan.run_before, pair, wide_pair):
        pass
    beside = play(plan.run_beside, pair, wide_pair)
    for played in play(plan.actions, pair, wide_pair, journal, one_pass):
        yield played, next(beside, None)


def play(
    actions: tuple[Action, ...],
    pair: Pair,
    wide_pair: Pair | None,
    journal: Journal | None = None,
    one_pass: OnePass | None = None,
) -> Iterator[Played]:
    """Play a run, and in step with it the wide one on the same tokens."""
    lanes = pair.new_run(one_pass)
    wide = wide_pair.new_run() if wide_pair is not None else None
    before: str | None = None
    for action in actions:
        match action:
            case scenarios.Feed(rows, kind):
                outcome = lanes.feed_rows(rows)
            case scenarios.FeedGreedy():
                outcome, kind = lanes.feed(lanes.next_ids), "decode"
            case scenarios.FeedDraft():
                outcome, kind = lanes.feed(lanes.draft_ids()), "draft"
            case _:
                before = _change_cache(action, [lanes, *([wide] if wide else [])], journal)
                continue
        yield Played(
            outcome, wide.feed(outcome.new_ids, outcome.pads) if wide else None, kind, before, lanes.notes
        )
        before = None
        del outcome  # or its K and V would stay in memory beside those of the next step


def _change_cache(action: Action, runs: list[TwoLanes], journal: Journal | None) -> str:
    """Crop or reorder the caches of all runs, and say what was done."""
    match action:
        case scenarios.Crop(n_tokens):
            for run in runs:
                run.crop(n_tokens)
            if journal is not None:
                journal.crop(n_tokens)
            return f"crop {n_tokens}"
        case scenarios.Reorder(batch_rows):
            for run in runs:
                run.reorder(batch_rows)
            if journal is not None:
                journal.reorder(batch_rows)
            return f"reorder {','.join(map(str, batch_rows))}"
    raise AssertionError(f"{action} feeds tokens")
