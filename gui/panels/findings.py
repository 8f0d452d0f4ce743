"""The verdict in words; a click goes to the place."""

from core.views.findings import VerdictView
from gui.panels.base import Select
from gui.widgets.finding_banner import FindingBanner


class FindingsPanel(FindingBanner):
    """The banner at the foot of the window; it has no title, since its headline is one."""

    def __init__(self, select: Select) -> None:
        super().__init__()
        self._select = select
        self._verdict: VerdictView | None = None
        self.finding_clicked.connect(self._on_finding_clicked)

    def show_verdict(self, view: VerdictView) -> None:
        """Show it, unless it is what is shown: stepping through a run does not change the verdict."""
        if view != self._verdict:
            self._verdict = view
            self.set_view(view)

    def _on_finding_clicked(self, index: int) -> None:
        if self._verdict is None or not 0 <= index < len(self._verdict.findings):
            return
        finding = self._verdict.findings[index]
        names = ("step", "layer", "head", "batch_row", "query", "key")
        changes = {name: value for name in names if (value := getattr(finding, name)) is not None}
        self._select(**changes)
