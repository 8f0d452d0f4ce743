"""The card of a cause: sentence, place, bars with their figures, and repairs that stand one after the other."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.text import Text
from core.trace.records import FindingFacts
from core.trace.texts import text_of
from core.views.causes import CauseView, cause_view
from core.views.findings import FindingView, VerdictView
from gui import i18n
from gui.theme import current_theme
from gui.widgets.finding_banner import FindingBanner
from gui.widgets.proof_bars import ProofBars
from tests.core.support import DRIFT, ROUNDED

TOLERANCE = 5e-4


def verdict(*facts: FindingFacts) -> VerdictView:
    """A run that diverges at step 1 because of these."""
    findings = tuple(
        FindingView(
            text_of(one.sentence), Text("the logits differ"), one.step, one.layer, one.head, one.batch_row,
            cause=cause_view(one, TOLERANCE, is_last=one is facts[-1]),
        )
        for one in facts
    )  # fmt: skip
    return VerdictView("divergent", Text("divergent"), findings)


@pytest.fixture
def banner(qtbot: QtBot) -> Iterator[FindingBanner]:
    widget = FindingBanner()
    qtbot.addWidget(widget)
    widget.resize(1100, 80)
    widget.set_view(verdict(DRIFT, ROUNDED))
    widget.show()
    yield widget
    i18n.set_language("en")


def words(banner: FindingBanner) -> str:
    """All that can be read on the cards that are shown."""
    return "\n".join(label.text() for card in banner.cards for label in card.findChildren(QLabel))


def test_that_the_sentence_leads_and_the_advice_is_there(banner: FindingBanner) -> None:
    (card,) = banner.cards
    first = card.findChildren(QLabel)[0].text()
    assert "told position 7, expected 6" in first
    assert "position-drift" in first
    assert "Look where the offset is advanced" in words(banner)
    assert "rope-mismatch" in words(banner)  # the repair fits both
    assert card.place.text() == "step 1, layer 1, k, slot 6, row 0"


def test_that_a_click_on_the_place_asks_to_go_there(banner: FindingBanner, qtbot: QtBot) -> None:
    with qtbot.waitSignal(banner.finding_clicked) as clicked:
        qtbot.mouseClick(banner.cards[0].place, Qt.MouseButton.LeftButton)
    assert clicked.args == [0]


def test_that_the_bars_say_their_figures(banner: FindingBanner, qtbot: QtBot) -> None:
    bars = banner.cards[0].bars
    assert bars is not None
    assert bars.accessibleName() == "healed 83.1 %, elsewhere 1.3 %"
    i18n.set_language("zh")
    qtbot.waitUntil(lambda: banner.cards[0].bars.accessibleName() == "修复率 83.1 %, 别处对照 1.3 %")


def test_that_the_bar_is_as_long_as_the_healed_share(qtbot: QtBot) -> None:
    bars = ProofBars(CauseView("x", (), (), healed=0.5, null_control=0.0))
    qtbot.addWidget(bars)
    bars.resize(200, bars.sizeHint().height())
    picture = bars.grab().toImage()
    y = round(bars.unit * 1.4 * picture.devicePixelRatio())
    full, empty = (picture.pixelColor(round(share * picture.width()), y).name() for share in (0.4, 0.6))
    assert (full, empty) == (current_theme().text.name(), current_theme().line.name())


def test_that_a_repair_without_null_control_has_one_bar(qtbot: QtBot) -> None:
    bars = ProofBars(CauseView("x", (), (), healed=0.9999))
    qtbot.addWidget(bars)
    assert bars.accessibleName() == "healed 99.9 %"
    assert bars.sizeHint().height() < ProofBars(CauseView("x", (), (), 0.9, 0.1)).sizeHint().height()


def test_that_the_next_cause_shows_when_the_repair_before_it_stands(
    banner: FindingBanner, qtbot: QtBot
) -> None:
    assert "rounded to bfloat16" not in words(banner)
    banner.cards[0].apply_button.click()
    qtbot.waitUntil(lambda: len(banner.cards) == 2)
    assert "→ With this repair the step still differs by 2.89, 16.8 % of 17.1 before." in words(banner)
    assert "rounded to bfloat16" in words(banner)
    assert "Nothing remains" not in words(banner)
    banner.cards[1].apply_button.click()
    qtbot.waitUntil(lambda: "Nothing remains" in words(banner))
    banner.cards[0].apply_button.click()  # take the first one back, and with it what builds on it
    qtbot.waitUntil(lambda: len(banner.cards) == 1)
    assert "With this repair" not in words(banner)


def test_that_another_verdict_has_no_repair_standing(banner: FindingBanner, qtbot: QtBot) -> None:
    banner.cards[0].apply_button.click()
    qtbot.waitUntil(lambda: len(banner.cards) == 2)
    banner.retranslate()
    assert len(banner.cards) == 2
    banner.set_view(verdict(ROUNDED, DRIFT))
    assert len(banner.cards) == 1


def test_that_evidence_shows_on_demand(banner: FindingBanner, qtbot: QtBot) -> None:
    assert "V agrees in all 7 slots." not in words(banner)
    before = banner.height()
    banner.cards[0].details.click()
    qtbot.waitUntil(lambda: "V agrees in all 7 slots." in words(banner))
    assert "the logits differ" in words(banner)
    assert banner.height() > before
    banner.cards[0].details.click()
    qtbot.waitUntil(lambda: "V agrees in all 7 slots." not in words(banner))
    assert banner.height() == before


def test_that_an_inferred_cause_is_tagged_and_offers_no_repair(qtbot: QtBot) -> None:
    banner = FindingBanner()
    qtbot.addWidget(banner)
    banner.set_view(verdict(FindingFacts(step=1, cause="oracle-broken", sentence=DRIFT.sentence), ROUNDED))
    (card,) = banner.cards
    assert (card.bars, card.apply_button) == (None, None)
    assert "inferred" in words(banner)
    card.details.click()  # the other cause is behind no repair
    qtbot.waitUntil(lambda: len(banner.cards) == 2)


def test_that_a_stranger_s_markup_stays_text(qtbot: QtBot) -> None:
    nasty = FindingFacts(
        step=1, cause="<img src=x>", sentence=type(DRIFT.sentence)("<h1>big</h1>"), also=["<b>"], healed=1.0
    )
    banner = FindingBanner()
    qtbot.addWidget(banner)
    banner.set_view(verdict(nasty))
    headline, *others = banner.cards[0].findChildren(QLabel)
    assert "&lt;h1&gt;" in headline.text()
    assert "&lt;img" in headline.text()
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in others)


@pytest.mark.parametrize("width", [560, 1100])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_no_text_is_cut(banner: FindingBanner, qtbot: QtBot, width: int, language: str) -> None:
    i18n.set_language(language)
    banner.resize(width, banner.height())
    qtbot.waitUntil(lambda: banner.width() == width and banner._list.width() > 0)

    def has_room() -> bool:
        labels = [label for card in banner.cards for label in card.findChildren(QLabel)]
        return all(label.height() >= label.heightForWidth(label.width()) for label in labels)

    qtbot.waitUntil(has_room)
