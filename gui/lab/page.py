"""A step of the lab in the language of the window, ready to be shown."""

from collections.abc import Collection
from dataclasses import dataclass

from core.lab.code import Excerpt, excerpt
from core.lab.results import Measured
from core.lab.steps import STEPS
from gui.i18n import show_text

MARKS = {True: "✓", False: "✗", None: "·"}
TONES = {True: "good", False: "bad", None: ""}


@dataclass(frozen=True)
class Result:
    """One line of what was measured; `tone` is a colour beside the mark, never instead of it."""

    mark: str
    tone: str
    text: str


@dataclass(frozen=True)
class Page:
    """All that the pane shows. `busy` is what goes on, empty while nothing does."""

    index: int
    count: int
    title: str
    look: str
    code: tuple[Excerpt, ...]
    actions: tuple[tuple[str, str], ...]
    questions: tuple[tuple[str, str], ...]
    results: tuple[Result, ...]
    next_action: str | None  # what is still to be done here
    busy: str = ""

    @property
    def is_last(self) -> bool:
        return self.index == self.count - 1

    @property
    def fixed(self) -> tuple[object, ...]:
        """What stays while results come in."""
        return self.index, self.title, self.look, self.actions


def page_of(index: int, known: tuple[Measured, ...], done: Collection[str], busy: str) -> Page:
    """A step, with what was measured of it; `done` are the ids of actions that were taken."""
    step = STEPS[index]
    return Page(
        index=index,
        count=len(STEPS),
        title=show_text(step.title),
        look=show_text(step.look),
        code=tuple(lines for ref in step.code if (lines := excerpt(ref)) is not None),
        actions=tuple((name, show_text(words)) for name, words in step.actions),
        questions=tuple((show_text(one.question), show_text(one.answer)) for one in step.questions),
        results=tuple(Result(MARKS[one.holds], TONES[one.holds], show_text(one.text)) for one in known),
        next_action=next((name for name, _ in step.actions if name not in done), None),
        busy=busy,
    )
