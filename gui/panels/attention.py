"""Attention of the selected layer and head in both lanes, and their difference."""

from PySide6.QtCore import Signal

from core.trace.reader import Trace
from core.views.allowed import AllowedView, allowed
from core.views.attention import attention
from core.views.attention_note import attention_note
from core.views.mask_difference import MaskDifferenceView, mask_difference
from core.views.missing import no_attention
from core.views.selection import Selection
from gui.glossary import tip
from gui.i18n import show_text
from gui.markup import bad
from gui.panels.base import Panel, Select
from gui.widgets.attention_maps import AttentionMaps, mask_names


class AttentionPanel(Panel):
    """A click selects a cell."""

    log_switched = Signal(bool)

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._trace: Trace | None = None
        self._is_outlined = False
        self._maps = AttentionMaps()
        self._maps.cell_clicked.connect(lambda query, key: self.select(query=query, key=key))
        self._maps.log_button.clicked.connect(self.log_switched)
        self.set_body(self._maps)
        self.retranslate()

    def set_log(self, is_log: bool) -> None:
        self._maps.set_log(is_log)

    def set_outlined(self, is_outlined: bool) -> None:
        """Whether what the masks allow is outlined, from the next refresh on."""
        self._is_outlined = is_outlined

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        view = attention(trace, selection)
        if view is None:
            self.show_missing(no_attention(trace, selection))
            self.set_explanation("")
            return
        if trace is not self._trace:  # what was chosen was chosen for another run
            self._trace = trace
            self._maps.choose_mask(None)
        mask = mask_difference(trace, selection, is_whole=False)
        if self._maps.shows_mask(mask):
            mask = mask_difference(trace, selection)
        allowed_view = allowed(trace, selection) if self._is_outlined else None
        self._maps.set_view(view, mask, allowed_view)
        note = attention_note(trace, selection)
        if note is None:
            self._explain(selection)
        else:
            self.set_explanation(show_text(note))
        self.set_figures(self._figures_of(mask, allowed_view))
        self.show_body()

    def retranslate(self) -> None:
        self.set_title(self.tr("Attention"))
        self.set_title_tip(tip("attention", "causal_mask"))

    def _explain(self, selection: Selection) -> None:
        text = self.tr("layer {layer} · head {head} · each step adds the rows of its new tokens")
        self.set_explanation(text.format(layer=selection.layer, head=selection.head))

    def _figures_of(self, mask: MaskDifferenceView | None, outlined: AllowedView | None) -> str:
        scale = self.tr("log scale") if self._maps.is_log else self.tr("linear scale")
        if outlined is None:
            about = self.tr("linked zoom")
        elif outlined.is_recorded:
            about = self.tr("outlined: the recorded mask")
        else:
            about = self.tr("outlined: causal by position, no mask is recorded")
        figures = [scale, about]
        if mask is not None and not mask.is_same:
            words = self.tr("mask: {names}").format(names=mask_names(mask))
            figures = [bad("\u00d7 " + words), scale if outlined is None else about]
        return " · ".join(figures)
