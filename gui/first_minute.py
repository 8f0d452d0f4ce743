"""What a new user meets: the start page, the tour, the words."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject
from PySide6.QtWidgets import QFileDialog

from core.engine.messages import RunSpec
from gui.run_files import forget, left_behind

if TYPE_CHECKING:
    from gui.main_window import MainWindow
    from gui.overlays.tour import Stop

DEMO = RunSpec()
FAULTY_DEMO = RunSpec(faults=("position-reset",))


class FirstMinute(QObject):
    """The handlers of one window's commands for newcomers."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id."""
        return {"start_page": self.show_start_page, "tour": self.show_tour, "words": self.show_words}

    def invite(self) -> None:
        """A recording that was left behind comes first; the tour is offered once, when KVScope is new here."""
        recording = left_behind()
        if recording is not None:
            text = self.tr("KVScope ended unexpectedly. Its recording of {time} was not saved.")
            when = QLocale().toString(
                QDateTime.fromSecsSinceEpoch(int(recording.stat().st_mtime)), QLocale.FormatType.ShortFormat
            )
            self._window.notices.offer(
                text.format(time=when), (self.tr("Recover"), lambda: self.recover(recording))
            )
        elif not self._window.settings.knows_tour:
            text = self.tr(
                "New here? Four stops show how a wrong cache is found. → makes the next step at any time."
            )
            self._window.notices.offer(text, (self.tr("Take the tour"), self.show_tour))
            self._window.settings = replace(self._window.settings, knows_tour=True)

    def recover(self, recording: Path) -> None:
        """Copied into a run of this window, so that nothing depends on the folder that was left behind."""
        if self._window.session.adopt(recording):
            forget(recording)
            self._window.notices.say(self.tr("The recording is here again. Ctrl+S keeps it."))

    def show_start_page(self) -> None:
        from gui.overlays.start_page import Offer, StartPage  # not needed for the first paint

        window, commands = self._window, self._window.commands
        offers = [
            Offer(
                "play",
                self.tr("Run the demo"),
                self.tr("A small built-in model, ready to step"),
                self.run_demo,
            ),
            Offer(
                "fault",
                self.tr("Run the demo with a fault"),
                self.tr("Positions that start at 0 again: see where it shows"),
                self.run_faulty_demo,
            ),
            Offer(
                "open", self.tr("Open a trace…"), self.tr("A recorded run, from any engine"), commands.open
            ),
            Offer(
                "check",
                self.tr("Check your own model…"),
                self.tr("A Python file with full() and cached(), or a GGUF file"),
                self.choose_model,
            ),
            Offer("tour", self.tr("Take the tour"), self.tr("Four stops, one minute"), self.show_tour),
            Offer(
                "flag",
                self.tr("Go through the lab"),
                self.tr("Seven steps from an oracle to lab notes"),
                window.lab.open,
            ),
        ]
        recent = [path for path in window.settings.recent if Path(path).exists()]
        StartPage(window, offers, recent, window.opening.open_path).start()

    def run_demo(self) -> None:
        self._window.session.start(DEMO)

    def run_faulty_demo(self) -> None:
        """Up to its first bad step."""
        self._window.session.start(FAULTY_DEMO, last_step=1)

    def choose_model(self) -> None:
        what = self.tr("Target files (*.py *.gguf);;All files (*)")
        path, _ = QFileDialog.getOpenFileName(self._window, self.tr("Check your own model"), "", what)
        if path:
            self._window.opening.open_path(path)

    def show_tour(self) -> None:
        from gui.overlays.tour import Tour

        self._window.notices.hide()
        self._window.panels.reset_layout()
        self.run_faulty_demo()
        Tour(self._window, self._stops()).start()

    def _stops(self) -> "list[Stop]":
        from gui.overlays.tour import Stop

        window = self._window
        return [
            Stop(
                window.tokens,
                self.tr("Two lanes, one text"),
                self.tr(
                    "The oracle computes the whole text at every step; the cached lane is fed the new token only. "
                    "Each chip is a token. → makes the next step, ← goes back."
                ),
            ),
            Stop(
                window.panels.area.docks["timeline"],
                self.tr("The first bad step"),
                self.tr(
                    "How far the logits of the two lanes are apart, step by step. Over the dashed line they are not "
                    "the same. F5 goes to the next bad step, and the line can be dragged."
                ),
            ),
            Stop(
                window.panels.area.docks["attention"],
                self.tr("Where it differs"),
                self.tr(
                    "Who looks at whom in the chosen layer and head: oracle, cached, and the difference. Point at a "
                    "cell to read it out, click to keep it, turn the wheel to zoom."
                ),
            ),
            Stop(
                window.panels.findings,
                self.tr("What it is, and proof"),
                self.tr(
                    "The cause in words. It is proven by repairing it: what heals the difference was the fault. "
                    "Ctrl+S keeps the run, Ctrl+Shift+C copies the command that repeats it, Ctrl+K finds the rest."
                ),
                self._look_at_bad,
            ),
        ]

    def _look_at_bad(self) -> None:
        """The demo is there by now; if it is not, nothing has to happen."""
        if self._window.state.n_steps > 1:
            self._window.session.look_at_bad(1)

    def show_words(self) -> None:
        from gui.overlays.words import WordList

        WordList(self._window).start()
