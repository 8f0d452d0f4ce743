"""The grid of layers and tensors, and the panel that switches between it and the heads."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from core.verdict.diagnosis.introduced import TENSORS
from core.views.tensor_grid import INHERITED, INTRODUCED, SAME, TensorGridView
from gui.theme import current_theme
from gui.widgets.tensor_grid import TensorGrid

SCORES, WEIGHTS, MASK = (TENSORS.index(name) for name in ("scores", "weights", "mask"))


@pytest.fixture
def grid(qtbot):
    status, difference = np.full((4, len(TENSORS)), SAME, np.int8), np.zeros((4, len(TENSORS)))
    status[1, SCORES], difference[1, SCORES] = INTRODUCED, 0.41
    status[1, WEIGHTS] = status[2, MASK] = INHERITED
    difference[2, MASK] = 3
    widget = TensorGrid()
    qtbot.addWidget(widget)
    widget.resize(200, 330)
    widget.set_view(TensorGridView(TENSORS, status, difference, SAME, 2))
    widget.show()
    return widget


def centre(grid, layer, column) -> QPoint:
    return grid.cell_rect(layer, column).center().toPoint()


def test_that_a_click_selects_the_layer(grid, qtbot):
    with qtbot.waitSignal(grid.layer_clicked) as clicked:
        qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=centre(grid, 3, MASK))
    assert clicked.args == [3]


def test_that_the_tip_says_what_a_mark_means(grid):
    for layer, column, words in (
        (1, SCORES, "layer 1, scores: introduced here, all that it is made of agrees (0.41 of its rms)"),
        (2, MASK, "layer 2, mask: inherited, it came in wrong (3 cells)"),
        (0, SCORES, "layer 0, scores: agrees (0 of its rms)"),
    ):
        assert grid.cell_at(centre(grid, layer, column).toPointF()) == (layer, column)
        assert grid.tip(layer, column) == words
    assert grid.accessibleDescription() == "layer 1, scores: introduced here"


def test_that_what_is_introduced_is_filled_and_what_is_inherited_hollow(grid):
    image = grid.grab().toImage()
    filled, hollow = (centre(grid, 1, column) + QPoint(0, 3) for column in (SCORES, WEIGHTS))
    assert image.pixelColor(filled) == current_theme().bad
    assert image.pixelColor(hollow) != current_theme().bad
