"""What all panels share: an empty state, and never an exception that reaches Qt."""

import sys
from collections.abc import Callable

from core.errors import KVScopeError
from core.trace.reader import Trace
from core.views.missing import Missing
from core.views.selection import Selection
from gui.i18n import show_text
from gui.widgets.panel import PanelFrame

Select = Callable[..., None]  # AppState.select


class Panel(PanelFrame):
    """A card that shows one aspect of the selected step."""

    def __init__(self, select: Select) -> None:
        super().__init__()
        self.select = select
        self._is_starting = True
        self._can_record = True
        self._reported: str | None = None

    def show_run(self, trace: Trace | None, selection: Selection, tolerance: float) -> None:
        """Show the selection, or say why there is nothing to see."""
        if trace is None or len(trace) == 0:
            self.show_empty(*self._why_empty())
            return
        self.show_safely(lambda: self.refresh(trace, selection, tolerance))

    def show_safely(self, show: Callable[[], object]) -> None:
        """Show something of a trace, or say that it cannot be."""
        try:
            show()
        except KVScopeError as error:
            self.show_empty(show_text(error.text))
        except Exception as error:  # a foreign trace may hold what no view expects: the other panels go on
            self.show_empty(self.tr("This part of the trace cannot be shown."))
            self._report(error)

    def show_missing(self, missing: Missing) -> None:
        """What the trace lacks, and how it can be given: a built-in model, by recording it here."""
        button = self.tr("Record again") if self._can_record else None
        self.show_empty(show_text(missing.what), button, hint=show_text(missing.hint))

    def set_starting(self, is_starting: bool, can_record: bool) -> None:
        """Whether a run is on its way, so that there is nothing to be done about an empty panel, and whether one can be."""
        self._is_starting, self._can_record = is_starting, can_record

    def _why_empty(self) -> tuple[str, str | None]:
        if self._is_starting:
            return "", None  # the findings say it once for all
        return self.tr("Nothing is recorded yet."), self.tr("Record a run")

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        """Hand what the pure function of core.views makes of it to the widget."""
        raise NotImplementedError

    def retranslate(self) -> None:
        """Title and explanation in the language of the window; figures come with the next refresh."""

    def _report(self, error: Exception) -> None:
        """Once for each kind of error, since a broken step repeats at every refresh."""
        kind = f"{type(error).__name__}: {error}"
        if kind != self._reported:
            self._reported = kind
            sys.excepthook(type(error), error, error.__traceback__)
