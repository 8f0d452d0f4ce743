"""What each command of the table does."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace as with_changes
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from core.engine.messages import RunSpec
from gui import settings
from gui.action_table import ACTIONS, first_key, plain_text, without_letter
from gui.i18n import show_text
from gui.menus import MENUS
from gui.recorded_spec import NO_TARGET
from gui.repeat_command import check_command, compare_command
from gui.run_stage import BUSY
from gui.targets import shown_name

if TYPE_CHECKING:
    from gui.main_window import MainWindow

SUFFIX = ".kvtrace"


class Commands(QObject):
    """The handlers of one window's actions."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._recent_commands: list[str] = []

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id in the table."""
        session, window = self._session, self._window
        return {
            **window.moving.handlers(),
            **window.looks.handlers(),
            **window.first_minute.handlers(),
            **window.writing.handlers(),
            **window.measuring.handlers(),
            **window.lab.handlers(),
            "open": self.open,
            "open_folder": self.open_folder,
            "compare": window.opening.choose_pair,
            "trusted": self.show_trusted,
            "all_scenarios": self.run_all_scenarios,
            "save": self.save,
            "picture": self.save_picture,
            "copy_command": self.copy_command,
            "quit": window.close,
            "cancel": self.cancel,
            "restart": lambda: session.start(session.spec),
            "free_run": self.switch_free_run,
            "palette": self.show_palette,
            "keys": self.show_keys,
            "about": self.show_about,
        }

    # ---- files

    def open(self) -> None:
        what = self.tr(
            "Traces and targets (*.kvtrace *.part *.kld *.json *.py *.gguf);;Traces (*.kvtrace *.part *.kld *.json);;Target files (*.py *.gguf);;All files (*)"
        )
        title = self.tr("Open a trace or a target, or two traces to compare")
        paths, _ = QFileDialog.getOpenFileNames(self._window, title, "", what)
        if paths:
            self._window.opening.open_paths(paths)

    def open_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self._window, self.tr("Open a model folder"), "")
        if path:
            self._window.opening.open_path(path)

    def show_trusted(self) -> None:
        from gui.trusted_dialog import TrustedDialog  # dialogs are not needed for the first paint

        dialog = TrustedDialog(self._window.consent.trusted, self._window)
        dialog.changed.connect(self._window.consent.trusted_changed)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save(self) -> None:
        proposed = str(self._session.file or self.proposed_name())
        what = self.tr("Traces (*.kvtrace)")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the trace"), proposed, what)
        if path:
            self.save_to(Path(path))

    def save_repaired(self) -> None:
        """Ask for a name beside the damaged trace and write what can be read there."""
        original = self._session.file or Path(self.proposed_name())
        name = original.name.removesuffix(".part").removesuffix(SUFFIX)
        proposed = str(original.with_name(f"{name}-repaired{SUFFIX}"))
        what = self.tr("Traces (*.kvtrace)")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save a repaired copy"), proposed, what)
        if path:
            self.save_to(Path(path))

    def save_to(self, path: Path) -> None:
        """Write the trace and say so."""
        path = path if path.suffix else path.with_suffix(SUFFIX)
        if self._session.save(path):
            self._window.settings = self._window.settings.with_recent(str(path.resolve()))
            self._window.notices.say(self.tr("Saved {name}.").format(name=path.name))

    def save_picture(self) -> None:
        what = self.tr("Pictures (*.png)")
        path, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Save a picture of the window"), "kvscope.png", what
        )
        if path and not self._window.grab().save(path):
            self._window.notices.warn(
                self.tr("The picture could not be written to {path}.").format(path=path)
            )

    def copy_command(self) -> None:
        """The line that repeats this run in a terminal."""
        pair = self._window.opening.pair
        command = check_command(self._session.spec) if pair is None else compare_command(pair)
        QGuiApplication.clipboard().setText(command)
        self._window.notices.say(self.tr("The command that repeats this run is in the clipboard."))

    def switch_free_run(self) -> None:
        """Record again, with or without a run in which each lane goes on from its own tokens."""
        is_free = self._window.actions_["free_run"].isChecked()
        self._session.restart(with_changes(self._session.spec, mode="free" if is_free else "forced"))
        if is_free:
            self._window.notices.say(self.tr("Both texts stand side by side once the run has ended."))

    def proposed_name(self) -> str:
        """Of a file about what is shown: the target and its faults."""
        spec = self._session.spec
        parts = [Path(shown_name(spec.target)).stem.split(":")[-1] or "run", *spec.faults]
        return "-".join(parts) + SUFFIX

    # ---- all scenarios

    def run_all_scenarios(self) -> None:
        """Of the target that is shown; a file that a trace names is not run here either."""
        window, spec = self._window, self._session.spec
        if spec.target == NO_TARGET:
            self._session.start(spec)  # says why not
            return
        window.consent.allow(spec, lambda: self._start_scenarios(spec))

    def _start_scenarios(self, spec: RunSpec) -> None:
        self._window.panels.show_scenarios()
        self._window.scenarios.start(spec)

    def open_scenario(self, index: int) -> None:
        """Show the run of one scenario in the panels."""
        runner = self._window.scenarios
        outcome = runner.outcomes[index]
        if outcome.trace is None or not self._session.show_run(outcome.trace.path, runner.spec_of(index)):
            return
        if outcome.reason is not None:
            self._window.warn_of(show_text(outcome.reason), outcome.traceback)

    def cancel(self) -> None:
        """What runs: the run that is shown, else the search for its cause, else the scenarios."""
        if self._session.stage in BUSY:
            self._session.cancel()
        elif self._window.player.is_playing:
            self._window.player.stop()
        elif self._session.causes.is_searching:
            self._session.causes.stop()
        elif self._window.measuring.profiler.is_measuring:
            self._window.measuring.profiler.cancel()
        else:
            self._window.scenarios.cancel()

    # ---- what lies over the window

    def show_palette(self) -> None:
        from gui.overlays.palette import CommandPalette, Entry

        titles = self._window.menus.titles()
        group_of = {entry: name for name, entries in MENUS.items() for entry in entries}
        entries = [
            Entry(
                action=self._window.actions_[spec.id],
                name=plain_text(spec),
                group=without_letter(titles[group_of[spec.id]]),
                keys=first_key(spec),
                word=spec.id.replace("_", " "),
            )
            for spec in ACTIONS
            if spec.id != "palette"
        ]
        CommandPalette(self._window, entries, self._recent_commands).start()

    def show_keys(self) -> None:
        from gui.overlays.key_list import KeyList

        KeyList(self._window, self._window.menus.titles()).start()

    def show_about(self) -> None:
        from gui.help_dialogs import about_dialog

        about_dialog(self._window).exec()

    def remember(self) -> None:
        """Write what the window remembers, when it has a place for it."""
        window = self._window
        if window.store is not None:
            values = replace(
                window.settings, geometry=window.saveGeometry(), layout=window.panels.layout_bytes()
            )
            settings.save(window.store, values)
