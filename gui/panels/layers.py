"""Layers: by heads, how differently each attends; by tensors, where a step goes wrong."""

from typing import Literal

from PySide6.QtWidgets import QStackedWidget, QToolButton

from core.trace.reader import Trace
from core.views.attention import layer_grid
from core.views.missing import no_attention
from core.views.selection import Selection
from core.views.tensor_grid import tensor_grid
from gui.glossary import tip
from gui.i18n import show_text
from gui.panels.base import Panel, Select
from gui.widgets.layer_grid import LayerGrid
from gui.widgets.panel import tool_row
from gui.widgets.tensor_grid import TensorGrid

Shown = Literal["heads", "tensors"]


class LayersPanel(Panel):
    """A click looks into a head, or a layer."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        self._grid, self._tensors = LayerGrid(), TensorGrid()
        self._grid.head_clicked.connect(lambda layer, head: self.select(layer=layer, head=head))
        self._tensors.layer_clicked.connect(lambda layer: self.select(layer=layer))
        self._grids = QStackedWidget()
        self._grids.addWidget(self._grid)
        self._grids.addWidget(self._tensors)
        self._run: tuple[Trace, Selection] | None = None
        self.buttons: dict[Shown, QToolButton] = {"heads": QToolButton(), "tensors": QToolButton()}
        for name, button in self.buttons.items():
            button.setCheckable(True)
            button.clicked.connect(lambda _checked, name=name: self.choose(name))
        self.add_title_widget(tool_row(*self.buttons.values()))
        self.set_body(self._grids)
        self.shown: Shown = "heads"
        self.choose("heads")
        self.retranslate()

    def choose(self, shown: Shown) -> None:
        """Show heads or tensors."""
        self.shown = shown
        for name, button in self.buttons.items():
            button.setChecked(name == shown)
        self._grids.setCurrentWidget(self._grid if shown == "heads" else self._tensors)
        if self._run is not None:
            self._fill(*self._run)

    def refresh(self, trace: Trace, selection: Selection, tolerance: float) -> None:
        self._run = trace, selection
        self._fill(trace, selection)

    def _fill(self, trace: Trace, selection: Selection) -> None:
        """What is not shown is not worked out."""
        is_there = (
            self._fill_heads(trace, selection)
            if self.shown == "heads"
            else self._fill_tensors(trace, selection)
        )
        if is_there:
            self.show_body()
        else:  # the panel beside it has the hint
            self.show_empty(show_text(no_attention(trace, selection).what))

    def _fill_heads(self, trace: Trace, selection: Selection) -> bool:
        view = layer_grid(trace, selection)
        if view is not None:
            self._grid.set_view(view)
        return view is not None

    def _fill_tensors(self, trace: Trace, selection: Selection) -> bool:
        view = tensor_grid(trace, selection)
        if view is not None:
            self._tensors.set_view(view)
        return view is not None

    def retranslate(self) -> None:
        self.set_title(self.tr("Layers"))
        self.set_title_tip(tip("layer", "head", "gqa"))
        self.set_explanation("")
        for name, text, words in (
            ("heads", self.tr("heads"), self.tr("How differently each head attends")),
            (
                "tensors",
                self.tr("tensors"),
                self.tr("Which tensor goes wrong by itself, and which came in wrong"),
            ),
        ):
            self.buttons[name].setText(text)  # type: ignore[index]
            self.buttons[name].setToolTip(words)  # type: ignore[index]
