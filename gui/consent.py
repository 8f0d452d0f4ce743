"""The one gate that every run of a user's file passes: it runs when the user has said so, for exactly this content."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from core.engine.messages import RunSpec
from gui.attempt import attempt
from gui.targets import is_program
from gui.trust import TargetFile, Trusted, read_target_file

if TYPE_CHECKING:
    from gui.consent_dialog import ConsentDialog

Action = Callable[[], object]


def _nothing() -> None:
    """What is done for a refusal, unless said otherwise."""


def _would_run(target: str) -> bool:
    """Where there is no such file, nothing could run, and the engine says what is wrong with the name."""
    return is_program(target) and Path(target).is_file()


class Consent(QObject):
    """Asks in a dialog that never blocks the window; the newest question replaces an open one."""

    trusted_changed = Signal()
    problem = Signal(object)  # Text

    def __init__(self, window: QWidget, trusted: Trusted) -> None:
        super().__init__(window)
        self._window = window
        self.trusted = trusted
        self.dialog: ConsentDialog | None = None

    def allow(self, spec: RunSpec, run: Action, refuse: Action = _nothing) -> None:
        """Call `run` at once where there is nothing to ask, else after the answer; `refuse` where it is no."""
        if not _would_run(spec.target):
            run()
            return
        file = self._read(spec.target)
        if file is None:
            refuse()
        elif self.trusted.holds(file):
            run()
        else:
            self._ask(file, spec, run, refuse)

    def is_allowed(self, spec: RunSpec) -> bool:
        """Whether nothing has to be asked: between two runs of a series a file may have changed."""
        if not _would_run(spec.target):
            return True
        file = self._read(spec.target)
        return file is not None and self.trusted.holds(file)

    def with_permission(self, spec: RunSpec) -> RunSpec:
        """Say which contents may run, so that the engine refuses a file that changes after this."""
        if not is_program(spec.target):
            return spec
        return replace(spec, allowed_sha256=self.trusted.digests(Path(spec.target).resolve()))

    def _read(self, target: str) -> TargetFile | None:
        return attempt(lambda: read_target_file(Path(target)), self.problem.emit)

    def _ask(self, file: TargetFile, spec: RunSpec, run: Action, refuse: Action) -> None:
        from gui.consent_dialog import ConsentDialog  # dialogs are not needed for the first paint

        if self.dialog is not None:
            self.dialog.reject()
        dialog = self.dialog = ConsentDialog(file, self._window)

        def on_finished(result: int) -> None:
            if self.dialog is dialog:
                self.dialog = None
            dialog.deleteLater()
            if result != QDialog.DialogCode.Accepted:
                refuse()
                return
            self.trusted.add(file)
            self.trusted_changed.emit()
            self.allow(spec, run, refuse)  # asks again if the file has changed behind the dialog

        dialog.finished.connect(on_finished)
        dialog.open()
