"""What the commands do that move the cursor: steps, layers, heads, tokens, bookmarks, history."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from core.text import QT_TRANSLATE_NOOP, Text
from core.views.find import find_tokens
from gui.i18n import show_text
from gui.run_stage import Stage
from gui.stop_condition import StopCondition

if TYPE_CHECKING:
    from gui.main_window import MainWindow

MANY = 10  # steps


class Moving(QObject):
    """The handlers of one window's commands that move."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._state = window.state

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id."""
        session, select, window = self._session, self._state.select, self._window
        return {
            "step": session.step,
            "back": lambda: select(step=self._step - 1),
            "forward_ten": lambda: session.go_on(MANY),
            "back_ten": lambda: select(step=self._step - MANY),
            "first": lambda: select(step=0),
            "last": self.last,
            "run": self.run_or_pause,
            "next_bad": session.run_to_next_bad,
            "previous_bad": session.to_previous_bad,
            "go_to_step": self.ask_step,
            "find_token": self.ask_token,
            "bookmark": self.bookmark,
            "next_bookmark": self.next_bookmark,
            "go_back": window.history.back,
            "go_forward": window.history.forward,
            "stop_when": self.show_stop_menu,
            "next_layer": lambda: select(layer=self._state.selection.layer + 1),
            "previous_layer": lambda: select(layer=self._state.selection.layer - 1),
            "next_head": lambda: select(head=self._state.selection.head + 1),
            "previous_head": lambda: select(head=self._state.selection.head - 1),
            "next_row": self.next_row,
        }

    @property
    def _step(self) -> int:
        return self._state.selection.step

    def last(self) -> None:
        """The last step: of a live run, that is where it ends."""
        if self._session.stage is Stage.WAITING:
            self._session.run()
        else:
            self._state.select(step=self._state.n_steps - 1)

    def run_or_pause(self) -> None:
        """A live run goes on; one that is recorded is played."""
        if self._session.stage is Stage.RUNNING:
            self._session.pause()
        elif self._window.player.is_playing:
            self._window.player.stop()
        elif self._session.stage is Stage.WAITING:
            self._session.run()
        else:
            self._window.player.start()

    def next_row(self) -> None:
        trace = self._state.trace
        if trace is not None:
            row = (self._state.selection.batch_row + 1) % len(trace.info.prompt_ids)
            self._state.select(batch_row=row)

    # ---- by number, by text

    def ask_step(self) -> None:
        last = max(self._session.n_planned, self._state.n_steps) - 1
        hint = self.tr("0 to {last}").format(last=last)
        self._window.prompt.ask(self.tr("Go to step"), hint, self._go_to, closes_on_enter=True)

    def _go_to(self, text: str, way: int) -> str:
        """What is recorded is shown while one types; what is not is made on Enter."""
        if not text.strip():
            return ""
        if not text.strip().isdecimal():
            return self.tr("a whole number")
        step = int(text)
        if step < self._state.n_steps:
            self._state.select(step=step)
            return ""
        if way and self._session.stage is Stage.WAITING:
            self._session.go_on(step - self._step)
            return ""
        if self._session.stage is Stage.WAITING and step < self._session.n_planned:
            return self.tr("Enter records up to there")
        return self.tr("there are steps 0 to {last}").format(last=self._state.n_steps - 1)

    def ask_token(self) -> None:
        self._window.prompt.ask(self.tr("Find token"), self.tr("text, or #id"), self._find)

    def _find(self, text: str, way: int) -> str:
        trace, selection = self._state.trace, self._state.selection
        if trace is None or not text:
            return ""
        found = find_tokens(trace, selection.batch_row, text)
        if not found:
            return self.tr("not found")
        here = selection.query if selection.query is not None else -1
        places = [hit.token_index for hit in found]
        if way > 0:
            index = next((i for i, place in enumerate(places) if place > here), 0)
        elif way < 0:
            index = next((i for i in reversed(range(len(places))) if places[i] < here), len(places) - 1)
        else:
            index = next((i for i, place in enumerate(places) if place >= here), 0)
        hit = found[index]
        self._state.select(step=hit.fed_by, query=hit.token_index, key=hit.token_index)
        return self.tr("{number} of {count}").format(number=index + 1, count=len(found))

    # ---- bookmarks

    def bookmark(self) -> None:
        is_set = self._session.bookmarks.toggle(self._step)
        text = self.tr("Step {step} is marked.") if is_set else self.tr("Step {step} is not marked any more.")
        self._window.notices.say(text.format(step=self._step))

    def next_bookmark(self) -> None:
        step = self._session.bookmarks.next_after(self._step)
        if step is not None:
            self._state.select(step=step)

    # ---- where a run stops by itself

    def show_stop_menu(self) -> None:
        button = self._window.transport.buttons["run"]
        menu = self.stop_menu()
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 4)))

    def stop_menu(self) -> QMenu:
        """Three conditions that can be ticked; any of them stops."""
        menu, stop = QMenu(self._window), self._session.stop
        menu.aboutToHide.connect(menu.deleteLater)
        title = menu.addAction(self.tr("Run and play stop at"))
        title.setEnabled(False)
        chosen = (
            self.tr("A chosen step…")
            if stop.at_step is None
            else self.tr("Step {step}").format(step=stop.at_step)
        )
        for text, is_on, change in (
            (self.tr("A step over the tolerance"), stop.at_bad, lambda on: self.stop_at(at_bad=on)),
            (
                self.tr("A step with NaN or infinity"),
                stop.at_nonfinite,
                lambda on: self.stop_at(at_nonfinite=on),
            ),
            (chosen, stop.at_step is not None, self._choose_stop_step),
        ):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(is_on)
            action.triggered.connect(change)
        return menu

    def stop_at(self, **changes: bool | int | None) -> None:
        """Change the stop condition and say so in the status bar."""
        self._session.stop = replace(self._session.stop, **changes)  # type: ignore[arg-type]
        self._window.status.show_stop(show_text(stop_text(self._session.stop)))

    def _choose_stop_step(self, is_on: bool) -> None:
        self.stop_at(at_step=None)
        if is_on:
            self._window.prompt.ask(self.tr("Stop at step"), "", self._take_stop_step, closes_on_enter=True)

    def _take_stop_step(self, text: str, way: int) -> str:
        if not text.strip().isdecimal():
            return self.tr("a whole number") if text.strip() else ""
        if way:
            self.stop_at(at_step=int(text))
        return ""


def stop_text(stop: StopCondition) -> Text:
    """The condition in a few words; empty where none is set."""
    if not stop.is_set:
        return Text("")
    if stop.at_step is not None and (stop.at_bad or stop.at_nonfinite):
        return Text(QT_TRANSLATE_NOOP("core", "stops when bad, or at step {step}"), {"step": stop.at_step})
    if stop.at_step is not None:
        return Text(QT_TRANSLATE_NOOP("core", "stops at step {step}"), {"step": stop.at_step})
    if stop.at_bad:
        return Text(QT_TRANSLATE_NOOP("core", "stops over the tolerance"))
    return Text(QT_TRANSLATE_NOOP("core", "stops at NaN"))
