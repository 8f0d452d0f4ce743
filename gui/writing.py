"""The report and the lab notes of the shown trace, as files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from core.report.whole_file import write_whole
from gui.attempt import attempt
from gui.i18n import language, show_text
from gui.recorded_spec import NO_TARGET
from gui.repeat_command import check_command

if TYPE_CHECKING:
    from core.report.language import Language
    from core.report.profile import ProfileResult
    from core.trace.reader import Trace
    from gui.main_window import MainWindow

HTML, MARKDOWN = ".html", ".md"


class Writing(QObject):
    """The handlers of one window's commands that write about what is shown, in the language of the window."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id."""
        return {"save_report": self.ask_report, "save_notes": self.ask_notes}

    def ask_report(self) -> None:
        path = self._ask(self.tr("Save the report"), self.tr("Web pages (*.html)"), HTML)
        if path:
            self.write_report(path)

    def ask_notes(self) -> None:
        path = self.ask_notes_name()
        if path:
            self.write_notes(path)

    def ask_notes_name(self) -> Path | None:
        """Where lab notes shall go."""
        return self._ask(self.tr("Save the lab notes"), self.tr("Markdown (*.md)"), MARKDOWN)

    def write_report(self, path: Path) -> bool:
        """One page about the shown trace; an ending that is missing is added."""
        trace = self._window.state.trace
        return trace is not None and self._write(path, HTML, lambda: self._report(trace))

    def write_notes(self, path: Path) -> bool:
        """Lab notes about the shown trace."""
        trace = self._window.state.trace
        profile = self._window.measuring.profile_of(self._window.session.spec)
        return trace is not None and self.write_notes_of(path, [trace], profile, self._window.state.tolerance)

    def write_notes_of(
        self,
        path: Path,
        traces: "Sequence[Trace]",
        profile: "ProfileResult | None",
        tolerance: float | None = None,
    ) -> bool:
        """Lab notes about several runs."""
        from core.report.notes import lab_notes  # not needed for the first paint

        return self._write(path, MARKDOWN, lambda: lab_notes(traces, _language(), profile, tolerance))

    def _report(self, trace: "Trace") -> bytes:
        from core.report.command import command_of_trace
        from core.report.language import translator
        from core.report.page import ReportInput, html_report
        from core.report.page.profile import profile_section
        from core.report.page.words import Words

        spec = self._window.session.spec
        profile = self._window.measuring.profile_of(spec)
        extra = [profile_section(profile, Words(translator(_language())))] if profile is not None else []
        command = command_of_trace(trace) if spec.target == NO_TARGET else check_command(spec)
        made = ReportInput(
            trace.info.target,
            [trace],
            command=command,
            tolerance=self._window.state.tolerance,
            extra=extra,
        )
        return html_report(made, _language())

    def _write(self, path: Path, suffix: str, make: Callable[[], bytes]) -> bool:
        path = path if path.suffix else path.with_suffix(suffix)
        written = attempt(
            lambda: write_whole(path, make()), lambda text: self._window.warn_of(show_text(text))
        )
        if written is None:
            return False
        self._window.notices.say(self.tr("Saved {name}.").format(name=path.name))
        return True

    def _ask(self, title: str, what: str, suffix: str) -> Path | None:
        proposed = Path(self._window.commands.proposed_name()).with_suffix(suffix)
        path, _ = QFileDialog.getSaveFileName(self._window, title, str(proposed), what)
        return Path(path) if path else None


def _language() -> "Language":
    return "zh" if language() == "zh" else "en"
