"""What each command of the table does."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QFileDialog

from core.engine.messages import RunSpec
from gui import i18n, settings
from gui.i18n import show_text
from gui.recorded_spec import NO_TARGET
from gui.run_stage import BUSY, Stage
from gui.targets import shown_name
from gui.theme import DARK, LIGHT, apply_theme, current_theme

if TYPE_CHECKING:
    from gui.main_window import MainWindow

SUFFIX = ".kvtrace"


class Commands(QObject):
    """The handlers of one window's actions."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._state = window.state

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id in the table."""
        session, window, select = self._session, self._window, self._state.select
        return {
            "open": self.open,
            "open_folder": self.open_folder,
            "trusted": self.show_trusted,
            "all_scenarios": self.run_all_scenarios,
            "save": self.save,
            "picture": self.save_picture,
            "quit": window.close,
            "step": session.step,
            "back": lambda: select(step=self._state.selection.step - 1),
            "first": lambda: select(step=0),
            "last": self.last,
            "run": self.run_or_pause,
            "next_bad": session.run_to_next_bad,
            "previous_bad": session.to_previous_bad,
            "cancel": self.cancel,
            "restart": lambda: session.start(session.spec),
            "next_layer": lambda: self.move_layer(1),
            "previous_layer": lambda: self.move_layer(-1),
            "next_head": lambda: self.move_head(1),
            "previous_head": lambda: self.move_head(-1),
            "next_row": self.next_row,
            "log_scale": self.switch_log,
            "theme": self.switch_theme,
            "language": self.switch_language,
            "reset_layout": window.panels.reset_layout,
            "fullscreen": self.switch_fullscreen,
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
        proposed = str(self._session.file or self._proposed_name())
        what = self.tr("Traces (*.kvtrace)")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the trace"), proposed, what)
        if path:
            self.save_to(Path(path))

    def save_repaired(self) -> None:
        """Ask for a name beside the damaged trace and write what can be read there."""
        original = self._session.file or Path(self._proposed_name())
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

    def _proposed_name(self) -> str:
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
        elif self._session.causes.is_searching:
            self._session.causes.stop()
        else:
            self._window.scenarios.cancel()

    # ---- moving

    def last(self) -> None:
        """The last step: of a live run, that is where it ends."""
        if self._session.stage is Stage.WAITING:
            self._session.run()
        else:
            self._state.select(step=self._state.n_steps - 1)

    def run_or_pause(self) -> None:
        if self._session.stage is Stage.RUNNING:
            self._session.pause()
        else:
            self._session.run()

    def move_layer(self, by: int) -> None:
        self._state.select(layer=self._state.selection.layer + by)

    def move_head(self, by: int) -> None:
        self._state.select(head=self._state.selection.head + by)

    def next_row(self) -> None:
        trace = self._state.trace
        if trace is not None:
            row = (self._state.selection.batch_row + 1) % len(trace.info.prompt_ids)
            self._state.select(batch_row=row)

    # ---- looks

    def switch_log(self) -> None:
        self.set_log(self._window.actions_["log_scale"].isChecked())

    def set_log(self, is_log: bool) -> None:
        self._window.actions_["log_scale"].setChecked(is_log)
        self._window.panels.attention.set_log(is_log)
        self._window.refresh()

    def switch_theme(self) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_theme(app, LIGHT if current_theme().name == "dark" else DARK)
        self._window.settings = replace(self._window.settings, theme=current_theme().name)

    def switch_language(self) -> None:
        i18n.set_language("en" if i18n.language() == "zh" else "zh")
        self._window.settings = replace(self._window.settings, language=i18n.language())

    def switch_fullscreen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    def show_keys(self) -> None:
        from gui.help_dialogs import keys_dialog

        keys_dialog(self._window).exec()

    def show_about(self) -> None:
        from gui.help_dialogs import about_dialog

        about_dialog(self._window).exec()

    def remember(self) -> None:
        """Write what the window remembers, when it has a place for it."""
        window = self._window
        if window.store is not None:
            values = replace(window.settings, geometry=window.saveGeometry(), splitters=window.panels.sizes())
            settings.save(window.store, values)
