"""Opening what the user chose: a trace is shown, a target file is asked about and run, a model folder is run."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from core.compare.align import OneIsLonger
from core.compare.names import NamesDiffer
from core.engine.messages import RunSpec
from core.trace.reader import Trace
from gui.comparison import Comparison
from gui.i18n import show_text
from gui.notice_bar import Way
from gui.plotting import plotting
from gui.targets import TRACE_SUFFIXES, absolute, target_of_path, with_target

LISTED = 5

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class Opening(QObject):
    """The one way in, for menus, recent files, dropped files and the command line."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self.pair: Comparison | None = None  # the two traces that are shown against each other
        window.state.trace_changed.connect(self._forget_pair)

    def _forget_pair(self) -> None:
        self.pair = None

    def begin(self, trace: str | None, spec: RunSpec) -> None:
        """What the window shows first; a file that may not run leaves the built-in model, ready to step."""
        plotting().load_soon()
        if trace is not None:
            self.open_path(trace)
            return
        wanted = replace(spec, target=absolute(spec.target))
        self._window.consent.allow(wanted, lambda: self._session.start(wanted), self._refuse)

    def open_path(self, path: str) -> None:
        """A trace, a target file, a GGUF file or a model folder, told apart by their names."""
        target = target_of_path(Path(path))
        if target is None:
            if self._session.open(Path(path)):
                self._remember(path)
                self._offer_repair()
            return
        wanted = with_target(self._session.spec, target)
        self._window.consent.allow(wanted, lambda: self._run(wanted, path))

    def _offer_repair(self) -> None:
        """Of a recording that was not closed every complete step is shown, and can be saved elsewhere."""
        trace = self._window.state.trace
        if trace is not None and trace.notice is not None:
            self._window.notices.offer(
                show_text(trace.notice),
                (self.tr("Save a repaired copy"), self._window.commands.save_repaired),
            )

    def compare(self, asked: Comparison) -> None:
        """Show two traces against each other; where they do not fit as they are, offer what makes them."""
        ways: list[Way] = []

        def make() -> Trace:
            try:
                return asked.made()
            except NamesDiffer:
                ways.extend(self._ways_to_match(asked))
                raise
            except OneIsLonger:
                ways.append(
                    (
                        self.tr("Compare what both have"),
                        lambda: self.compare(dataclasses.replace(asked, is_prefix=True)),
                    )
                )
                raise

        if self._session.compare(make):
            self.pair = asked
            self._remember(str(asked.b))
            self._remember(str(asked.a))
        elif ways:
            self._window.notices.offer(self._window.notices.text, *ways, is_error=True)

    def _ways_to_match(self, asked: Comparison) -> list[Way]:
        return [
            (self.tr("Choose a mapping file…"), lambda: self._choose_map(asked)),
            (
                self.tr("Compare the logits only"),
                lambda: self.compare(dataclasses.replace(asked, is_logits_only=True)),
            ),
        ]

    def _choose_map(self, asked: Comparison) -> None:
        """Ask for the file that says which tensor of one trace is which of the other."""
        title = self.tr("Choose a mapping of tensor names")
        path, _ = QFileDialog.getOpenFileName(
            self._window, title, str(asked.b.parent), self.tr("JSON (*.json)")
        )
        if path:
            self.compare(dataclasses.replace(asked, map_file=Path(path)))

    def choose_pair(self) -> None:
        """Ask for two traces, or for one beside that which is shown."""
        title = self.tr("Choose two traces of the same tokens, or one to compare with the one shown")
        what = self.tr("Traces (*.kvtrace *.part *.kld *.json)")
        paths, _ = QFileDialog.getOpenFileNames(self._window, title, "", what)
        shown = self._window.state.trace
        if len(paths) == 1 and shown is not None and shown.is_complete and self.pair is None:
            paths.insert(0, str(shown.path))
        if len(paths) == 2:
            self.compare(Comparison(Path(paths[0]), Path(paths[1])))
        elif paths:
            self._window.notices.warn(self.tr("A comparison takes two traces."))

    def open_paths(self, paths: list[str]) -> None:
        """Two traces are compared; of anything else one is opened, and the rest is named."""
        if len(paths) == 2 and all(target_of_path(Path(path)) is None for path in paths):
            self.compare(Comparison(Path(paths[0]), Path(paths[1])))
            return
        chosen = next((path for path in paths if path.endswith(TRACE_SUFFIXES)), paths[0])
        self.open_path(chosen)
        rest = [Path(path).name for path in paths if path != chosen]
        if rest:
            more = "" if len(rest) <= LISTED else " ..."
            text = self.tr("One file is opened at a time, two traces are compared. Not opened: {names}")
            self._window.notices.say(text.format(names=", ".join(rest[:LISTED]) + more))

    def _run(self, wanted: RunSpec, path: str) -> None:
        self._remember(path)
        self._session.start(wanted)

    def _refuse(self) -> None:
        self._session.start(RunSpec())
        self._window.notices.say(self.tr("The file was not run. This is the built-in model."))

    def _remember(self, path: str) -> None:
        self._window.settings = self._window.settings.with_recent(str(Path(path).resolve()))
