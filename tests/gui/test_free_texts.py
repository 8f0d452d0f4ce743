"""Both lanes' own texts under the strip: where they part is in sight, marked, and said to be a tie or a defect."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from core.trace.reader import Trace
from core.trace.records import FreeFacts
from core.views.free import FreeRow, FreeToken
from core.views.selection import Selection
from gui.panels.tokens import TokensPanel
from gui.theme import current_theme
from gui.widgets.free_texts import FreeTexts
from tests.gui.small_trace import write_small_trace


def free_row(oracle: str, cached: str, later: int = 0, logits_agree: bool = True) -> FreeRow:
    tokens = tuple(FreeToken(a, b, a != b, a.isdigit()) for a, b in zip(oracle, cached, strict=True))
    first = next((i for i, token in enumerate(tokens) if token.differs), None)
    return FreeRow(tokens, first, later, 0, 0, logits_agree)


@pytest.fixture
def texts(qtbot: QtBot) -> FreeTexts:
    widget = FreeTexts()
    qtbot.addWidget(widget)
    widget.resize(500, widget.sizeHint().height())
    widget.set_row(free_row("paid 10", "paid 17", later=2))
    widget.show()
    return widget


def has_colour(texts: FreeTexts, place: int, line: int, colour: str) -> bool:
    picture, rect = texts.grab().toImage(), texts.cell(place, line).toRect()
    return any(
        picture.pixelColor(x, y).name() == colour
        for x in range(rect.left(), rect.right())
        for y in range(rect.top(), rect.bottom())
    )


def test_that_the_token_at_which_the_texts_part_is_boxed_in_both_lines(texts: FreeTexts) -> None:
    box = current_theme().bad_background.name()
    assert [has_colour(texts, 6, line, box) for line in (0, 1)] == [True, True]
    assert not has_colour(texts, 5, 0, box)


def test_that_each_line_has_the_colour_of_its_lane(texts: FreeTexts) -> None:
    theme = current_theme()
    assert has_colour(texts, 0, 0, theme.oracle.name())
    assert has_colour(texts, 0, 1, theme.cached_ink.name())


@pytest.mark.parametrize(
    ("later", "agree", "word", "is_defect"),
    [
        (2, True, "a defect.", True),
        (0, False, "a defect.", True),
        (0, True, "a tie.", False),
    ],
)
def test_that_the_note_says_tie_or_defect(
    texts: FreeTexts, later: int, agree: bool, word: str, is_defect: bool
) -> None:
    row = free_row("ab", "ax", later, agree)
    texts.set_row(row)
    assert texts.note().endswith(word)
    assert texts.accessibleDescription() == texts.note()
    assert row.is_defect == is_defect


def test_that_equal_texts_have_no_box(texts: FreeTexts) -> None:
    row = free_row("abc", "abc")
    texts.set_row(row)
    assert not row.is_defect
    assert not has_colour(texts, 2, 1, current_theme().bad_background.name())


def test_that_a_long_text_begins_near_the_place_where_it_parts(texts: FreeTexts) -> None:
    texts.set_row(free_row("a" * 400 + "b", "a" * 400 + "c"))
    assert texts.first_shown() == 394
    assert texts.cell(400, 0).right() < texts.width()
    assert not texts.grab().isNull()


def test_that_a_click_on_a_token_selects_its_step(texts: FreeTexts, qtbot: QtBot) -> None:
    with qtbot.waitSignal(texts.step_clicked) as clicked:
        qtbot.mouseClick(texts, Qt.MouseButton.LeftButton, pos=texts.cell(3, 1).center().toPoint())
    assert clicked.args == [3]
    with qtbot.assertNotEmitted(texts.step_clicked):
        qtbot.mouseClick(texts, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))


def test_that_the_tip_names_both_tokens_as_text(texts: FreeTexts) -> None:
    texts.set_row(FreeRow((FreeToken("<b>", "7", True, False),), 0, 0, 0, 0, True))
    tip = texts._tip(QPointF(texts.cell(0, 0).center()))
    assert tip == "generated token 0: oracle “&lt;b&gt;”, cached “7”"


@pytest.mark.parametrize("cached", [[[3, 5]], [[3, 5], [3, 5]]])
def test_that_the_bar_shows_both_texts_where_the_trace_has_them(
    qtbot: QtBot, tmp_path: Path, cached: list[list[int]]
) -> None:
    free = FreeFacts(
        oracle=[[3, 4]], cached=cached, anchored=[[3, 4]], texts={"3": "d", "4": "e", "5": "f"},
        temperature=0.5, seed=7,
    )  # fmt: skip
    write_small_trace(tmp_path / "a.kvtrace", [0.0, 0.0], free=free)
    write_small_trace(tmp_path / "b.kvtrace", [0.0, 0.0])
    panel = TokensPanel(lambda **changes: None)
    qtbot.addWidget(panel)
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        panel.show_run(trace, Selection(), 1e-3)
        is_whole = len(cached) == len(trace.info.prompt_ids)
    assert panel.free.isVisibleTo(panel) == is_whole  # texts that do not fit the batch are not shown
    if is_whole:
        assert "generated token 1" in panel.free.note()
        assert "temperature 0.5" in panel.free._tip(QPointF(20, panel.free.sizeHint().height() - 4))
    with Trace.open(tmp_path / "b.kvtrace") as trace:
        panel.show_run(trace, Selection(), 1e-3)
    assert not panel.free.isVisibleTo(panel)
